"""What a team wrote down, from the command line: finding it again, and the memory of a run."""

from __future__ import annotations

from collections.abc import Iterator

import click

from drumline.control import recall, team_notes
from drumline.control.recall import Recalled, Wanted
from drumline.control.team_notes import Saying
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import MESSAGE, Read
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.team.ids import MessageId
from drumline.team.recall import RecallKind, Within
from drumline.team.team_memory import Note, NoteId, listed
from drumline.team.wording_forms import NoteTag

NOTE = Read("note", NoteId.parse)
TAGS = {tag.value.lower(): tag for tag in NoteTag}


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in RecallKind]),
    help="Only this kind of memory.",
)
@click.option("--member", default="", metavar="NAME", help="Only what this member wrote.")
@click.option("--team", default="", metavar="NAME", help="Only this team of the store.")
@click.option(
    "--limit", type=click.IntRange(1, recall.MOST), default=recall.USUAL, help="How many at most."
)
@placed
def search(words: tuple[str, ...], limit: int, *, as_json: bool, **within: str | None) -> None:
    """Find what any team on the store wrote down, the best first."""
    from drumline.wiring import recalling  # noqa: PLC0415 - only this command pays for it

    asked = Wanted(
        " ".join(words), Within(**{name: said or "" for name, said in within.items()}), limit
    )
    found = recalling.search(desk.here(), desk.library(), asked)
    show(found.facts(), _found(found), as_json=as_json)


@click.command("note")
@click.argument("tag", type=click.Choice(list(TAGS), case_sensitive=False))
@click.argument("text")
@click.option("--for", "section", default="", metavar="MEMBER", help="Whose section, if you lead.")
@placed
def note(tag: str, text: str, section: str, *, as_json: bool) -> None:
    """Write into your section of the run's memory; the lead does it for members that may not."""
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    said = Saying(TAGS[tag.lower()], text, section)
    written = recalling.note(desk.here(), store, desk.speaking(store), said)
    lines = listed([written.note]) if written.note else []
    if written.letter:
        lines = [f"sent to the lead, who relays it: {written.letter.id}"]
    show(written.facts(), lines, as_json=as_json)


@click.command("team")
@click.option("--run", "name", default="", metavar="RUN", help="Another than the newest.")
@click.option("--all", "everything", is_flag=True, help="What was left out or archived, too.")
@placed
def team(name: str, *, everything: bool, as_json: bool) -> None:
    """The memory of a run, as everybody reads it before work."""
    store = desk.library()
    told = store.ask(team_notes.memory_facts, name)
    lines = told["text"].splitlines()
    if everything:
        lines = listed(store.ask(team_notes.of_run, told["run"]))
    show(told, lines, as_json=as_json)


@click.command("relay")
@click.argument("messages", nargs=-1, required=True, type=MESSAGE)
@placed
def relay(messages: tuple[MessageId, ...], *, as_json: bool) -> None:
    """As the lead: write what members reported into their sections."""
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    notes = recalling.relay(desk.here(), store, desk.speaking(store), messages)
    _told(notes, as_json=as_json)


@click.command("settle")
@click.argument("notes", nargs=-1, required=True, type=NOTE)
@click.option("--why", required=True, metavar="TEXT", help="Why nobody needs it any more.")
@placed
def settle(notes: tuple[NoteId, ...], why: str, *, as_json: bool) -> None:
    """Archive notes that are over: your own, or as the lead anybody's."""
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    over = recalling.settle(desk.here(), store, desk.speaking(store), notes, why)
    _told(over, as_json=as_json)


COMMANDS = (search, note, team, relay, settle)


def _told(notes: list[Note], *, as_json: bool) -> None:
    show(list(map(team_notes.note_facts, notes)), listed(notes), as_json=as_json)


def _found(told: Recalled) -> Iterator[str]:
    found = told.facts()["found"]
    if not found:
        yield f"nothing has {' or '.join(told.query.words)}"
        return
    if told.query.any_word:
        yield "nothing has all the words; these have some:"
    for each in found:
        head = (each["kind"], each["team"], each["member"] or "-", each["day"] or "-")
        yield from columns([(*head, f"{each['path']}:{each['line']}")])
        yield f"    {each['snippet']}"
