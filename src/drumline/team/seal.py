"""Seals on finished segments of the audit trail: what a file was, and whether it still is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from drumline.team.segment import name_of, number_of

_WORDS = re.compile(
    r"(segment-[0-9]{8}\.jsonl) sha256:([0-9a-f]{64}) lines:([0-9]{1,18}) bytes:([0-9]{1,18})"
    r" home:([^\s]{0,100})"
)


class Measure(NamedTuple):
    """A file as it is now."""

    sha256: str
    lines: int
    size: int


class Seal(NamedTuple):
    """A segment as it was when it was sealed, and in which repository's folder it lies."""

    segment: str
    measure: Measure
    home: str

    def __str__(self) -> str:
        sha256, lines, size = self.measure
        return f"{self.segment} sha256:{sha256} lines:{lines} bytes:{size} home:{self.home}"


class Fault(NamedTuple):
    """A segment that is not what it was, in one word and one sentence."""

    segment: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.segment} {self.what}: {self.why}"


class Verdict(NamedTuple):
    """What the seals prove about a trail, and how much nothing proves yet."""

    segments: int
    lines: int
    faults: tuple[Fault, ...]
    unsealed_segments: int
    unsealed_lines: int


def read_seal(words: str) -> Seal | None:
    """The seal an event's words tell, if they tell one."""
    found = _WORDS.fullmatch(words)
    if found is None:
        return None
    segment, sha256, lines, size, home = found.groups()
    return Seal(segment, Measure(sha256, int(lines), int(size)), home)


def fault(seal: Seal, now: Measure | None) -> Fault | None:
    """How a segment differs from its seal, if it does."""
    then = seal.measure
    if now is None:
        return Fault(seal.segment, "is missing", f"it had {then.lines:,} lines when it was sealed")
    if now.size < then.size:
        return Fault(seal.segment, "was cut", f"{now.size:,} of {then.size:,} bytes are left")
    if now.size > then.size:
        return Fault(
            seal.segment, "was lengthened", f"it had {then.size:,} bytes, now {now.size:,}"
        )
    if now.sha256 != then.sha256:
        return Fault(seal.segment, "was changed", "its bytes are not those that were sealed")
    return None


def faults(seals: Mapping[str, Seal], now: Mapping[str, Measure], highest: int) -> Iterator[Fault]:
    """Everything that is not as it was sealed, and every number that is neither sealed nor there."""
    for segment in sorted(seals):
        if found := fault(seals[segment], now.get(segment)):
            yield found
    yield from _gaps({*seals, *now}, highest)


def _gaps(known: Iterable[str], highest: int) -> Iterator[Fault]:
    """Numbers nobody can show a file or a seal for; a run of them is one fault."""
    before = 0
    for number in (*sorted(map(number_of, known)), highest + 1):
        if number > before + 1:
            run = f" to {name_of(number - 1)}" if number > before + 2 else ""
            why = "taken away before anything was sealed"
            yield Fault(name_of(before + 1) + run, "is missing", why)
        before = max(before, number)
