"""A member's pulse: when it last told something or wrote, and the call it is in.

It stands among the guards, so it only remembers. What is kept for others is told now and then, with
the renewal of a lease: a call that is over soon is nobody's business.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from drumline.runtimes.runtime import Guard
from drumline.team.call import Call
from drumline.team.mutation import QUIET_TOOLS, changes
from drumline.team.situation import Noticed

SHOWN = 80


class _Call(NamedTuple):
    tool: str
    since: float


class _Beat(NamedTuple):
    """All that is told at once, in moments of this process."""

    heard: float | None = None
    wrote: float | None = None
    call: _Call | None = None


class Pulse:
    """A guard that remembers what it sees; hooks may speak to it from any thread."""

    def __init__(self, guard: Guard, clock: Callable[[], float] = monotonic) -> None:
        self._guard, self._clock, self._lock = guard, clock, Lock()
        self._calls: dict[str, _Call] = {}
        self._turns = 0  # that are over
        self._beat = self._told = _Beat()

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        turns = self._turns
        ruling = self._guard.before(event)
        with self._lock:
            # a ruling in its thread may outlive a turn that was cut short
            if ruling.get("decision") == "allow" and turns == self._turns:
                self._calls[_key(event)] = _Call(_tool(event), self._clock())
        return ruling

    def after(self, event: Mapping[str, Any]) -> None:
        if event.get("tool_name"):
            self._over(_key(event), wrote=changes(_call(event)))
        self._guard.after(event)

    def heard(self) -> None:
        """Its runtime told something."""
        now = self._clock()
        with self._lock:
            self._beat = self._beat._replace(heard=now)

    def called(self, tool: str, *, refused: bool) -> None:
        """A runtime tells of a call that is over, of which no guard may hear: a look, or one it refused itself."""
        if not refused and tool not in QUIET_TOOLS:
            return
        with self._lock:
            known = next((key for key, call in self._calls.items() if call.tool == tool), "")
        self._over(known, wrote=False)

    def settled(self) -> None:
        """A turn is over, and with it every call."""
        with self._lock:
            self._calls.clear()
            self._turns += 1

    @property
    def in_call(self) -> bool:
        return bool(self._calls)

    @property
    def left_a_call(self) -> bool:
        """Whether others believe that it is in a call which is over."""
        return self._told.call is not None and self._told.call != self._present

    def news(self) -> Noticed | None:
        """What is to be told to others; nothing where they know."""
        beat = self._beat._replace(call=self._present)
        if beat == self._told:
            return None
        self._told = beat
        return Noticed(
            self._ago(beat.heard),
            self._ago(beat.wrote),
            beat.call.tool if beat.call else "",
            self._ago(beat.call.since) if beat.call else None,
        )

    @property
    def _present(self) -> _Call | None:
        """The call it has been in longest."""
        with self._lock:
            return min(self._calls.values(), key=lambda call: call.since, default=None)

    def _over(self, key: str, *, wrote: bool) -> None:
        now = self._clock()
        with self._lock:
            self._calls.pop(key, None)
            if wrote:
                self._beat = self._beat._replace(wrote=now)

    def _ago(self, moment: float | None) -> timedelta | None:
        return None if moment is None else timedelta(seconds=max(0.0, self._clock() - moment))


def _key(event: Mapping[str, Any]) -> str:
    return str(event.get("tool_use_id") or event.get("tool_name", ""))


def _tool(event: Mapping[str, Any]) -> str:
    return str(event.get("tool_name", ""))[:SHOWN]


def _call(event: Mapping[str, Any]) -> Call:
    given = event.get("tool_input")
    return Call(_tool(event), given if isinstance(given, dict) else {}, str(event.get("cwd", "")))
