"""Observations: noticed by anybody, kept on the permanent task, told to the next wave of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import runs_found
from drumline.control.roster import living
from drumline.errors import Conflict, NotAllowed, NotReady, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.handoff import Severity
from drumline.team.observation import MOST, WHAT_CAP, Observation, from_facts, gravest
from drumline.team.request import signed
from drumline.team.run import RunState
from drumline.team.secrets import redact
from drumline.team.task_fields import BRIEF, OBSERVATIONS
from drumline.team.text import PATTERN_CAP, checked, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run


def observe(
    tx: Transaction, actor: Actor, severity: Severity, what: str, run: str = ""
) -> Observation:
    """Keep what somebody noticed about the run that is at work."""
    living(tx, actor)
    said = redact(checked(what.strip(), "the observation", cap=WHAT_CAP))
    tx.runs.lock()
    found = _at_work(tx, run)
    before = of_run(tx, found)
    if len(before) >= MOST:
        raise Conflict(
            f"{found.name} has {MOST} observations already",
            why="nobody could mind more of them",
            next="tell the lead what matters most: drumline mail send --to lead …",
        )
    number = max((each.number for each in before), default=0) + 1
    where = f"{found.phase} ({found.iteration}.)" if found.phase else ""
    new = Observation(number, severity, said, signed(actor), tx.now(), where)
    _keep(tx, found, new)
    tx.record(actor, "run.observed", f"{found.name}: {new.name} {severity}")
    return new


def settle(tx: Transaction, actor: Actor, number: int, why: str, run: str = "") -> Observation:
    """Say what became of an observation; that is the lead's, or a person's, to say."""
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not settle an observation",
            why="whether it was dealt with is the lead's or a person's to say",
            next="tell the lead: drumline mail send --to lead …",
        ).audited(str(actor), "run.refused", actor.name)
    said = checked(why.strip(), "what became of it", cap=WHAT_CAP)
    tx.runs.lock()
    return settled(tx, _meant(tx, run), number, f"{signed(actor)}: {said}")


def settled(tx: Transaction, run: Run, number: int, how: str) -> Observation:
    """An observation that is done with."""
    known = {each.number: each for each in of_run(tx, run)}
    if number not in known:
        raise Unknown(f"no observation O-{number} in {run.name}", next="drumline observation list")
    after = known[number].settle(one_line(redact(how), PATTERN_CAP))
    _keep(tx, run, after)
    tx.record(run.name, "run.observation-settled", f"{run.name}: {after.name}")
    return after


def settled_by_lead(tx: Transaction, run: Run, numbers: tuple[int, ...], by: str) -> None:
    """Those that a lead said at a gate are dealt with; of what is not open nothing is said."""
    open_ = {each.number for each in of_run(tx, run) if each.open}
    for number in sorted(open_ & set(numbers)):
        settled(tx, run, number, f"{by} said at the gate of {run.phase} that it is dealt with")


def of_run(tx: Transaction, run: Run) -> list[Observation]:
    """What was noticed in a run, oldest first."""
    found = [
        from_facts(said)
        for name, said in tx.tasks.fields(run.task).items()
        if name.startswith(f"{OBSERVATIONS}.")
    ]
    return sorted(found)


def listed(tx: Transaction, run: str = "") -> list[Observation]:
    """The same of a run by its name."""
    return of_run(tx, _meant(tx, run))


def routed(tx: Transaction, run: Run, phase: str) -> dict[str, Any]:
    """What the tasks of the next wave are told: each grave observation that no wave was told of yet."""
    new = [each for each in gravest(of_run(tx, run)) if not each.routed]
    for each in new:
        _keep(tx, run, each._replace(routed=f"{phase} ({run.iteration}.)"))
        tx.record(run.name, "run.observation-routed", f"{run.name}: {each.name} to {phase}")
    lines = [f"Noticed before, mind it: {each.line}" for each in new]
    return {f"{BRIEF}.warnings": lines} if lines else {}


def _keep(tx: Transaction, run: Run, each: Observation) -> None:
    tx.tasks.merge(run.task, {f"{OBSERVATIONS}.{each.name}": each.facts()})


def _meant(tx: Transaction, name: str) -> Run:
    """A run by its name; without one the run at work, else the newest."""
    working = tx.runs.working()
    return runs_found.find(tx, name or (working[0] if working else ""))


def _at_work(tx: Transaction, name: str) -> Run:
    found = _meant(tx, name)
    if found.state is not RunState.WORKING:
        raise NotReady(
            f"{found.name} is {found.state}",
            why="what is observed goes to the next wave of a run, and no run is at work",
            next="drumline mail send --to lead …",
        )
    return found
