"""A large run as it is seen in the midst of its execution, made up without a store."""

from datetime import UTC, datetime

from drumline.team.gate import Gate, GateState
from drumline.team.ids import TaskId
from drumline.team.judgement import Judgement, JudgementKind, JudgementState, Matter
from drumline.team.moves import GOAL, Place, Seen
from drumline.team.pipelines import Pipelines
from drumline.team.run import Run, RunTask
from drumline.team.task import Task, TaskState
from drumline.team.tier import Tier
from drumline.team.understanding import Stage, Terms, Understanding, Whose

TASKS, MEMBERS = 1_000, 100
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SAID = {"files": 9, "modules": 4, "domains": 3, "why": "seen", "tasks": []}


def seen_with(undone: int) -> Seen:
    """A run in the midst of execution, of which so much is not done."""
    pipeline = Pipelines().find("constitution-10")
    at = Run(
        "run-1", "Mend it", pipeline, "lea", TaskId(1), "kim", NOON,
        tier=Tier.COMPLEX, phase="P6", iteration=1, modules=4, domains=3,
    )  # fmt: skip
    names = [f"m{number}" for number in range(MEMBERS)]
    tasks = [_task(number, undone, names) for number in range(TASKS)]
    held = [each.task for each in tasks if each.task.owner]
    matter = Matter("run-1", JudgementKind.CLASSIFY, GOAL)
    asked = Judgement(matter, "", NOON, JudgementState.ANSWERED, SAID, "lea")
    return Seen(
        at,
        tasks,
        {(JudgementKind.CLASSIFY, GOAL, 1): asked},
        {("P5", 1): Gate("run-1", "P5", 1, NOON, GateState.APPROVED)},
        [
            Place("lea", "", running=True),
            *(Place(name, "implementer", running=True) for name in names),
        ],
        understandings=[_understanding(task) for task in held],
    )


def _task(number: int, undone: int, names: list[str]) -> RunTask:
    task = Task(
        TaskId(number + 2), f"part {number}", NOON, NOON, run="run-1", profile="implementer"
    )
    if number < TASKS - undone:
        task = task._replace(state=TaskState.COMPLETED)
    elif number < TASKS - undone + min(undone, MEMBERS):
        owner = names[number - (TASKS - undone)]
        task = task._replace(state=TaskState.IN_PROGRESS, owner=owner, incarnation=2)
    return RunTask(task, "P6", 1, str(number))


def _understanding(task: Task) -> Understanding:
    whose = Whose("run-1", task.id, str(task.owner), 2)
    return Understanding(whose, "P6", Terms(1, plans=True), Stage.APPROVED)
