"""One turn of Codex, from the lines it prints: what was said and called, what it cost, how it ended."""

import json
import shlex
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from drumline.runtimes.codex_limits import is_limit, lifted_at
from drumline.runtimes.codex_schema import given
from drumline.runtimes.codex_transcript import Transcript, usage_of
from drumline.runtimes.conforming import flaws
from drumline.runtimes.runtime import Called, Entered, Fact, Limited, Metered, Said
from drumline.runtimes.witnessed import Heard, Witness
from drumline.team.charge import NOTHING, Report, Usage
from drumline.team.outcome import Ending, Outcome, outcome

SHOWN = 300
SHELLS = ("-c", "-lc")
WARNING = "error"  # what Codex calls an item that only warns
WORDS = frozenset({"agent_message", "reasoning", "todo_list", WARNING})


class Turn:
    """What is known of a running turn."""

    def __init__(self, known: str, transcript: Transcript, witness: Witness) -> None:
        self._known, self._transcript, self._witness = known, transcript, witness
        self._before = witness.heard(known) if known else Heard()
        self._open: dict[str, Called] = {}
        self._record: dict[str, Any] | None = None
        self._told, self._readings, self._refused = NOTHING, 0, len(self._before.refusals)
        self.session, self.text = "", ""
        self.has_begun = False

    @property
    def is_proven(self) -> bool:
        """Whether the guard was told of this session's start in this turn."""
        return self._witness.heard(self.session).starts > self._before.starts

    @property
    def is_another(self) -> bool:
        """Whether Codex began a new conversation in place of the one it was to go on with."""
        return bool(self._known and self.session and self.session != self._known)

    def take(self, line: Mapping[str, Any]) -> Iterator[Fact]:
        """The facts in one line."""
        match line.get("type"):
            case "thread.started":
                self.session = str(line.get("thread_id", ""))
                yield Entered(self.session)
            case "item.started" | "item.completed" as kind if isinstance(line.get("item"), dict):
                yield from self._item(line["item"], over=kind == "item.completed")
            case "turn.started":
                self._record = None
            case "turn.completed" | "turn.failed":
                self._record = dict(line)
            case _:
                pass

    def beside(self, model: str) -> Iterator[Fact]:
        """What was told since, not in its lines but in its transcript and to the guard."""
        self._transcript.follow(self.session)
        self._transcript.read()
        yield from self._metered(self._transcript.usage, model)
        refusals = self._witness.heard(self.session).refusals[self._refused :]
        self._refused += len(refusals)
        for each in refusals:
            yield Called(each.tool, each.what, "refused")

    def closing(self, model: str) -> Iterator[Fact]:
        """What is left to tell when it is over: calls that were cut off, and the last of the meter."""
        yield from self._open.values()
        yield from self.beside(model)
        if self._record is not None:
            yield from self._metered(usage_of(self._record.get("usage")) or NOTHING, model)

    def limited(self, zone: tzinfo | None) -> Limited | None:
        """That the account is used up, where that is why it ended."""
        said = self._complaint()
        if not is_limit(said):
            return None
        transcript = self._transcript
        until = transcript.resets_at
        if until is None and transcript.told_at is not None:
            until = lifted_at(said, transcript.told_at, zone)
        return Limited(until, said[:SHOWN])

    def outcome(self, code: int, signal: int, errors: str, *, asked: bool) -> Outcome:
        """How it ended; what never began would not begin the second time either."""
        record = None if self._record is None else {**self._record, "message": self.text}
        found = outcome(record, code, signal, asked=asked)
        last = errors.splitlines()[-1:] if record is None and not signal else []
        why = ": ".join((found.why, *last))[:SHOWN]
        if not self.session and found.ending is Ending.CRASHED and code > 0:
            return Outcome(Ending.REFUSED, f"it did not begin: {why}"[:SHOWN])
        refusals = self._witness.heard(self.session).refusals[len(self._before.refusals) :]
        return found._replace(why=why, denied=tuple(each.tool for each in refusals))

    def answer(self, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
        """The answer that follows the schema, or what is wrong with the one that was given."""
        try:
            found = given(json.loads(self.text), schema)
        except (ValueError, RecursionError):
            return None, "it is not JSON"
        wrong = flaws(found, schema)
        if not isinstance(found, dict):
            wrong = ["it is not an object"]
        return (None, wrong[0]) if wrong else (found, "")

    def _item(self, item: Mapping[str, Any], *, over: bool) -> Iterator[Fact]:
        kind, name = item.get("type"), str(item.get("id", ""))
        self.has_begun = self.has_begun or kind != WARNING
        if kind == "agent_message" and over and item.get("text"):
            self.text = str(item["text"])
            yield Said(self.text)
        if kind in WORDS:
            return
        called = _called(item)
        if over:
            self._open.pop(name, None)
            yield called
        else:
            self._open[name] = called._replace(result="failed")

    def _metered(self, total: Usage, model: str) -> Iterator[Metered]:
        total = total.at_least(self._told)
        if total == self._told:
            return
        self._told, self._readings = total, self._readings + 1
        named = model or self._transcript.model
        yield Metered(Report(self.session, self._readings, total, named))

    def _complaint(self) -> str:
        error = self._record.get("error") if self._record else None
        return str(error.get("message", "")) if isinstance(error, Mapping) else ""


def _called(item: Mapping[str, Any]) -> Called:
    """A call by the names that hooks have for tools."""
    result = _result(item)
    match item.get("type"):
        case "command_execution":
            return Called("Bash", _command(str(item.get("command", "")))[:SHOWN], result)
        case "file_change":
            return Called("apply_patch", ", ".join(_paths(item.get("changes")))[:SHOWN], result)
        case "mcp_tool_call":
            tool = f"mcp__{item.get('server')}__{item.get('tool')}"
            return Called(tool[:SHOWN], json.dumps(item.get("arguments"))[:SHOWN], result)
        case kind:
            what = item.get("tool") or item.get("query") or ""
            return Called(str(kind)[:SHOWN], str(what)[:SHOWN], result)


def _result(item: Mapping[str, Any]) -> str:
    if item.get("status") == "declined":
        return "refused"
    good = item.get("status", "completed") == "completed" and not item.get("error")
    return "ok" if good and not item.get("exit_code") else "failed"


def _command(said: str) -> str:
    """What was run, without the shell it was run by."""
    try:
        words = shlex.split(said)
    except ValueError:
        return said
    is_shell = len(words) == len(SHELLS) + 1 and words[1] in SHELLS
    return words[2] if is_shell else said


def _paths(changes: object) -> Iterator[str]:
    for each in changes if isinstance(changes, list) else ():
        if isinstance(each, dict):
            yield str(each.get("path", ""))
