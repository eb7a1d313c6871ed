"""Understanding before work: what a member submits, what the lead says of it, and who may change files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import context
from drumline.control.roster import constitution, lead, living
from drumline.errors import BadInput, NotAllowed, NotReady, Unknown
from drumline.team import impact, understanding, understanding_words, wording, work_plan
from drumline.team.actor import Actor, Role
from drumline.team.ids import TaskId
from drumline.team.judging_understanding import Case
from drumline.team.member import HUMAN
from drumline.team.secrets import redact, redact_within
from drumline.team.standing import PAUSED
from drumline.team.task import Holder, Task
from drumline.team.tier import Tier
from drumline.team.understanding import EXEMPT, UNVERIFIED, Stage, Terms, Understanding, Whose

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.life import Life
    from drumline.team.moves import Seen, Weigh
    from drumline.team.run import Run
    from drumline.team.wording_forms import Wording

Given = str | Mapping[str, Any]


class Looked(NamedTuple):
    """What somebody found in a member's checkout: which named files are there, and what is uncommitted."""

    present: frozenset[str] = frozenset()
    changed: tuple[str, ...] = ()


def begin(tx: Transaction, life: Life, task: Task, left: Sequence[str]) -> Understanding | None:
    """How far a life is with a task it has just taken; none where nothing is demanded of it."""
    found = _demanded(tx, life.member, task)
    if found is None:
        return None
    phase, demanded = found
    whose = Whose(task.run, task.id, life.member, life.incarnation)
    if tx.understandings.begin(Understanding(whose, phase, demanded, left=tuple(left))):
        tx.record(life.member, "understanding.begun", whose.name)
    return tx.understandings.get(life.member, life.incarnation, task.id)


def now(tx: Transaction, life: Life, task: TaskId) -> Understanding | None:
    """How far a life is with a task."""
    return tx.understandings.get(life.member, life.incarnation, task)


def standing(tx: Transaction, life: Life, task: Task | None) -> str:
    """What the guard is told of a life: nothing outside runs, else whether it may change anything.

    Whoever said that it pauses until a change of the context is cleared up is taken at its word.
    """
    if task is None or not task.run:
        return ""
    if context.is_paused(tx, task.run, life.member):
        return PAUSED
    if found := tx.understandings.get(life.member, life.incarnation, task.id):
        return found.standing  # asked before each call: what is demanded was settled when it began
    return EXEMPT if _demanded(tx, life.member, task) is None else UNVERIFIED


def level(tx: Transaction, actor: Actor, task: TaskId) -> int:
    """The protocol level at which an actor submits its analysis."""
    return _own(tx, actor, task).terms.level


def submit(
    tx: Transaction, actor: Actor, task: TaskId, given: Given, looked: Looked
) -> Understanding:
    """Give an impact analysis; what a machine can judge of it is judged now.

    Nobody is verified by a context that it has not confirmed.
    """
    found = _begun(tx, actor, task)
    _refuse_stale(tx, found)
    analysis = redact_within(impact.read(found.terms.level, given))
    faults = impact.faults(analysis, _evidence(tx, found, analysis, looked))
    after = understanding.submitted(found, analysis, faults)
    return _said(tx, found, after, "submitted")


def answer(tx: Transaction, actor: Actor, task: TaskId, given: Given) -> Understanding:
    """Answer everything the lead asked, or challenged."""
    found = _begun(tx, actor, task)
    answers = redact_within(work_plan.read_answers(given))
    return _said(tx, found, understanding.answered(found, answers), "answered")


def plan(
    tx: Transaction, actor: Actor, task: TaskId, given: Given, changed: Sequence[str] = ()
) -> Understanding:
    """Say what is about to be changed, and how; what was `changed` before is told at once."""
    found = _begun(tx, actor, task)
    after = understanding.planned(found, redact_within(work_plan.read_plan(given)))
    early = [path for path in changed if path not in found.left]
    if early:
        why = f"files were changed before it was approved: {', '.join(early)}"
        after = understanding.plan_rejected(after, why)
    return _said(tx, found, after, "planned")


def give_up(tx: Transaction, actor: Actor, task: TaskId, why: str) -> Understanding:
    """An attempt that nobody could read is one: it is rejected for what was wrong with it."""
    found = _begun(tx, actor, task)
    if not found.with_member:
        return found
    plans = found.stage is Stage.VERIFIED
    reject = understanding.plan_rejected if plans else understanding.rejected
    return _told(tx, found, reject(found, redact(why)), actor.name)


def weigh(tx: Transaction, move: Weigh) -> Understanding:
    """Keep what the lead said of a member's understanding."""
    return _told(tx, move.before, move.after, move.by)


def case_of(tx: Transaction, seen: Seen, found: Understanding) -> Case:
    """What the lead judges, and what it judges it against."""
    task = tx.tasks.get(found.whose.task)
    phase = seen.run.pipeline.phase(found.phase)
    title = task.title if task is not None else ""
    return Case(seen.run.goal, title, tx.tasks.body(found.whose.task), phase, found)


def of_task(tx: Transaction, task: TaskId) -> list[Understanding]:
    """How far everyone came who had a task, in the order they began."""
    found = tx.tasks.get(task)
    if found is None:
        raise Unknown(f"no task {task} in team {tx.team}", next="drumline task list")
    return [each for each in tx.understandings.of_run(found.run) if each.whose.task == task]


