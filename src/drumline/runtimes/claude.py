"""Where members live in Claude Code: the official SDK, its CLI behind our launcher, our guard before it.

The SDK is loaded with the first conversation; until then this costs nothing.
"""

from collections.abc import AsyncIterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from drumline.errors import Unknown
from drumline.runtimes.programs import program
from drumline.runtimes.runtime import Can, Ended, Fact, Start

if TYPE_CHECKING:
    from drumline.runtimes.claude_conversation import ClaudeConversation

SDK = "claude_agent_sdk"


class ClaudeRuntime:
    """Claude Code, as the program that was named, the one its package brought, or the one on the path."""

    name = "claude"
    able = frozenset(
        {Can.CALLBACKS, Can.MID_TURN, Can.RECEIPTS, Can.STRUCTURED, Can.COST, Can.RESUME}
    )

    def __init__(self, cli: str = "") -> None:
        self._cli = cli

    async def begin(self, start: Start) -> "ClaudeConversation":
        """A conversation that can be asked; refused where Claude Code is not here."""
        conversation = self._conversation(start, kept=True)
        try:
            await conversation.connect(start.schema)
        except BaseException:
            await conversation.end()
            raise
        return conversation

    async def once(
        self, start: Start, prompt: str, schema: Mapping[str, Any]
    ) -> AsyncIterator[Fact]:
        """The facts of one question with a schema, of which nothing is kept to be resumed."""
        conversation = self._conversation(start, kept=False)
        try:
            await conversation.connect(schema)
            async for fact in conversation.turn(prompt, schema):
                yield fact
        finally:
            await conversation.end()

    async def judged(self, start: Start, prompt: str, schema: Mapping[str, Any]) -> Ended:
        """The answer to one question with a schema; what it cost, only `once` tells."""
        facts = [fact async for fact in self.once(start, prompt, schema)]
        return next(fact for fact in facts if isinstance(fact, Ended))

    def _conversation(self, start: Start, *, kept: bool) -> "ClaudeConversation":
        if find_spec(SDK) is None:
            raise Unknown(
                "no Claude Code on this machine",
                why="the package claude-agent-sdk, through which we speak to it, is not installed",
                next="pip install 'drumline[claude]'",
            )
        from drumline.runtimes.claude_conversation import ClaudeConversation  # noqa: PLC0415

        return ClaudeConversation(start, program(self.name, self._cli), kept=kept)
