"""Runs: goals on their way, each a little further whenever somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drumline.control import (
    coordinating,
    deliveries,
    deviations,
    gate_facts,
    modes,
    observations,
    passes,
    records,
    reviewing,
    run_moves,
    run_questions,
    runs_found,
)
from drumline.control.claims import files_in_use
from drumline.control.handing_in import check_of
from drumline.control.roster import active_member, charter, constitution, lead, living
from drumline.errors import BadInput, Conflict, NotAllowed
from drumline.team.actor import Actor, Role
from drumline.team.asking_moves import ABORT
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId, run_name
from drumline.team.member import HUMAN
from drumline.team.moves import NEVER, End, Move, Place, Said, Seen, Wait, goes_by_handoffs
from drumline.team.next_moves import next_moves
from drumline.team.pipeline import Pipeline
from drumline.team.posting import Wanted
from drumline.team.question import FOR_PEOPLE
from drumline.team.review_moves import unreviewed
from drumline.team.rights import LEAD_WORKS, Right
from drumline.team.run import Run, RunState, checked_goal
from drumline.team.run_mode import RunMode
from drumline.team.task import BUDGET, TaskState
from drumline.team.tier import Tier

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from drumline.control.ports import Transaction

STEPS = 50  # moves made in one look, at most
MOST_ASKED = 1_000  # questions that are looked through
find = runs_found.find


class Begin(NamedTuple):
    """What a run is begun with; `lead` is a member, `human`, or empty for the team's own."""

    goal: str
    pipeline: Pipeline
    base: str
    tier: Tier | None = None
    lead: str = ""
    budget: float | None = None
    branch: str = ""
    mode: RunMode = RunMode.DEFAULT


def begin(tx: Transaction, actor: Actor, wanted: Begin) -> Run:
    """Begin a run: its permanent task, and where it stands."""
    tx.runs.lock()
    refuse_to_begin(tx, actor, wanted)
    name, goal = run_name(tx.runs.next_number()), checked_goal(wanted.goal)
    draft = Run(
        name, goal, wanted.pipeline, wanted.lead or lead(tx).name, task=TaskId(0),
        started_by=actor.name, started_at=tx.now(), tier=wanted.tier,
        chosen=wanted.tier is not None, base=wanted.base, branch=wanted.branch, mode=wanted.mode,
    )  # fmt: skip
    task = records.open_run(tx, actor, NewTask(title=draft.title, body=goal, run=name))
    if wanted.budget is not None:
        tx.tasks.merge(task.id, {BUDGET: wanted.budget})
    run = tx.runs.add(draft._replace(task=task.id))
    tx.record(actor, "run.began", name)
    return run


def refuse_to_begin(tx: Transaction, actor: Actor, wanted: Begin) -> None:
    """Refuse a run that cannot begin as it is wanted, before anything is done for it."""
    may_steer(tx, actor)
    checked_goal(wanted.goal)
    if wanted.budget is not None:
        records.dollars(wanted.budget, way_out="say --budget 2.50, or leave it out")
    if others := tx.runs.working():
        raise Conflict(
            f"{others[0]} is at work already",
            why="a team goes for one goal at a time: its members and its branch are shared",
            next=f"drumline run show {others[0]}   # or: drumline run stop {others[0]}",
        )
    _refuse_amid_another(tx)
    if not wanted.base:
        raise BadInput(
            "this repository has no commit yet",
            why="members work on copies of its last commit, and a run is delivered onto it",
            next="git commit --allow-empty -m 'Begin'",
        )
    if wanted.lead not in {"", HUMAN}:
        active_member(tx, wanted.lead)
    modes.refuse_leaderless_synthesis(tx, wanted.mode)


def _refuse_amid_another(tx: Transaction, name: str = "") -> None:
    """Refuse while work of a run that rests is under way: it would be delivered with this one, and judged by nobody."""
    for task in tx.tasks.held():
        run = tx.runs.get(task.run) if task.run not in {"", name} else None
        if run is not None and run.state is RunState.STOPPED:
            raise Conflict(
                f"{task.owner} still works on {task.id} of {run.name}, which rests",
                why="a team's branch is shared: its work would be delivered with this run",
                next=f"drumline run abort {run.name}   # or wait for {task.id}",
            )


def advance(tx: Transaction, name: str) -> list[Move]:
    """Make the moves a run is due, all of them in one transaction; what is left is not the store's to do."""
    tx.runs.lock()
    left: list[Move] = []
    run_moves.go_on_without(tx, find(tx, name))
    for _ in range(STEPS):
        run_moves.hear_people(tx, find(tx, name))
        seen = look(tx, name)
        left = next_moves(seen)
        doing = [move for move in left if run_moves.is_for_store(move)]
        if not doing:
            break
        for at, move in enumerate(doing):
            if at and type(move) is not type(doing[at - 1]):  # those of one kind are made apart
                seen = look(tx, name)
            run_moves.make(tx, seen, move)
            if isinstance(move, End):
                break
    return [move for move in left if not run_moves.is_for_store(move)]


