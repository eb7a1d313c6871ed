"""The state of an installation: one line for each thing that was looked at, and how to mend it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

SERVERS = "mcpServers"
DISABLED, ENABLED = "disabledMcpjsonServers", "enabledMcpjsonServers"


class Health(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Line(NamedTuple):
    """One thing, how it is, what was found, and how to mend it where it is not ok."""

    what: str
    health: Health
    says: str
    fix: str = ""


class Registration(NamedTuple):
    """An MCP server that a file registers: under which name, and how it is reached."""

    file: str
    name: str
    command: str = ""
    words: tuple[str, ...] = ()
    url: str = ""

    @property
    def is_reachable(self) -> bool:
        return bool(self.command or self.url)

    @property
    def reached(self) -> tuple[str, ...]:
        return (self.url,) if self.url else (self.command, *self.words)


def ok(what: str, says: str) -> Line:
    return Line(what, Health.OK, says)


def warning(what: str, says: str, fix: str) -> Line:
    return Line(what, Health.WARNING, says, fix)


def problem(what: str, says: str, fix: str) -> Line:
    return Line(what, Health.PROBLEM, says, fix)


def at_least(what: str, found: str, wanted: tuple[int, ...], fix: str) -> Line:
    """Whether a version, in whatever words it is told, is new enough."""
    number = re.search(r"[0-9]+(?:\.[0-9]+)+", found)
    least = ".".join(map(str, wanted))
    if number is None:
        return problem(what, f"not found, and {least} is needed", fix)
    if tuple(map(int, number[0].split("."))) < wanted:
        return problem(what, f"{number[0]}, and {least} is needed", fix)
    return ok(what, number[0])


def registrations(file: str, text: str) -> tuple[list[Registration], list[Line]]:
    """The MCP servers a file registers, and what is wrong with its form."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return [], [problem("mcp", f"{file} is not JSON: nothing in it is used", f"mend {file}")]
    servers = told.get(SERVERS, {}) if isinstance(told, Mapping) else None
    if not isinstance(servers, Mapping):
        says = f"{file} has no object under {SERVERS}: nothing in it is used"
        return [], [problem("mcp", says, f"mend {file}")]
    found = [_registration(file, name, said) for name, said in servers.items()]
    lines = [
        problem("mcp", f"{file}: {each.name} names neither a command nor a url", f"mend {file}")
        for each in found
        if not each.is_reachable
    ]
    return [each for each in found if each.is_reachable], lines


def switched(settings: Mapping[str, Any], known: Sequence[Registration]) -> Iterator[Line]:
    """Registrations a settings file switches off, and those it speaks of that are not there."""
    names = {each.name for each in known}
    for name in _names(settings.get(DISABLED)):
        if name in names:
            fix = f"take it out of {DISABLED}, or the registration away"
            yield warning("mcp", f"{name} is registered and ignored: {DISABLED} names it", fix)
    for name in _names(settings.get(ENABLED)):
        if name not in names:
            fix = f"register it in .mcp.json, or take it out of {ENABLED}"
            yield warning("mcp", f"{ENABLED} names {name}, which no file registers", fix)


def repeated(known: Sequence[Registration]) -> Iterator[Line]:
    """Names registered more than once, and servers registered under more than one name."""
    for name, files in _grouped((each.name, each.file) for each in known).items():
        if len(files) > 1:
            yield warning(
                "mcp", f"{name} is registered in {' and '.join(files)}", "keep one of them"
            )
    for reached, names in _grouped((" ".join(each.reached), each.name) for each in known).items():
        if len(set(names)) > 1:
            says = f"{' and '.join(sorted(set(names)))} are one server: {reached}"
            yield warning("mcp", says, "keep one of them")


def _registration(file: str, name: str, said: object) -> Registration:
    if not isinstance(said, Mapping):
        return Registration(file, str(name))
    words = said.get("args")
    return Registration(
        file,
        str(name),
        str(said.get("command") or ""),
        tuple(map(str, words)) if isinstance(words, list) else (),
        str(said.get("url") or ""),
    )


def _names(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _grouped(pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
