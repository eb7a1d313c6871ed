"""Subagents as a tool: the same for every runtime, whatever its own CLI can start."""

from __future__ import annotations

from typing import Any

from drumline.control import subagents
from drumline.surfaces.mcp.tool import (
    ADDS,
    TASK,
    Arguments,
    Desk,
    Tool,
    form,
    several,
    words,
    yes_or_no,
)
from drumline.team.ids import TaskId
from drumline.team.returned import RETURN_CAP
from drumline.team.subagent import Errand


def _ask(desk: Desk, said: Arguments) -> dict[str, Any]:
    errand = Errand(said["profile"], said["prompt"], said.get("reads_only", False))
    if handed := [TaskId.parse(each) for each in said.get("handoffs", ())]:
        errand = desk.library().ask(subagents.with_handoffs, errand, handed)
    return desk.ask_subagent(errand)._asdict()


SUBAGENTS = (
    Tool(
        "subagent_ask",
        "Ask a subagent",
        "Have one question answered by a subagent in a context of its own, and wait for the answer. It"
        " works in your checkout under your rules and its profile's tools, and you pay for it. It knows"
        " nothing of your conversation: put everything it needs into the prompt. It has no mail, no board"
        f" and no subagents. What is longer than {RETURN_CAP:,} characters is in a file that the answer"
        " names.",
        form(
            "profile",
            "prompt",
            profile=words("An agent profile that your own tools name, or general-purpose."),
            prompt=words("The whole question, with the paths it is about."),
            handoffs=several(
                TASK, "Tasks whose handoffs it is shown, so that you need not read them."
            ),
            reads_only=yes_or_no("Let it change nothing: others may then work beside it."),
        ),
        ADDS,
        _ask,
        {"profile": "analyst", "prompt": "Which callers of src/parser.py pass no encoding?"},
    ),
)
