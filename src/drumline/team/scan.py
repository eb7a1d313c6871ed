"""Scanning what is about to be kept: secrets in added lines, and files that stay out of commits.

Text comes in pieces and is looked at as it comes. What is found is told by file, line and kind, never
by value; a line that says `drumline: allow-secret` is somebody's word that it holds none.
"""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from itertools import chain

from drumline.team.diff import added_lines, cut_lines
from drumline.team.facts import texts
from drumline.team.reach import SURE, Ground, reaches
from drumline.team.secret_shapes import NAMING, PLACES, PROGRAMS, SHAPES
from drumline.team.secrets import find_secrets, redact
from drumline.team.shell.effect import wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ALLOWED = "drumline: allow-secret"
PROTECTED = "protected file"
MESSAGE = "commit message"
PROTECTING_RULE = "C-SAFE-002"

_ROOT = "/repository"
_LONGEST_NAME = 200
_TOGETHER = 128 * 1024  # letters looked at in one go
_RUNS_ON = 3  # lines a secret may need to be known by
_LOOKED_AT_FOR_NUL = 8_000  # bytes, as git does it
_MAKERS = frozenset(kind for kind, _, _ in SHAPES)


class Hit:
    """What must not be kept: the file, its line (0 is the file itself), and what stands there."""

    __slots__ = ("file", "kind", "line")

    def __init__(self, file: str, line: int, kind: str) -> None:
        self.file, self.line, self.kind = file, line, kind

    def facts(self) -> dict[str, str | int]:
        return {"file": redact(self.file), "line": self.line, "kind": self.kind}

    def place(self) -> str:
        """`file:line` as one line of plain text; a name that is itself a secret is masked."""
        shown = "".join(each if each.isprintable() else "?" for each in redact(self.file))
        return shown[-_LONGEST_NAME:] + (f":{self.line}" if self.line else "")

    def __repr__(self) -> str:
        return f"<{self.place()} {self.kind}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hit) and self.order() == other.order()

    def __hash__(self) -> int:
        return hash(self.order())

    def order(self) -> tuple[str, int, str]:
        return self.file, self.line, self.kind


class Protected:
    """Which files stay out of commits, by patterns from the repository's root."""

    __slots__ = ("_ground", "_names", "_patterns", "_spared")

    def __init__(self, patterns: Sequence[str], spared: Sequence[str] = ()) -> None:
        self._patterns, self._spared = tuple(patterns), tuple(spared)
        self._ground = Ground(_ROOT, home="/", temporary=())
        self._names = _any_of(tuple(map(_last_name, patterns)))

    def covers(self, file: str) -> bool:
        if not any(map(self._names.match, file.lower().split("/"))):
            return False  # by far the most files, and the patterns take their time
        return self._meant(file, self._patterns) and not self._meant(file, self._spared)

    def _meant(self, file: str, patterns: Sequence[str]) -> bool:
        path = f"{_ROOT}/{file}"
        return reaches(wrote(path), [path], patterns, self._ground) == SURE


@lru_cache(maxsize=8)  # a runner looks at commit after commit by the same patterns
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, names)))


def _last_name(pattern: str) -> str:
    """The last name of a pattern that is not just any: some folder or file must bear it."""
    names = [name for name in pattern.lower().split("/") if name not in {"", "**"}]
    return names[-1] if names else "*"


def protected_by(policy: Mapping[str, object]) -> Protected:
    """The files a compiled policy protects from being written."""
    constraints = policy.get("constraints")
    for constraint in constraints if isinstance(constraints, list) else []:
        if constraint.get("id") == PROTECTING_RULE:
            for clause in constraint["refuse"]:
                if "write" in clause:
                    return Protected(texts(clause["write"]), texts(clause.get("except")))
    return Protected(())


def scan_diff(pieces: Iterable[bytes], protected: Protected) -> Iterator[Hit]:
    """What the added lines and changed files of a unified diff hold that must not be kept."""
    file, batch = "", _Batch("")
    for each in added_lines(pieces):
        if each.file != file or not each.line:
            yield from batch.hits()
            file, batch = each.file, _Batch(each.file)
        if not each.line:
            if protected.covers(file):
                yield Hit(file, 0, PROTECTED)
            yield from _named(file)
        elif batch.add(each.line, each.text):
            yield from batch.hits(keep=_RUNS_ON)
    yield from batch.hits()


