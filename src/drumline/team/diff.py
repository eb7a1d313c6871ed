"""Reading a unified diff as git writes it: which files it changes, and which lines it adds to them.

Only headers name files: inside a hunk lines are counted, so that no content is taken for a header. The
combined form of merges has one column of signs for each parent.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST_LINE = 16 * 1024  # bytes; a longer line comes in several parts,
OVERLAP = 1024  # which share so many, so that nothing is cut in two in all of them

_HUNK = re.compile(
    rb"(@{2,64}+) ((?:-[0-9]{1,10}(?:,[0-9]{1,10})? )+)\+([0-9]{1,10})(?:,([0-9]{1,10}))? \1"
)
_NOWHERE = "/dev/null"
_OLD_NAME = b"--- "
_ESCAPED = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13}


class Added:
    """A line that is new in a file; line 0 stands for the file itself and comes before all others."""

    __slots__ = ("file", "line", "text")

    def __init__(self, file: str, line: int, text: str = "") -> None:
        self.file, self.line, self.text = file, line, text


def added_lines(pieces: Iterable[bytes]) -> Iterator[Added]:
    """Every file that is added or changed, each followed by its new lines; never one that goes."""
    reading = _Reading()
    for line, begins in cut_lines(pieces):
        yield from reading.take(line, begins=begins)
    yield from reading.file_itself()


def cut_lines(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Lines without their ends, and whether a line begins here or a too long one goes on."""
    rest, begins = b"", True
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield from _parts(line, begins=begins)
            begins = True
        while len(rest) > LONGEST_LINE:
            yield rest[:LONGEST_LINE], begins
            rest, begins = rest[LONGEST_LINE - OVERLAP :], False
    if rest or not begins:
        yield from _parts(rest, begins=begins)


def _parts(line: bytes, *, begins: bool) -> Iterator[tuple[bytes, bool]]:
    while len(line) > LONGEST_LINE:
        yield line[:LONGEST_LINE], begins
        line, begins = line[LONGEST_LINE - OVERLAP :], False
    yield line, begins


class _Reading:
    """Where in a diff we are."""

    __slots__ = ("_adding", "_file", "_goes", "_new", "_number", "_old", "_told")

    def __init__(self) -> None:
        self._file, self._goes = "", False
        self._told = True  # whether the file itself was given out
        self._old: list[int] = []  # how many lines of this hunk are to come, for each parent
        self._new = self._number = 0
        self._adding = False  # whether the line before was a new one

    def take(self, line: bytes, *, begins: bool) -> Iterator[Added]:
        if not begins:
            if self._adding:
                yield Added(self._file, self._number - 1, _text(line))
        elif self._new > 0 or any(left > 0 for left in self._old):
            yield from self._content(line)
        else:
            self._adding = False
            yield from self._header(line)

    def file_itself(self) -> Iterator[Added]:
        """The file of the headers so far, once, unless it is one that goes."""
        if not self._told and self._file and not self._goes:
            yield Added(self._file, 0)
        self._told = True

    def _content(self, line: bytes) -> Iterator[Added]:
        signs = line[: len(self._old)]
        self._adding = False
        if line[:1] == b"\\":
            return
        if signs.strip(b" +-"):
            self._old, self._new = [], 0  # the counts were wrong: this is no content
            yield from self._header(line)
        elif b"-" in signs:
            self._count(signs, b"-")
        else:
            self._count(signs.ljust(len(self._old)), b" ")
            self._new, self._number = self._new - 1, self._number + 1
            if b"+" in signs and not self._goes:
                self._adding = True
                yield Added(self._file, self._number - 1, _text(line[len(self._old) :]))

    def _count(self, signs: bytes, sign: bytes) -> None:
        self._old = [left - (signs[at : at + 1] == sign) for at, left in enumerate(self._old)]

    def _header(self, line: bytes) -> Iterator[Added]:
        hunk = _HUNK.match(line)
        if hunk is not None:
            yield from self.file_itself()
            self._old = [_counted(each) for each in hunk[2].split()]
            self._number, self._new = int(hunk[3]), int(hunk[4] or 1)
            return
        for start, name in _FILE_STARTS.items():
            # a diff of other makers has no line before this one
            if line.startswith(start) and (start != _OLD_NAME or self._told):
                yield from self.file_itself()
                self._file, self._goes, self._told = name(line[len(start) :]), False, False
        self._same_file(line)

    def _same_file(self, line: bytes) -> None:
        """What a header says of the file that is already being told of."""
        for start, name in _FILE_NAMES.items():
            if line.startswith(start):
                found = name(line[len(start) :])
                self._goes = found == _NOWHERE
                self._file = self._file if self._goes else found
        self._goes = self._goes or line.startswith(b"deleted file mode")


def _counted(numbers: bytes) -> int:
    return int(numbers.partition(b",")[2] or 1)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _both_names(rest: bytes) -> str:
    """The new name in `a/x b/x`: where other headers do not name the file, both are the same."""
    if rest.endswith(b'"'):
        return _unprefixed(rest[rest.rfind(b' "', 0, -1) + 1 :] if b' "' in rest else rest)
    middle = len(rest) // 2
    if rest[middle : middle + 1] == b" " and rest[2:middle] == rest[middle + 3 :]:
        return _unprefixed(rest[middle + 1 :])
    return _unprefixed(rest[rest.rfind(b" b/") + 1 :])


def _unprefixed(name: bytes) -> str:
    """A name without the `b/` before it and the tab or time behind it."""
    end = name.rfind(b'"') + 1 if name[:1] == b'"' else name.find(b"\t")
    plain = name[:end] if end > 0 else name
    found = unquoted(plain)
    return found[2:] if found[1:2] == "/" and found[0] in "abciow" else found


def unquoted(name: bytes) -> str:
    """A file's name as it is, where git put it in quotes with escapes."""
    if len(name) > 1 and name[:1] == name[-1:] == b'"':
        name = re.sub(rb"\\([0-7]{1,3}|.)", _letter, name[1:-1], flags=re.DOTALL)
    return name.decode("utf-8", "surrogateescape")


def _letter(found: re.Match[bytes]) -> bytes:
    given = found[1]
    if given.isdigit():
        return bytes([int(given, 8) & 0xFF])
    return bytes([_ESCAPED[given]]) if given in _ESCAPED else given


_FILE_STARTS: dict[bytes, Callable[[bytes], str]] = {
    b"diff --git ": _both_names,
    b"diff --cc ": unquoted,
    b"diff --combined ": unquoted,
    _OLD_NAME: _unprefixed,
}
_FILE_NAMES: dict[bytes, Callable[[bytes], str]] = {
    b"+++ ": _unprefixed,
    b"rename to ": unquoted,
    b"copy to ": unquoted,
}
