"""What a run asks of its lead: one question with a form, and what may be shown with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import gate_facts, protocol, run_questions, team_notes
from drumline.team import judging, judging_understanding, reflection
from drumline.team.judgement import JudgementKind
from drumline.team.member import HUMAN
from drumline.team.moves import Ask, Seen
from drumline.team.run import is_synthesis
from drumline.team.secrets import redact
from drumline.team.task_fields import REFLECTION
from drumline.team.understanding_moves import about
from drumline.team.verdict_understanding import UNDERSTANDING

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def ask(tx: Transaction, seen: Seen, move: Ask) -> None:
    """Ask the lead, once for each matter; what people said since it was asked last is new in it."""
    run, matter = seen.run, move.matter
    if before := tx.runs.judgement(matter):
        tx.runs.save_judgement(before.asked_anew()._replace(prompt=_prompt(tx, seen, move)))
    else:
        tx.runs.ask(matter, _prompt(tx, seen, move), run.lead)
    tx.record(run.name, "judgement.asked", matter.name)
    if run.lead == HUMAN:
        from drumline.team.by_hand import asking_of  # noqa: PLC0415 - only where a person leads

        asking = asking_of(matter, seen)
        run_questions.ask(tx, run, f"{run_questions.OF_THE_LEAD}{matter.name}", asking)


def _prompt(tx: Transaction, seen: Seen, move: Ask) -> str:
    matter = move.matter
    if matter.kind not in UNDERSTANDING:
        return redact(judging.asked(seen, matter, _submissions(tx, seen, move)))
    case = protocol.case_of(tx, seen, about(seen, matter.subject))
    return redact(judging_understanding.asked(matter.kind, case))


def _submissions(tx: Transaction, seen: Seen, move: Ask) -> list[judging.Submission]:
    """What was handed in for a phase that is judged: the accounts, not the work; or the synthesis alone."""
    if move.matter.kind is not JudgementKind.JUDGE:
        return []
    read = [each for each in seen.tasks if each.phase in {seen.run.phase, ""}]
    if seen.run.rules.only_synthesis:
        read = [each for each in read if is_synthesis(each, seen.run)]
    done = [each.task.id for each in read]
    known = {str(each) for each in done}
    handed_off = [each for each in gate_facts.submissions(tx, seen.run) if each.task in known]
    if not seen.run.rules.only_synthesis:
        handed_off += team_notes.to_judge(tx, seen.run)
    told = {each.task for each in handed_off}
    found = [(task, tx.tasks.fields(task)) for task in done if str(task) not in told]
    return handed_off + [
        judging.Submission(str(task), said) for task, fields in found if (said := _account(fields))
    ]


def _account(fields: dict[str, Any]) -> str:
    """A member's own account of its work, in short."""
    said = fields.get(REFLECTION)
    return reflection.in_short(said) if isinstance(said, dict) else ""
