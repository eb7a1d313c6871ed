"""A guard that remembers which hooks reached it, so that a runtime can prove that its own do run.

An agent CLI that skips a hook says nothing. What a session's start told the guard is the proof that
the guard stands before its calls.
"""

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any, NamedTuple, Protocol, runtime_checkable

from drumline.runtimes.runtime import Guard

MOST_SESSIONS = 64
MOST_REFUSALS = 1_000
SHOWN = 300


class Refusal(NamedTuple):
    """A call that was not let through."""

    tool: str
    what: str


class Heard(NamedTuple):
    """What hooks have told of one session: how often it began, and every call that was refused."""

    starts: int = 0
    refusals: tuple[Refusal, ...] = ()


@runtime_checkable
class Witness(Protocol):
    """Whoever can say what hooks have told."""

    def heard(self, session: str) -> Heard: ...


class Witnessed:
    """A guard that also is a witness; hooks may speak to it from any thread."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self._lock = guard, Lock()
        self._heard: OrderedDict[str, Heard] = OrderedDict()

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        ruling = self._guard.before(event)
        if ruling.get("decision") == "deny":
            self._refused(event, ruling)
        return ruling

    def after(self, event: Mapping[str, Any]) -> None:
        if event.get("hook_event_name") == "SessionStart":
            with self._lock:
                known = self._known(event)
                self._keep(event, known._replace(starts=known.starts + 1))
        self._guard.after(event)

    def heard(self, session: str) -> Heard:
        """All that was told of a session until now."""
        with self._lock:
            return self._heard.get(session, Heard())

    def _refused(self, event: Mapping[str, Any], ruling: Mapping[str, str]) -> None:
        refusal = Refusal(str(event.get("tool_name", ""))[:SHOWN], ruling.get("what", "")[:SHOWN])
        with self._lock:
            known = self._known(event)
            if len(known.refusals) < MOST_REFUSALS:
                self._keep(event, known._replace(refusals=(*known.refusals, refusal)))

    def _known(self, event: Mapping[str, Any]) -> Heard:
        return self._heard.get(str(event.get("session_id", "")), Heard())

    def _keep(self, event: Mapping[str, Any], heard: Heard) -> None:
        session = str(event.get("session_id", ""))
        self._heard[session] = heard
        self._heard.move_to_end(session)
        if len(self._heard) > MOST_SESSIONS:
            self._heard.popitem(last=False)
