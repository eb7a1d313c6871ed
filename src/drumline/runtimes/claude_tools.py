"""Drumline's own tools inside Claude Code: served by this process, called like any other tool, ruled on too."""

import json
from functools import partial
from typing import Any

from claude_agent_sdk import AgentDefinition, SdkMcpTool, create_sdk_mcp_server
from claude_agent_sdk.types import McpServerConfig

from drumline.runtimes.answering import Tools
from drumline.runtimes.runtime import Given, Start
from drumline.runtimes.servers import write
from drumline.runtimes.threads import in_a_thread
from drumline.team.match_tools import SPAWNING
from drumline.team.subagent import INHERIT, given_tools, works_beside
from drumline.team.tools import asked_about, tool

NAME = "drumline"
CONFIGURATION = ".claude.json"  # no server's own file: none is named so
EVERY_ONE = f"mcp__{NAME}"  # how the CLI's list of allowed tools names a whole server


def servers(start: Start) -> dict[str, McpServerConfig]:
    """The member's own tools, where its runner offers any."""
    verbs = start.verbs
    if not isinstance(verbs, Tools):
        return {}
    tools = [_tool(verbs, each) for each in verbs.offer()["tools"]]
    return {NAME: create_sdk_mcp_server(NAME, tools=tools)}


def more_servers(start: Start) -> dict[str, str | None]:
    """The switch that names the servers a member is given: by a file, since others see a command line."""
    if not start.servers:
        return {}
    file = start.servers[0].file.with_name(CONFIGURATION)
    write(file, {"mcpServers": {each.name: _configured(each) for each in start.servers}})
    return {"mcp-config": str(file)}


def _configured(given: Given) -> dict[str, Any]:
    if given.url:
        return {"type": "http", "url": given.url, "headers": dict(given.headers)}
    return {"type": "stdio", "command": given.words[0], "args": list(given.words[1:])}


def allowed(start: Start) -> list[str]:
    """What the CLI does not ask about: our own tools, and the member's that its mode leaves to nobody."""
    mode = start.permission_mode
    unasked = [rule for rule in start.tools if not asked_about(mode, tool(rule))]
    return [*unasked, *([EVERY_ONE] if isinstance(start.verbs, Tools) else [])]


def definitions(start: Start) -> dict[str, AgentDefinition]:
    """The profiles a member may start, as the CLI takes them: it reads no file of the repository."""
    return {
        name: AgentDefinition(
            description=profile.description,
            prompt=profile.words,
            tools=None if profile.tools is None else list(given_tools(profile)),
            disallowedTools=[*profile.denied, *SPAWNING],
            model=profile.model or INHERIT,
            background=works_beside(profile) or None,
        )
        for name, profile in start.profiles.items()
    }


def _tool(verbs: Tools, offered: dict[str, Any]) -> SdkMcpTool[Any]:
    name = offered["name"]

    async def call(arguments: dict[str, Any]) -> dict[str, Any]:
        deed = partial(verbs.call, name, arguments)
        facts, is_error = await in_a_thread(deed, name)  # it may wait for a subagent
        text = json.dumps(facts, ensure_ascii=False, default=str)
        return {"content": [{"type": "text", "text": text}], "is_error": is_error}

    return SdkMcpTool(name, offered["description"], offered["inputSchema"], call)
