"""What a run does next, decided from how things are: the same state always gives the same moves.

Nothing here knows what happened last. Whoever is killed half-way looks again and finds what is left to do.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from drumline.team import reduced_scope, synthesis, verdict
from drumline.team.asking_moves import (
    ABORT,
    AGAIN,
    DROP,
    choice,
    lead_says,
    named,
    person_says,
    until_mended,
)
from drumline.team.gate import Point, PointName
from drumline.team.gate_moves import delivering, gated, next_phase
from drumline.team.judgement import Judgement, JudgementKind
from drumline.team.ladder import RESPAWNS, Rung, rung
from drumline.team.lead_moves import as_worked, working_lead
from drumline.team.member import HUMAN
from drumline.team.moves import (
    GOAL,
    AddTasks,
    Anew,
    AskPerson,
    Assign,
    Classify,
    CloseGate,
    Drop,
    Enter,
    LeaveOut,
    Move,
    OpenGate,
    Reopen,
    Seen,
    Start,
    Wait,
)
from drumline.team.ownership import overlap
from drumline.team.pipeline import Execution, Phase
from drumline.team.replanning import replanned
from drumline.team.review_moves import review_moves
from drumline.team.run import COORDINATING, Run, RunState, RunTask, is_of
from drumline.team.run_mode import COORDINATOR
from drumline.team.strategy_moves import steered
from drumline.team.task import TaskState
from drumline.team.tier import Tier
from drumline.team.understanding_moves import understanding_moves
from drumline.team.verdict import Call, PlannedTask

START, WITHOUT = "start", "without those phases"
LONGEST_TITLE = 200
SEVERAL = 2  # findings from which there is something to bring together
TOKENS_OF_A_MEMBER = 200_000  # a context window each, as measured of real teams


def next_moves(seen: Seen) -> list[Move]:
    """What is to be done now; a run that is over, or stopped, does nothing."""
    return steered(seen, _due(seen))


def _due(seen: Seen) -> list[Move]:
    run = seen.run
    if run.state is not RunState.WORKING:
        return []
    if run.tier is None or not run.phase:
        return _beginning(seen)
    phase = run.pipeline.phase(run.phase)
    if phase.delivers:
        return delivering(seen)
    if phase.lead_only:
        return _passing(seen, phase)
    own_hands = run.rules.lead_takes_part and run.lead != HUMAN  # a person has no subagents
    if own_hands and run.pipeline.execution(run.tier, phase.name) is Execution.SUBAGENTS:
        return _by_the_lead(seen, phase)
    return _working(*as_worked(seen, phase))


def _beginning(seen: Seen) -> list[Move]:
    """Ask how large the change is; see that every phase of its path has somebody to work in it."""
    run = seen.run
    found = lead_says(seen, JudgementKind.CLASSIFY, GOAL, 1)
    if not isinstance(found, Judgement):
        return found
    said = verdict.classified(found.answer or {})
    tier = run.tier if run.chosen and run.tier is not None else said.tier
    path = run.pipeline.path(tier)
    have = {place.profile for place in seen.places}
    lacking = [each for each in path if each.profile and each.profile not in have]
    if lacking and working_lead(seen, tier) is None:
        return _unstaffed(seen, tier, lacking)
    if tier is Tier.COMPLEX and (waits := _unapproved(seen, said)):
        return waits
    return [
        Classify(tier, max(1, said.modules), max(1, said.domains)),
        Enter(path[0].name),
    ]


def _unstaffed(seen: Seen, tier: Tier, lacking: Sequence[Phase]) -> list[Move]:
    """Nobody can work in some phases: a person adds members, or goes without the phases."""
    needs = ", ".join(f"{each.name} {each.title} needs a {each.profile}" for each in lacking)
    what = f"Nobody here can work in every phase of a {tier} run: {needs}."
    occasion, names = f"unstaffed/{tier}", {each.name for each in lacking}
    left = [
        each for each in seen.run.pipeline.path(tier) if each.profile and each.name not in names
    ]
    if left and any(
        each.startswith(occasion) and said.choice == WITHOUT for each, said in seen.asked.items()
    ):
        return [LeaveOut(tuple(sorted(names)))]
    options = (AGAIN, WITHOUT, ABORT) if left else (AGAIN, ABORT)
    return until_mended(seen, AskPerson(occasion, what, options))


def _unapproved(seen: Seen, said: verdict.Classified) -> list[Move]:
    """A large run begins only when a person has seen what it will take."""
    path = seen.run.pipeline.path(Tier.COMPLEX)
    lines = [
        f"{each.name} {each.title}: {team_size(each, said)} x {each.profile}"
        for each in path
        if each.profile
    ]
    members = sum(team_size(each, said) for each in path if each.profile)
    what = "\n".join(
        [
            f"This is a large change ({said.files} files in {said.modules} modules): {said.why}",
            *lines,
            f"About {members * TOKENS_OF_A_MEMBER:,} tokens, {members} members over all phases.",
        ]
    )
    if choice(seen, "plan") == START:
        return []
    return person_says(seen, AskPerson("plan", what, (START, ABORT), START))


def team_size(phase: Phase, said: verdict.Classified) -> int:
    """How many members a phase would take."""
    return phase.members(said.domains if phase.counted == "domains" else said.modules)


def _by_the_lead(seen: Seen, phase: Phase) -> list[Move]:
    """A phase that the lead does with subagents of its own: no member is started for it."""
    subject = reduced_scope.subject(seen, phase)
    found = lead_says(seen, JudgementKind.PLAN, subject, seen.run.iteration)
    return _passing(seen, phase) if isinstance(found, Judgement) else found


def _passing(seen: Seen, phase: Phase) -> list[Move]:
    """A phase in which only the lead works is over with the lead's own word, which is there.

    Where a person decides at its gate, it is over with that person's.
    """
    run = seen.run
    if phase.human:
        return gated(seen, phase, ())
    why = "the lead's classification and plan are written down"
    points = tuple(Point(name, holds=True, why=why, by="drumline") for name in PointName)
    closed: Move = CloseGate(phase.name, run.iteration, Call.APPROVE, points, run.lead)
    gate = seen.gates.get((phase.name, run.iteration))
    if gate is None:
        return [OpenGate(phase.name, run.iteration, points), closed, next_phase(run, phase)]
    return [closed, next_phase(run, phase)] if gate.open else [next_phase(run, phase)]


def _working(seen: Seen, phase: Phase) -> list[Move]:
    """A phase in which members work: planned, staffed, done, and judged."""
    run = seen.run
    own = [each for each in seen.tasks if is_of(each, run)]
    if waits := replanned(seen, phase, own):
        return waits
    if not any(each.key for each in own):  # what came up on the way is no plan
        if deserted := _deserted(seen, phase, {phase.profile} - {""}):
            return deserted
        plan = _plan(seen, phase)
        return plan if isinstance(plan, list) else [_tasks(run, phase, plan)]
    moves = _staffed(seen, phase, own) + _assigned(seen, own) + understanding_moves(seen, own)
    looked_at = review_moves(seen, phase)
    if failed := [each for each in own if each.task.state is TaskState.FAILED]:
        return moves + looked_at + _climbed(seen, phase, failed)
    undone = [each for each in own if each.task.state in {TaskState.PENDING, TaskState.IN_PROGRESS}]
    if undone:
        return [*moves, *looked_at, *_awaited(seen, phase, own, undone)]
    return looked_at or _coordinated(seen, phase, own) or gated(seen, phase, own)


def _awaited(
    seen: Seen, phase: Phase, own: Sequence[RunTask], undone: Sequence[RunTask]
) -> list[Move]:
    """Wait for work to be done, as long as there is anybody who could do it."""
    wanted = {each.task.profile for each in undone} - {""}
    if deserted := _deserted(seen, phase, wanted):
        return deserted
    why = f"{len(undone)} of {len(own)} tasks of {phase.name} are not done"
    able = [place for place in seen.places if place.profile in wanted]
    running = [place for place in able if place.running]
    if able and not running:
        names = " ".join(place.name for place in able)
        why += f", and nobody who could do them is to run: drumline member start {names}"
    failing = bool(running) and all(place.unable for place in running)
    if failing:
        why += f", and whoever could do them cannot go on: {named(running)}"
    return [Wait(why, person=failing or (bool(able) and not running))]


def _deserted(seen: Seen, phase: Phase, wanted: AbstractSet[str]) -> list[Move]:
    """Ask a person where whoever could do something left the team meanwhile."""
    lacking = sorted(wanted - {place.profile for place in seen.places})
    if not lacking:
        return []
    what = (
        f"Nobody on the team can do what is left of {phase.name} {phase.title}: it needs"
        f" {', '.join(lacking)}. Take somebody in, or end the run."
    )
    return until_mended(seen, AskPerson(f"deserted/{phase.name}", what, (AGAIN, ABORT)))


def _coordinated(seen: Seen, phase: Phase, own: Sequence[RunTask]) -> list[Move]:
    """Whoever brings findings together begins once all are in, and is told where they are, not what they say.

    A lead takes no task: where only it has the profile, it reads the findings at the gate. So it does where one
    says that its work did not go well: there is nothing to stand on yet.
    """
    always = seen.run.rules.only_synthesis
    wanted = phase.coordinator or (COORDINATOR if always else "")
    if not wanted or any(each.key == COORDINATING for each in own):
        return []
    members = [place for place in seen.places if place.name != seen.run.lead]
    if not any(place.profile == wanted for place in members):
        return _deserted(seen._replace(places=members), phase, {wanted}) if always else []
    done = [each.task for each in own if each.task.state is TaskState.COMPLETED]
    sound = all(each.sound for each in seen.findings)
    if len(done) < (1 if always else SEVERAL) or not (always or sound):
        return []
    folder = f".drumline/runs/{seen.run.name}/phase-{phase.name}"
    listed = "\n".join(f"- {task.id} {task.title}" for task in done)
    body = f"The findings of these tasks are in {folder}, a folder for each member:\n{listed}"
    body = f"{body}\n\n{synthesis.told(seen.findings, alone=always)}"
    task = PlannedTask(
        key=COORDINATING, title=f"Bring together what {phase.title} found", body=body
    )
    return [AddTasks(phase.name, seen.run.iteration, wanted, (task,))]


def _tasks(run: Run, phase: Phase, plan: Sequence[PlannedTask]) -> Move:
    title = f"{phase.title}: {run.title}"[:LONGEST_TITLE]
    tasks = tuple(plan) or (PlannedTask(key="1", title=title, body=run.goal),)
    return AddTasks(phase.name, run.iteration, phase.profile, tasks)


def _plan(seen: Seen, phase: Phase) -> list[Move] | Sequence[PlannedTask]:
    """What to do in a phase: as a small change's classification said, or the last gate, or the lead says now."""
    run = seen.run
    if run.iteration == 1 and run.tier is Tier.TRIVIAL:
        said = seen.judgements[JudgementKind.CLASSIFY, GOAL, 1].answer
        return verdict.classified(said or {}).tasks
    before = seen.judgements.get((JudgementKind.JUDGE, phase.name, run.iteration - 1))
    whole = not reduced_scope.is_reduced(seen, phase)
    if whole and before and before.answer and (tasks := verdict.at_gate(before.answer).tasks):
        return tasks
    found = lead_says(seen, JudgementKind.PLAN, reduced_scope.subject(seen, phase), run.iteration)
    return verdict.planned(found.answer or {}) if isinstance(found, Judgement) else found


