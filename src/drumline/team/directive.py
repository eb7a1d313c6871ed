"""A directive: what a member is told when it is given a task of a run, and the context it is to go by.

Under one pipeline the shared context is in it whole, under another by reference; whichever it is, the
member confirms the version, and nothing of it is verified before.
"""

import re
from datetime import datetime
from typing import NamedTuple

from drumline.team.ids import MessageId, TaskId
from drumline.team.quoting import quoted
from drumline.team.task import Task
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.wording_forms import Directive

ASSIGNED = "assigned"  # the occasion of the directive that a prompt is
NAMED = 120  # characters of a file's name in a head line
MOST_FILES = 20


class Directed(NamedTuple):
    """A directive that was given: for which claim of a task, to which life, and the letter it is."""

    task: TaskId
    fence: int
    occasion: str
    run: str
    phase: str
    member: str
    incarnation: int
    version: int
    message: MessageId
    at: datetime


class Injection(NamedTuple):
    """The shared context as one life of a member is to have it; without `text` it is told where that is.

    `held` is the version it confirmed, `items` is how many it is to take in.
    """

    run: str
    version: int
    items: int
    held: int = 0
    text: str = ""

    @property
    def lacking(self) -> bool:
        """Whether the member has yet to confirm it."""
        return self.held < self.version


def told(shared: Injection) -> str:
    """What a directive says of the context: all of it or where it is, and how to confirm it."""
    said = f"Version {shared.version} of the context of {shared.run} holds for everyone"
    confirm = (
        how_to_answer(shared.run, shared.version, shared.items)
        if shared.lacking
        else "You confirmed it."
    )
    if shared.text:
        return f"{said}:\n{quoted(shared.text)}\n{confirm}"
    return f"{said}. {_where(shared)}\n{confirm}"


def _where(shared: Injection) -> str:
    run, version = shared.run, shared.version
    said = (
        f"It is in .drumline/runs/{run}/{context_file(version)}:"
        f" `drumline context show {version} --run {run}`, or the tool `context_show`, reads it to you."
    )
    if not shared.lacking or not shared.held:
        return said
    diff = f"drumline context diff {shared.held} {version} --run {run}"
    return f"{said} What is new since the version you hold: `{diff}`."


def how_to_answer(run: str, version: int, items: int) -> str:
    """The words in which a member confirms a version."""
    return (
        "Say what you did about it:"
        f" drumline context ack {version} --run {run} --items {items}/{items}"
        " --impact TEXT --action continue|pause|need-clarification"
    )


def context_file(version: int) -> str:
    """Where a version of a run's context is, in the run's folder."""
    return f"context/context-v{version}.md"


def directive(task: Task, phase: int, version: int, body: str) -> Directive:
    """The whole directive; nobody's words can keep it from being written."""
    title = one_line(task.title.replace("|", "/"), PATTERN_CAP).strip() or "nothing"
    files = tuple(filter(None, map(_file, task.files[:MOST_FILES])))
    return Directive(
        phase=phase, task=title, files=files or ("none",), version=version, body=body.strip("\n")
    )


def _file(path: str) -> str:
    return re.sub(r"[,|\s]+", " ", one_line(path, NAMED)).strip()