def look(tx: Transaction, name: str) -> Seen:
    """Everything a run is decided from, of one moment."""
    run = find(tx, name)
    begun, assigns = run_moves.started(tx, run), not constitution(tx).lets(Right.CLAIM)
    works = bool(charter(tx).settings.get(LEAD_WORKS)) and run.rules.lead_takes_part
    free = run_moves.free_members(tx) if assigns or works else frozenset[str]()
    places = _places(tx, run, begun, free)
    seen = Seen(
        run,
        tasks=tx.runs.tasks(name),
        judgements={
            (each.matter.kind, each.matter.subject, each.matter.attempt): each
            for each in tx.runs.judgements_to_go_by(name)
        },
        gates={(each.phase, each.iteration): each for each in tx.runs.gates(name)},
        places=places,
        assigns=assigns,
        lead_works=works,
        held=[files for _, _, files in files_in_use(tx)] if assigns or works else (),
        understandings=tx.understandings.under_way(name),
        asked=_asked(tx, name),
        shut=gate_facts.shut(
            tx, run, [place.name for place in places if place.running and place.name in begun]
        ),
        observations=observations.of_run(tx, run),
        replan=deviations.to_replan(tx, run),
        **reviewing.looked_at(tx, run),
    )
    all_in = goes_by_handoffs(seen) and not unreviewed(seen, run.phase)
    return _with_handoffs(tx, seen) if all_in else seen


def _with_handoffs(tx: Transaction, seen: Seen) -> Seen:
    """The same with what was handed off, which is much to read and decides nothing before all is in."""
    run, tasks, handoffs = seen.run, seen.tasks, tx.handoffs.of_run(seen.run.name)
    return seen._replace(
        known=[*gate_facts.known(tx, run, tasks, handoffs), *reviewing.quality(seen)],
        findings=coordinating.findings(run, tasks, handoffs),
    )


def _places(
    tx: Transaction, run: Run, begun: Mapping[str, tuple[str, int]], free: Collection[str]
) -> list[Place]:
    """The members of a team as a run sees them."""
    said = {each.member: each for each in tx.postings.all()}
    wanted = {name: each.wanted for name, each in said.items()}
    halted = {name for name, each in said.items() if each.is_halt(run.started_at)}
    unable = passes.unable_to_run(tx)
    return [
        Place(
            each.name,
            each.profile,
            wanted.get(each.name) is Wanted.RUNNING,
            begun.get(each.name, NEVER),
            each.name in free,
            unable.get(each.name, ""),
            each.name in halted,
        )
        for each in tx.roster.everyone()
        if each.active and each.runtime != HUMAN
    ]


def _asked(tx: Transaction, name: str) -> dict[str, Said]:
    """What people were asked in a run, oldest first, but for what they judge in the lead's place."""
    return {
        occasion: Said(said.choice, said.what, said.words) if said.answered else Said()
        for occasion, said in tx.runs.questions(name).items()
        if not occasion.startswith(run_questions.OF_THE_LEAD)
    }


def waiting_for(tx: Transaction, name: str) -> str:
    """What a run waits for, in words; empty where it has something to do."""
    seen = look(tx, name)
    if step := deliveries.step_under_way(tx, seen.run):
        return str(step)
    return "; ".join(move.why for move in next_moves(seen) if isinstance(move, Wait))


def needs_person(tx: Transaction, name: str) -> bool:
    """Whether a run stands still until a person does something that nobody asks for."""
    found = next_moves(look(tx, name))
    waits = [move for move in found if isinstance(move, Wait)]
    return waits == found and any(move.person for move in waits)


def open_questions(tx: Transaction, name: str) -> list[str]:
    """What a person is asked in a run and has not answered."""
    asked = tx.runs.questions(name).values()
    return [str(each.question) for each in asked if each.open]


def unanswered(tx: Transaction, name: str) -> list[str]:
    """What people are to say before a run can go on: about itself, or about all that is left of its work."""
    if own := open_questions(tx, name):
        return own
    asked = {
        each.task: str(each.id)
        for each in tx.questions.page(everything=False, after=0, most=MOST_ASKED)
        if each.kind in FOR_PEOPLE or find(tx, name).lead == HUMAN
    }
    left = {TaskState.PENDING, TaskState.IN_PROGRESS}
    undone = [each.task for each in tx.runs.tasks(name) if each.task.state in left]
    moving = [task for task in undone if task.id not in asked and (task.ready or task.owner)]
    return [] if moving else [asked[task.id] for task in undone if task.id in asked]


def delivered(tx: Transaction, name: str, commit: str) -> Run:
    """Close a run whose work is in the user's branch; its permanent task closes last."""
    tx.runs.lock()
    run = find(tx, name)
    if run.state is RunState.DELIVERED:
        return run
    reviewing.refuse_unreviewed(tx, run)
    return run_moves.end(tx, run._replace(commit=commit), RunState.DELIVERED, "")


def deliverable(tx: Transaction, name: str) -> Run:
    """A run that may be delivered, or why not; whoever asks."""
    run = find(tx, name)
    if run.state is not RunState.WORKING:
        raise Conflict(f"{name} is {run.state}", why=run.why, next=f"drumline run show {name}")
    reviewing.refuse_unreviewed(tx, run)
    return run


