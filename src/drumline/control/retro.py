"""The retrospective: planned from files and counts, shown as a diff, and carried out step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.lessons import uses_of
from drumline.control.shelves import refuse_others
from drumline.errors import Conflict
from drumline.team.learning import HISTORY, learnings_file, learnings_in
from drumline.team.notebook import Notebook
from drumline.team.retro import (
    Deed,
    Shelf,
    Step,
    changes,
    steps_for,
    together,
    touched,
    with_history,
)

if TYPE_CHECKING:
    from datetime import date

    from drumline.control.lessons import Memory
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor

Confirms = Callable[[Step], bool]

DONE = {
    Deed.UNDOUBLE: "memory.undoubled",
    Deed.SETTLE: "memory.settled",
    Deed.ARCHIVE: "memory.archived",
    Deed.PROMOTE: "memory.promoted",
    Deed.MERGE: "memory.merged",
}


class Plan(NamedTuple):
    """What a retrospective would do, and how each file is before and after it."""

    steps: tuple[Step, ...]
    files: dict[str, tuple[str, str]]

    @property
    def uncertain(self) -> tuple[Step, ...]:
        """What whoever leads has to confirm."""
        return tuple(each for each in self.steps if not each.certain)


def everything(step: Step) -> bool:  # noqa: ARG001 - whatever it is
    return True


def nothing_uncertain(step: Step) -> bool:  # noqa: ARG001 - whatever it is
    return False


def only(keys: Iterable[str]) -> Confirms:
    """What was confirmed, by its keys."""
    wanted = frozenset(keys)
    return lambda step: step.key in wanted


def all_of(shown: Plan) -> Confirms:
    """All that a plan shows; what came up since was confirmed by nobody."""
    return only(each.key for each in shown.uncertain)


class Held(NamedTuple):
    """What a retrospective did, and what it left because nobody could be asked."""

    done: Plan
    unasked: tuple[Step, ...]


def hold(memory: Memory, actor: Actor, ask: Callable[[Plan], Confirms | None]) -> Held:
    """Hold a retrospective; `ask` is shown the whole plan, and says what is confirmed of it.

    Where it can ask nobody it says None: what needs no word is done all the same.
    """
    refuse_others(actor)
    whole = plan(memory)
    confirmed = ask(whole)
    done = carry_out(memory, actor, plan(memory, confirmed or nothing_uncertain))
    return Held(done, () if confirmed else whole.uncertain)


def plan(memory: Memory, said: Confirms = everything) -> Plan:
    """What is to be done now, with what the lead says of what is not certain; nothing changes."""
    today = memory.today()
    steps = [
        step
        for member in memory.notebooks.members()
        for step in steps_for(_shelf(memory, member, today), said)
    ]
    return Plan(tuple(steps), _files(memory, steps, today))


def carry_out(memory: Memory, actor: Actor | str, todo: Plan) -> Plan:
    """Do the steps, each whole before the next; whoever is cut off plans again from what there is."""
    today = memory.today()
    for some in together(todo.steps):
        own = learnings_file(some[0].member)
        for path, change in changes(some, memory.notebooks.read(own), today):
            if path == own:  # after this it cannot be planned again: all else is done before
                memory.notebooks.edit(HISTORY, partial(with_history, some, today))
                memory.store.do(_passed_on, actor, some)
            memory.notebooks.edit(path, change)
        memory.store.do(_kept, actor, some)
    if todo.steps:
        memory.store.do(_held, actor, today, len(todo.steps))
    return todo


def _shelf(memory: Memory, member: str, today: date) -> Shelf:
    notebook = Notebook(memory.notebooks.read(learnings_file(member)))
    if notebook.in_conflict:
        raise Conflict(
            f"{learnings_file(member)} has two sides that git could not merge",
            why="what stands on both would be taken for said twice",
            next="choose between them in an editor, then: drumline retro",
        )
    known = learnings_in(notebook)
    uses = memory.store.ask(uses_of, member, [each.id for each in known]) if known else {}
    return Shelf(member, known, uses, memory.keeping, today)


def _files(memory: Memory, steps: list[Step], today: date) -> dict[str, tuple[str, str]]:
    """How the files would be, made in the same way as they are changed."""
    if not steps:
        return {}
    before = {path: memory.notebooks.read(path) for path in touched(steps)}
    after = dict(before)
    for some in together(steps):
        for path, change in changes(some, after[learnings_file(some[0].member)], today):
            after[path] = change(after[path])
    after[HISTORY] = with_history(steps, today, after[HISTORY])
    return {path: (before[path], after[path]) for path in before if before[path] != after[path]}


def _passed_on(tx: Transaction, actor: Actor | str, steps: Iterable[Step]) -> None:
    for step in (each for each in steps if each.into):
        if tx.citations.pass_on(step.member, step.learning, step.member, step.into):
            tx.record(actor, "memory.counted", f"{step.member} {step.into}")


def _kept(tx: Transaction, actor: Actor | str, steps: Iterable[Step]) -> None:
    for step in steps:
        tx.record(actor, DONE[step.deed], f"{step.member} {step.learning}")


def _held(tx: Transaction, actor: Actor | str, today: date, steps: int) -> None:
    tx.record(actor, "memory.consolidated", f"{today} {steps}")
