"""A call as one line of the trail: who made it, what it was, and what it returned."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from drumline.team.call import Call
    from drumline.team.identity import Identity

SESSION = "session_environment"  # where a hook tells the plane whose session it is


def call_of(event: Mapping[str, object], folder: str) -> Call:
    """The call an event tells of; without a folder of its own it was made in this one."""
    from drumline.team.call import Call

    given, cwd, tool = event.get("tool_input"), event.get("cwd"), event.get("tool_name")
    return Call(
        tool if isinstance(tool, str) else "",
        given if isinstance(given, dict) else {},
        cwd if isinstance(cwd, str) and cwd.startswith("/") else folder,
    )


def note(call: Call, event: Mapping[str, object], state: str, who: Identity, **more: str) -> None:
    """Add a call to the trail; a trail that cannot be written never stops the agent."""
    from drumline.hooks import trail
    from drumline.team import audit
    from drumline.team.call import SHELLS, patched

    facts: dict[str, object] = {
        "ts": trail.stamp(),
        "tool": call.tool,
        "cwd": call.cwd,
        "exit_code": exit_code(event),
        "model": who.model or event.get("model", ""),
        "provider": who.provider,
        "trace_id": who.trace,
        "team_id": who.team,
        "team_member": who.member,
        **more,
    }
    facts["subagent"] = more.get("subagent") or subagent_of(event)
    named = call.text("file_path", "notebook_path", "path", "skill", "to")
    if call.tool == "apply_patch":
        facts["file_path"] = ", ".join(patched(call))
    elif call.tool in SHELLS or (call.commands() and not named):
        facts["command"] = call.command()
    else:
        facts["file_path"] = named
    trail.append(os.path.join(state, "audit"), audit.line(facts))


def subagent_of(event: Mapping[str, object]) -> str:
    """The profile of the subagent that made a call, where its CLI says that one did."""
    return str(event.get("agent_type") or "unnamed") if event.get("agent_id") else ""


def exit_code(event: Mapping[str, object]) -> int | None:
    """What the call returned, as far as the event says."""
    if event.get("hook_event_name") == "PreToolUse":
        return None
    response = event.get("tool_response")
    if isinstance(response, dict):
        for name in ("exit_code", "exitCode", "returnCode"):
            code = response.get(name)
            if isinstance(code, int):
                return code
    error = event.get("error")
    if isinstance(error, str):
        number = error.lower().partition("exit code ")[2].split()
        digits = number[0].strip(".:,") if number else ""
        return int(digits[:9]) if digits.isdecimal() else 1
    return 0
