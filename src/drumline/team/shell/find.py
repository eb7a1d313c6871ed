"""What `find` is asked for: where it looks, the names of what it looks for, and what becomes of that."""

from __future__ import annotations

from drumline.team.shell.effect import (
    HOLE,
    MARKS,
    STAR,
    UNREAD,
    could_be,
    known,
    undecided,
    wrote,
)
from drumline.team.shell.find_expression import (
    EMPTY,
    EXCEPT,
    FILES,
    LONGEST,
    MOST_PLACES,
    NAME,
    NO_FOLDER,
    PATH,
    RUNS,
    UNKNOWN,
    as_one,
    deeds,
    has_letters,
    tests,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.find_expression import Way
    from drumline.team.shell.scene import Scene

PROGRAMS = frozenset({"find", "gfind"})
_BEFORE = frozenset("-H -L -P -E -X -d -s -x -f".split())  # the last six are BSD's
_FOLDERS = frozenset({"", ".", ".."})
_TOO_LONG = "more is done with what is searched for than can be followed"
_MOST_WILDCARDS = 12
_LEAST_NAMED = 3  # letters, with its dot: fewer end or begin too many names
_MOST_DEEDS = 32  # that a person asks for at once
_NO_ROOTS = frozenset({EMPTY, NO_FOLDER, UNKNOWN})  # what asks for these finds no such folder


class Search:
    """What one `find` looks through, what for, and what it does with what it finds.

    roots     the folders it looks through
    tests     what is asked of each file, and what is done with it, by their words
    deeds     what is done, each with its words and the ways to come to it
    names     wildcards; all that is found fits one of them, and there are none where it may have any name
    narrowed  whether something is asked of all that is found
    too_long  whether more is done than is looked at
    """

    __slots__ = ("_below_roots", "deeds", "names", "narrowed", "roots", "tests", "too_long")

    def __init__(self, words: Sequence[str]) -> None:
        first = _first_folder(words)
        at = first
        while at < len(words) and not _is_test(words[at]):
            at += 1
        told = list(tests(words[at:]))
        self.tests = frozenset(word for word, _ in told)
        self.roots = [root.rstrip("/") or "/" for root in words[first:at]] or ["."]
        if (
            "-files0-from" in self.tests
            or len(self.roots) > MOST_PLACES
            or max(map(len, self.roots)) > LONGEST
        ):
            self.roots = [HOLE]
        done = list(deeds(told))
        self.too_long = len(done) > _MOST_DEEDS
        self.deeds = [
            (word, own, ways if len(ways) * len(self.roots) <= MOST_PLACES else as_one(ways))
            for word, own, ways in done[:_MOST_DEEDS]
        ]
        self._below_roots = any(word == "-mindepth" and own != ["0"] for word, own in told)
        ways = [way for _, _, ways in self.deeds for way in ways]
        self.narrowed = all(_narrows(way) for way in ways)
        names = [_name_asked(way) for way in ways]
        self.names = names if all(names) else []

    def places(self) -> list[str]:
        """Whatever it may find, by the names these places have."""
        ways = [way for _, _, ways in self.deeds for way in ways]
        return [place for root in self.roots for place in self.places_at(root, ways)]

    def places_at(self, root: str, ways: Sequence[Way]) -> list[str]:
        """The same at one of its folders, and on these ways alone."""
        itself = [] if self._below_roots else [root for way in ways if _may_be_root(root, way)]
        return list(
            dict.fromkeys([*itself, *(each for way in ways for each in _places_below(root, way))])
        )


def _first_folder(words: Sequence[str]) -> int:
    """Where the folders begin, behind the options."""
    at = 0
    while at < len(words):
        if words[at] == "-D":
            at += 2
        elif words[at] in _BEFORE or words[at][:2] == "-O":
            at += 1
        else:
            break
    return at + (words[at : at + 1] == ["--"])


def _is_test(word: str) -> bool:
    return word[:1] == "-" or word in {"(", ")", "!", ","}


def _narrows(way: Way) -> bool:
    return any(test not in {NO_FOLDER, EXCEPT[0]} for test, _ in way)


def _name_asked(way: Way) -> str:
    """The pattern that tells most of the names asked for on a way."""
    return max((value for test, value in way if test == NAME), key=_letters, default="")


def _letters(pattern: str) -> int:
    return len(wild(pattern).replace(STAR, ""))


def _may_be_root(root: str, way: Way) -> bool:
    """Whether the folder it begins at may itself be found on a way."""
    last = root.rpartition("/")[2]
    if last in _FOLDERS and any(test in _NO_ROOTS or has_letters(value) for test, value in way):
        return False
    return all(
        could_be(wild(value).lower(), last.lower())
        if test == NAME
        else test != PATH or _held_against(value, root)[1]
        for test, value in way
    )


def _places_below(root: str, way: Way) -> list[str]:
    """The places below a folder where something may be found on a way."""
    name = _name_asked(way)
    named = [name] if name else []
    places: list[str] = []
    for rest in _paths_asked(root, way):
        folder, slash, last = rest.rpartition("/")
        if last == HOLE:
            places += below(f"{root.rstrip('/')}{slash and '/'}{folder}", named)
        else:
            places += _hidden_too(root.rstrip("/"), rest)
    return places or below(root, named)


def _paths_asked(root: str, way: Way) -> list[str]:
    """What the path pattern that tells most leaves open below a folder."""
    told = [_held_against(value, root)[0] for test, value in way if test == PATH]
    return max(told, key=_known_part, default=[])


def _known_part(rests: Sequence[str]) -> tuple[int, int]:
    """How much a path's patterns tell: where it begins counts most."""
    begins = min((len(rest.partition(HOLE)[0]) for rest in rests), default=0)
    return begins, min((len(rest.replace(HOLE, "")) for rest in rests), default=0)


def _held_against(pattern: str, root: str) -> tuple[list[str], bool]:
    """What a path pattern leaves open below a folder, and whether the folder itself may fit."""
    if (pattern, root) not in _worked_out:
        if len(_worked_out) > _MOST_KEPT:
            _worked_out.clear()
        told = wild(pattern, HOLE)
        _worked_out[pattern, root] = _left_of(told, root), could_be(told.lower(), root.lower())
    return _worked_out[pattern, root]


_MOST_KEPT = 1_000
# each way of a search asks for the same
_worked_out: dict[tuple[str, str], tuple[list[str], bool]] = {}


def _left_of(pattern: str, root: str) -> list[str]:
    """Nothing where the folder does not fit."""
    above = f"{root.rstrip('/')}/".lower()
    if not known(above):
        return []
    for mark in MARKS:
        pattern = pattern.replace(mark, HOLE)
    if pattern.count(HOLE) > _MOST_WILDCARDS:
        return []
    at = {0}
    for letter in above:
        for place in sorted(at):
            if pattern[place : place + 1] == HOLE:
                at.add(place + 1)  # a wildcard may stand for nothing
        stays = {place for place in at if pattern[place : place + 1] == HOLE}
        at = stays | {place + 1 for place in at if pattern[place : place + 1].lower() == letter}
    return [pattern[place:] for place in sorted(at) if place < len(pattern)]


def below(root: str, names: Sequence[str] = ()) -> list[str]:
    """What a file below a folder may be called, if it fits one of these names."""
    above = root.rstrip("/")
    if not names:
        return [f"{above}/{HOLE}"]
    return [place for name in names for place in _below(above, wild(name))]


def _below(above: str, name: str) -> list[str]:
    if name.startswith(STAR):
        return _hidden_too(above, HOLE + name.lstrip(STAR))
    return [f"{above}/{name}", f"{above}/{HOLE}/{name}"]


def _hidden_too(above: str, rest: str) -> list[str]:
    """What a path is below a folder; here a wildcard means hidden files too, and may stand for nothing."""
    places = [f"{above}/{rest}"]
    named = rest[1:].partition("/")[0].rstrip(HOLE + STAR)
    if rest.startswith(f"{HOLE}.") and known(named) and len(named) >= _LEAST_NAMED:
        places += [f"{above}/{rest[1:]}", f"{above}/{HOLE}/{rest[1:]}"]
    return places


def wild(pattern: str, mark: str = STAR) -> str:
    """A pattern that is no shell's, with marks for what it leaves open."""
    out = [""]
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "\\":
            out.append(pattern[at : at + 1])
            at += 1
        elif letter == "[" and (end := pattern.find("]", at + 1)) > 0:
            out += [mark] * (out[-1] != mark)
            at = end + 1
        elif letter in "*?":
            out += [mark] * (out[-1] != mark)
        else:
            out.append(letter)
    return "".join(out)


def effects(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program, or deleted."""
    search = Search(words)
    found = [effect for root in search.roots for effect in _done(search, root, scene)]
    return [*found, undecided(_TOO_LONG, UNREAD)] if search.too_long else found


def _done(search: Search, root: str, scene: Scene) -> Iterable[Effect]:
    found: list[Effect] = []
    for word, own, ways in search.deeds:
        if word in RUNS:
            places = [scene.path(place) for place in search.places_at(root, ways)]
            folders = _run_in(root, scene) if word.endswith("dir") else [""]
            given = dict.fromkeys(
                tuple(each.replace("{}", path) for each in own) for path in places
            )
            for argv in given:
                for folder in folders:
                    found += scene.run(argv, folder)
        elif word == "-delete":
            found += _deleted(search, root, ways, scene)
        elif word in FILES and own:
            found.append(wrote(scene.path(own[0])))
    return found


def _run_in(root: str, scene: Scene) -> list[str]:
    """Where a program runs that is started beside what was found: the first folder lies in another."""
    path = scene.path(root)
    return [scene.path(root.rpartition("/")[0]), path, *below(path)]


def _deleted(search: Search, root: str, ways: Sequence[Way], scene: Scene) -> list[Effect]:
    """What `-delete` takes away: all of a folder, or the files that fit."""
    gone: list[Effect] = []
    for way in ways:
        emptied = _emptied(root, way)
        whole = bool(emptied) and EXCEPT not in way
        for place in emptied if whole else [*emptied, *search.places_at(root, [way])]:
            effect = wrote(scene.path(place), "delete", tree=whole)
            forced = whole and place == root
            effect.words = ("recursive", "forced")[: 1 + forced if emptied or place != root else 0]
            gone.append(effect)
    return list(dict.fromkeys(gone))


def _emptied(root: str, way: Way) -> list[str]:
    """The folders of which all is deleted on a way, as far as names, paths and emptiness go."""
    asked = [test for test, _ in way if test in {NAME, PATH, EMPTY, UNKNOWN}]
    if not asked:
        return [root]
    rests = _paths_asked(root, way) if asked == [PATH] else []
    if HOLE in rests:
        return [root]
    within = f"/{HOLE}"
    return [f"{root}/{rest.removesuffix(within)}" for rest in rests if rest.endswith(within)]
