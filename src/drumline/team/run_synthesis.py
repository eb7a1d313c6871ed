"""What a run came to, on a page: rendered from what its gates, members and people left, so nobody pays for it."""

from collections.abc import Iterator, Sequence

from drumline.team.handoff import Kept
from drumline.team.moves import Seen
from drumline.team.quoting import inline
from drumline.team.task import TaskState
from drumline.team.text import one_line

LONGEST = 300


def synthesis(seen: Seen, kept: Sequence[Kept]) -> str:
    """The end of a run: what was said of each phase, what was done and decided, and what was left open."""
    run = seen.run
    why = f" ({run.why})" if run.why else ""
    delivered = [f"- delivered as {run.commit}"] if run.commit else []
    return "\n".join(
        [
            f"# What {run.name} came to",
            "",
            f"- {run.state}{why}: {_said(run.goal)}",
            *delivered,
            *_part("What was said of each phase", _gates(seen)),
            *_part("What was done", _tasks(seen)),
            *_part("What was decided", _decided(seen, kept)),
            *_part("What was left open", _left(kept)),
            "",
        ]
    )


def _part(title: str, lines: Iterator[str]) -> list[str]:
    return ["", f"## {title}", "", *(list(lines) or ["Nothing."])]


def _gates(seen: Seen) -> Iterator[str]:
    for gate in seen.gates.values():
        words = f": {_said(gate.summary)}" if gate.summary else ""
        yield f"- {gate.phase} ({gate.iteration}.) {gate.state} by {gate.by or 'nobody'}{words}"


def _tasks(seen: Seen) -> Iterator[str]:
    for each in seen.tasks:
        if each.task.state is TaskState.COMPLETED:
            yield f"- {each.task.id} {_said(each.task.title)}"


def _decided(seen: Seen, kept: Sequence[Kept]) -> Iterator[str]:
    for said in seen.asked.values():
        if said.choice:
            yield f"- a person: {_said(said.what)}: {_said(f'{said.choice} {said.words}'.strip())}"
    for each in kept:
        for decision in each.handoff.decisions:
            yield f"- {each.origin.member} for {each.origin.task}: {_said(decision)}"


def _left(kept: Sequence[Kept]) -> Iterator[str]:
    for each in kept:
        for one in each.handoff.unresolved:
            yield f"- {one.severity}, {each.origin.member} for {each.origin.task}: {_said(one.what)}"


def _said(text: str) -> str:
    """Somebody's words, as a part of a line."""
    return inline(one_line(text, LONGEST))
