"""A member's talk with Claude Code: one session, held by one process at a time.

A schema belongs to a process of the CLI, not to a turn. So a turn that asks for an answer with a schema
ends the process and resumes the same session in another that has it, unless the session was begun for that
very answer; nobody but the clock notices.
"""

import asyncio
import warnings
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, cast
from uuid import uuid4

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    EffortLevel,
    HookMatcher,
    Message,
    PermissionMode,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    SystemMessage,
    ToolPermissionContext,
    UserMessage,
)
from claude_agent_sdk.types import CanUseToolShadowedWarning

from drumline.errors import Conflict, Unknown
from drumline.runtimes import claude_launch, claude_tools, sweep
from drumline.runtimes.claude_callbacks import GIVE_UP, RULE_IN_TIME, Callbacks
from drumline.runtimes.claude_events import Reader, has_results, reading, record_of
from drumline.runtimes.claude_settings import CROSS_SESSION_TOOLS
from drumline.runtimes.claude_subagents import Subagents
from drumline.runtimes.claude_turn import Turn
from drumline.runtimes.runtime import Ended, Fact, Metered, Received, Start
from drumline.team.mutation import QUIET_TOOLS
from drumline.team.outcome import Ending, Outcome, outcome
from drumline.team.ruling_words import refusal
from drumline.team.tools import asked_about

LONGEST_LINE = 64 * 1024 * 1024
NOTED = f"^(?!(?:{'|'.join(sorted(QUIET_TOOLS))})$)"  # nobody waits for a note about a look
LATE_WORDS = 5.0  # seconds in which a session takes up words told at its very end
POLITE = 2.0  # seconds a session has to answer us before it is ended all the same
KEPT_ERRORS, LONGEST_COMPLAINT = 20, 500  # lines, and characters of each

Schema = Mapping[str, Any]


class Gone(Exception):
    """The stream of messages has ended."""

    def __init__(self, exit_code: int = 0) -> None:
        super().__init__()
        self.exit_code = exit_code


class Open(NamedTuple):
    """A process of the CLI: the SDK's client, who reads it, and the schema it answers with."""

    client: ClaudeSDKClient
    reading: asyncio.Task[None]
    schema: Schema | None


