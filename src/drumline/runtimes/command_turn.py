"""One turn of a program that speaks our protocol: what its lines mean, and what it is answered."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from drumline.errors import BadInput
from drumline.runtimes.conforming import flaws
from drumline.runtimes.runtime import (
    Called,
    Ended,
    Entered,
    Fact,
    Limited,
    Metered,
    Received,
    Said,
    Start,
)
from drumline.team.charge import Report, Usage, checked_report, micro_usd
from drumline.team.outcome import Ending, Outcome
from drumline.team.ruling_words import unjudged
from drumline.team.text import checked_line

SHOWN = 300
MOST_OPEN = 1_000
MID_TURN = "mid-turn"
TOKENS = ("input", "cached", "output")
ENDINGS = frozenset(set(Ending) - {Ending.CRASHED})
LOST = "it gave no answer that follows the schema"
UNREADABLE = unjudged(
    "a call has a tool, an input and an id of its own, and is done before the next thousand",
    "a call that cannot be read",
    "ask again as the protocol says",
)
Line = Mapping[str, Any]

log = logging.getLogger(__name__)


class CommandTurn:
    """What is known of a running turn."""

    def __init__(self, start: Start, session: str) -> None:
        self._start, self._meter = start, f"turn-{token_hex(8)}"
        self._readings = 0
        self._open: dict[str, dict[str, Any]] = {}
        self._told: set[str] = set()
        self.session, self.text = session, ""
        self.able: frozenset[str] = frozenset()
        self.ended: Line | None = None
        self._kinds: dict[str, Callable[[Line], Iterator[Fact]]] = {
            "able": self._able,
            "said": self._said,
            "session": self._session,
            "usage": self._usage,
            "received": self._received,
            "limited": self._limited,
            "ended": self._ended,
        }

    def opening(self, prompt: str, schema: Mapping[str, Any] | None) -> bytes:
        """The line a turn begins with."""
        return line(
            {
                "prompt": prompt,
                "system": self._start.system,
                "member": self._start.member,
                "schema": None if schema is None else dict(schema),
                "session": self.session,
                "model": self._start.model,
                "subagent": self._start.subagent,
            }
        )

    def telling(self, text: str, name: str) -> bytes:
        """The line that brings words while the turn runs."""
        self._told.add(name)
        return line({"tell": text, "id": name})

    def take(self, said: Line) -> Iterator[Fact]:
        """The facts in a line; what cannot be understood is passed over and said."""
        kind = next((name for name in self._kinds if name in said), "")
        try:
            yield from self._kinds.get(kind, _nobody)(said)
        except (BadInput, ValueError, TypeError, ArithmeticError) as error:
            log.warning("a line that means nothing (%s): %s", error, str(said)[:SHOWN])

    def event(self, said: Line) -> dict[str, Any] | None:
        """The call a line asks about, as hooks tell of one; None where it cannot be read."""
        call, name = said.get("call"), said.get("id")
        if not isinstance(call, dict) or not isinstance(name, str):
            return None
        tool, given = _writable(str(call.get("tool") or "")), call.get("input")
        is_new = name not in self._open and len(self._open) < MOST_OPEN
        if not (is_new and tool and isinstance(given, dict)):
            return None
        return {
            "hook_event_name": "PreToolUse",
            "session_id": self.session,
            "cwd": str(self._start.work),
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": name,
        }

    def ruled(self, event: dict[str, Any], ruling: Mapping[str, str]) -> Called | None:
        """Remember an allowed call until it is done; a refused one is told at once."""
        if ruling.get("decision") == "allow":
            self._open[event["tool_use_id"]] = event
            return None
        return Called(event["tool_name"][:SHOWN], _what(event), "refused")

    def done(self, said: Line) -> tuple[dict[str, Any], Called] | None:
        """An allowed call that was made, as hooks tell of one, and the fact; None where it was not asked."""
        event = self._open.pop(str(said.get("done")), None)
        if event is None:
            log.warning("done is what nobody asked about: %s", str(said)[:SHOWN])
            return None
        code = said.get("exit_code", 0)
        code = code if type(code) is int else 1
        return _made(event, {"exit_code": code}, "failed" if code else "ok")

    def left_open(self) -> Iterator[tuple[dict[str, Any], Called]]:
        """Allowed calls of which nothing more was said: they count as made."""
        for event in self._open.values():
            yield _made(event, {}, "ok")
        self._open = {}

    def outcome(self, code: int, signal: int, errors: str) -> Outcome:
        """What the program says of its end; one that says nothing has crashed, whatever its exit code."""
        if self.ended is not None:
            ending = str(self.ended.get("ending"))
            why = _writable(str(self.ended.get("why") or ""))
            if ending in ENDINGS:
                return Outcome(Ending(ending), why[:SHOWN] or "it says no more")
            return Outcome(
                Ending.CRASHED, f"it says it ended in {ending[:80]!r}, which is no ending"
            )
        if signal:
            return Outcome(Ending.INTERRUPTED, f"it was stopped with signal {signal}")
        last = errors.splitlines()[-1:]
        said = f"it exited with {code} and did not say how it ended"
        return Outcome(Ending.CRASHED, ": ".join((said, *last))[:SHOWN])

    def end(self, found: Outcome, schema: Mapping[str, Any] | None) -> Ended:
        """The last fact, with the answer where it follows the schema that was asked for."""
        told = (self.ended or {}).get("answer")
        if schema is None or not found.succeeded:
            return Ended(found, self.text)
        wrong = flaws(told, schema) if isinstance(told, dict) else ["it is no object"]
        if wrong:
            return Ended(Outcome(Ending.RETRY, f"{LOST}: {wrong[0]}"[:SHOWN]), self.text)
        return Ended(found, self.text, told)

    def _able(self, said: Line) -> Iterator[Fact]:
        listed = said["able"]
        self.able = frozenset(each for each in listed if isinstance(each, str))
        yield from ()

    def _said(self, said: Line) -> Iterator[Fact]:
        self.text = _text(said["said"])
        yield Said(self.text)

    def _session(self, said: Line) -> Iterator[Fact]:
        told = _text(said["session"])
        if told != said["session"]:
            raise BadInput("half a letter is in it")
        self.session = checked_line(told, "the session")
        yield Entered(self.session)

    def _usage(self, said: Line) -> Iterator[Fact]:
        told = said["usage"]
        if not isinstance(told, dict):
            raise BadInput("a usage is an object")
        numbers = {name: told.get(name, 0) for name in TOKENS}
        if not all(type(each) is int for each in numbers.values()):
            raise BadInput("tokens are whole numbers")
        total = Usage(**numbers, micros=micro_usd(float(told.get("usd", 0))))
        model = _text(told.get("model", self._start.model))
        source = self.session or self._meter
        report = checked_report(Report(source, self._readings + 1, total, model))
        self._readings += 1
        yield Metered(report)

    def _received(self, said: Line) -> Iterator[Fact]:
        name = _text(said["received"])
        if name not in self._told:
            raise BadInput("it was not told that")
        self._told.discard(name)
        yield Received(name)

    def _limited(self, said: Line) -> Iterator[Fact]:
        told = said["limited"]
        if not isinstance(told, dict):
            raise BadInput("a limit is an object")
        until = told.get("until")
        moment = None if until is None else _moment(_text(until))
        yield Limited(moment, _writable(str(told.get("why") or "it does not say why"))[:SHOWN])

    def _ended(self, said: Line) -> Iterator[Fact]:
        told = said["ended"]
        if not isinstance(told, dict):
            raise BadInput("an end is an object")
        self.ended = told
        self.text = _writable(str(told.get("text") or self.text))
        yield from ()


def _moment(text: str) -> datetime:
    told = datetime.fromisoformat(text)
    if told.tzinfo is None:
        raise BadInput("a time without its zone is no time")
    try:
        return told.astimezone(UTC)
    except OverflowError:
        raise BadInput("a time that no calendar has") from None


def line(value: Mapping[str, Any]) -> bytes:
    """A value on a line of its own."""
    return json.dumps(value).encode() + b"\n"


def _nobody(said: Line) -> Iterator[Fact]:
    raise BadInput(f"nobody knows {', '.join(map(str, said))[:80]!r}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{str(value)[:80]!r} is no text")
    return _writable(value)


def _writable(text: str) -> str:
    """Text without the halves of letters that JSON can carry and no file can."""
    return text.encode("utf-8", "replace").decode()


def _what(event: Mapping[str, Any]) -> str:
    given = event["tool_input"]
    said = given.get("command") or given.get("file_path") or given.get("path")
    return _writable(said if isinstance(said, str) else json.dumps(given))[:SHOWN]


def _made(
    event: dict[str, Any], response: dict[str, int], result: str
) -> tuple[dict[str, Any], Called]:
    after = {**event, "hook_event_name": "PostToolUse", "tool_response": response}
    return after, Called(event["tool_name"][:SHOWN], _what(event), result)
