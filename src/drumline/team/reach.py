"""Whether a path, known whole or in part, reaches what a pattern protects.

Patterns are globs relative to the repository (`**` crosses folders), or absolute. A path that leaves
the repository is held to the same patterns wherever they may stand in it: another checkout's
`.claude/` is as protected as this one's.
"""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, OUTER, STAR, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect

GIVEN = ".drumline/"  # below it, what is not given to a member is ours
SURE, MAYBE, NOT = "sure", "maybe", ""
_DEEP = "**"


class Ground:
    """Where paths are judged: the checkout, folders for what nobody will miss, and the team's repository."""

    __slots__ = ("home", "repository", "root", "temporary")

    def __init__(
        self, root: str, *, home: str, temporary: Sequence[str], repository: str = ""
    ) -> None:
        self.root, self.home, self.temporary = root, home, tuple(temporary)
        self.repository = repository or root

    def inside(self, path: str) -> bool:
        return path == self.root or path.startswith(self.root + "/")

    def is_temporary(self, path: str) -> bool:
        """In a temporary folder, and not in a repository or a home that happens to stand there."""
        if self.is_own(path):
            return True
        below = any(path.startswith(folder + "/") for folder in self.temporary)
        at_home = self.home not in {"", "/"} and f"{path}/".startswith(f"{self.home}/")
        kept = f"{path}/".startswith(f"{self.repository}/")
        return below and not at_home and not kept and not self.inside(path)

    def is_own(self, path: str) -> bool:
        """In the home or temporary folder a member was given inside the team's repository."""
        given = f"{self.repository}/{GIVEN}"
        if not path.startswith(given):
            return False
        return any(
            folder.startswith(given) and path.startswith(f"{folder}/")
            for folder in (self.home, *self.temporary)
        )


def reaches(effect: Effect, paths: Iterable[str], patterns: Iterable[str], ground: Ground) -> str:
    """SURE, MAYBE or NOT: whether a write or read through one of `paths` touches a pattern."""
    best = NOT
    patterns = tuple(patterns)
    for path in (each for each in paths if not ground.is_own(each)):
        held = path.lower()
        inside = ground.inside(path)
        pieces = held[len(ground.root) if inside else 0 :].strip("/").split("/")
        pieces = [] if pieces == [""] else _shortened(pieces)
        if len(pieces) > _DEEPEST and not known(path):
            return MAYBE  # too many folders to go through, and some of them unknown
        exact = _exact(effect, held, ground)
        for pattern in patterns:
            if exact and _lacks(held, pattern, tree=effect.tree):
                continue
            if pattern.startswith("/"):
                whole = _shortened(held.strip("/").split("/")) if held.startswith("/") else []
                found = _meet(effect, whole, _parts(pattern)) if whole else NOT
            elif inside:
                found = _meet(effect, pieces, _parts(pattern))
            else:
                found = _from_outside(effect, path, pieces, _parts(pattern), ground)
            if found == SURE:
                return SURE
            best = best or found
    return best


def _shortened(pieces: list[str]) -> list[str]:
    """The same path with little of it unknown: one piece of any text stands for many in a row."""
    unknown = [at for at, piece in enumerate(pieces) if HOLE in piece]
    if len(unknown) <= _MOST_HOLES:
        return pieces
    return [*pieces[: unknown[0]], HOLE, *pieces[max(unknown[-1], len(pieces) - 2) :]]


_MOST_HOLES = 3
_known: dict[str, list[str]] = {}


def _parts(pattern: str) -> list[str]:
    """A pattern's names; the same few patterns are asked for again and again."""
    if pattern not in _known:
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        _known[pattern] = pattern.lower().strip("/").split("/")
    return _known[pattern]


_MOST_KNOWN = 2_000
_needs: dict[str, tuple[str, str]] = {}


def _exact(effect: Effect, held: str, ground: Ground) -> bool:
    """Whether all of a path is known and it stands for itself, not for what is around the repository."""
    if effect.how == "into" or any(mark in held for mark in MARKS):
        return False
    return not effect.tree or not f"{ground.root}/".lower().startswith(held.rstrip("/") + "/")


def _lacks(held: str, pattern: str, *, tree: bool) -> bool:
    """Whether a path has not the text it needs to be meant, nor that of the pattern's first folder."""
    if pattern not in _needs:
        if len(_needs) > _MOST_KNOWN:
            _needs.clear()
        _needs[pattern] = _needed(_parts(pattern))
    whole, first = _needs[pattern]
    return whole not in held and (not tree or first not in held)


