"""The shared context of a run from the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click

from drumline.control import context, context_views
from drumline.control.context import Offer
from drumline.control.context_views import ACTIONS, Held
from drumline.control.ports import Store
from drumline.errors import BadInput, NotAllowed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.kinds import Read
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.context_delta import told
from drumline.team.context_form import parse, render
from drumline.team.wording_forms import Acknowledgement
from drumline.wiring import contexts

LAST = 999_999_999
STDIN = "-"

version_kind = click.IntRange(1, LAST)
run_option = click.option(
    "--run", default="", metavar="NAME", help="Which run, if not the one at work, or the last."
)


def items_of(text: str) -> tuple[int, int]:
    """`2/3`: how many items were applied, of how many."""
    if found := re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text):
        return int(found[1]), int(found[2])
    raise BadInput(f"{text[:80]!r} does not say how many of how many", next="say --items 2/3")


@click.group()
def command() -> None:
    """What everyone in a run goes by, in numbered versions, and who holds which."""


@command.command("show")
@click.argument("version", type=version_kind, required=False)
@run_option
@placed
def show_context(version: int | None, run: str, *, as_json: bool) -> None:
    """The newest version, or the one named, as a whole."""
    store = desk.library()
    found = store.ask(context.find, _run(store, run), version)
    text = render(found.number, found.sections)
    show(context_views.version_facts(found), text.split("\n")[:-1], as_json=as_json)


@command.command("diff")
@click.argument("older", type=click.IntRange(0, LAST), required=False)
@click.argument("newer", type=version_kind, required=False)
@run_option
@placed
def diff(older: int | None, newer: int | None, run: str, *, as_json: bool) -> None:
    """What is new since version OLDER, or since the one before; up to NEWER, or the newest."""
    store = desk.library()
    found = store.ask(context_views.difference, _run(store, run), older, newer)
    lines = told(found.news).split("\n") if found.news.items else ["nothing is new"]
    show(context_views.difference_facts(found), lines, as_json=as_json)


@command.command("publish")
@click.argument("file")
@click.option("--why", default="", metavar="TEXT", help="What changed, and whom it touches.")
@run_option
@placed
def publish(file: str, why: str, run: str, *, as_json: bool) -> None:
    """Make the Markdown of FILE, or of stdin with -, the next version, and send it to everyone."""
    if file != STDIN and caller() is not None:
        raise NotAllowed(
            "a member's runner reads no files for it",
            next="drumline context publish -   # and the text on stdin",
        )
    draft = parse(words(STDIN) if file == STDIN else contexts.draft_in(file))
    store = desk.store()
    actor = desk.speaking(store)
    rendered = contexts.publish(desk.here(), store, actor, _run(store, run), (draft, why))
    done = rendered.published
    head = f"{done.version.run}  version {done.version.number} published"
    show(rendered.facts(), [head, *_sent(done.sent)], as_json=as_json)
    if not rendered.file:
        click.echo("its file could not be written; drumline context show has the text", err=True)


@command.command("who")
@run_option
@placed
def who(run: str, *, as_json: bool) -> None:
    """Which version each member holds, by its own word."""
    store = desk.library()
    found = store.ask(context_views.held, _run(store, run))
    show(context_views.held_facts(found), _holders(found), as_json=as_json)


@command.command("ack")
@click.argument("version", type=version_kind)
@click.option("--items", required=True, type=Read("items", items_of), help="Applied of all: 2/3.")
@click.option("--impact", default="none", metavar="TEXT", help="What it changes for your work.")
@click.option("--action", type=click.Choice(list(ACTIONS)), required=True, help="What you do.")
@run_option
@placed
def ack(version: int, items: tuple[int, int], run: str, *, as_json: bool, **said: str) -> None:
    """Confirm the VERSION you received, as the member you are."""
    applied, total = items
    word = Acknowledgement(
        version=version,
        applied=applied,
        total=total,
        impact=said["impact"],
        action=ACTIONS[said["action"]],
    )
    store = desk.store()
    kept = store.do(context.acknowledge, desk.speaking(store), _run(store, run), word)
    line = f"{kept.member}  {_version(kept.held)}  {applied}/{total}  {said['action']}"
    show(context_views.holding_facts(kept, version), [line], as_json=as_json)


@command.command("ask")
@click.option("--lost", is_flag=True, help="What you knew of it is gone.")
@run_option
@placed
def ask(run: str, *, lost: bool, as_json: bool) -> None:
    """Have the whole text sent to you; until you confirm it you hold none."""
    store = desk.store()
    sent = store.do(context.want_whole, desk.speaking(store), _run(store, run), lost=lost)
    show([context_views.offer_facts(each) for each in sent], _sent(sent), as_json=as_json)


def _run(store: Store, run: str) -> str:
    return store.ask(context.chosen_run, run)


def _sent(offers: Iterable[Offer]) -> list[str]:
    return columns(
        (
            f"sent to {each.member}",
            "1 item" if each.items == 1 else f"{each.items} items",
            f"everything: {each.whole}" if each.whole else "only what is new",
        )
        for each in offers
    )


def _holders(found: Held) -> Iterator[str]:
    yield f"{found.run}  {_version(found.version)}"
    facts = context_views.held_facts(found)["members"]
    yield from columns(
        (
            each["member"],
            _version(each["held"]),
            "stale" if each["stale"] else "",
            f"{each['applied']}/{each['total']}" if each["sent"] else "",
            each["action"] or "",
            each["impact"],
        )
        for each in facts
    )


def _version(number: int) -> str:
    return f"version {number}" if number else "no version"
