"""Lessons: what members learnt, written down where it belongs, told again, and counted when it helped.

Files come first: what is written there twice is there once, so whoever was cut off does it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.roster import active_member, addressed
from drumline.errors import Conflict, Refused, Unknown
from drumline.team.actor import Actor
from drumline.team.keeping import KEEPING, Keeping
from drumline.team.learning import (
    FOLDER,
    NOTES,
    Learning,
    Uses,
    archive_file,
    echoed,
    known_as,
    learnings_file,
    learnings_in,
    tiers,
    tokens,
)
from drumline.team.member import HUMAN
from drumline.team.message import Kind
from drumline.team.notebook import Notebook
from drumline.team.prompt import LETTERS_A_TOKEN, SHARE
from drumline.team.quoting import quoted
from drumline.team.reflection import Category, Reflection, SuggestedLearning
from drumline.team.remembering import (
    FULL,
    Note,
    noted,
    pages_of,
    with_archived,
    with_note,
    with_page,
    without,
)
from drumline.team.secrets import redact
from drumline.team.task_fields import LEARNING, UNLEARNT
from drumline.team.telling import Told, told

if TYPE_CHECKING:
    from drumline.control.briefing import Counted
    from drumline.control.ports import Store, Transaction
    from drumline.control.ports_memory import Notebooks
    from drumline.team.task import Task

PART = 10  # of a brief, one part in so many is for learnings besides those always told
LEARNT = "learnt"  # where a learning came from: no use of it, and its task makes none


@dataclass(frozen=True, slots=True)
class Memory:
    """What the verbs of memory stand on: the store, the files, and the team's numbers."""

    store: Store
    notebooks: Notebooks
    keeping: Keeping = KEEPING

    def today(self) -> date:
        """The day it is where the store is."""
        return self.store.ask(lambda tx: tx.now()).date()


class Remembered:
    """What members learnt, from their files, for whoever briefs them."""

    def __init__(self, notebooks: Notebooks, keeping: Keeping, window: int) -> None:
        self._notebooks, self._keeping = notebooks, keeping
        self._letters = window * LETTERS_A_TOKEN * SHARE // 100 // PART

    def of(self, member: str, about: str, counted: Counted) -> Told:
        try:
            text = self._notebooks.read(learnings_file(member))
        except (Refused, OSError) as error:  # work goes on without what was learnt
            return Told(unread=str(error))
        known = learnings_in(Notebook(text))
        uses = counted(member, [each.id for each in known]) if known else {}
        return told(known, uses, self._keeping, about, self._letters)


class Written(NamedTuple):
    """What became of something to be written down: its id and whose it is, and whether it was known."""

    id: str
    member: str
    new: bool


class Reflected(NamedTuple):
    """What became of a member's suggestions: written or known, refused with the reason, and what left for it."""

    written: tuple[Written, ...] = ()
    refused: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()


def reflect(memory: Memory, member: str, task: Task | None, account: Reflection) -> Reflected:
    """Write down what a member suggests, count what it used, and tell it what could not be kept."""
    today = memory.today()
    before = known(memory, member)
    notes, refused = memory.store.ask(_routed, member, account.learnings)
    begun = _begun(memory, member, task, {note.id for to, note in notes if to == member})
    done = _written_down(memory, notes, today)
    own = [each for each in done if each.member == member]
    again = {each.id: LEARNT if each.new or each.id in begun else "restated" for each in own}
    used = again | _used(before, account)
    memory.store.do(_keep_uses, member, task, used, refused)
    touched = dict.fromkeys(each.member for each in done)
    archived = [learning for whose in touched for learning in prune(memory, whose)]
    return Reflected(tuple(done), tuple(refused), tuple(archived))


def _written_down(memory: Memory, notes: Iterable[tuple[str, Note]], today: date) -> list[Written]:
    """Write notes into their files; one that cannot be written is refused when all others are."""
    done: list[Written] = []
    refused: list[Refused] = []
    for to, note in notes:
        try:
            done.append(write_down(memory, to, note, today))
        except Refused as no:
            refused.append(no)
    if not refused:
        return done
    for whose in dict.fromkeys(each.member for each in done):
        prune(memory, whose)
    raise refused[0]


