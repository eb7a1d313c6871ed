"""Putting memory in order by hand: each edit is planned first, can be shown as a diff, and is then made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control.lessons import find, known, owner_of, prune, tell, uses_of, whose, writer
from drumline.errors import BadInput, Conflict, NotAllowed
from drumline.team.actor import Actor, Role
from drumline.team.difference import difference
from drumline.team.learning import (
    DECISIONS,
    HEADINGS,
    archive_file,
    known_as,
    learnings_file,
    learnings_in,
)
from drumline.team.notebook import Notebook, unforged
from drumline.team.quoting import spelled
from drumline.team.reflection import Category
from drumline.team.remembering import (
    WORDS_CAP,
    Note,
    moved,
    noted,
    pages_of,
    with_archived,
    with_decision,
    with_note,
    with_page,
    without,
)
from drumline.team.secrets import redact
from drumline.team.telling import paying
from drumline.team.text import checked_line, checked_name

if TYPE_CHECKING:
    from drumline.control.lessons import Memory
    from drumline.control.ports import Transaction

Change = Callable[[str], str]


class Heritage(NamedTuple):
    """Whose uses of a learning count for whom from now on."""

    member: str
    learning: str
    heir: str


class Edit(NamedTuple):
    """A change of files in the order in which nothing is ever nowhere, and the word the log has for it."""

    changes: tuple[tuple[str, Change], ...]
    verb: str
    member: str
    learning: str
    heritage: Heritage | None = None


def adding(memory: Memory, member: str, category: Category, text: str) -> Edit:
    """Write a learning into a member's file by hand."""
    whose, note = memory.store.ask(writer, member), noted(category, text)
    if same := known_as(note.text, known(memory, whose)):
        raise Conflict(
            f"{whose} knows that already, as {same.id}",
            why=same.text,
            next=f"drumline memory show {whose}",
        )
    change = partial(with_note, whose, note, memory.today())
    return Edit(((learnings_file(whose), change),), "memory.added", whose, note.id)


def deciding(memory: Memory, section: str, text: str, by: str) -> Edit:
    """Write down a decision of the team, with its day and who took it."""
    checked_line(text, "the decision", cap=WORDS_CAP)
    checked_line(section, "the section", cap=80)
    words, author = unforged(redact(spelled(text))), checked_name(by, "the author")
    there = learnings_in(Notebook(memory.notebooks.read(DECISIONS)))
    if same := known_as(words, there):
        raise Conflict(
            "that was decided already", why=same.text, next="drumline memory show decisions"
        )
    change = partial(with_decision, section, words, author, memory.today())
    own = Note(section, words).id
    return Edit(((DECISIONS, change),), "memory.decided", author, own)


def moving(
    memory: Memory, learning: str, category: Category | None, to: str, member: str = ""
) -> Edit:
    """Move a learning to another section, or to another member's file."""
    named = memory.store.ask(writer, to) if to else ""
    owner = owner_of(memory, learning, member, named)
    taker = named or owner
    if taker == owner:
        if category is None:
            raise BadInput("where to?", next="--category gotcha, or --to MEMBER")
        change = partial(moved, learning, HEADINGS[category])
        return Edit(((learnings_file(owner), change),), "memory.moved", owner, learning)
    section = HEADINGS[category] if category else find(memory, owner, learning).entry.section
    page = _page(memory, owner, learning)
    changes = (
        (learnings_file(taker), partial(with_page, taker, section, page)),
        (learnings_file(owner), partial(without, (learning,))),
    )
    return Edit(changes, "memory.moved", taker, learning, Heritage(owner, learning, taker))


def archiving(memory: Memory, learning: str, why: str, member: str = "") -> Edit:
    """Take a learning out of its file, with the reason; the archive keeps it."""
    owner = owner_of(memory, learning, member)
    checked_line(why, "the reason", cap=WORDS_CAP)
    leaving = [(_page(memory, owner, learning), redact(why))]
    changes = (
        (archive_file(owner), partial(with_archived, owner, leaving, memory.today())),
        (learnings_file(owner), partial(without, (learning,))),
    )
    return Edit(changes, "memory.archived", owner, learning)


def carry_out(memory: Memory, actor: Actor, edit: Edit) -> list[str]:
    """Make an edit, if its maker may; the ids of what had to leave a file that was full."""
    refuse_others(actor)
    *before, (path, last) = edit.changes
    for each, change in before:
        memory.notebooks.edit(each, change)
    memory.store.do(_passed_on, actor, edit)  # whoever is cut off here can say it again, not later
    memory.notebooks.edit(path, last)
    memory.store.do(tell, actor, edit.verb, f"{edit.member} {edit.learning}")
    return prune(memory, edit.member) if edit.verb != "memory.decided" else []


def preview(memory: Memory, edit: Edit) -> str:
    """What an edit would change, as a unified diff."""
    before = {path: memory.notebooks.read(path) for path, _ in edit.changes}
    after = dict(before)
    for path, change in edit.changes:
        after[path] = change(after[path])
    return diff_of({path: (before[path], after[path]) for path in before})


def diff_of(files: Mapping[str, tuple[str, str]]) -> str:
    """Files before and after, as a unified diff."""
    return "".join(difference(path, before, after) for path, (before, after) in files.items())


def refuse_others(actor: Actor) -> None:
    """Members suggest in their reflections: files of memory are put in order by people and the lead."""
    if actor.role not in {Role.PERSON, Role.LEAD}:
        raise NotAllowed(
            f"{actor.name} may not put memory in order",
            why="members suggest learnings when they end a task; people and the lead keep the files",
            next="name it in suggested_learnings of your reflection",
        )


def rows(memory: Memory, name: str = "") -> list[dict[str, Any]]:
    """The learnings of a member, or of everyone, with what they were good for, as every surface shows them."""
    return [row for member in whose(memory, name) for row in _rows(memory, member)]


def _rows(memory: Memory, member: str) -> list[dict[str, Any]]:
    text = memory.notebooks.read(learnings_file(member))
    ids = [each.id for each in learnings_in(Notebook(text))]
    uses = memory.store.ask(uses_of, member, ids) if ids else {}
    return [
        {
            "id": each.id,
            "member": member,
            "section": each.entry.section,
            "text": each.text,
            "from": each.entry.sender or None,
            "added": each.entry.added.isoformat() if each.entry.added else None,
            "tier": tier,
            "references": use.references,
            "runs": use.runs,
            "last_used": use.last.isoformat() if use.last else None,
        }
        for each, tier, use in paying(text, uses, memory.keeping)
    ]


def decisions(memory: Memory) -> list[dict[str, Any]]:
    """What the team decided, with day and author."""
    return [
        {
            "id": each.id,
            "section": each.entry.section,
            "text": each.text,
            "decided": each.entry.said("decided") or None,
            "by": each.entry.said("by") or None,
        }
        for each in learnings_in(Notebook(memory.notebooks.read(DECISIONS)))
    ]


def _passed_on(tx: Transaction, actor: Actor, edit: Edit) -> None:
    if edit.heritage is None:
        return
    member, learning, heir = edit.heritage
    if tx.citations.pass_on(member, learning, heir, learning):
        tx.record(actor, "memory.counted", f"{heir} {learning}")


def _page(memory: Memory, owner: str, learning: str) -> Notebook:
    page = pages_of(memory.notebooks.read(learnings_file(owner)), [learning]).get(learning)
    return page or Notebook(f"- {find(memory, owner, learning).text}")
