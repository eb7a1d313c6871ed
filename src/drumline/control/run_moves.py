"""The moves of a run, made: each changes the store and says so, in the transaction that decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import (
    board,
    comparing,
    escalations,
    lead_calls,
    lives,
    observations,
    postings,
    protocol,
    records,
    reviewing,
    run_questions,
    team_notes,
)
from drumline.control.judgements import person_answered
from drumline.control.roster import active_member
from drumline.team.actor import Actor
from drumline.team.asking_moves import ABORT
from drumline.team.draft import Listed
from drumline.team.gate import Gate, GateState
from drumline.team.handoff import REQUIRED
from drumline.team.ids import TaskId
from drumline.team.ladder import Rung
from drumline.team.life import LEASE, WhyEnded
from drumline.team.member import HUMAN
from drumline.team.moves import (
    AddTasks,
    Anew,
    Ask,
    AskPerson,
    AskReview,
    Assign,
    Classify,
    CloseGate,
    Deliver,
    Drop,
    End,
    Enter,
    KeepReview,
    LeaveOut,
    Mend,
    Move,
    OpenGate,
    Reclassify,
    Reopen,
    Seen,
    Start,
    Wait,
    Weigh,
)
from drumline.team.posting import Wanted
from drumline.team.run import COORDINATING, Run, RunState, RunTask
from drumline.team.secrets import redact
from drumline.team.synthesis import delegated
from drumline.team.task import NOTE, VERIFY, Holder, TaskState
from drumline.team.task_fields import (
    BRIEF,
    FAILED,
    HANDOFF,
    PHASE,
    PHASE_SIGNALS,
    RECLASSIFIED,
    REPLAN,
    STARTED,
)
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.tier import Tier
from drumline.team.trail import PHASE_ENTERED, PHASE_LEFT

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

BEGINNING = "beginning"  # where a run is before its first phase


def is_for_store(move: Move) -> bool:
    """Whether a move is made here; what it leaves is waited for, or done to the repository."""
    return not isinstance(move, Wait | Deliver)


def make(tx: Transaction, seen: Seen, move: Move) -> None:
    """Make one move."""
    _MAKERS[type(move)](tx, seen, move)


def hear_people(tx: Transaction, run: Run) -> None:
    """Take the answers of a person who leads as the judgements they are."""
    if run.lead != HUMAN:
        return
    answered = tx.runs.questions(run.name)
    for each in tx.runs.asked_of(HUMAN):
        said = answered.get(f"{run_questions.OF_THE_LEAD}{each.matter.name}")
        if said is not None and said.answered:
            person_answered(tx, each, said.question)


def _ask_person(tx: Transaction, seen: Seen, move: AskPerson) -> None:
    run_questions.ask_person(tx, seen, move)
    if move.task is not None:
        why = str(tx.tasks.fields(move.task).get(FAILED, "it failed"))
        escalations.keep(tx, seen.run, move.task, Rung.PERSON, why)


def heed_trouble(tx: Transaction, run: Run, *, over: bool) -> Run:
    """The run, ended where a person had enough of its trouble; once that is over nobody is asked any more."""
    asked = tx.runs.questions(run.name)
    for occasion in [
        each for each in asked if each.startswith(f"{run_questions.TROUBLE}/") and not run.over
    ]:
        if asked[occasion].choice == ABORT:
            return end(tx, run, RunState.ABORTED, "it could not go on, and a person aborted")
        if over:
            run_questions.withdraw(tx, run, occasion)
    return run


def _classify(tx: Transaction, seen: Seen, move: Classify) -> None:
    run = seen.run._replace(tier=move.tier, modules=move.modules, domains=move.domains)
    tx.runs.save(run)
    tx.tasks.merge(run.task, {"tier": move.tier.value})
    tx.record(run.name, "run.classified", f"{run.name}: {move.tier}")


def _reclassify(tx: Transaction, seen: Seen, move: Reclassify) -> None:
    """What was done stays; the path is another one from the next phase on."""
    run = seen.run
    said = f"{run.tier} to {move.tier} in {run.phase}"
    before = tx.tasks.fields(run.task).get(RECLASSIFIED, [])
    tx.runs.save(run._replace(tier=move.tier))
    tx.tasks.merge(run.task, {"tier": move.tier.value, RECLASSIFIED: [*before, said]})
    tx.record(run.name, "run.reclassified", f"{run.name}: {said}")


def _leave_out(tx: Transaction, seen: Seen, move: LeaveOut) -> None:
    run = seen.run
    tx.runs.save(run._replace(pipeline=run.pipeline.without(move.phases)))
    tx.tasks.merge(run.task, {"left_out": list(move.phases)})
    tx.record(run.name, "run.left-out", f"{run.name}: {', '.join(move.phases)}")


def _enter(tx: Transaction, seen: Seen, move: Enter) -> None:
    run = tx.runs.save(seen.run._replace(phase=move.phase, iteration=move.iteration))
    fields: dict[str, Any] = {f"iterations.{move.phase}": move.iteration, REPLAN: None}
    if move.flags:
        fields[f"gaps.{seen.run.phase}"] = one_line(move.flags, PATTERN_CAP)
    tx.tasks.merge(run.task, fields)
    tx.record(run.name, "run.entered", f"{run.name}: {move.phase}, iteration {move.iteration}")
    tx.record(run.name, PHASE_ENTERED, move.phase)


def _add_tasks(tx: Transaction, seen: Seen, move: AddTasks) -> None:
    run, actor = seen.run, seen.run.acting()
    places = {each.key: place for place, each in enumerate(move.tasks)}
    listed = [
        Listed(each.draft(run.name, move.profile), tuple(places[key] for key in each.after))
        for each in move.tasks
    ]
    waited_for = {key for each in move.tasks for key in each.after}
    of_phase = {**_of_phase(run, move.phase), **observations.routed(tx, run, move.phase)}
    for each, task in zip(move.tasks, board.add_all(tx, actor, listed), strict=True):
        tx.runs.add_task(run, task.id, each.key)
        fields = {**of_phase, **({VERIFY: list(each.verify)} if each.verify else {})}
        if each.after or each.key in waited_for:
            fields[f"{BRIEF}.notify"] = ["lead"]
        if each.key == COORDINATING and delegated(seen.findings):
            fields[HANDOFF] = REQUIRED
        tx.tasks.merge(task.id, fields)
        tx.record(run.name, "run.planned", str(task.id))


def _of_phase(run: Run, phase: str) -> dict[str, Any]:
    """What every task of a phase says of itself; who does a small change hands over to nobody."""
    hands_over = run.pipeline.phase(phase).handoff and run.tier is not Tier.TRIVIAL
    wanted = {HANDOFF: REQUIRED} if hands_over else {}
    return {PHASE: phase, **wanted}


def _start(tx: Transaction, seen: Seen, move: Start) -> None:
    run = seen.run
    for member in move.members:
        postings.want(tx, run.acting(), member, Wanted.RUNNING)
        tx.tasks.merge(run.task, {f"{STARTED}.{member}": [run.phase or BEGINNING, run.iteration]})
        tx.record(run.name, "run.started-member", member)


def _weigh(tx: Transaction, seen: Seen, move: Weigh) -> None:
    del seen  # what was said is about nothing else
    protocol.weigh(tx, move)


def _assign(tx: Transaction, seen: Seen, move: Assign) -> None:
    """Claim a task for a member's present life; its runner finds it."""
    member = active_member(tx, move.member)
    holder = Holder(member.name, member.incarnation)
    board.claim(tx, seen.run.acting(), move.task.task.id, holder, lease=LEASE)
    tx.record(seen.run.name, "run.assigned", f"{move.task.task.id} to {member.name}")


