"""A run's files, as the store has them: enough to see what happened without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import runs, team_notes
from drumline.team.context_form import render
from drumline.team.directive import context_file
from drumline.team.handoff import Origin
from drumline.team.handoff_text import files_in, folder_of
from drumline.team.run_records import gate_record, plan_of
from drumline.team.run_synthesis import synthesis
from drumline.team.task_fields import UNPHASED

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.context import ContextVersion
    from drumline.team.run import Run

PLAN, SYNTHESIS, MEMORY = "plan.md", "synthesis.md", "TEAM-MEMORY.md"
GATE, TASK_CONTEXT = "gate-record.yaml", "task-context.md"


def files_of(tx: Transaction, name: str) -> dict[str, str]:
    """The files of a run, as they are now, by their paths in its folder."""
    seen = runs.look(tx, name)
    newest = {gate.phase: gate for gate in seen.gates.values()}
    gates = {f"phase-{phase}/{GATE}": gate_record(seen, gate) for phase, gate in newest.items()}
    context = tx.contexts.newest(name)  # the others were written when they were the newest
    told = {context_file(context.number): context_text(context)} if context else {}
    told[MEMORY] = team_notes.text_of(tx, name)
    given = _task_contexts(tx, seen.run)
    whole = {SYNTHESIS: synthesis(seen, tx.handoffs.of_run(name))} if seen.run.over else {}
    return {PLAN: plan_of(seen), **whole, **gates, **told, **given, **_handed_off(tx, name)}


def context_text(found: ContextVersion) -> str:
    return render(found.number, found.sections)


def _handed_off(tx: Transaction, name: str) -> dict[str, str]:
    """What members left, by phase and member; files that went along whole are no part of the store."""
    return {
        f"{kept.folder.removeprefix(f'runs/{name}/')}/{file}": text
        for kept in tx.handoffs.of_run(name)
        for file, text in files_in(kept).items()
    }


def _task_contexts(tx: Transaction, run: Run) -> dict[str, str]:
    """What members were told with their tasks, beside what they leave; all of it once the run is over.

    Before, only of the phase that it is in: the others were written when they were that.
    """
    folders = {kept.origin[:2]: kept.folder for kept in tx.handoffs.of_run(run.name)}
    found: dict[str, str] = {}
    for each in tx.directives.of_run(run.name):
        if not run.over and each.phase not in {run.phase, UNPHASED}:
            continue
        origin = Origin(each.task, each.member, run.name, each.phase)
        own = folder_of(origin, taken=False)
        folder = folders.setdefault(
            (each.task, each.member),
            folder_of(origin, taken=True) if own in folders.values() else own,
        )
        letter = tx.mail.get(each.message)
        place = folder.removeprefix(f"runs/{run.name}/")
        found[f"{place}/{TASK_CONTEXT}"] = letter.body if letter else ""
    return found