def _needed(parts: list[str]) -> tuple[str, str]:
    """The longest text in every path that is meant, and the name of the first folder, if it has one."""
    names = parts[:-1] if parts[-1] == _DEEP else parts
    plain = [name for name in names if "[" not in name]
    pieces = [piece for name in plain for piece in name.replace("?", "*").split("*")]
    return max(pieces, key=len, default=""), next(iter(_fixed(parts)), "\0")


_DEEPEST = 40
_LONGEST_NAME = 255
_SOME_NAME = "\ufdef"  # a letter no pattern has
_MOST_PIECES = 12  # between the wildcards of one name


def _from_outside(
    effect: Effect, path: str, pieces: list[str], parts: list[str], ground: Ground
) -> str:
    above = ground.root.startswith(path.rstrip("/") + "/")
    if effect.tree and effect.kind == "write" and above:
        return SURE
    if path.startswith(HOLE):
        return MAYBE if _meets_somewhere(effect, pieces, parts) else NOT
    if ground.is_temporary(path):
        return NOT
    return _meets_somewhere(effect, pieces, parts)


def _meets_somewhere(effect: Effect, pieces: list[str], parts: list[str]) -> str:
    """Held against the pattern from each of its folders on."""
    best = NOT
    for start in range(len(pieces)):
        if pieces[start] == OUTER:
            continue  # somewhere else, nobody here chose where
        found = _meet(effect, pieces[start:], parts)
        if found == SURE:
            return SURE
        best = best or found
    return best


def _meet(effect: Effect, pieces: list[str], parts: list[str]) -> str:
    first = parts[0]
    if pieces and first != _DEEP and not effect.tree and not _names_meet_or_hole(pieces[0], first):
        return NOT
    if effect.how == "into":
        folder = parts[:-1]
        named = bool(folder) and folder[-1] != _DEEP
        return _sure(pieces, folder) if named and _whole(pieces, folder) else NOT
    if _whole(pieces, parts):
        return _sure(pieces, parts)
    fixed = _fixed(parts)
    if (
        (effect.tree or effect.kind == "write")
        and parts[-1] == _DEEP
        and _whole(pieces, parts[:-1])
    ):
        return _sure(pieces, parts)
    if (
        effect.tree
        and effect.kind == "write"
        and len(pieces) <= len(fixed)
        and _whole(pieces, fixed[: len(pieces)])
    ):
        return _sure(pieces, fixed)
    return NOT


def _names_meet_or_hole(name: str, pattern: str) -> bool:
    return name == pattern or HOLE in name or _names_meet(name, pattern)


def _fixed(parts: list[str]) -> list[str]:
    """The folders a pattern names before its first wildcard."""
    for at, part in enumerate(parts):
        if any(letter in part for letter in "*?["):
            return parts[:at]
    return parts


def _sure(pieces: list[str], parts: list[str]) -> str:
    """Sure unless the match leans on text nobody knows, or one wildcard only may meet another."""
    fixed = _fixed(parts)
    if not fixed and _named(pieces, parts):
        return SURE  # wherever it lies
    for at, piece in enumerate(pieces):
        if HOLE in piece:
            sure = (
                bool(fixed) if at >= len(fixed) else any(_is_most_of(piece, name) for name in fixed)
            )
            return SURE if sure else MAYBE
        if STAR in piece and at >= len(fixed):
            named = parts[-1] != _DEEP and fits(pieces[-1], parts[-1])
            return SURE if fixed or named else MAYBE
        if STAR in piece and not any(map(_aims, pieces[: len(fixed)])):
            return MAYBE
    return SURE


def _is_most_of(piece: str, name: str) -> bool:
    """Whether what is known of a piece is half of a hidden name or more: whoever asks for that means it."""
    begins, _, ends = piece.partition(HOLE)
    ends = ends.rpartition(HOLE)[2]
    if not name.startswith("."):
        return False
    if begins:
        return name.startswith(begins) and 2 * len(begins) >= len(name)
    return ends[:1] != "." and name.endswith(ends) and 2 * len(ends) >= len(name) - 1


def _aims(piece: str) -> bool:
    """Whether a name is meant for some in particular, and not for whatever there is, as `*` is."""
    return piece.strip(STAR) != ""


