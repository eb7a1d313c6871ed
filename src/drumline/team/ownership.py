"""Who may touch which files: glob patterns, and whether two sets of them can meet.

`*` and `?` stay inside one folder, `**` crosses folders, `[…]` is one of a set.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_SET = re.compile(r"\[(!?)(\]?[^\]]*)\]")


def matches(pattern: str, path: str) -> bool:
    """Whether the file at `path` belongs to `pattern`."""
    return _compiled(normal(pattern)).fullmatch(normal(path)) is not None


def owned(patterns: Iterable[str], path: str) -> bool:
    return any(matches(pattern, path) for pattern in patterns)


def overlap(ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, str] | None:
    """The first pair of patterns that can name one file, if any."""
    theirs = tuple(theirs)
    for a in ours:
        for b in theirs:
            if _meet(tuple(normal(a).split("/")), tuple(normal(b).split("/"))):
                return a, b
    return None


def normal(pattern: str) -> str:
    """One spelling per place: no `./`, no doubled slash, a folder is all that is in it."""
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    if pattern.endswith("/"):
        parts.append("**")
    return "/".join(parts)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    out: list[str] = []
    parts = pattern.split("/")
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            out.append(".+" if last else "(?:.+/)?")
        else:
            out.append(_segment(part) + ("" if last else "/"))
    return re.compile("".join(out), re.DOTALL)


def _segment(part: str) -> str:
    return "".join(_regex(piece) for piece in _pieces(part))


@lru_cache(maxsize=4096)
def _pieces(part: str) -> tuple[str, ...]:
    """A segment as single wishes: a letter, `?`, `*` or a `[…]` set."""
    pieces: list[str] = []
    at = 0
    while at < len(part):
        if part[at] == "[" and (found := _SET.match(part, at)):
            pieces.append(found[0])
            at = found.end()
            continue
        if part[at] != "*" or not pieces or pieces[-1] != "*":
            pieces.append(part[at])
        at += 1
    return tuple(pieces)


@lru_cache(maxsize=4096)
def _regex(piece: str) -> str:
    if piece == "*":
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if found := _SET.fullmatch(piece):
        inner = found[2].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
        candidate = f"[{'^/' if found[1] else ''}{inner}]"
        return candidate if _compiles(candidate) else re.escape(piece)
    return re.escape(piece)


def _compiles(expression: str) -> bool:
    try:
        re.compile(expression)
    except re.error:
        return False
    return True


@lru_cache(maxsize=16384)
def _meet(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether some path fits both lists of segments."""
    reach = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    while reach:
        i, j = here = reach.pop()
        seen.add(here)
        if i == len(a) and j == len(b):
            return True
        reach |= _steps(a, b, i, j) - seen
    return False


def _steps(a: tuple[str, ...], b: tuple[str, ...], i: int, j: int) -> set[tuple[int, int]]:
    left = a[i] if i < len(a) else None
    right = b[j] if j < len(b) else None
    steps: set[tuple[int, int]] = set()
    if left == "**" and i < len(a) - 1:  # in the middle it may stand for no folder at all
        steps.add((i + 1, j))
    if right == "**" and j < len(b) - 1:
        steps.add((i, j + 1))
    if left is None or right is None:
        return steps
    if left == "**" or right == "**" or _segments_meet(_pieces(left), _pieces(right)):
        steps.add((i + 1, j + 1))
        if left == "**":
            steps.add((i, j + 1))
        if right == "**":
            steps.add((i + 1, j))
    return steps


@lru_cache(maxsize=16384)
def _segments_meet(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether some file name fits both segments."""
    reach = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    while reach:
        i, j = here = reach.pop()
        seen.add(here)
        if i == len(a) and j == len(b):
            return True
        left, right = a[i : i + 1], b[j : j + 1]
        if left == ("*",):
            reach.add((i + 1, j))
            if right:
                reach.add((i, j + 1))
        if right == ("*",):
            reach.add((i, j + 1))
            if left:
                reach.add((i + 1, j))
        if left and right and _letters_meet(left[0], right[0]):
            reach.add((i + 1, j + 1))
        reach -= seen
    return False


def _letters_meet(a: str, b: str) -> bool:
    if a in "*?" or b in "*?":
        return True
    if len(a) == 1 or len(b) == 1:
        letter, other = (a, b) if len(a) == 1 else (b, a)
        return re.fullmatch(_regex(other), letter, re.DOTALL) is not None
    return any(
        re.fullmatch(_regex(a), chr(code)) and re.fullmatch(_regex(b), chr(code))
        for code in range(32, 127)
    )
