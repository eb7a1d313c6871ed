"""The hook as a layer: real processes of the guard, given the probes as their events."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple, Protocol, Self

from drumline.errors import DrumlineError
from drumline.team import registry

BARE = (sys.executable, "-I", "-S")
GUARD = Path(__file__).with_name("guard.py")
SERIES = Path(__file__).with_name("guard_series.py")
CLOSE_TO = 60.0  # seconds: far beyond what one call takes
BLOCKS = 2  # the exit code at which an agent CLI makes no call


class Answer(NamedTuple):
    """The exit code of a hook, and what it printed."""

    code: int
    said: bytes


class Guard(Protocol):
    """Something that answers an event as the hook does."""

    def __call__(self, state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> Answer: ...


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


def ask(state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> Answer:
    """What a guard says to one event, started as an agent CLI starts it."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own file
        [*BARE, str(GUARD), str(state)],
        input=json.dumps(event).encode(),
        capture_output=True,
        env=dict(who),
        check=False,
        timeout=CLOSE_TO,
    )
    return Answer(done.returncode, done.stdout)


class GuardAtHand:
    """One guard for any number of events: to start it takes ten times as long as to have it answer."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
            [*BARE, str(SERIES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def __call__(self, state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> Answer:
        return self.answer(json.dumps(event).encode(), state, who)

    def answer(self, event: bytes, state: Path, who: Mapping[str, str]) -> Answer:
        """What it says to an event, whatever that is; one that says nothing has allowed nothing."""
        row = [base64.b64encode(event).decode(), dict(who), str(state)]
        told = self._told(json.dumps(row))
        if not told.endswith("\n"):  # it may have ended in the midst of it
            raise DrumlineError(
                "the guard that is asked ended before it answered",
                why=f"its exit code is {self.process.wait()}",
                next="the same command once more",
            )
        code, said = json.loads(told)
        return Answer(code, base64.b64decode(said))

    def _told(self, row: str) -> str:
        asking, telling = self.process.stdin, self.process.stdout
        assert asking is not None  # noqa: S101 - asked for above
        assert telling is not None  # noqa: S101 - as above
        late = Timer(CLOSE_TO, self.process.kill)
        late.start()
        try:
            asking.write(f"{row}\n")
            asking.flush()
            return telling.readline()
        except BrokenPipeError:
            return ""
        finally:
            late.cancel()


def denied(answer: Answer) -> bool:
    """Whether an answer of the guard is a denial; by its code, where it could tell nobody why."""
    if answer.code == BLOCKS:
        return True
    if not answer.said.strip():
        return False
    said = json.loads(answer.said).get("hookSpecificOutput", {})
    return bool(said.get("permissionDecision") == "deny")
