"""What came of a demo: its promises, each with the evidence, and its figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drumline.surfaces.cli.demonstration.crew import LOG, Attempt
from drumline.surfaces.cli.demonstration.plot import Killing
from drumline.surfaces.cli.demonstration.sample import JOBS
from drumline.surfaces.cli.demonstration.story import Ledger
from drumline.surfaces.cli.output import columns
from drumline.team.ids import TaskId


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the demo left behind, read after all its processes ended."""

    root: Path
    seed: int
    ledger: Ledger
    problems: list[str]
    killing: Killing | None
    attempts: list[Attempt]
    processes: int
    killed: int
    files: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Promise:
    """Something that must be so, whether it is, and how one knows."""

    says: str
    held: bool
    evidence: str


def promises(found: Outcome) -> list[Promise]:
    """Everything the demo is there to show."""
    tasks = [str(TaskId(number)) for number in range(1, len(JOBS) + 1)]
    once = sum(found.ledger.completed[task] == 1 for task in tasks)
    clean = "the event log gives the tables"
    return [
        Promise(
            "each task completed exactly once",
            once == len(tasks) == found.ledger.completed.total(),
            f"{once} of {len(tasks)}, counted in the event log",
        ),
        _taken_over(found),
        _refused(found, "its late write refused", 0),
        _refused(found, "a mistyped name refused", 1),
        Promise("store check clean", not found.problems, "; ".join(found.problems) or clean),
    ]


def _taken_over(found: Outcome) -> Promise:
    says = "the killed worker's task taken over"
    if found.killing is None:
        return Promise(says, held=False, evidence="nobody was killed: this machine was too busy")
    task = str(found.killing.task)
    claims = found.ledger.claims.get(task, [])
    chain = ", then ".join(f"{claim.owner} fence {claim.fence}" for claim in claims)
    finisher = found.ledger.finishers.get(task, "nobody")
    held = found.killed == 1 and finisher not in {"nobody", found.killing.member}
    return Promise(says, held, f"{task}: {chain}")


def _refused(found: Outcome, says: str, at: int) -> Promise:
    if at >= len(found.attempts):
        return Promise(says, held=False, evidence="it was not attempted")
    tried = found.attempts[at]
    return Promise(says, tried.refused, tried.answer[0].rpartition(": ")[2])


def figures(found: Outcome) -> dict[str, Any]:
    """The demo in numbers, counted in the event log and by the kernel."""
    verbs = found.ledger.verbs
    return {
        "tasks": len(JOBS),
        "claims": verbs["task.claimed"],
        "renewals": verbs["task.renewed"],
        "messages": verbs["mail.sent"],
        "events": found.ledger.events,
        "files": found.files,
        "processes": found.processes,
        "killed": found.killed,
        "seconds": round(found.seconds, 1),
    }


def answer(found: Outcome, *, kept: bool) -> dict[str, Any]:
    """The outcome as JSON."""
    proved = promises(found)
    return {
        "ok": all(promise.held for promise in proved),
        "seed": found.seed,
        **figures(found),
        "promises": [
            {"says": promise.says, "held": promise.held, "evidence": promise.evidence}
            for promise in proved
        ],
        "completions": {str(task): count for task, count in found.ledger.completed.items()},
        "refusals": [
            {"member": tried.member, "command": tried.command, "answer": list(tried.answer)}
            for tried in found.attempts
        ],
        "problems": found.problems,
        "directory": str(found.root) if kept else None,
    }


def refusals(found: Outcome) -> Iterator[str]:
    """What was attempted and what was answered, word for word."""
    for tried in found.attempts:
        yield f"{tried.member}$ {tried.command}"
        yield from (f"  {line}" for line in tried.answer)
        yield ""


def closing(found: Outcome) -> Iterator[str]:
    """The proof and the figures, for a person."""
    proved = promises(found)
    yield from columns(
        ("held" if promise.held else "BROKEN", promise.says, promise.evidence) for promise in proved
    )
    if not all(promise.held for promise in proved):
        yield f"see what the workers said: {found.root / LOG}"
    yield ""
    counted = figures(found)
    yield ", ".join(f"{counted[name]} {name}" for name in list(counted)[:5])
    yield ", ".join(f"{counted[name]} {name}" for name in list(counted)[5:])
