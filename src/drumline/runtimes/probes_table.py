"""The table of probes: what is played to Claude Code and to Codex, and what must be seen.

A member is started as our runner does it; a session is a person's own, with our hooks beside theirs.
"""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from drumline.runtimes.probes import (
    Look,
    Move,
    Probe,
    Scene,
    Seen,
    both,
    ends,
    fires,
    refuses,
    works,
)
from drumline.runtimes.probes_member import BEGAN, NUDGE, TOLD
from drumline.runtimes.runtime import Can
from drumline.team.outcome import Ending
from drumline.team.probe import Unclaimed
from drumline.team.scenario import Structured, ToolCall, Usage

OFF = json.dumps({"disableAllHooks": True})
CODEX_OFF = "[features]\nhooks = false\n"
TRUSTING = '[projects."{work}"]\ntrust_level = "trusted"\n'
BEFORE = "before\n"
WORDS = "Mind the gap."
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


def bash(label: str, command: str) -> Move:
    return Move(label, ToolCall("Bash", {"command": command}))


ALLOWED = bash("allowed", "touch allowed")
SHELL = bash("shell", "touch forbidden-shell")
CANARY = (ALLOWED, SHELL)
EDITS = (
    Move("write", ToolCall("Write", {"file_path": "forbidden-write", "content": "x\n"})),
    Move("made", ToolCall("Write", {"file_path": "edited", "content": BEFORE})),
    Move(
        "edit",
        ToolCall(
            "Edit",
            {"file_path": "edited", "old_string": "before", "new_string": "forbidden"},
        ),
    ),
)
TOOL = "mcp__probe__make"
SERVED = (
    Move("served", ToolCall(TOOL, {"name": "served"})),
    Move("tool", ToolCall(TOOL, {"name": "forbidden-tool"})),
)
ORDINARY = (*CANARY, bash("failing", "exit 3"), *EDITS)
WAITING = bash(
    "waiting",
    f"touch {BEGAN}; for n in $(seq 400); do test -e {TOLD} && break; sleep 0.05; done",
)
PLAIN: Mapping[str, Scene] = {
    "member canary": Scene(on="member", moves=CANARY),
    "member at work": Scene(on="member", moves=ORDINARY),
    "member with a schema": Scene(
        on="member", more=(Structured({"n": 3}),), schema=SCHEMA
    ),
    "member whose guard crashes": Scene(on="member", moves=(SHELL,), guard="crash"),
    "member whose guard hangs": Scene(
        on="member", moves=(SHELL,), guard="hang", settings={"ruling_seconds": "2"}
    ),
    "session at work": Scene(on="session", moves=(*ORDINARY, *SERVED)),
    "session whose guard crashes": Scene(on="session", moves=(SHELL,), guard="crash"),
}
OF_CLAUDE: Mapping[str, Scene] = {
    "member that is nudged": Scene(on="member", moves=(WAITING,), nudge=WORDS),
    "member out of money": Scene(
        on="member",
        more=(Usage(input=100_000, output=50_000),),
        moves=(ALLOWED,),
        settings={"max_budget_usd": "0.01"},
    ),
    "session whose guard hangs": Scene(on="session", moves=(SHELL,), guard="hang"),
    "member, hooks off in project settings": Scene(
        on="member", moves=CANARY, files={".claude/settings.json": OFF}
    ),
    "member, hooks off in user settings": Scene(
        on="member", moves=CANARY, files={"~/settings.json": OFF}
    ),
    "session, hooks off in project settings": Scene(
        on="session", moves=CANARY, files={".claude/settings.json": OFF}
    ),
    "session, hooks off in user settings": Scene(
        on="session", moves=CANARY, files={"~/.claude/settings.json": OFF}
    ),
}
OF_CODEX: Mapping[str, Scene] = {
    f"{on}, hooks off in {whose} settings": Scene(on=on, moves=CANARY, files=files)
    for on in ("member", "session")
    for whose, files in {
        "project": {".codex/config.toml": CODEX_OFF, "~/config.toml": TRUSTING},
        "user": {"~/config.toml": CODEX_OFF},
    }.items()
}


def scenes(runtime: str) -> dict[str, Scene]:
    """Every scene of a runtime, by its name."""
    return {**PLAIN, **(OF_CLAUDE if runtime == "claude" else OF_CODEX)}
