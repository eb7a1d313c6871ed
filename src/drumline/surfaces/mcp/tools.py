"""The one table of tools, and a call of one: parse, call one verb, answer with facts or a refusal."""

from __future__ import annotations

from typing import Any, NamedTuple

from drumline.errors import DrumlineError, Unknown
from drumline.surfaces.mcp.arguments import checked
from drumline.surfaces.mcp.board_tools import BOARD
from drumline.surfaces.mcp.context_tools import CONTEXTS
from drumline.surfaces.mcp.handoff_tools import HANDOFFS
from drumline.surfaces.mcp.mail_tools import MAIL, REQUESTS
from drumline.surfaces.mcp.memory_tools import MEMORY
from drumline.surfaces.mcp.observation_tools import OBSERVATIONS
from drumline.surfaces.mcp.protocol_tools import PROTOCOL
from drumline.surfaces.mcp.question_tools import QUESTIONS
from drumline.surfaces.mcp.report_tools import REPORTS
from drumline.surfaces.mcp.subagent_tools import SUBAGENTS
from drumline.surfaces.mcp.team_tools import TEAM
from drumline.surfaces.mcp.tool import Desk, Tool

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        *(*BOARD, *HANDOFFS, *MAIL, *REQUESTS, *PROTOCOL, *QUESTIONS),
        *(*OBSERVATIONS, *REPORTS, *CONTEXTS, *MEMORY, *SUBAGENTS, *TEAM),
    )
}
INSTRUCTIONS = (
    "The team you work in, its board and its mail. See `status`, take work with `task_claim`, finish it"
    " with `task_done`, tell others with `mail_send`, and have what would fill your context answered by"
    " `subagent_ask`. A refusal has `refused`, `why` and `next`;"
    " where it names a command such as `drumline task ready`, call the tool `task_ready`."
)


class Called(NamedTuple):
    """What a tool answered: facts, or those of a refusal."""

    facts: Any
    is_error: bool


def catalogue() -> list[dict[str, Any]]:
    """Every tool as MCP lists it."""
    return [tool.entry() for tool in TOOLS.values()]


def offer() -> dict[str, Any]:
    """Who offers the tools, how to go about them, and the tools."""
    from importlib.metadata import version  # noqa: PLC0415 - only who asks pays for it

    server = {"name": "drumline", "title": "Drumline", "version": version("drumline")}
    return {"server": server, "instructions": INSTRUCTIONS, "tools": catalogue()}


def call(desk: Desk, name: str, arguments: object) -> Called:
    """What a tool answers at this desk; it never raises."""
    try:
        tool = _known(name)
        return Called(tool.run(desk, checked(tool, arguments)), is_error=False)
    except DrumlineError as no:
        return Called(no.facts(), is_error=True)
    except Exception as error:  # noqa: BLE001 - a call must not end whoever serves it
        return Called(_failed(error).facts(), is_error=True)


def _known(name: str) -> Tool:
    if found := TOOLS.get(name):
        return found
    raise Unknown(
        f"no tool {name[:80]!r}", why=f"there are: {', '.join(TOOLS)}", next="call one of them"
    )


def _failed(error: Exception) -> DrumlineError:
    return DrumlineError(
        "the call failed, and not by your words",
        why=f"{type(error).__name__}: {error}"[:500],
        next="tell the lead: mail_send",
    )
