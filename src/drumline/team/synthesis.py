"""Findings: what members of a phase handed off, as whoever brings them together is told of them.

A few files are read by one head. Of more, others read some each and answer in short: whoever read all of
them would have no room left for what they mean together.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from drumline.team.handoff import Handoff
from drumline.team.ids import TaskId
from drumline.team.signal import Outcome

DIRECT = 3  # files that one member reads itself
SOUND = frozenset({Outcome.PASS, Outcome.COMPLETE})
OWED = "Your own handoff is owed, and says of each by its number what counts of it"

_TASK = re.compile(r"\bT-([1-9][0-9]{0,17})\b")


class Finding(NamedTuple):
    """One handoff of a phase: of which task, where it lies, and whether it says that its work went well."""

    task: TaskId
    path: str
    sound: bool


def delegated(findings: Collection[object]) -> bool:
    """Whether there are more findings than one member reads itself."""
    return len(findings) > DIRECT


def told(findings: Sequence[Finding], *, alone: bool = False) -> str:
    """How whoever brings findings together is to go about it: where they lie, never what they say.

    `alone` is who may have nobody read for it, however many there are.
    """
    if not findings:
        return "Nothing was handed off: the work itself is on the team's branch."
    paths = "\n".join(f"- {each.task}: {each.path}" for each in findings)
    yourself = "What was handed off; read each yourself, by `drumline handoff show PATH`"
    if not delegated(findings):
        return f"{yourself}:\n{paths}"
    if alone:
        return f"{yourself}. {OWED}:\n{paths}"
    return (
        f"{len(findings)} findings were handed off, and you are shown none of them whole: more than"
        f" {DIRECT} are read by subagents. Give each a few (`drumline subagent ask PROFILE PROMPT"
        " --handoff TASK …`, or `handoffs` of the tool subagent_ask) and work with what they answer."
        f" {OWED}:\n{paths}"
    )


def unnamed(handoff: Handoff, wanted: Iterable[TaskId]) -> list[TaskId]:
    """The findings that a synthesis says nothing of."""
    said = (
        handoff.narrative,
        *handoff.findings,
        *handoff.decisions,
        *handoff.blockers,
        *handoff.recommendations,
        *(each.what for each in handoff.unresolved),
    )
    named = {int(number) for text in said for number in _TASK.findall(text)}
    return sorted(task for task in wanted if int(task) not in named)
