"""What whoever leads sees at low cost: four views, each a few lines, none with what members wrote in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import board, modes, runs
from drumline.team.handoff import GRAVE
from drumline.team.observation import gravest
from drumline.team.run import COORDINATING
from drumline.team.task import TaskState
from drumline.team.task_fields import PHASE_SIGNALS
from drumline.team.text import one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.moves import Seen

MOST = 40  # lines of a view
LONGEST = 160  # characters of a line


class Line(NamedTuple):
    """One line of a view: about whom or what, and what there is to say."""

    about: str
    says: str


def observe(tx: Transaction, name: str) -> list[Line]:
    """Who does what, who is idle, and what stands still."""
    seen, known = runs.look(tx, name), tx.attended()
    works = {each.task.owner: each.task for each in seen.tasks if each.task.owner}
    members = [
        Line(
            place.name,
            f"{known[place.name][0] if place.name in known else 'not seen yet'}"
            + (
                f", {works[place.name].id} {works[place.name].title}" if place.name in works else ""
            ),
        )
        for place in seen.places
        if place.running or place.name in works
    ]
    asked = [Line(each, "waits for a person") for each in runs.unanswered(tx, name)]
    noticed = [Line(each.name, each.line) for each in gravest(seen.observations)]
    return [*members, *asked, *noticed, *_waiting(tx, name)]


def coordinate(tx: Transaction, name: str) -> list[Line]:
    """What can be taken, what waits for what, and who could take it."""
    seen = runs.look(tx, name)
    open_ = [each.task for each in seen.tasks if each.task.state is TaskState.PENDING]
    ready = [
        Line(str(task.id), f"ready for {task.profile or 'anybody'}") for task in open_ if task.ready
    ]
    blocked = [
        Line(str(task.id), f"waits for {', '.join(board.obstacles(tx, task))}")
        for task in open_
        if not task.ready
    ]
    busy = {each.task.owner for each in seen.tasks}
    free = [
        Line(place.name, f"free ({place.profile or 'of no profile'})")
        for place in seen.places
        if place.running and place.name not in busy
    ]
    return [*ready, *blocked, *free]


def enforce(tx: Transaction, name: str) -> list[Line]:
    """What is not as the constitution wants it: who is not verified, who is stale, which gate is open."""
    seen = runs.look(tx, name)
    gates = [Line(f"gate {gate.phase}", "is open") for gate in seen.gates.values() if gate.open]
    unverified = [
        Line(each.whose.member, f"{each.stage} for {each.whose.task}, attempt {each.attempt}")
        for each in seen.understandings
        if not each.may_work and _at_work(seen, each.whose.member)
    ]
    shut = [Line("gate", point.why) for point in seen.shut]
    failed = [
        Line(str(each.task.id), f"failed {each.failures + 1} times")
        for each in seen.tasks
        if each.task.state is TaskState.FAILED
    ]
    return [*gates, *unverified, *shut, *failed]


def synthesize(tx: Transaction, name: str) -> list[Line]:
    """What came of it so far: the phases' signals, what gates said, and what was left open."""
    run = runs.find(tx, name)
    signals = [
        Line(field.removeprefix(f"{PHASE_SIGNALS}."), str(said))
        for field, said in sorted(tx.tasks.fields(run.task).items())
        if field.startswith(f"{PHASE_SIGNALS}.")
    ]
    gates = [
        Line(f"gate {gate.phase} ({gate.iteration}.)", f"{gate.state}: {gate.summary}")
        for gate in tx.runs.gates(name)
        if not gate.open
    ]
    only = run.rules.only_synthesis
    read = {each.task.id for each in tx.runs.tasks(name) if not only or each.key == COORDINATING}
    left = [
        Line(str(kept.origin.task), f"{one.severity}: {one.what}")
        for kept in tx.handoffs.of_run(name)
        if kept.origin.task in read
        for one in kept.handoff.unresolved
        if one.severity in GRAVE
    ]
    held = (
        [Line("context", f"version {newest.number}")]
        if (newest := tx.contexts.newest(name))
        else []
    )
    return [*signals, *gates, *left, *held]


VIEWS: Mapping[str, Callable[[Transaction, str], list[Line]]] = {
    "observe": observe,
    "coordinate": coordinate,
    "enforce": enforce,
    "synthesize": synthesize,
}


def view(tx: Transaction, which: str, name: str) -> list[Line]:
    """One of the four, of a run; a long one is cut, and says so."""
    found = VIEWS[which](tx, runs.find(tx, name).name)
    lines = [Line(each.about, one_line(each.says, LONGEST)) for each in found[:MOST]]
    more = len(found) - MOST
    return [*lines, Line("…", f"{more} more: drumline run show")] if more > 0 else lines


def view_for(tx: Transaction, actor: Actor, which: str, name: str) -> list[Line]:
    """The same, for somebody who asks: a lead sees what its run's mode leaves to it."""
    modes.may_see(actor, which, runs.find(tx, name))
    return view(tx, which, name)


def _waiting(tx: Transaction, name: str) -> list[Line]:
    said = runs.waiting_for(tx, name)
    return [Line("run", said)] if said else []


def _at_work(seen: Seen, member: str) -> bool:
    return any(each.task.owner == member for each in seen.tasks)
