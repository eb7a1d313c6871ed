"""The state of an installation: one line for each thing that was looked at, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from drumline.team.manifest import Manifest
from drumline.team.server import (
    DISABLED,
    ENABLED,
    REGISTRATIONS,
    SERVERS,
    UNHEARD,
    Registered,
    Server,
    not_given,
)

MCP = "mcp"
SHOWN = 200


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


def registrations(known: Registered, manifest: Manifest | None) -> Iterator[Line]:
    """What is wrong with the MCP servers that files register: unread, ignored, repeated, not there."""
    for each in known.unread:
        yield problem(MCP, each.says, f"mend {each.file}")
    yield from _repeated(known.all)
    yield from _switched(known)
    yield from _misplaced(known)
    if manifest is not None:
        yield from _given(known, manifest)


def _repeated(known: Sequence[Server]) -> Iterator[Line]:
    """Names registered more than once, and servers registered under more than one name."""
    for name, files in _grouped((each.name, each.file) for each in known).items():
        if len(files) > 1:
            yield warning(MCP, f"{name} is registered in {' and '.join(files)}", "keep one of them")
    for reached, names in _grouped((" ".join(each.reached), each.name) for each in known).items():
        if len(set(names)) > 1:
            says = f"{' and '.join(sorted(set(names)))} are one server: {reached[:SHOWN]}"
            yield warning(MCP, says, "keep one of them")


def _switched(known: Registered) -> Iterator[Line]:
    """Registrations that are switched off, and names that are spoken of and registered nowhere."""
    names = {each.name for each in known.all}
    for file, words in known.switched.items():
        for name in words[DISABLED]:
            if name in names:
                says = f"{name} is registered and ignored: {DISABLED} of {file} names it"
                yield warning(MCP, says, f"take it out of {DISABLED}, or the registration away")
        for name in words[ENABLED]:
            if name not in names:
                says = f"{ENABLED} of {file} names {name}, which no file registers"
                yield warning(MCP, says, f"register it in {REGISTRATIONS}, or take it out")


def _misplaced(known: Registered) -> Iterator[Line]:
    for each in known.all:
        if each.file in UNHEARD:
            says = f"{each.name} is registered and ignored: nobody reads {SERVERS} of {each.file}"
            yield warning(MCP, says, f"move it to {REGISTRATIONS}")


def _given(known: Registered, manifest: Manifest) -> Iterator[Line]:
    """Servers nobody is given, and members that are given what they cannot use."""
    given = {name for each in manifest.members for name in each.mcp}
    for name, server in known.servers.items():
        if name not in given:
            says = f"{name} of {server.file} is given to no member"
            yield warning(MCP, says, "name it in a member's `mcp`, or take it away")
    for each in manifest.members:
        for name in each.mcp:
            if why := not_given(name, each.mcp, each.tools, known):
                says = f"{each.name} is given {name} and cannot use it: {why}"
                yield problem(MCP, says, "drumline team check")


def _grouped(pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
