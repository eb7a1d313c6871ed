"""Our verbs as MCP tools: for a member through its runner, for an operator from the command line."""

from __future__ import annotations

import json
from typing import Any

import click

from drumline.errors import BadInput
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.caller import called_by
from drumline.surfaces.cli.inside import MemberVerbs
from drumline.surfaces.cli.place import placed
from drumline.surfaces.facts import written
from drumline.surfaces.mcp import tools

LONGEST_ANSWER = 1_000_000  # characters: more fits into no conversation


class MemberTools(MemberVerbs):
    """Our commands and tools, spoken by one member in one of its lives; any number of threads may speak."""

    def catalogue(self) -> list[dict[str, Any]]:
        """Every tool as MCP lists it."""
        return tools.catalogue()

    def offer(self) -> dict[str, Any]:
        """Who offers the tools, how to go about them, and the tools."""
        return tools.offer()

    def call(self, name: str, arguments: Any) -> tuple[Any, bool]:
        """What a tool answers, and whether that is a refusal; it never raises."""
        with called_by(self._caller), click.Context(command):
            return _call(name, arguments)


@click.command()
@placed
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Offer the team's verbs to an agent, as MCP tools on stdin and stdout.

    Inside a member's processes its runner answers, in the member's name.
    """
    del as_json  # the protocol is JSON in any case
    desk.here()
    try:
        from drumline.surfaces.mcp.server import serve  # noqa: PLC0415 - it costs a second
    except ImportError as error:
        raise BadInput(
            "the MCP server is not installed", why=str(error), next="pip install 'drumline[mcp]'"
        ) from error

    def call(name: str, arguments: Any) -> tuple[Any, bool]:
        with click.Context(command, parent=ctx):
            return _call(name, arguments)

    serve(tools.offer(), call)


def _call(name: str, arguments: Any) -> tuple[Any, bool]:
    """What a tool answers at this desk, in JSON's own values."""
    found = tools.call(desk, name, arguments)
    text = written(found.facts)
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate is no text for a client
    if len(text) > LONGEST_ANSWER:
        return too_long(len(text)).facts(), True
    return json.loads(text), found.is_error


def too_long(length: int) -> BadInput:
    """The refusal of an answer that would fill a conversation."""
    return BadInput(
        f"the answer has {length:,} characters, the cap is {LONGEST_ANSWER:,}",
        why="it has to fit into a conversation",
        next="ask for less: with `most`, or `after` an id",
    )
