"""The tools over stdio by the official SDK, for operators and their own interactive sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
from anyio import to_thread
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

from drumline.surfaces.mcp.unread import answer

Call = Callable[[str, Any], tuple[Any, bool]]


def serve(offer: Mapping[str, Any], call: Call) -> None:
    """Answer the client on stdio until it has said its last word; calls run beside each other."""
    anyio.run(_serve, server_of(offer, call))


def server_of(offer: Mapping[str, Any], call: Call) -> Server[Any]:
    """The SDK's server with these tools; their own forms are its schemas."""
    tools = [Tool.model_validate(entry) for entry in offer["tools"]]

    async def list_tools(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(_: Any, params: CallToolRequestParams) -> CallToolResult:
        deed = partial(call, params.name, params.arguments or {})
        # a verb is whole or not at all: who no longer waits for its answer does not stop it
        return _result(*await to_thread.run_sync(deed, abandon_on_cancel=True))

    return Server(
        **offer["server"],
        instructions=offer["instructions"],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (heard, said), anyio.create_task_group() as beside:
        reading, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
        beside.start_soon(_read, heard, reading, said)
        await server.run(read, said, server.create_initialization_options())


async def _read(heard: Any, reading: Any, said: Any) -> None:
    """Pass on what could be read, and answer what could not."""
    async with reading:
        async for item in heard:
            if not isinstance(item, Exception):
                await reading.send(item)
            elif refusal := answer(item):
                await said.send(SessionMessage(refusal))


def _result(facts: Any, is_error: bool) -> CallToolResult:  # noqa: FBT001 - what the desk says, as it says it
    return CallToolResult(
        content=[TextContent(type="text", text=json.dumps(facts, ensure_ascii=False))],
        structured_content=facts if isinstance(facts, dict) else {"result": facts},
        is_error=is_error,
    )
