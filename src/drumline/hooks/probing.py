"""The hook as a layer: real processes of the guard, given the probes as their events."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from drumline.team import registry

BARE = (sys.executable, "-I", "-S")
GUARD = Path(__file__).with_name("guard.py")
SERIES = Path(__file__).with_name("guard_series.py")
CLOSE_TO = 60.0  # seconds: far beyond what one call takes


class Guard(Protocol):
    """Something that answers an event as the hook does."""

    def __call__(self, state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> str: ...


class HookLayer:
    """Asks the guard in a folder of its own: of each set of rules once as an agent CLI would, then the one at hand."""

    name = "hook"

    def __init__(self, folder: Path, libraries: list[str], at_hand: Guard) -> None:
        self._root, self._libraries, self._at_hand = folder / "repository", libraries, at_hand
        self._state = self._root / ".drumline"
        self._published: dict[str, Any] = {}
        self._policy = ""
        self._tried: set[str] = set()
        (self._state / "policy").mkdir(parents=True)
        (self._state / "standing").mkdir()

    def refuses(self, probe: dict[str, Any], rules: dict[str, Any]) -> bool | None:
        """Whether the guard answers this probe with a denial."""
        if rules is not self._published:
            self._publish(rules)
        standing = self._state / "standing" / "prober.json"
        facts = {**probe, "member": "prober", "policy": self._policy}
        standing.write_text(json.dumps(facts), "utf-8")
        guard = self._at_hand if self._policy in self._tried else ask
        self._tried.add(self._policy)
        return denied(guard(self._state, self._event(probe), _who(probe)))

    def _publish(self, rules: dict[str, Any]) -> None:
        policy = {**registry.compiled(rules), "libraries": self._libraries}
        self._published, self._policy = rules, registry.digest(policy)
        place = self._state / "policy" / f"{self._policy}.json"
        place.write_text(json.dumps(policy), "utf-8")

    def _event(self, probe: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "hook_event_name": "PreToolUse",
            "tool_name": probe["tool"],
            "tool_input": probe["input"],
            "cwd": str(self._root),
        }


def _who(probe: Mapping[str, Any]) -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "HOME": os.environ.get("HOME", "/"),
        "DRUMLINE_MEMBER": "prober",
        "DRUMLINE_ROLE": str(probe["role"]),
    }


def ask(state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> str:
    """What a guard prints for one event, started as an agent CLI starts it."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own file
        [*BARE, str(GUARD), str(state)],
        input=json.dumps(event).encode(),
        capture_output=True,
        env=dict(who),
        check=False,
        timeout=CLOSE_TO,
    )
    return done.stdout.decode()


@contextmanager
def guard_at_hand() -> Iterator[Guard]:
    """One guard for any number of events: to start it takes ten times as long as to have it answer."""
    with subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
        [*BARE, str(SERIES)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as guard:

        def answered(state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> str:
            raw = base64.b64encode(json.dumps(event).encode()).decode()
            assert guard.stdin  # noqa: S101 - asked for above
            assert guard.stdout  # noqa: S101 - asked for above
            guard.stdin.write(json.dumps([raw, dict(who), str(state)]) + "\n")
            guard.stdin.flush()
            _, said = json.loads(guard.stdout.readline())
            return base64.b64decode(said).decode()

        yield answered


def denied(answer: str) -> bool:
    """Whether an answer of the guard is a denial."""
    if not answer.strip():
        return False
    said = json.loads(answer).get("hookSpecificOutput", {})
    return bool(said.get("permissionDecision") == "deny")
