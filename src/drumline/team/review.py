"""Reviews: what others than its authors say of a task's work, before any of it is delivered."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.team.handoff import GRAVE, Severity
from drumline.team.ids import TaskId
from drumline.team.judgement import JudgementKind
from drumline.team.pipeline import Pipeline
from drumline.team.run import Run
from drumline.team.task import Task, TaskState

MENDS = "mends "  # the key of a task that mends another's work begins with it
SHORT = 12  # characters that name a commit


class Step(StrEnum):
    """What work goes through after it was done, in this order."""

    REVIEW = "review"
    AUDIT = "audit"

    @property
    def kind(self) -> JudgementKind:
        return JudgementKind(self.value)


STEPS = tuple(Step)
OVER = frozenset({TaskState.COMPLETED, TaskState.CANCELLED})


class Word(StrEnum):
    """What may be said of work."""

    APPROVE = "approve"
    CHANGES = "changes wanted"


class Flaw(NamedTuple):
    """What is wrong, how badly, and where: no line means the whole file, no file all of it."""

    what: str
    severity: Severity = Severity.HIGH
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


class Opinion(NamedTuple):
    """What one who looked at work says of it."""

    word: Word
    summary: str
    flaws: tuple[Flaw, ...] = ()

    @property
    def approves(self) -> bool:
        """Whoever names a grave flaw has not approved."""
        if self.word is not Word.APPROVE or not self.flaws:
            return self.word is Word.APPROVE
        return not any(each.severity in GRAVE for each in self.flaws)


class Review(NamedTuple):
    """A verdict on one version of a task's work: of which step, whose, what, when, and where a person was asked."""

    run: str
    task: TaskId
    step: Step
    version: str
    by: str
    opinion: Opinion
    at: datetime | None = None
    occasion: str = ""


class Work(NamedTuple):
    """What was done for a task of a run.

    authors   whose hands it went through; none of them says whether it is good
    version   the commit that was handed in; where nothing was committed, the claim it was done under
    base, merged   what it was merged onto, and as what: the difference is what it brought
    via       the task that brings it in, where it could not be merged by itself
    """

    task: TaskId
    run: str
    phase: str
    authors: tuple[str, ...]
    version: str
    base: str = ""
    merged: str = ""
    via: str = ""

    @property
    def name(self) -> str:
        """The work as a judgement's subject has it."""
        return f"{self.task}@{self.version[:SHORT]}"


class Chain(NamedTuple):
    """A task, and those that mend its work one after the other: the last says how it stands."""

    root: Task
    works: tuple[Work, ...]
    menders: tuple[Task, ...] = ()

    @property
    def present(self) -> Work:
        return self.works[-1]

    @property
    def authors(self) -> frozenset[str]:
        return frozenset(name for work in self.works for name in work.authors)

    def is_by(self, name: str) -> bool:
        """Whether any of it is somebody's own work."""
        if len(self.works) == 1:  # as nearly all are, of a thousand
            return name in self.works[0].authors
        return any(name in work.authors for work in self.works)

    @property
    def under_way(self) -> bool:
        """Whether its work is being mended."""
        return bool(self.menders) and any(task.state not in OVER for task in self.menders)


Reviews = Mapping[tuple[TaskId, Step, str], Review]  # by task, step and version


def chains(tasks: Iterable[tuple[Task, str]], works: Sequence[Work]) -> list[Chain]:
    """The works of a run, each with what mends it; `tasks` come with their keys in their plan."""
    done = {work.task: work for work in works if not work.via}
    roots: list[Task] = []
    mending: dict[str, list[Task]] = {}
    for task, key in tasks:
        if key.startswith(MENDS):
            mending.setdefault(key.removeprefix(MENDS), []).append(task)
        elif task.id in done:
            roots.append(task)
    return [_chain(root, mending.get(str(root.id), []) if mending else [], done) for root in roots]


def _chain(root: Task, menders: Sequence[Task], done: Mapping[TaskId, Work]) -> Chain:
    works = [done[root.id], *(done[each.id] for each in menders if each.id in done)]
    return Chain(root, tuple(works), tuple(menders))


def demanded(pipeline: Pipeline, phase: str) -> bool:
    """Whether the work of a phase is delivered only after others looked at it.

    In the phase that delivers nobody works: what is there was brought along, and no gate ever judged it.
    """
    return bool(phase) and (pipeline.phase(phase).reviewed or pipeline.phase(phase).delivers)


def at_gate(run: Run, authors: Iterable[str]) -> bool:
    """Whether the gate's judgement is review and audit in one: never where its judge is an author."""
    return run.tier in run.pipeline.judged_once and run.lead not in authors


def valid(kept: Reviews, chain: Chain, step: Step) -> Review | None:
    """The verdict that counts: on the work as it is now, by nobody whose work it is."""
    work = chain.works[-1]
    found = kept.get((work.task, step, work.version))
    return None if found is None or chain.is_by(name_of(found.by)) else found


def missing(kept: Reviews, chain: Chain) -> list[Step]:
    """The steps that the work did not pass yet."""
    return [
        step
        for step in STEPS
        if (said := valid(kept, chain, step)) is None or not said.opinion.approves
    ]


def name_of(by: str) -> str:
    """The name in the record of who said something."""
    if ":" not in by and " " not in by:
        return by
    return by.removeprefix("person:").partition(" by ")[0]