class ClaudeConversation:
    """One session of Claude Code; `kept` says whether it can be resumed later."""

    def __init__(self, start: Start, cli: str, *, kept: bool = True) -> None:
        self._start, self._cli, self._kept = start, cli, kept
        above = start.variables.get(sweep.MARK) or start.member
        self._life = f"{above}/claude-{uuid4().hex}"
        seconds = float(start.settings.get("ruling_seconds") or RULE_IN_TIME)
        self._callbacks = Callbacks(
            start.guard, seconds, Subagents(start.profiles, start.temporary)
        )
        self._callbacks.tell = lambda text: self.tell(text, "")
        self._reader = Reader(self._callbacks.refused)
        self._errors: deque[str] = deque(maxlen=KEPT_ERRORS)
        self._inbox: asyncio.Queue[Message | Gone] = asyncio.Queue()
        self._open: Open | None = None
        self._turn: Turn | None = None
        self._state = ""
        self._ending: asyncio.Task[None] | None = None

    async def connect(self, schema: Schema | None = None) -> None:
        """Begin or resume the session in a process that answers with this schema, or without one."""
        client = ClaudeSDKClient(self._options(schema))
        # some are not to be asked about; for good, since others connect while this one waits
        warnings.simplefilter("ignore", CanUseToolShadowedWarning)
        try:
            await client.connect()
        except Exception as error:
            raise Unknown(
                "Claude Code cannot be started",
                why="\n".join([str(error), *self._errors]),
                next=f"see what it says by itself: {self._cli} --version",
            ) from error
        pump = asyncio.create_task(self._pump(client))
        self._open = Open(client, pump, schema)

    async def turn(self, prompt: str, schema: Schema | None = None) -> AsyncIterator[Fact]:
        """Ask once; the facts until the turn is over, the last of which is Ended, always."""
        if self._turn is not None:
            raise Conflict("a turn runs already", next="tell it something, or interrupt it")
        if self._ending is not None:
            yield Ended(Outcome(Ending.CRASHED, "its conversation has ended before"))
            return
        turn = self._turn = Turn(with_schema=schema is not None, state=self._state)
        try:
            await self._ask(turn, prompt, schema)
            while not turn.over:
                for fact in await self._next(turn):
                    if isinstance(fact, Ended):
                        await self._callbacks.noted()
                    yield fact
        except Gone as gone:
            lost = self._lost(gone)
            await self.end()
            yield Ended(lost)
        else:
            yield turn.ended()
        finally:
            self._turn = None

    @property
    def listens(self) -> bool:
        turn = self._turn
        return not (turn is None or turn.over or turn.interrupted or self._open is None)

    async def tell(self, text: str, id: str) -> bool:  # noqa: A002 - the word of the interface
        """Give the model words while a turn runs; false where that is not possible now."""
        turn = self._turn
        if turn is None or self._open is None or not self.listens:
            return False
        mark = turn.tells(id)
        try:
            await self._open.client.query(_words(text, mark))
        except Exception:  # noqa: BLE001 - a session that is gone is told by its turn
            turn.not_told(mark)
            return False
        return True

    async def interrupt(self) -> None:
        """End the running turn politely; its facts still come to an end."""
        if self._turn is not None and self._open is not None:
            self._turn.interrupted = True
            with suppress(Exception):  # a session that is gone needs no interruption
                await asyncio.wait_for(self._open.client.interrupt(), POLITE)

    async def end(self) -> None:
        """End the conversation and every process of it; whoever asks waits for it, once begun it goes on."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        try:
            await self.interrupt()
            await self._close()
        finally:
            await asyncio.to_thread(sweep.sweep, self._life)
            self._inbox.put_nowait(Gone())

    async def _ask(self, turn: Turn, prompt: str, schema: Schema | None) -> None:
        if self._open is None or self._open.schema != schema:
            await self._close()
            await self._reopen(schema)
        try:
            await self._current().query(_words(prompt, turn.prompt))
        except Exception as error:
            raise await self._end_of_stream() from error

    async def _reopen(self, schema: Schema | None) -> None:
        try:
            await self.connect(schema)
        except Unknown as error:
            self._complained(error.why)
            raise Gone(1) from error

    async def _next(self, turn: Turn) -> list[Fact]:
        """The facts of the next message; none where a session does not take up late words."""
        seconds = LATE_WORDS if turn.settled else None
        try:
            message = await asyncio.wait_for(self._inbox.get(), seconds)
        except TimeoutError:
            turn.wait_no_more()
            return []
        if isinstance(message, Gone):
            raise message
        facts = list(self._reader.facts(message))
        facts += await self._marked(turn, message)
        return facts

    async def _marked(self, turn: Turn, message: Message) -> list[Fact]:
        """What a message says about the turn itself."""
        match message:
            case UserMessage(uuid=str(mark)) if id_ := turn.echoed(mark):
                return [Received(id_)]
            case UserMessage() if has_results(message):
                return self._metered(turn, await self._usage())
            case ResultMessage():
                record = record_of(message)
                turn.result(record)
                return self._metered(turn, record)
            case SystemMessage(subtype="session_state_changed"):
                turn.state = self._state = str(message.data.get("state", ""))
            case SystemMessage(subtype="init") if turn.interrupted:
                await self.interrupt()  # words that were waiting have begun another answer
            case _:
                pass
        return []

    def _metered(self, turn: Turn, told: Mapping[str, Any]) -> list[Fact]:
        report = reading(self._reader.session, turn.readings + 1, told)
        if report is None:
            return []
        turn.readings += 1
        return [Metered(report)]

    async def _usage(self) -> Mapping[str, Any]:
        """What the session has used so far; nothing where the CLI does not tell in the middle of a turn."""
        query = self._open and self._open.client._query  # noqa: SLF001 - the SDK has no word for it
        try:
            told = await query._send_control_request({"subtype": "get_usage"}, timeout=POLITE)  # type: ignore[union-attr]  # noqa: SLF001
        except Exception:  # noqa: BLE001 - the result of the turn tells it at the latest
            return {}
        session = told.get("session")
        return session if isinstance(session, Mapping) else {}

    def _complained(self, line: str) -> None:
        self._errors.append(line[:LONGEST_COMPLAINT])

    def _lost(self, gone: Gone) -> Outcome:
        """How a turn ended that left no result: we ended its conversation, or it broke off."""
        if self._ending is not None:
            return Outcome(Ending.INTERRUPTED, "its conversation was ended")
        found = outcome(None, gone.exit_code)
        said = "; ".join(self._errors)
        return found._replace(why=f"{found.why}: {said}"[:LONGEST_COMPLAINT]) if said else found

    async def _end_of_stream(self) -> Gone:
        """Why nothing can be sent any more: the end that the stream itself tells."""
        while True:
            message = await self._inbox.get()
            if isinstance(message, Gone):
                return message

    def _current(self) -> ClaudeSDKClient:
        if self._open is None:
            raise Gone
        return self._open.client

    async def _pump(self, client: ClaudeSDKClient) -> None:
        """Take every message at once: rulings come through the same stream, and must not wait."""
        gone = Gone()
        try:
            async for message in client.receive_messages():
                self._inbox.put_nowait(message)
        except Exception as error:  # noqa: BLE001 - however the stream ends, the turn tells it
            self._complained(str(error))
            gone = Gone(getattr(error, "exit_code", None) or 0)
        self._inbox.put_nowait(gone)

    async def _close(self) -> None:
        """End the process of the CLI; what it said before is still read."""
        found, self._open = self._open, None
        if found is not None:
            found.reading.cancel()
            with suppress(Exception):  # what does not end by itself is ended as a leftover
                await found.client.disconnect()

    def _options(self, schema: Schema | None) -> ClaudeAgentOptions:
        start = self._start
        variables = claude_launch.environment(start, self._life)
        budget = start.settings.get("max_budget_usd")
        once: dict[str, str | None] = {} if self._kept else {"no-session-persistence": None}
        return ClaudeAgentOptions(
            agents=claude_tools.definitions(start) or None,
            allowed_tools=claude_tools.allowed(start),
            can_use_tool=self._approved if self._is_asked_about() else None,
            cli_path=claude_launch.shim(start, self._cli, variables),
            cwd=start.work,
            disallowed_tools=list(CROSS_SESSION_TOOLS),
            effort=cast("EffortLevel | None", start.effort or None),
            env=variables,
            extra_args={"replay-user-messages": None, **once, **claude_tools.more_servers(start)},
            hooks=self._hooks(),
            max_buffer_size=LONGEST_LINE,
            mcp_servers=claude_tools.servers(start),
            max_budget_usd=float(budget) if budget else None,
            model=start.model or None,
            output_format=None if schema is None else {"type": "json_schema", "schema": schema},
            permission_mode=cast("PermissionMode", start.permission_mode),
            resume=self._reader.session or start.session or None,
            setting_sources=[],
            settings=claude_launch.settings(variables),
            stderr=self._complained,
            strict_mcp_config=True,
            tools=None if self._kept else [tool.partition("(")[0] for tool in start.tools],
            system_prompt={
                "type": "preset",
                "preset": "claude_code",
                "append": start.system,
                "snapshot": False,  # a resumed session would keep the words of its first life
            },
            verbatim_prompts=True,  # a path or a slash in somebody's words is only a word
        )

    def _is_asked_about(self) -> bool:
        """Whether the CLI may have anything to ask a person."""
        start = self._start
        return start.approve is not None and asked_about(start.permission_mode, "Bash")

    async def _approved(
        self, name: str, given: dict[str, Any], _context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        """A call that the CLI would ask its user about: a person answers, through the team's queue."""
        approve = self._start.approve
        event = {"tool_name": name, "tool_input": given}
        ruling = await approve(event) if approve is not None else {}
        if ruling.get("decision") == "allow":
            return PermissionResultAllow()
        return PermissionResultDeny(message=refusal(ruling))

    def _hooks(self) -> dict[Any, list[HookMatcher]]:
        before = HookMatcher(
            matcher="*", hooks=[self._callbacks.before], timeout=GIVE_UP, on_failure="block"
        )
        after = HookMatcher(matcher=NOTED, hooks=[self._callbacks.after], timeout=GIVE_UP)
        stopping = HookMatcher(hooks=[self._callbacks.stopping], timeout=GIVE_UP)
        return {
            "PreToolUse": [before],
            "PostToolUse": [after],
            "PostToolUseFailure": [after],
            "SubagentStop": [stopping],
            "UserPromptSubmit": [HookMatcher(hooks=[self._callbacks.prompted], timeout=GIVE_UP)],
        }


async def _words(text: str, mark: str) -> AsyncIterator[dict[str, Any]]:
    """A message to the session under our own mark, by which it is known again when it comes back."""
    yield {
        "type": "user",
        "message": {"role": "user", "content": text},
        "parent_tool_use_id": None,
        "uuid": mark,
    }