def facts(found: Understanding) -> dict[str, Any]:
    """An understanding as every surface shows it."""
    whose = found.whose
    return {
        "run": whose.run,
        "task": str(whose.task),
        "member": whose.member,
        "incarnation": whose.incarnation,
        "phase": found.phase,
        "stage": found.stage.value,
        "level": found.terms.level,
        "attempt": found.attempt,
        "limit": found.terms.limit,
        "plan_needed": found.terms.plans,
        "may_work": found.may_work,
        "analysis": found.analysis,
        "asked": [each._asdict() for each in found.asked],
        "plan": found.plan,
        "why": found.why,
        "rejections": list(found.rejections),
    }


def _demanded(tx: Transaction, member: str, task: Task) -> tuple[str, Terms] | None:
    """The phase a task is of and what is demanded in it; none outside runs and of whoever is exempt."""
    run = tx.runs.get(task.run) if task.run else None
    if run is None or not run.phase or run.tier is Tier.TRIVIAL:
        return None
    name = tx.runs.phase_of(task.id) or run.phase
    place = tx.roster.get(member)
    profile = place.profile if place is not None else ""
    rules = constitution(tx).name
    found = understanding.terms(rules, profile, run.pipeline.phase(name), run.tier)
    return None if found is None else (name, found)


def _own(tx: Transaction, actor: Actor, task: TaskId) -> Understanding:
    living(tx, actor)
    if actor.incarnation is None or actor.role is Role.PERSON:
        raise NotAllowed(
            "only a member at work shows what it understood",
            why="nobody understands in another's place",
            next=f"drumline protocol show {task}",
        )
    if found := tx.understandings.get(actor.name, actor.incarnation, task):
        return found
    raise Unknown(
        f"nothing is to be shown about {task} by {actor.name}",
        why="its phase demands nothing of you, or you do not hold it",
        next=f"drumline task show {task}",
    )


def _begun(tx: Transaction, actor: Actor, task: TaskId) -> Understanding:
    """The actor's own, while it holds the task; nobody else changes it meanwhile."""
    tx.runs.lock()
    found = _own(tx, actor, task)
    held = tx.tasks.lock(task)
    if held is not None:
        held.held_by(Holder(actor.name, actor.incarnation))
    return found


def _refuse_stale(tx: Transaction, found: Understanding) -> None:
    run, member = found.whose.run, found.whose.member
    if behind := context.stale(tx, run, [member]):
        newest = context.find(tx, run).number
        raise NotReady(
            f"{member} has not confirmed version {newest} of the context of {run}",
            why=f"it confirmed version {behind[0].held}" if behind[0].held else "it confirmed none",
            next=f"drumline context show --run {run}, then drumline context ack",
        )


def _evidence(
    tx: Transaction, found: Understanding, analysis: Mapping[str, Any], looked: Looked
) -> impact.Evidence:
    task = tx.tasks.get(found.whose.task)
    run = tx.runs.get(found.whose.run)
    words = [tx.tasks.body(found.whose.task), task.title if task else "", run.goal if run else ""]
    return impact.Evidence(
        brief="\n".join(words),
        owned=task.files if task is not None else (),
        present=looked.present,
        tasks=frozenset(name for name in analysis["tasks"] if _is_task(tx, name)),
        dependants=tuple(map(str, tx.tasks.waiting_for(found.whose.task))),
        changed=tuple(path for path in looked.changed if path not in found.left),
    )


def _is_task(tx: Transaction, name: str) -> bool:
    try:
        return tx.tasks.get(TaskId.parse(name)) is not None
    except BadInput:
        return False


def _said(tx: Transaction, before: Understanding, after: Understanding, verb: str) -> Understanding:
    """Keep what a member said; what a machine finds wrong with it is told at once."""
    whose, run = before.whose, _run(tx, before)
    number = understanding_words.phase_number(run.pipeline, before.phase)
    kept = tx.understandings.save(after)
    tx.record(whose.member, f"understanding.{verb}", whose.name)
    _write(tx, whose.member, _judge(tx, run), understanding_words.of_member(before, after, number))
    if len(after.rejections) > len(before.rejections):
        _answer(tx, before, after, number)
    return kept


def _told(tx: Transaction, before: Understanding, after: Understanding, by: str) -> Understanding:
    run = _run(tx, before)
    kept = tx.understandings.save(after)
    tx.record(by or run.lead, f"understanding.{after.stage}", before.whose.name)
    _answer(tx, before, after, understanding_words.phase_number(run.pipeline, before.phase))
    return kept


def _answer(tx: Transaction, before: Understanding, after: Understanding, number: int) -> None:
    letters = understanding_words.of_lead(before, after, number)
    _write(tx, _judge(tx, _run(tx, before)), before.whose.member, letters)


def _write(tx: Transaction, sender: str, recipient: str, letters: Sequence[Wording]) -> None:
    """Letters for people to read: what they say has reached its reader already, so they wait for nobody."""
    for each in letters:
        sent = tx.mail.add(sender, recipient, each.kind, wording.render(each))
        tx.mail.mark(sent.id, "acked")
        tx.record(sender, "mail.sent", str(sent.id))


def _judge(tx: Transaction, run: Run) -> str:
    return lead(tx).name if run.lead == HUMAN else run.lead


def _run(tx: Transaction, found: Understanding) -> Run:
    if run := tx.runs.get(found.whose.run):
        return run
    raise Unknown(f"no run {found.whose.run}", next="drumline run list")
