"""Every call a member makes, counted: what is new to its work is kept at once, the rest turn by turn.

So a runner that is killed loses how often a tool was used in its last turn, never that it was used.
"""

import logging
from collections.abc import Callable, Sequence
from threading import Lock

from drumline.errors import DrumlineError
from drumline.team.ids import TaskId
from drumline.team.tool_use import OTHERS, TOOL_CAP, Count
from drumline.team.turn import Opening

MOST = 200  # names that wait to be kept; somebody who makes names up fills no memory

Place = tuple[TaskId | None, str]  # a task and a run
log = logging.getLogger(__name__)


class Tally:
    """The calls of one life; hooks may count from any thread."""

    def __init__(self, keep: Callable[[Sequence[Count]], None]) -> None:
        self._keep, self._lock = keep, Lock()
        self._waiting: dict[tuple[Place, str], tuple[int, int]] = {}
        self._known: set[tuple[Place, str]] = set()

    def count(self, tool: str, about: Opening | None, *, refused: bool) -> None:
        """Count one call; the first of its kind that was let through is kept before it is made."""
        place: Place = (about.task, about.run) if about is not None else (None, "")
        key = (place, tool[:TOOL_CAP])
        with self._lock:
            if len(self._waiting) >= MOST and key not in self._waiting:
                key = (place, OTHERS)
            calls, no = self._waiting.get(key, (0, 0))
            self._waiting[key] = (calls + 1, no + refused)
            new = not refused and key not in self._known and len(self._known) < MOST
            if new:
                self._known.add(key)
        if new:
            self.flush()

    def flush(self) -> None:
        """Keep what waits; what cannot be kept now waits on, and never stops the work."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
        if not taken:
            return
        try:
            self._keep(
                [
                    Count(tool, calls, no, task, run)
                    for ((task, run), tool), (calls, no) in taken.items()
                ]
            )
        except DrumlineError:
            log.warning("calls could not be counted yet", exc_info=True)
            self._back(taken)

    def _back(self, taken: dict[tuple[Place, str], tuple[int, int]]) -> None:
        with self._lock:
            for key, (calls, no) in taken.items():
                had = self._waiting.get(key, (0, 0))
                self._waiting[key] = (had[0] + calls, had[1] + no)
