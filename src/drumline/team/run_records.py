"""The files of a run: its plan and its gates' records, rendered from what is known and never read back."""

import json
from collections.abc import Container

from drumline.team.gate import Gate
from drumline.team.ids import TaskId
from drumline.team.moves import Seen
from drumline.team.pipeline import Phase
from drumline.team.quoting import quoted
from drumline.team.run import Run, RunState
from drumline.team.run_mode import RunMode
from drumline.team.text import one_line

LONGEST = 300


def plan_of(seen: Seen) -> str:
    """The plan: the goal, the path with what became of each phase, and the tasks."""
    run = seen.run
    lines = [
        f"# {run.name}: {one_line(run.goal, LONGEST)}",
        "",
        quoted(run.goal),
        "",
        f"- state: {run.state}{f' ({run.why})' if run.why else ''}",
        f"- pipeline: {run.pipeline.name}, tier: {run.tier or 'not known yet'}",
        f"- lead: {run.lead}, begun by {run.started_by}",
        *([f"- mode: {run.mode}. {run.rules.says}"] if run.mode is not RunMode.DEFAULT else ()),
        f"- permanent task: {run.task}",
        "",
        "## Phases",
        "",
        *_phases(seen),
        "",
        "## Tasks",
        "",
        *_tasks(seen),
        "",
    ]
    return "\n".join(lines)


def _phases(seen: Seen) -> list[str]:
    run = seen.run
    if run.tier is None:
        return ["The size of the change is not known yet."]
    lines = []
    for phase in run.pipeline.path(run.tier):
        gates = [gate for gate in seen.gates.values() if gate.phase == phase.name]
        said = ", ".join(
            f"iteration {gate.iteration} {gate.state} by {gate.by or 'nobody yet'}"
            for gate in gates
        )
        here = "  <- here" if phase.name == run.phase and not run.over else ""
        lines.append(f"- {phase.name} {phase.title}: {said or _without_gate(run, phase)}{here}")
    return lines


def _without_gate(run: Run, phase: Phase) -> str:
    """How a phase stands of which no gate was opened: one that delivers never has one."""
    if phase.delivers and run.state in {RunState.DELIVERED, RunState.REVERTED}:
        return run.state.value
    if phase.name == run.phase:
        return "not finished" if run.over else "under way"
    return "not begun"


def _tasks(seen: Seen) -> list[str]:
    return [
        one_line(
            f"- {each.task.id} [{each.task.state}] {each.phase or '-'}: {each.task.title}"
            + (f" ({each.task.owner})" if each.task.owner else ""),
            LONGEST,
        )
        for each in seen.tasks
    ] or ["None yet."]


def gate_record(seen: Seen, gate: Gate) -> str:
    """A gate's record as YAML; every text is written as JSON, which YAML reads, so none can break it."""
    own = [
        each for each in seen.tasks if each.phase == gate.phase and each.iteration == gate.iteration
    ]
    lines = [
        f"run: {_text(gate.run)}",
        f"phase: {_text(gate.phase)}",
        f"iteration: {gate.iteration}",
        f"state: {_text(gate.state.value)}",
        f"by: {_text(gate.by)}",
        f"opened: {_text(gate.opened_at.isoformat())}",
        f"closed: {_text(gate.ended_at.isoformat()) if gate.ended_at else 'null'}",
        "checklist:",
    ]
    for point in gate.points:
        holds = "null" if point.holds is None else str(point.holds).lower()
        why, by = _text(point.why), _text(point.by)
        lines += [f"  {point.name}:", f"    holds: {holds}", f"    why: {why}", f"    by: {by}"]
    lines += [f"summary: {_text(gate.summary)}", f"guidance: {_text(gate.guidance)}", "tasks:"]
    lines += [f"  - {_text(f'{each.task.id} {each.task.state}')}" for each in own] or ["  []"]
    lines += ["reviews:", *_reviews(seen, {each.task.id for each in own})]
    return "\n".join([*lines, ""])


def _reviews(seen: Seen, tasks: Container[TaskId]) -> list[str]:
    """Who said what of the work, and of which version of it."""
    said = [each for each in seen.reviews.values() if each.task in tasks]
    return [
        f"  - {_text(f'{each.task}@{each.version} {each.step}: {each.opinion.word} by {each.by}')}"
        for each in said
    ] or ["  []"]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)
