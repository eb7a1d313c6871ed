"""The hook as a layer: real processes of the guard, each given one probe as its event."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drumline.team import registry

GUARD = Path(__file__).with_name("guard.py")
CLOSE_TO = 60.0  # seconds: far beyond what one call takes


class HookLayer:
    """Starts the guard as an agent CLI would, in a folder of its own."""

    name = "hook"

    def __init__(self, folder: Path, libraries: list[str]) -> None:
        self._root, self._libraries = folder / "repository", libraries
        (self._root / ".drumline" / "policy").mkdir(parents=True)
        (self._root / ".drumline" / "standing").mkdir()

    def refuses(self, probe: dict[str, Any], rules: dict[str, Any]) -> bool | None:
        """Whether a guard process answers this probe with a denial."""
        policy = {**registry.compiled(rules), "libraries": self._libraries}
        name = registry.digest(policy)
        state = self._root / ".drumline"
        (state / "policy" / f"{name}.json").write_text(json.dumps(policy), "utf-8")
        standing = state / "standing" / "prober.json"
        standing.write_text(json.dumps({**probe, "member": "prober", "policy": name}), "utf-8")
        return denied(ask(state, self._event(probe), {"DRUMLINE_ROLE": str(probe["role"])}))

    def _event(self, probe: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "hook_event_name": "PreToolUse",
            "tool_name": probe["tool"],
            "tool_input": probe["input"],
            "cwd": str(self._root),
        }


def ask(state: Path, event: Mapping[str, Any], who: Mapping[str, str]) -> str:
    """What the guard prints for one event."""
    environment = {
        "PATH": os.defpath,
        "HOME": os.environ.get("HOME", "/"),
        "DRUMLINE_MEMBER": "prober",
    }
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own file
        [sys.executable, "-I", "-S", str(GUARD), str(state)],
        input=json.dumps(event).encode(),
        capture_output=True,
        env={**environment, **who},
        check=False,
        timeout=CLOSE_TO,
    )
    return done.stdout.decode()


def denied(answer: str) -> bool:
    """Whether an answer of the guard is a denial."""
    if not answer.strip():
        return False
    said = json.loads(answer).get("hookSpecificOutput", {})
    return bool(said.get("permissionDecision") == "deny")
