"""Who may touch which files: glob patterns, and whether two sets of them can meet.

`*` and `?` stay inside one folder, `**` crosses folders, `[…]` is one of a set.
"""

import re
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache

GLOB_SHAPE = (
    r"(?![/~! ])(?!\.?$)(?!(?:.*/)?\.\.(?:/|$))(?!(?:[^*?\[]*[*?\[]){13})(?!.* $)"
    r"[^\u0000-\u001f\u007f-\u009f\\{}]{1,200}"
)
GLOB_RULE = "a relative glob such as src/**, with at most 12 wildcards, without .. { } or \\"

_SET = re.compile(r"\[([!^]?)(\]?[^\]]*)\]")


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
            if any(_meet(one, other) for one in _meanings(a) for other in _meanings(b)):
                return a, b
    return None


@lru_cache(maxsize=4096)
def _meanings(pattern: str) -> tuple[tuple[str, ...], ...]:
    """What a pattern may name: a plain name is a file, or a folder and all that is in it."""
    parts = tuple(normal(pattern).split("/"))
    return (parts,) if set(parts[-1]) & set("*?[") else (parts, (*parts, "**"))


def is_glob(text: str) -> bool:
    """Whether text can name files of a repository."""
    return re.fullmatch(GLOB_SHAPE, text, re.DOTALL) is not None


def normal(pattern: str) -> str:
    """One spelling per place: no `./`, no doubled slash, a folder is all that is in it."""
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    if pattern.endswith("/"):
        parts.append("**")
    kept = [part for at, part in enumerate(parts) if part != "**" or parts[at - 1 : at] != ["**"]]
    return "/".join(kept)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern as an expression that tries each place once: a hostile pattern cannot stall us."""
    chunks: list[list[str]] = [[]]
    for part in pattern.split("/"):
        if part == "**":
            chunks.append([])
        else:
            chunks[-1].append(_segment(part))
    first, *middle = chunks
    if not middle:
        return re.compile("/".join(first), re.DOTALL)
    out = [f"{segment}/" for segment in first]
    out += [f"(?>(?:[^/]+/)*?{'/'.join(chunk)}/)" for chunk in middle[:-1] if chunk]
    out.append(f"(?:[^/]+/)*{'/'.join(middle[-1])}" if middle[-1] else ".+")
    return re.compile("".join(out), re.DOTALL)


def _segment(part: str) -> str:
    """One folder's or file's name; what stands between two stars is sought once, from the left."""
    runs: list[str] = [""]
    for piece in _pieces(part):
        if piece == "*":
            runs.append("")
        else:
            runs[-1] += _regex(piece)
    first, *rest = runs
    if not rest:
        return first
    return first + "".join(f"(?>[^/]*?{run})" for run in rest[:-1]) + f"[^/]*{rest[-1]}"


@lru_cache(maxsize=4096)
def _pieces(part: str) -> tuple[str, ...]:
    """A segment as single wishes: a letter, `?`, `*` or a `[…]` set."""
    pieces: list[str] = []
    at = 0
    while at < len(part):
        if part[at] == "[" and (found := _SET.match(part, at)) and _ranges(found[2]):
            pieces.append(found[0])
            at = found.end()
            continue
        if part[at] != "*" or not pieces or pieces[-1] != "*":
            pieces.append(part[at])
        at += 1
    return tuple(pieces)


@lru_cache(maxsize=4096)
def _regex(piece: str) -> str:
    if piece == "?":
        return "[^/]"
    if found := _SET.fullmatch(piece):
        inner = "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in _ranges(found[2]))
        return f"(?!/)[{'^' if found[1] else ''}{inner}]"
    return re.escape(piece)


def _ranges(inner: str) -> tuple[tuple[str, str], ...]:
    """What stands in a set, as ranges; none when it makes no sense and is meant literally."""
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(inner):
        wide = inner[at + 1 : at + 2] == "-" and at + 2 < len(inner)
        low, high = inner[at], inner[at + 2] if wide else inner[at]
        if low > high:
            return ()
        ranges.append((low, high))
        at += 3 if wide else 1
    return tuple(ranges)


Steps = Callable[[int, int], set[tuple[int, int]]]


def _leads_to(end: tuple[int, int], steps: Steps) -> bool:
    """Whether some way of stepping through two patterns reaches the end of both."""
    reach = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    while reach:
        here = reach.pop()
        if here == end:
            return True
        seen.add(here)
        reach |= steps(*here) - seen
    return False


@lru_cache(maxsize=16384)
def _meet(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether some path fits both lists of segments."""

    def steps(i: int, j: int) -> set[tuple[int, int]]:
        left = a[i] if i < len(a) else None
        right = b[j] if j < len(b) else None
        found: set[tuple[int, int]] = set()
        if left == "**" and i < len(a) - 1:  # in the middle it may stand for no folder at all
            found.add((i + 1, j))
        if right == "**" and j < len(b) - 1:
            found.add((i, j + 1))
        if left is None or right is None:
            return found
        if left == "**":
            found |= {(i + 1, j + 1), (i, j + 1)}
        if right == "**":
            found |= {(i + 1, j + 1), (i + 1, j)}
        elif left != "**" and _segments_meet(_pieces(left), _pieces(right)):
            found.add((i + 1, j + 1))
        return found

    return _leads_to((len(a), len(b)), steps)


@lru_cache(maxsize=16384)
def _segments_meet(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether some file name fits both segments."""

    def steps(i: int, j: int) -> set[tuple[int, int]]:
        left, right = a[i : i + 1], b[j : j + 1]
        found: set[tuple[int, int]] = set()
        if left == ("*",):
            found |= {(i + 1, j), (i, j + 1)} if right else {(i + 1, j)}
        if right == ("*",):
            found |= {(i, j + 1), (i + 1, j)} if left else {(i, j + 1)}
        if left and right and _letters_meet(left[0], right[0]):
            found.add((i + 1, j + 1))
        return found

    return _leads_to((len(a), len(b)), steps)


@lru_cache(maxsize=16384)
def _letters_meet(a: str, b: str) -> bool:
    if a in "*?" or b in "*?":
        return True
    if len(a) == 1 and len(b) == 1:
        return a == b
    both = re.compile(f"(?={_regex(a)}){_regex(b)}", re.DOTALL)
    return any(both.fullmatch(chr(code)) for code in _telling(a) | _telling(b))


def _telling(piece: str) -> set[int]:
    """The letters at the edges of a piece: if any letter fits two pieces, one of these does."""
    found = _SET.fullmatch(piece)
    edges = {piece} if found is None else {edge for pair in _ranges(found[2]) for edge in pair}
    near = {ord(edge) + step for edge in {*edges, "/"} for step in (-1, 0, 1)}
    return {code for code in near if 0 <= code <= sys.maxunicode}