def _staffed(seen: Seen, phase: Phase, own: Sequence[RunTask]) -> list[Move]:
    """Let as many run as the phase takes, and no more than there are tasks."""
    run = seen.run
    number = run.domains if phase.counted == "domains" else run.modules
    wanted = min(phase.members(number), len(own))
    fitting = [place for place in seen.places if place.profile == phase.profile]
    running = sum(place.running for place in fitting)
    here = (phase.name, run.iteration)
    resting = [place.name for place in fitting if place.may_start(*here)]
    others = [
        place.name
        for place in seen.places
        if place.may_start(*here)
        and place.profile in {each.task.profile for each in own}
        and place.profile != phase.profile
    ]
    begun = (*resting[: max(0, wanted - running)], *others)
    return [Start(begun)] if begun else []


def _assigned(seen: Seen, own: Sequence[RunTask]) -> list[Move]:
    """Give ready tasks to those who are free, where members may not choose: to each one, in order."""
    if not seen.assigns:
        return []
    free = [place for place in seen.places if place.free and place.running]
    held = [*seen.held]
    moves: list[Move] = []
    for each in own:
        files = each.task.files
        fitting = [place for place in free if each.task.profile in {"", place.profile}]
        if each.task.ready and fitting and not any(overlap(files, other) for other in held):
            moves.append(Assign(each, fitting[0].name))
            free.remove(fitting[0])
            held.append(files)
    return moves