def checks(tx: Transaction, name: str) -> dict[tuple[str, ...], TaskId]:
    """What must pass on a run's work: each check once, with a task that has it."""
    done = [each.task.id for each in tx.runs.tasks(name) if each.task.state is TaskState.COMPLETED]
    found = {check_of(tx, task): task for task in reversed(done)}
    return {argv: task for argv, task in found.items() if argv}


def merged(tx: Transaction, name: str) -> dict[str, str]:
    """As what the work of each task was merged that a run brings."""
    done = {each.task.id for each in tx.runs.tasks(name) if each.task.state is TaskState.COMPLETED}
    works = [work for work in tx.reviews.works(name) if work.merged and work.task in done]
    return {str(work.task): work.merged for work in reversed(works)}


def not_delivered(tx: Transaction, name: str, what: str) -> None:
    """Ask a person to make way for a delivery, unless somebody stopped or ended the run meanwhile."""
    tx.runs.lock()
    run = find(tx, name)
    if run.state is RunState.WORKING:
        run_questions.ask_about_delivery(tx, run, what)
    else:
        tx.record(name, "run.not-delivered", f"{name}: {run.state}")


def tell_trouble(tx: Transaction, name: str, why: str) -> None:
    """Record why a run cannot go on, and ask a person: it would wait for nobody. One that is over waits for none."""
    tx.runs.lock()
    tx.record("drumline", "run.not-looked-at", f"{name}: {why}")
    if not (run := find(tx, name)).over:
        run_questions.ask_about_trouble(tx, run, why)


def heed_trouble(tx: Transaction, name: str, *, over: bool) -> bool:
    """Whether a run is to go on: whoever was asked about its trouble may have ended it, or need say nothing."""
    tx.runs.lock()
    return not run_moves.heed_trouble(tx, find(tx, name), over=over).over


def in_trouble(tx: Transaction, name: str) -> bool:
    """Whether a person is asked about what keeps a run from going on, or has had enough of it."""
    asked = tx.runs.questions(name)
    told = [said for each, said in asked.items() if each.startswith(f"{run_questions.TROUBLE}/")]
    return any(said.open or said.choice == ABORT for said in told)


def working(tx: Transaction) -> list[str]:
    """The runs that are at work."""
    return tx.runs.working()


def revertible(tx: Transaction, actor: Actor, name: str) -> Run:
    """A run that somebody may take back, or why not."""
    may_steer(tx, actor)
    run = find(tx, name)
    if run.state is not RunState.DELIVERED:
        raise Conflict(
            f"{run.name} is {run.state}",
            why="only a delivered run can be taken back",
            next=f"drumline run show {run.name}",
        )
    return run


def reverted(tx: Transaction, actor: Actor, name: str, commit: str) -> Run:
    """Keep that a delivered run was taken back."""
    return _moved(tx, actor, name, RunState.REVERTED, f"taken back by {commit[:12]}")


def stop(tx: Transaction, actor: Actor, name: str, why: str = "") -> Run:
    """Let a run rest: what is on the board stays there, and nothing new is begun."""
    return _moved(tx, actor, name, RunState.STOPPED, why or "a person stopped it")


def resume(tx: Transaction, actor: Actor, name: str) -> Run:
    """Let a run that was stopped go on exactly where it was."""
    may_steer(tx, actor)
    tx.runs.lock()
    if others := [each for each in tx.runs.working() if each != name]:
        raise Conflict(
            f"{others[0]} is at work",
            why="a team goes for one goal at a time",
            next="stop it first",
        )
    found = find(tx, name)
    _refuse_amid_another(tx, found.name)
    if found.state is not RunState.WORKING:
        found = _moved(tx, actor, name, RunState.WORKING, "")
    run_moves.start_again(tx, found)
    return found


def abort(tx: Transaction, actor: Actor, name: str, why: str = "") -> Run:
    """End a run for good; its open tasks are taken off the board, what was merged stays."""
    may_steer(tx, actor)
    tx.runs.lock()
    return run_moves.end(tx, find(tx, name), RunState.ABORTED, why or "a person aborted it")


def page(tx: Transaction, *, most: int = 1000) -> list[Run]:
    """The runs, newest first."""
    return tx.runs.page(most=most)


def preset(tx: Transaction) -> str:
    """The constitution this team chose, which names its pipeline."""
    return constitution(tx).name


def _moved(tx: Transaction, actor: Actor, name: str, state: RunState, why: str) -> Run:
    may_steer(tx, actor)
    tx.runs.lock()
    run = tx.runs.save(find(tx, name).moved(state, why))
    tx.record(actor, f"run.{state}", run.name)
    return run


def may_steer(tx: Transaction, actor: Actor) -> None:
    """Refuse whoever is neither the lead nor a person."""
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not begin, stop or end a run",
            why="that is the lead's or a person's",
            next="ask the lead: drumline mail send --to lead …",
        ).audited(str(actor), "run.refused", actor.name)