def _anew(tx: Transaction, seen: Seen, move: Anew) -> None:
    if move.task is not None:
        tx.tasks.merge(move.task, {NOTE: redact(move.note)})
        tx.record(seen.run.name, "task.noted", str(move.task))
    life = tx.lives.lock_open(move.member)
    if life is not None:
        lives.end(tx, life, WhyEnded.STOPPED, move.why)
        tx.record(seen.run.name, "run.respawned", move.member)


def _reopen(tx: Transaction, seen: Seen, move: Reopen) -> None:
    run, task = seen.run, move.task.task
    why = str(tx.tasks.fields(task.id).get(FAILED, "it failed"))
    tx.runs.count_failure(run, task.id)
    board.reopen(tx, run.acting(), task.id)
    tx.tasks.merge(task.id, {NOTE: one_line(f"It failed before: {why}", PATTERN_CAP)})
    escalations.keep(tx, run, task.id, move.rung, why)


def _open_gate(tx: Transaction, seen: Seen, move: OpenGate) -> None:
    if comparing.follow_up(tx, seen.run.name, complete=True):
        return  # whoever it concerns hears of it before anybody judges
    gate = tx.runs.open_gate(seen.run, move.points)
    tx.record(seen.run.name, "gate.opened", gate.name)


def _close_gate(tx: Transaction, seen: Seen, move: CloseGate) -> None:
    run = seen.run
    observations.settled_by_lead(tx, run, move.settled, move.by)
    gate = seen.gates[move.phase, move.iteration]
    closed = gate.closed(move.call, move.points, move.by)
    said = closed._replace(summary=move.summary, guidance=move.guidance)
    keep_verdict(tx, run, said, move.by or run.name)