def _climbed(seen: Seen, phase: Phase, failed: Sequence[RunTask]) -> list[Move]:
    """What is done about work that failed, by how often it did."""
    moves: list[Move] = []
    together = [each for each in failed if rung(each.failures) is Rung.RESPAWN]
    if len(together) > 1 and _restructurings(seen, phase) < RESPAWNS:
        return _restructured(seen, phase, together)
    for each in failed:
        step = rung(each.failures)
        anew = _idle_anew(seen, each) if step is Rung.RESPAWN else []
        moves += _left_to_person(seen, each) if step is Rung.PERSON else [*anew, Reopen(each, step)]
    return moves


def _idle_anew(seen: Seen, failed: RunTask) -> list[Move]:
    """Whoever could take the work up again begins anew: what it has in mind did not help."""
    busy = {each.task.owner for each in seen.tasks}
    why = f"{failed.task.id} failed again, and is taken up anew"
    return [
        Anew(place.name, why)
        for place in seen.places
        if place.running and place.profile == failed.task.profile and place.name not in busy
    ]


def _restructured(seen: Seen, phase: Phase, failed: Sequence[RunTask]) -> list[Move]:
    """Several fail at once: the fault is the plan's, so the lead plans their work anew."""
    found = lead_says(seen, JudgementKind.PLAN, _anew(phase), _dropped(seen) + 1)
    if not isinstance(found, Judgement):
        return found
    plan = verdict.planned(found.answer or {})
    return [*(Drop(each, Rung.RESTRUCTURE) for each in failed), _tasks(seen.run, phase, plan)]


def _anew(phase: Phase) -> str:
    return f"{phase.name}/restructured"


def _dropped(seen: Seen) -> int:
    return sum(each.task.state is TaskState.CANCELLED for each in seen.tasks)


def _restructurings(seen: Seen, phase: Phase) -> int:
    """How often the work of a phase was planned anew: no plan helps what fails under all of them."""
    asked = [(kind, subject) for kind, subject, at in seen.judgements if at <= _dropped(seen)]
    return asked.count((JudgementKind.PLAN, _anew(phase)))


def _left_to_person(seen: Seen, each: RunTask) -> list[Move]:
    occasion = f"task/{each.task.id}/{each.failures}"
    said = choice(seen, occasion)
    if said == AGAIN:
        return [Reopen(each, Rung.RETRY)]
    if said == DROP:
        return [Drop(each)]
    what = (
        f"{each.task.id} {each.task.title} was not done by anybody, also not by members that were"
        " started anew. What now?"
    )
    return person_says(seen, AskPerson(occasion, what, (AGAIN, DROP, ABORT), AGAIN, each.task.id))
