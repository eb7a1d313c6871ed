"""How a run of an agent CLI ended: judged by its own record, never by its exit code alone.

Claude Code says `success` of a failed request and exits 0 when it is interrupted; Codex says nothing at
all then. What is left when no record explains the end is a crash.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

SIGHUP, SIGINT, SIGTERM = 1, 2, 15
BY_SIGNAL = 128  # a shell's exit code for a program that a signal ended is this plus its number
MANY_REQUESTS, SERVERS_FAULT = 429, 500
TIMED_OUT = 408

_STATUS = re.compile(r"\b(?:status:?|error:?|code:?)\s*\"?([45][0-9]{2})\b", re.IGNORECASE)
_LATER = re.compile(
    r"rate.?limit|usage limit|too many requests|overloaded|high demand|try again|timed? ?out|"
    r"stream disconnected|stream closed|connection|network|reconnect|temporar|at capacity|incomplete",
    re.IGNORECASE,
)
_SPENT = re.compile(r"budget (?:was )?(?:exhausted|exceeded)", re.IGNORECASE)
_UNWILLING = re.compile(r"content_filter|safety|usage polic", re.IGNORECASE)
SHOWN = 300


class Ending(StrEnum):
    """What the end of a run means for whoever started it."""

    SUCCESS = "success"
    REFUSED = "refused"  # asking again the same way gets the same answer
    RETRY = "retry"  # the same question may work later
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"


class Outcome(NamedTuple):
    """How a run ended, why, and which tools were not let on the way."""

    ending: Ending
    why: str
    denied: tuple[str, ...] = ()

    @property
    def succeeded(self) -> bool:
        return self.ending is Ending.SUCCESS


def outcome(
    record: Mapping[str, Any] | None, exit_code: int, signal: int = 0, *, asked: bool = False
) -> Outcome:
    """The end of a run, from its last record, its exit code and the signal it got.

    `signal` is one that was sent to it or that it died of; `asked` says that an answer with a schema
    was asked for, so that none is no success.
    """
    if record is None:
        return _unrecorded(exit_code, signal)
    is_claude = record.get("type") == "result"
    found = _claude(record, asked=asked) if is_claude else _codex(record, asked=asked)
    if found.succeeded and exit_code != 0:
        why = f"its record is good, but it exited with {exit_code}"
        return _unrecorded(exit_code, signal)._replace(why=why)
    return found


def last_record(lines: Iterable[str]) -> dict[str, Any] | None:
    """The record that says how a run ended, out of all a CLI printed as JSON lines.

    Of Codex it is the end of its last turn, with the last words of it as `message`.
    """
    found: dict[str, Any] | None = None
    message = ""
    for line in _objects(lines):
        match line.get("type"):
            case "result" | "turn.completed" | "turn.failed":
                found = line
            case "turn.started":
                found, message = None, ""
            case "item.completed":
                message = _message(line.get("item")) or message
            case _:
                pass
    if found is None or found["type"] == "result":
        return found
    return {**found, "message": message}


def _objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def _message(item: object) -> str:
    if not isinstance(item, Mapping) or item.get("type") != "agent_message":
        return ""
    return str(item.get("text") or "")


def _unrecorded(exit_code: int, signal: int) -> Outcome:
    """A run that left no record: stopped by a polite signal, or crashed."""
    number = signal or max(-exit_code, exit_code - BY_SIGNAL, 0)
    if number in {SIGHUP, SIGINT, SIGTERM}:
        return Outcome(Ending.INTERRUPTED, f"signal {number} ended it")
    if number:
        return Outcome(Ending.CRASHED, f"signal {number} ended it")
    return Outcome(Ending.CRASHED, f"it exited with {exit_code} and left no record of its end")


def _claude(record: Mapping[str, Any], *, asked: bool) -> Outcome:
    denied = tuple(_denied(record.get("permission_denials")))
    ending, why = _claude_error(record) if record.get("is_error") else _claude_end(record)
    if asked and ending is Ending.SUCCESS and "structured_output" not in record:
        ending, why = Ending.RETRY, "it gave no answer that follows the schema"
    return Outcome(ending, why[:SHOWN], denied)


def _denied(denials: object) -> Iterator[str]:
    for denial in denials if isinstance(denials, list) else ():
        if isinstance(denial, Mapping):
            yield str(denial.get("tool_name", ""))


def _claude_end(record: Mapping[str, Any]) -> tuple[Ending, str]:
    """An end without an error is a success only when everything else says so too."""
    reason = record.get("terminal_reason")
    if reason == "tool_deferred":
        return Ending.INTERRUPTED, "a tool waits for a decision; the session can be resumed"
    if reason != "completed":
        return Ending.REFUSED, f"a hook ended the turn ({reason or 'the prompt was not taken'})"
    if not record.get("result"):
        return Ending.REFUSED, "the turn was ended without an answer"
    return Ending.SUCCESS, "completed"


_SUBTYPES = {
    "error_max_budget_usd": Ending.BUDGET,
    "error_max_turns": Ending.BUDGET,
    "error_max_structured_output_retries": Ending.RETRY,
}


def _claude_error(record: Mapping[str, Any]) -> tuple[Ending, str]:
    reason, subtype = str(record.get("terminal_reason") or ""), str(record.get("subtype") or "")
    said = _said(record)
    if subtype in _SUBTYPES:
        return _SUBTYPES[subtype], said
    if reason.startswith("aborted"):
        return Ending.INTERRUPTED, f"it was interrupted ({reason})"
    if reason != "api_error":
        return Ending.CRASHED, said
    if record.get("stop_reason") == "refusal":
        return Ending.REFUSED, said
    status = record.get("api_error_status")
    return _by_status(status) if isinstance(status, int) else Ending.RETRY, said


def _said(record: Mapping[str, Any]) -> str:
    errors = record.get("errors")
    listed = "; ".join(map(str, errors)) if isinstance(errors, list) else ""
    return listed or str(record.get("result") or record.get("subtype") or "no reason was given")


def _by_status(status: int) -> Ending:
    later = status in {TIMED_OUT, MANY_REQUESTS} or status >= SERVERS_FAULT
    return Ending.RETRY if later else Ending.REFUSED


def _codex(record: Mapping[str, Any], *, asked: bool) -> Outcome:
    if record.get("type") == "turn.failed":
        error = record.get("error")
        said = str(error.get("message", "") if isinstance(error, Mapping) else error)
        return Outcome(_codex_error(said), said[:SHOWN])
    usage = record.get("usage")
    if isinstance(usage, Mapping) and not any(usage.values()):
        return Outcome(Ending.REFUSED, "a hook did not take the prompt: no model was asked")
    if not record.get("message"):
        return Outcome(Ending.REFUSED, "the turn was ended without an answer")
    if asked and not list(_objects([str(record["message"])])):  # Codex checks no schema itself
        return Outcome(Ending.RETRY, "it gave no answer that follows the schema")
    return Outcome(Ending.SUCCESS, "completed")


def _codex_error(said: str) -> Ending:
    """Codex gives no code, only words: those that name time, load or the network may pass."""
    if _SPENT.search(said):
        return Ending.BUDGET
    if _UNWILLING.search(said):
        return Ending.REFUSED
    status = _STATUS.search(said)
    if status:
        return _by_status(int(status[1]))
    return Ending.RETRY if _LATER.search(said) else Ending.REFUSED
