"""What probes put beside an agent CLI, as programs of their own: a hook, and a server with one tool.

python -I -S probes_hook.py FOLDER steady|troubled      a hook: notes each event, refuses the forbidden
python -I -S probes_hook.py FOLDER serve                an MCP server: its tool `make` writes a file
"""

import json
import os
import sys
import time
from typing import Any

SEEN = "events.jsonl"
FORBIDDEN = "forbidden"  # the word by which a guard of probes knows what to refuse
TROUBLED = "troubled"
CRASH, HANG = "forbidden-crash", "forbidden-hang"  # what such a guard crashes or hangs at
LONGEST_HANG = 120  # seconds
TOOL = {
    "name": "make",
    "description": "Make an empty file.",
    "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}


def hook(folder: str, mode: str) -> None:
    """Answer one event as a guard in this mood would."""
    event = json.load(sys.stdin)
    name, tool = event["hook_event_name"], event.get("tool_name", "")
    with open(os.path.join(folder, SEEN), "a", encoding="utf-8") as file:  # noqa: PTH118, PTH123 - runs without site
        file.write(json.dumps({"event": name, "tool": tool}) + "\n")
    if name != "PreToolUse":
        return
    asked = json.dumps(event["tool_input"])
    if mode == TROUBLED and CRASH in asked:
        raise RuntimeError("a guard that crashes")
    if mode == TROUBLED and HANG in asked:
        time.sleep(LONGEST_HANG)
    if FORBIDDEN in asked:
        said = {
            "permissionDecision": "deny",
            "permissionDecisionReason": "refused: it is forbidden",
        }
        print(json.dumps({"hookSpecificOutput": {"hookEventName": name, **said}}))  # noqa: T201 - its answer


def serve(folder: str) -> None:
    """Answer requests, one JSON a line, until nobody asks any more."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            told = {"jsonrpc": "2.0", "id": asked["id"], **_answer(asked, folder)}
            print(json.dumps(told), flush=True)  # noqa: T201 - its answer


def _answer(asked: dict[str, Any], folder: str) -> dict[str, Any]:
    given = asked.get("params") or {}
    match asked["method"]:
        case "initialize":
            about = {"serverInfo": {"name": "probe", "version": "1"}, "capabilities": {"tools": {}}}
            return {"result": {"protocolVersion": given["protocolVersion"], **about}}
        case "tools/list":
            return {"result": {"tools": [TOOL]}}
        case "tools/call":
            path = os.path.join(folder, os.path.basename(given["arguments"]["name"]))  # noqa: PTH118, PTH119 - as above
            with open(path, "w", encoding="utf-8"):  # noqa: PTH123 - as above
                return {"result": {"content": [{"type": "text", "text": "made"}]}}
        case "ping":
            return {"result": {}}
        case _:
            return {"error": {"code": -32601, "message": "no such method"}}


if __name__ == "__main__":
    place, mood = sys.argv[1:]
    serve(place) if mood == "serve" else hook(place, mood)
