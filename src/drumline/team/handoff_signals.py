"""The one-line signals of a handoff: what the permanent task keeps, what the lead and each consumer hear."""

from collections.abc import Sequence
from typing import NamedTuple

from drumline.team.handoff import Handoff
from drumline.team.ids import TaskId
from drumline.team.signal import Facts, MicroSignal, ReadySignal, TaskSignal

_TOLD = ("files", "decisions", "unresolved", "findings", "blockers", "recommendations")


class Signals(NamedTuple):
    """A handoff on its three one-line channels."""

    task: TaskSignal
    lead: MicroSignal
    ready: ReadySignal


def signals(
    handoff: Handoff, task: TaskId, path: str, fields: Sequence[str], tracker: str = ""
) -> Signals:
    """Compose all three, or refuse: what is over its cap belongs into the summary."""
    tracked = tracker.replace("|", "/").strip()
    told = {key for key, _ in handoff.signal}
    facts = (
        *((("tracker", tracked),) if tracked and "tracker" not in told else ()),
        *_facts(handoff),
    )
    there = tuple(each for each in _TOLD if getattr(handoff, each))
    return Signals(
        TaskSignal(outcome=handoff.status, facts=facts),
        MicroSignal(outcome=handoff.status, facts=(("task", str(task)), *facts), ref=path),
        ReadySignal(path=path, fields=tuple(fields) or there or ("narrative",)),
    )


def _facts(handoff: Handoff) -> Facts:
    """What the member told, then the counts of what it did not tell of."""
    told = {key for key, _ in handoff.signal}
    counted = (("files", handoff.files), ("unresolved", handoff.unresolved))
    return (
        *handoff.signal,
        *((key, str(len(items))) for key, items in counted if key not in told),
    )