def keep_verdict(tx: Transaction, run: Run, closed: Gate, by: Actor | str) -> Gate:
    """Keep what was said at a gate, and its signal on the permanent task; whoever said it."""
    told = closed._replace(summary=redact(closed.summary), guidance=redact(closed.guidance))
    kept = tx.runs.close_gate(told)
    word = "PASS" if kept.state is GateState.APPROVED else "FAIL"
    own = [each for each in tx.runs.tasks(run.name) if each.phase == kept.phase]
    signal = f"{word}|tasks:{len(own)}|iteration:{kept.iteration}"
    tx.tasks.merge(run.task, {f"{PHASE_SIGNALS}.{kept.phase}.gate": signal})
    tx.record(by, f"gate.{kept.state}", kept.name)
    team_notes.curate(tx, run, kept)
    return kept


def _mend(tx: Transaction, seen: Seen, move: Mend) -> None:
    run = seen.run
    reviewing.mend(tx, run, move, run.acting(), _of_phase(run, run.phase))


def _drop(tx: Transaction, seen: Seen, move: Drop) -> None:
    """Take a task off the board; what waited for it does not wait for ever."""
    task = move.task.task.id
    if move.rung is not None:
        escalations.keep(tx, seen.run, task, move.rung, "the lead planned its work anew")
    _free(tx, seen.run, task)
    board.cancel(tx, seen.run.acting(), task, "its run goes on without it")


def go_on_without(tx: Transaction, run: Run) -> None:
    """Let nothing wait for what somebody took off the board: a run would wait for nobody."""
    tasks = [each.task for each in tx.runs.tasks(run.name)]
    if any(task.state is TaskState.PENDING and task.waits for task in tasks):
        for task in tasks:
            if task.state is TaskState.CANCELLED:
                _free(tx, run, task.id)


def _free(tx: Transaction, run: Run, task: TaskId) -> None:
    tx.tasks.lock_graph()
    for waiting in tx.tasks.waiting_for(task):
        if tx.tasks.remove_edge(waiting, task, unmet=True):
            tx.record(run.name, "task.unblocked", str(waiting))


def _end(tx: Transaction, seen: Seen, move: End) -> None:
    end(tx, seen.run, move.state, move.why)


def end(tx: Transaction, run: Run, state: RunState, why: str) -> Run:
    """End a run in order: its open work, whoever it let run, and its permanent task last."""
    ended = tx.runs.save(run.moved(state, one_line(why, PATTERN_CAP)))
    tx.record(run.name, f"run.{state}", run.name)
    tx.record(run.name, PHASE_LEFT, run.phase)
    actor = run.acting()
    for each in tx.runs.tasks(run.name):
        _close_task(tx, actor, each)
    for occasion in tx.runs.questions(run.name):
        run_questions.withdraw(tx, run, occasion)
    for member in started(tx, run):
        postings.want(tx, actor, member, Wanted.STOPPED)
    if state is RunState.DELIVERED:
        records.deliver(tx, actor, run.name)
    else:
        tx.tasks.move(run.task, TaskState.CANCELLED)
        tx.record(run.name, "task.cancelled", str(run.task))
    return ended


def _close_task(tx: Transaction, actor: Actor, each: RunTask) -> None:
    if each.task.state not in {TaskState.COMPLETED, TaskState.CANCELLED}:
        board.cancel(tx, actor, each.task.id, "its run is over")


def started(tx: Transaction, run: Run) -> dict[str, tuple[str, int]]:
    """Whom the run let run, and in which phase and iteration last, as long as they are here."""
    here = {each.name for each in tx.roster.everyone() if each.active}
    found = {
        name.partition(".")[2]: said
        for name, said in tx.tasks.fields(run.task).items()
        if name.startswith(f"{STARTED}.") and isinstance(said, list)
    }
    return {name: (str(at), int(time)) for name, (at, time) in found.items() if name in here}


def free_members(tx: Transaction) -> frozenset[str]:
    """Who lives and holds no task."""
    busy = {task.owner for task in tx.tasks.held()}
    return frozenset(life.member for life in tx.lives.open() if life.member not in busy)


def start_again(tx: Transaction, run: Run) -> None:
    """Let those run again whom the run let run, whoever stopped them; it may let run the others again, too."""
    begun, actor = started(tx, run), run.acting()
    for member in begun:
        postings.want(tx, actor, member, Wanted.RUNNING)
    for each in tx.postings.all():
        if each.is_halt(run.started_at) and each.wanted is Wanted.STOPPED:
            tx.postings.set(each.member, Wanted.STOPPED, each.host, str(actor))
            tx.record(actor, "member.wanted-stopped", each.member)


_MAKERS: dict[type[Any], Any] = {
    Ask: lead_calls.ask,
    AskPerson: _ask_person,
    Classify: _classify,
    Reclassify: _reclassify,
    LeaveOut: _leave_out,
    Enter: _enter,
    AddTasks: _add_tasks,
    Start: _start,
    Assign: _assign,
    Anew: _anew,
    Weigh: _weigh,
    Reopen: _reopen,
    OpenGate: _open_gate,
    CloseGate: _close_gate,
    AskReview: reviewing.ask,
    KeepReview: reviewing.keep,
    Mend: _mend,
    Drop: _drop,
    End: _end,
}
