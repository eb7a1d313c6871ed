"""What Claude Code tells about a session, as the facts a runner understands."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from claude_agent_sdk import (
    AssistantMessage,
    Message,
    RateLimitEvent,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

from drumline.runtimes.rehearsal.refusals import is_refusal
from drumline.runtimes.runtime import Called, Entered, Fact, Limited, Said
from drumline.team.charge import NOTHING, Report, Usage, micro_usd
from drumline.team.outcome import MANY_REQUESTS

SHOWN = 200
TELLING = ("command", "file_path", "notebook_path", "path", "pattern", "url", "description")
COVERED = ("allowed", "allowed_warning")
log = logging.getLogger(__name__)
NAMES = {"model_usage": "modelUsage"}  # what the SDK calls otherwise than the CLI


class Reader:
    """Turns messages into facts; it remembers which calls are open and what was told already."""

    def __init__(self, refused: set[str]) -> None:
        """`refused` are the calls our own guard did not let through."""
        self.session = ""
        self._refused = refused
        self._open: dict[str, tuple[str, str]] = {}
        self._limited = False

    def facts(self, message: Message) -> Iterator[Fact]:
        """What a message tells, but for its marks, its state and its meter."""
        match message:
            case SystemMessage(subtype="init"):
                yield from self._entered(str(message.data.get("session_id", "")))
            case SystemMessage(subtype="compact_boundary"):
                log.info("%s: the context was compacted", self.session)
            case AssistantMessage():
                yield from self._said(message)
            case UserMessage(content=list()):
                yield from self._called(message)
            case RateLimitEvent():
                yield from self._rate(message)
            case ResultMessage(api_error_status=429):
                yield from self._unnamed_limit(str(message.result or ""))
            case _:
                pass

    def _entered(self, session: str) -> Iterator[Fact]:
        self._limited = False
        if session and session != self.session:
            self.session = session
            yield Entered(session)

    def _said(self, message: AssistantMessage) -> Iterator[Fact]:
        """The member's own words; its subagents' and the CLI's own about an error are not."""
        own = message.parent_tool_use_id is None and message.error is None
        for block in message.content:
            if isinstance(block, ToolUseBlock):
                self._open[block.id] = (block.name, _what(block.input))
            elif isinstance(block, TextBlock) and own:
                yield Said(block.text)

    def _called(self, message: UserMessage) -> Iterator[Fact]:
        for block in message.content:
            if isinstance(block, ToolResultBlock) and block.tool_use_id in self._open:
                tool, what = self._open.pop(block.tool_use_id)
                yield Called(tool, what, self._result(block))

    def _result(self, block: ToolResultBlock) -> str:
        ours = block.tool_use_id in self._refused
        self._refused.discard(block.tool_use_id)
        if not block.is_error:
            return "ok"
        return "refused" if ours or is_refusal(_words(block.content)) else "failed"

    def _rate(self, event: RateLimitEvent) -> Iterator[Fact]:
        found = event.rate_limit_info
        if found.status != "rejected" or found.overage_status in COVERED:
            return
        self._limited = True
        until = None if found.resets_at is None else datetime.fromtimestamp(found.resets_at, UTC)
        yield Limited(until, f"the usage limit is reached ({found.rate_limit_type or 'unnamed'})")

    def _unnamed_limit(self, why: str) -> Iterator[Fact]:
        if not self._limited:
            yield Limited(None, why[:SHOWN] or f"status {MANY_REQUESTS}")


def has_results(message: Message) -> bool:
    """Whether tools have returned, and so another response is about to be paid for."""
    return isinstance(message, UserMessage) and any(
        isinstance(block, ToolResultBlock) for block in message.content
    )


def record_of(message: ResultMessage) -> dict[str, Any]:
    """A result as the CLI wrote it, so far as the SDK kept it."""
    told = {NAMES.get(name, name): value for name, value in asdict(message).items()}
    return {"type": "result", **{name: value for name, value in told.items() if value is not None}}


def reading(source: str, number: int, told: Mapping[str, Any]) -> Report | None:
    """The session's total so far, out of a result or an answer about usage; None where it is nothing.

    A reading of nothing adds nothing, and would make the next one look like a new meter.
    """
    models = told.get("modelUsage") or told.get("model_usage") or {}
    total = _total(models)._replace(micros=micro_usd(told.get("total_cost_usd") or 0))
    if total == NOTHING or not source:
        return None
    return Report(source, number, total, next(iter(models)) if len(models) == 1 else "")


def _total(models: Mapping[str, Mapping[str, Any]]) -> Usage:
    def sum_of(*names: str) -> int:
        return sum(int(used.get(name) or 0) for used in models.values() for name in names)

    return Usage(
        input=sum_of("inputTokens", "cacheCreationInputTokens"),
        cached=sum_of("cacheReadInputTokens"),
        output=sum_of("outputTokens"),
    )


def _what(given: Mapping[str, Any]) -> str:
    """What a call is about, in one line."""
    found = next((str(given[name]) for name in TELLING if given.get(name)), "")
    said = " ".join(found.split())
    return said if len(said) <= SHOWN else f"{said[: SHOWN - 1]}…"


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    listed = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in listed if isinstance(block, Mapping))