def _named(pieces: list[str], parts: list[str]) -> bool:
    """Whether a path has a hidden folder of a pattern, or every name of it, whatever lies around them."""
    ends = bool(pieces) and bool(parts) and parts[-1] != _DEEP
    folders = [part for part in parts[: len(parts) - ends] if part != _DEEP]
    if any(folder.startswith(".") and folder in pieces for folder in folders):
        return True
    return ends and set(folders) <= set(pieces) and fits(pieces[-1], parts[-1])


def _whole(pieces: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether some path is meant by both; each side may have wildcards."""
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        a, b = todo.pop()
        if (a, b) in seen:
            continue
        seen.add((a, b))
        if a == len(pieces) and b == len(parts):
            return True
        todo.extend(_onward(pieces, parts, a, b))
    return False


def _onward(pieces: Sequence[str], parts: Sequence[str], a: int, b: int) -> list[tuple[int, int]]:
    """Where both may go on from here."""
    if b < len(parts) and parts[b] == _DEEP:
        deeper = [(a + 1, b), (a + 1, b + 1)] if a < len(pieces) else []
        return [*deeper, (a, b + 1)] if b + 1 < len(parts) else deeper
    if a == len(pieces):
        return []
    if HOLE in pieces[a]:
        return _through_hole(pieces, parts, a, b)
    return [(a + 1, b + 1)] if b < len(parts) and _names_meet(pieces[a], parts[b]) else []


def _through_hole(
    pieces: Sequence[str], parts: Sequence[str], a: int, b: int
) -> list[tuple[int, int]]:
    """A piece with unknown text may stand for one name, several, or part of one."""
    head, _, tail = pieces[a].partition(HOLE)
    next_steps: list[tuple[int, int]] = []
    if head and b < len(parts) and not _names_meet(head + STAR, parts[b]):
        return []
    for end in range(b, len(parts)):
        last = parts[end]
        if last == _DEEP or not tail or _ends_meet(tail.rpartition(HOLE)[2], last):
            next_steps.append((a + 1, end + 1))
    if not head and not tail:
        next_steps.append((a + 1, b))
    return next_steps


def _ends_meet(tail: str, pattern: str) -> bool:
    """Whether a name of a pattern may end so; what stands before may begin with the dot of a hidden one."""
    return _names_meet(STAR + tail, pattern) or _names_meet(f".{STAR}{tail}", pattern)


def _names_meet(name: str, pattern: str) -> bool:
    """Whether one name fits both; a wildcard at the start of a name leaves hidden files alone."""
    if not any(mark in name for mark in MARKS):
        return fits(name, pattern)
    if OUTER in name:  # nobody chose it for this: it is nothing, or a name
        return any(_names_meet(name.replace(OUTER, text), pattern) for text in ("", _SOME_NAME))
    if name[0] == STAR and pattern.startswith("."):
        return False
    if len(name) > _LONGEST_NAME:
        return True  # no system has such a name; whatever it becomes, it may be this
    name = name.replace(OUTER, STAR).replace(HOLE, STAR)
    pieces = [piece for piece in name.split(STAR) if piece]
    if len(pieces) > _MOST_PIECES:
        name = STAR.join(["", pieces[-1] if name[-1] != STAR else ""])
    return _both(name, pattern.replace("*", STAR))


def fits(name: str, pattern: str) -> bool:
    """Whether a pattern means this name."""
    if pattern in {name, "*"}:
        return True
    if "[" in pattern or "?" in pattern:
        from fnmatch import fnmatchcase  # it loads `re`, which costs a hook 7 ms

        return fnmatchcase(name, pattern)
    first, *rest = pattern.split("*")
    return bool(rest) and name.startswith(first) and _goes_on(name, len(first), rest)


def _goes_on(name: str, at: int, pieces: Sequence[str]) -> bool:
    """Whether the rest of a name has these pieces one after another, the last at its end."""
    *between, last = pieces
    for piece in between:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return name.endswith(last) and len(name) - len(last) >= at


def _both(a: str, b: str) -> bool:
    """Whether two names with STARs have a name in common."""
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        if (i, j) in seen:
            continue
        seen.add((i, j))
        if i == len(a) and j == len(b):
            return True
        one, other = a[i : i + 1], b[j : j + 1]
        if one == STAR or (other == STAR and one):
            todo.append((i + 1, j))
        if other == STAR or (one == STAR and other):
            todo.append((i, j + 1))
        if one and other and other in {one, "?"}:
            todo.append((i + 1, j + 1))
    return False
