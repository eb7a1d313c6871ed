"""The guard as tests ask it: a state folder with the rules in it, single processes, and many events in one."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from drumline.hooks import guard, guard_series
from drumline.store.policies import Policies, libraries
from drumline.team import registry

INTERPRETER = os.path.realpath(sys.executable)
GUARD = str(Path(guard.__file__))
SERIES = str(Path(guard_series.__file__))
HOME = os.environ.get("HOME") or "/"
MEMBER = {"DRUMLINE_MEMBER": "ada", "DRUMLINE_ROLE": "teammate"}
KEYS = {"hookEventName", "permissionDecision", "permissionDecisionReason"}


def repository(folder: Path, standings: Iterable[Mapping[str, object]] = ()) -> Path:
    """A repository's state folder with the built-in rules compiled for hooks."""
    state = folder / "repository" / ".drumline"
    state.mkdir(parents=True)
    policy = {**registry.compiled(registry.built_in()), "libraries": libraries()}
    files = Policies(str(state.parent), str(state))
    files.publish(registry.digest(policy), policy)
    for standing in standings:
        files.place(str(standing["member"]), {**standing, "policy": registry.digest(policy)})
    return state


def environment(who: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": os.defpath, "HOME": HOME, **who}


def event(state: Path, tool: str, given: Mapping[str, object], name: str = "PreToolUse") -> bytes:
    facts = {"hook_event_name": name, "tool_name": tool, "tool_input": given}
    return json.dumps({**facts, "cwd": str(state.parent)}).encode()


def alone(raw: bytes, state: Path, who: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """One event in a process of its own, as an agent CLI starts it."""
    return subprocess.run(
        [INTERPRETER, "-I", "-S", GUARD, str(state)],
        input=raw,
        capture_output=True,
        env=environment(who),
        check=False,
    )


class Batch:
    """One bare process that answers event after event by the guard's own way."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [INTERPRETER, "-I", "-S", SERIES],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, raw: bytes, state: Path, who: Mapping[str, str]) -> tuple[int, bytes]:
        assert self._process.stdin
        assert self._process.stdout
        row = [base64.b64encode(raw).decode(), environment(who), str(state)]
        self._process.stdin.write(json.dumps(row) + "\n")
        self._process.stdin.flush()
        code, said = json.loads(self._process.stdout.readline() or self._ended())
        return code, base64.b64decode(said)

    def close(self) -> str:
        """What it complained of, in all."""
        return self._process.communicate()[1]

    def _ended(self) -> str:
        raise AssertionError(self.close())


def reason(code: int, said: bytes) -> str:
    """Why a call is refused, nothing when it is not; an answer of any other form fails the test."""
    assert code in {0, 2}
    assert code == 0 or not said
    if not said:
        return ""
    assert said.endswith(b"}\n")
    assert said.count(b"\n") == 1
    answer = json.loads(said)
    if answer.keys() == {"decision", "reason"}:
        assert answer["decision"] == "block"
        return str(answer["reason"])
    assert answer.keys() == {"hookSpecificOutput"}
    told = answer["hookSpecificOutput"]
    assert told.keys() == KEYS
    assert told["hookEventName"] == "PreToolUse"
    assert told["permissionDecision"] == "deny"
    return str(told["permissionDecisionReason"])