def _named(file: str) -> Iterator[Hit]:
    """The keys of known makers in a file's name."""
    return (Hit(file, 0, kind) for _, kind in find_secrets(file) if kind in _MAKERS)


def scan_file(file: str, pieces: Iterable[bytes], protected: Protected) -> Iterator[Hit]:
    """What a whole file holds that must not be kept; of a binary one the keys of known makers."""
    if protected.covers(file):
        yield Hit(file, 0, PROTECTED)
    rest = iter(pieces)
    first = next(rest, b"")
    if b"\0" not in first[:_LOOKED_AT_FOR_NUL]:
        yield from _scan_lines(file, chain([first], rest))
        return
    wide = _is_wide(first[:_LOOKED_AT_FOR_NUL])
    plain = (each.replace(b"\0", b"" if wide else b" ") for each in chain([first], rest))
    for hit in _scan_lines(file, plain):
        if wide or hit.kind in _MAKERS:
            yield hit if wide else Hit(file, 0, hit.kind)


def _is_wide(start: bytes) -> bool:
    """Whether text has two bytes for each letter, as UTF-16 has."""
    return start[:2] in {b"\xff\xfe", b"\xfe\xff"} or start.count(b"\0") * 3 > len(start)


def scan_text(file: str, text: str) -> Iterator[Hit]:
    """The secrets in a text that goes by this name."""
    return _scan_lines(file, [text.encode("utf-8", "surrogatepass")])


def _scan_lines(file: str, pieces: Iterable[bytes]) -> Iterator[Hit]:
    batch, number = _Batch(file), 0
    for text, begins in cut_lines(pieces):
        number += begins
        if batch.add(number, text.decode("utf-8", "replace")):
            yield from batch.hits(keep=_RUNS_ON)
    yield from batch.hits()


class _Batch:
    """Lines of one file that are looked at together, because a secret may run over several."""

    __slots__ = ("_binary", "_file", "_noisy", "_numbers", "_seen", "_size", "_texts")

    def __init__(self, file: str) -> None:
        self._file, self._size = file, 0
        self._numbers: list[int] = []
        self._texts: list[str] = []
        self._seen: set[tuple[int, str]] = set()
        self._binary, self._noisy = False, set[int]()  # lines that are no text, if the file is none

    def add(self, number: int, text: str) -> bool:
        """Put a line in; whether it is time to look."""
        wide = text.count("\0") * 3 > len(text)
        if not wide and ("\0" in text or "\ufffd" in text):
            self._binary = self._binary or "\0" in text
            self._noisy.add(number)
        text = text.replace("\0", "" if wide else " ")
        self._numbers.append(number)
        self._texts.append("" if ALLOWED in text else text)
        self._size += len(text)
        return self._size > _TOGETHER

    def hits(self, *, keep: int = 0) -> Iterator[Hit]:
        """What stands in the lines so far; the last ones are kept for what may run on."""
        for at in _suspicious(self._texts):
            for number, kind in self._found(at):
                by_chance = self._binary and number in self._noisy and kind not in _MAKERS
                if (number, kind) not in self._seen and not by_chance:
                    self._seen.add((number, kind))
                    yield Hit(self._file, number, redact(kind))
        self._numbers = self._numbers[-keep:] if keep else []
        self._texts = self._texts[-keep:] if keep else []
        self._size = 0

    def _found(self, at: int) -> Iterator[tuple[int, str]]:
        """The secrets that begin in a line; alone first, for a quote left open hides what follows."""
        found = find_secrets(self._texts[at])
        if not found:
            found = find_secrets("\n".join(self._texts[at : at + _RUNS_ON]))
        for line, kind in found:
            yield self._numbers[at + line - 1], kind


def _suspicious(lines: Sequence[str]) -> list[int]:
    """The lines in which a word stands that every secret has; all others cost next to nothing."""
    text = "\n".join(lines).lower()
    found: set[int] = set()
    for hint in _HINTS:
        line, counted, at = 0, 0, text.find(hint)
        while at >= 0:
            line, counted = line + text.count("\n", counted, at), at
            found.add(line)
            end = text.find("\n", at)
            at = text.find(hint, end) if end >= 0 else -1
    return sorted(found)


_HINTS = tuple(
    dict.fromkeys(
        [
            *(
                hint
                for table in (SHAPES, PLACES)
                for _, hints, _ in table
                for hint in hints.split()
            ),
            *(name for name, _, _ in PROGRAMS),
            *NAMING,
        ]
    )
)