def _begun(memory: Memory, member: str, task: Task | None, own: set[str]) -> frozenset[str]:
    """What a task's account taught: noted before it is written, so that whoever is cut off counts no use of it."""
    new = own - {each.id for each in known(memory, member)}
    if task is None or not own:
        return frozenset()
    before = memory.store.ask(lambda tx: tx.tasks.fields(task.id).get(LEARNING))
    begun = new.union(before if isinstance(before, list) else ())
    if new:
        memory.store.do(_note_begun, member, task, sorted(begun))
    return frozenset(begun)


def _note_begun(tx: Transaction, member: str, task: Task, new: list[str]) -> None:
    tx.tasks.merge(task.id, {LEARNING: new})
    tx.record(member, "memory.begun", str(task.id))


def write_down(memory: Memory, member: str, note: Note, today: date) -> Written:
    """Write a note into a member's file, unless that says it already."""
    text = memory.notebooks.read(learnings_file(member))
    if same := known_as(note.text, learnings_in(Notebook(text))):
        return Written(same.id, member, new=False)
    memory.notebooks.edit(learnings_file(member), partial(with_note, member, note, today))
    return Written(note.id, member, new=True)


def hand_on(memory: Memory, member: str, page: Notebook) -> Written:
    """Write an entry of another file into a member's as a note, as it is, unless that says it already."""
    (own,) = learnings_in(page)
    if same := known_as(own.text, known(memory, member)):
        return Written(same.id, member, new=False)
    memory.notebooks.edit(learnings_file(member), partial(with_page, member, NOTES, page))
    return Written(own.id, member, new=True)


def prune(memory: Memory, member: str) -> list[str]:
    """Bring a member's file into its caps: what is used least goes to the archive, at once."""
    notebook = Notebook(memory.notebooks.read(learnings_file(member)))
    known_now = learnings_in(notebook)
    lines = sum(each.entry.lines for each in known_now)
    if (
        notebook.in_conflict or lines <= memory.keeping.task_lines
    ):  # whoever merges it chooses first
        return []
    uses = memory.store.ask(uses_of, member, [each.id for each in known_now])
    out = tiers(known_now, uses, memory.keeping).too_many
    archive(memory, member, dict.fromkeys((each.id for each in out), FULL))
    return [each.id for each in out]


def archive(memory: Memory, member: str, reasons: Mapping[str, str]) -> None:
    """Move learnings to their member's archive, all in one go: there first, so that none is ever nowhere."""
    store, notebooks = memory.store, memory.notebooks
    pages = pages_of(notebooks.read(learnings_file(member)), reasons)
    if not pages:  # somebody was faster
        return
    leaving = [(page, reasons[learning]) for learning, page in pages.items()]
    leaves = partial(with_archived, member, leaving, memory.today())
    notebooks.edit(archive_file(member), leaves)
    notebooks.edit(learnings_file(member), partial(without, pages.keys()))
    store.do(_tell_archived, member, list(pages))


def known(memory: Memory, member: str) -> tuple[Learning, ...]:
    """What stands in a member's file now."""
    return learnings_in(Notebook(memory.notebooks.read(learnings_file(member))))


def find(memory: Memory, member: str, learning: str) -> Learning:
    """One learning of a member by its id."""
    there = known(memory, member)
    if found := next((each for each in there if each.id == learning), None):
        return found
    raise Unknown(
        f"{member} has no learning {learning[:40]!r}",
        why=f"{learnings_file(member)} holds {len(there)}",
        next=f"drumline memory show {member}",
    )


def owner_of(memory: Memory, learning: str, member: str = "", taker: str = "") -> str:
    """In whose file a learning stands; where several have it, and nobody is meant to take it, one must be named."""
    if member:
        (named,) = whose(memory, member)
        find(memory, named, learning)
        return named
    there = memory.notebooks.members()
    owners = [each for each in there if any(one.id == learning for one in known(memory, each))]
    others = [each for each in owners if each != taker] or owners
    if not others:
        raise Unknown(
            f"no learning {learning[:40]!r} in any file of {FOLDER}/agents",
            next="drumline memory show   # every learning with its id",
        )
    if len(others) > 1:
        raise Conflict(
            f"{learning} stands in several files",
            why=f"of {', '.join(others)}",
            next=f"say whose: --member {others[0]}",
        )
    return others[0]


