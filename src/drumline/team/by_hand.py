"""A person who leads: what a judgement asks of one, and what the answer means.

A person chooses, and writes a task a line where tasks are wanted; the form is filled in from that.
"""

from typing import Any

from drumline.team.by_hand_understanding import understanding_asked, understanding_said
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.moves import Seen
from drumline.team.question import AS_WRITTEN, WHAT_CAP, Asking, QuestionKind
from drumline.team.reduced_scope import SUFFIX as REDUCED
from drumline.team.text import TITLE_CAP, one_line
from drumline.team.tier import Tier
from drumline.team.understanding_moves import about
from drumline.team.verdict import TASKS_CAP
from drumline.team.verdict_understanding import UNDERSTANDING

ONE_TASK = "one task"
SIZES = {Tier.TRIVIAL: (1, 1), Tier.STANDARD: (3, 2), Tier.COMPLEX: (4, 3)}


def asking_of(matter: Matter, seen: Seen) -> Asking:
    """The question a person is asked in the lead's place."""
    run = seen.run
    if matter.kind in UNDERSTANDING:
        found = about(seen, matter.subject)
        return understanding_asked(matter, found)
    if matter.kind is JudgementKind.CLASSIFY:
        what = (
            f"{run.name}: how large is this change? A trivial one touches at most two files of one module,"
            " a standard one three in at most two, a complex one more. The words you add are its tasks,"
            f" a line each; without any the goal is one task.\n{run.goal}"
        )
        options: tuple[str, ...] = tuple(tier.value for tier in Tier)
    else:
        phase = run.pipeline.phase(matter.subject.partition("/")[0])
        less = " with its scope reduced" if matter.subject.endswith(REDUCED) else ""
        what = (
            f"{run.name}: what is to be done in {phase.name} {phase.title}{less}? Say `{AS_WRITTEN}` and add the"
            f" tasks as words, a line each; or `{ONE_TASK}`.\n{run.goal}"
        )
        options = (ONE_TASK, AS_WRITTEN)
    return Asking(QuestionKind.RUN, what[:WHAT_CAP], matter.name, options=options)


def answer_of(matter: Matter, choice: str, words: str) -> dict[str, Any]:
    """The form of a judgement, filled in from what a person said."""
    if matter.kind in UNDERSTANDING:
        return understanding_said(matter.kind, choice, words)
    tasks = _tasks(_lines(words))
    if matter.kind is not JudgementKind.CLASSIFY:
        return {"why": choice, "tasks": [] if choice == ONE_TASK else tasks}
    files, modules = SIZES[Tier(choice)]
    return {"files": files, "modules": modules, "domains": 1, "why": choice, "tasks": tasks}


def _lines(words: str) -> list[str]:
    return [line.strip().removeprefix("- ") for line in words.splitlines() if line.strip()]


def _tasks(lines: list[str]) -> list[dict[str, Any]]:
    """A task a line; what is more than a plan can hold stands in the last one's body, so nothing is lost."""
    own, more = lines[:TASKS_CAP], lines[TASKS_CAP - 1 :]
    tasks = [_task(at, line) for at, line in enumerate(own, 1)]
    if len(more) > 1:
        tasks[-1]["body"] = "\n".join(more)
    return tasks


def _task(at: int, line: str) -> dict[str, Any]:
    title = one_line(line, TITLE_CAP)
    body = line if title != line else ""
    return {"key": str(at), "title": title, "body": body, "files": [], "after": [], "verify": []}
