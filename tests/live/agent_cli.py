"""The real agent CLIs, run where they can reach nobody: own home, dummy keys, a model on loopback."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from drumline.team.identity import Identity, identity

PLACES = {
    "claude": ("DRUMLINE_TEST_CLAUDE", "claude_agent_sdk", "_bundled/claude"),
    "codex": ("DRUMLINE_TEST_CODEX", "codex_cli_bin", "bin/codex"),
}
LONGEST = 90

GUARD = """
import json, os, sys

call = json.load(sys.stdin)
event, state = call["hook_event_name"], sys.argv[1]
with open(os.path.join(state, "seen.jsonl"), "a") as seen:
    seen.write(json.dumps({**call, "environ": dict(os.environ)}) + "\\n")
if event == "PreToolUse" and "git push" in json.dumps(call["tool_input"]):
    decision = {"permissionDecision": "deny", "permissionDecisionReason": "push is the lead's"}
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, **decision}}))
if event == "ConfigChange":
    print(json.dumps({"decision": "block", "reason": "settings are not yours to change"}))
"""
CRASHING = "import no_such_module\n"
ADA = Identity(team="atlas", member="ada", role="teammate", trace="run-7", incarnation="3")


class Outcome(NamedTuple):
    """How a run ended: its exit code and all it printed."""

    code: int
    out: str
    err: str


def binary(name: str) -> str:
    """The CLI to test, or a skipped test that says what is missing."""
    variable, package, inside = PLACES[name]
    spec = find_spec(package)
    bundled = Path(spec.origin).parent / inside if spec and spec.origin else None
    found = os.environ.get(variable) or (str(bundled) if bundled and bundled.exists() else "")
    if not found:
        pytest.skip(f"no {name}: name it in {variable}, or install the package with {package}")
    return found


def run(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Outcome:
    """Run one CLI to its end with nothing of our own environment; too long means killed."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    bare = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "NO_PROXY": "127.0.0.1,localhost",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
    }
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**bare, **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Outcome(process.returncode, out, err)


class StandIn:
    """A guard in our place: it writes down what it is asked and refuses a push."""

    def __init__(self, folder: Path, script: str = GUARD) -> None:
        self.state = folder / 'it\'s a "state" $HOME `folder`'
        self.state.mkdir(parents=True)
        self.script = folder / "guard it is.py"
        self.script.write_text(script)

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-I", "-S", str(self.script), str(self.state)]

    def calls(self) -> list[dict[str, Any]]:
        seen = self.state / "seen.jsonl"
        return [json.loads(line) for line in seen.read_text().splitlines()] if seen.exists() else []

    def asked_by(self) -> set[Identity]:
        """Everyone the guard was asked by, as its own variables say."""
        return {identity(call["environ"]) for call in self.calls()}

    def events(self) -> list[str]:
        return [call["hook_event_name"] for call in self.calls()]