def whose(memory: Memory, member: str) -> Sequence[str]:
    """Whose notebooks a name means, also when its member left; without one, everybody's."""
    there = memory.notebooks.members()
    if not member:
        return there
    return [member] if member in there else [memory.store.ask(writer, member)]


def uses_of(tx: Transaction, member: str, learnings: Iterable[str]) -> Uses:
    """How often learnings were used."""
    return tx.citations.uses(member, learnings)


def tell(tx: Transaction, actor: Actor | str, verb: str, subject: str) -> None:
    """Say in the log what was done to a file."""
    tx.record(actor, verb, subject)


def writer(tx: Transaction, name: str) -> str:
    """Whose notebook a name means: an agent's of this team, `lead` for whoever leads."""
    found = addressed(tx, name)
    if found.runtime == HUMAN:
        raise _nobody(tx, name)
    return found.name


def _routed(
    tx: Transaction, member: str, suggested: Iterable[SuggestedLearning]
) -> tuple[list[tuple[str, Note]], list[str]]:
    """Whose file each suggestion goes to; those for somebody who is not here come back."""
    active_member(tx, member)
    notes: list[tuple[str, Note]] = []
    refused: list[str] = []
    for each in suggested:
        try:
            to = writer(tx, each.for_agent) if each.for_agent else member
        except Unknown:
            refused.append(redact(f"{each.for_agent}: {each.content}"))
            continue
        if to != member:
            notes.append((to, noted(Category.CROSS_AGENT, each.content, member)))
        else:
            notes.append((to, noted(_own(each.category), each.content)))
    return notes, refused


def _own(category: Category) -> Category:
    """A note to oneself is no note."""
    return Category.CODEBASE_PATTERN if category is Category.CROSS_AGENT else category


def _used(before: Iterable[Learning], account: Reflection) -> dict[str, str]:
    """What a member used: what it says it did, and what its work speaks of."""
    cited, there = set(account.used), list(before)
    words = (account.summary, account.what_worked, account.what_didnt, *account.files_changed)
    output = frozenset(tokens(" ".join(words)))
    matched = {each.id: "matched" for each in there if echoed(each.text, output)}
    return matched | {each.id: "cited" for each in there if each.id in cited}


def _keep_uses(
    tx: Transaction,
    member: str,
    task: Task | None,
    used: Mapping[str, str],
    refused: list[str],
) -> None:
    run = task.run if task is not None else ""
    number = task.id if task is not None else None
    for learning, how in sorted(used.items()):
        if tx.citations.add(learning, member, number, run, how):
            verb = "memory.learnt" if how == LEARNT else "memory.used"
            tx.record(member, verb, f"{member} {learning}")
    if number is not None and {UNLEARNT, LEARNING} & tx.tasks.fields(number).keys():
        tx.tasks.merge(number, {UNLEARNT: None, LEARNING: None})
        tx.record(member, "task.learnt-from", str(number))
    if refused:
        here = agents(tx)
        body = "\n".join(
            [
                "These learnings of yours went to nobody: no such member.",
                *map(quoted, refused),
                f"Members: {', '.join(here)}. Next: drumline mail send --to lead TEXT",
            ]
        )
        letter = tx.mail.add("drumline", member, Kind.NOTE, body)
        tx.record("drumline", "mail.sent", str(letter.id))


def agents(tx: Transaction) -> list[str]:
    """Who of the team keeps a notebook."""
    return [each.name for each in tx.roster.everyone() if each.active and each.runtime != HUMAN]


def _nobody(tx: Transaction, name: str) -> Unknown:
    return Unknown(
        f"{name[:80]!r} keeps no notebook in team {tx.team}",
        why=f"members: {', '.join(agents(tx))}",
        next="name one of them",
    )


def _tell_archived(tx: Transaction, member: str, learnings: Iterable[str]) -> None:
    for learning in learnings:
        tx.record(member, "memory.archived", f"{member} {learning}")
