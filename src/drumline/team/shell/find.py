"""What `find` is asked for: where it looks, the names of what it looks for, and what becomes of that."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

    Told = tuple[str, str, str]  # a word of the expression: the one before it, itself, its value

PROGRAMS = frozenset({"find", "gfind"})
RUNS = frozenset("-exec -execdir -ok -okdir".split())
FILES = frozenset("-fprint -fprint0 -fls -fprintf".split())
DEEDS = RUNS | FILES | frozenset("-delete -print -print0 -printf -ls".split())
_NAMES = frozenset({"-name", "-iname"})
_OR = frozenset({"-o", "-or", ","})
_NOT = frozenset({"!", "-not"})
_NARROWS = frozenset("-name -iname -path -ipath -wholename -iwholename -regex -iregex".split())
_BEFORE = frozenset("-H -L -P -E -X -d -s -x -f".split())  # they stand before the folders
_VALUED = frozenset(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -newer -anewer "
    "-cnewer -mtime -mmin -atime -amin -ctime -cmin -used -size -perm -user -group -uid -gid -inum "
    "-links -samefile -type -xtype -fstype -context -maxdepth -mindepth -regextype -printf -fprint "
    "-fprint0 -fls -fprintf -flags -Bmin -Btime -mnewer -files0-from".split()
)


class Asked:
    """What one `find` is asked for.

    roots    the folders it looks through
    names    wildcards; all that is found fits one of them, and there are none where it may have any name
    tests    what is asked of each file, and what is done with it
    sweeps   whether something is deleted whatever its name is
    """

    __slots__ = ("names", "roots", "sweeps", "tests")

    def __init__(self, words: Sequence[str]) -> None:
        first = _options(words)
        at = first
        while at < len(words) and not _is_test(words[at]):
            at += 1
        told = list(_told(words[at:]))
        self.tests = frozenset(test for _, test, _ in told)
        self.names = _names(told)
        self.sweeps = any(map(_sweeps, _ways(told)))
        roots = [root.rstrip("/") or "/" for root in words[first:at]]
        self.roots = [HOLE] if "-files0-from" in self.tests else roots or ["."]

    def places(self) -> list[str]:
        """Whatever it may find, by the names these places have."""
        return [place for root in self.roots for place in below(root, self.names)]


def _options(words: Sequence[str]) -> int:
    """How many words stand before the folders."""
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


def _told(words: Sequence[str]) -> Iterator[Told]:
    """Each word of the expression with the one before it and its value; what is run is none of it."""
    at, before = 0, ""
    while at < len(words):
        word, value = words[at], ""
        at += 1
        if word in RUNS:
            at = ran_until(words, at) + 1
        elif word in _VALUED or word.startswith("-newer"):
            value = words[at] if at < len(words) else ""
            at += 2 if word == "-fprintf" else 1
        yield before, word, value
        before = word


def ran_until(words: Sequence[str], at: int) -> int:
    """Where the words of a program that is run end: at a semicolon, or at a plus behind the files."""
    while at < len(words) and words[at] != ";" and words[at - 1 : at + 1] != ["{}", "+"]:
        at += 1
    return at


def _names(told: Sequence[Told]) -> list[str]:
    """One name at least of every way to be found, or none at all."""
    ways = list(_ways(told))
    deeds = [way for way in ways if any(word in DEEDS for _, word, _ in way)]
    found = [_named(way) for way in deeds or ways]  # where something is done, nothing else finds
    return [name for names in found for name in names] if all(found) else []


def _ways(told: Sequence[Told]) -> Iterator[list[Told]]:
    """The expression cut at each `or` that is in no brackets."""
    way: list[Told] = []
    depth = 0
    for each in told:
        depth += {"(": 1, ")": -1}.get(each[1], 0)
        if each[1] in _OR and not depth:
            yield way
            way = []
        else:
            way.append(each)
    yield way


def _named(way: Sequence[Told]) -> list[str]:
    """The names something has before anything is done with it; none where it may have another."""
    found: list[str] = []
    named = False
    for before, word, value in [*way, ("", ",", "")]:
        if word in _OR or (word in DEEDS and not named):
            if not named:
                return []
            named = False
        elif word == "(" and before in _NOT:
            return []
        elif word in _NAMES and before not in _NOT:
            found.append(value)
            named = True
    return found


def _sweeps(way: Sequence[Told]) -> bool:
    """Whether something is deleted before its name or place is asked for."""
    words = [word for _, word, _ in way]
    return "-delete" in words and not _NARROWS.intersection(words[: words.index("-delete")])


def below(root: str, names: Sequence[str] = ()) -> list[str]:
    """What a file below a folder may be called, if it fits one of these names."""
    above = root.rstrip("/")
    if not names:
        return [f"{above}/{HOLE}"]
    return [place for name in names for place in _below(above, wild(name))]


def _below(above: str, name: str) -> list[str]:
    if name.startswith(STAR):
        return [f"{above}/{HOLE}{name.lstrip(STAR)}"]  # here a wildcard means hidden files too
    return [f"{above}/{name}", f"{above}/{HOLE}/{name}"]


def wild(pattern: str, mark: str = STAR) -> str:
    """A pattern that is no shell's, with marks for what it leaves open."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "\\":
            out.append(pattern[at : at + 1])
            at += 1
        elif letter in "*?":
            out.append(mark)
        elif letter == "[" and (end := pattern.find("]", at + 1)) > 0:
            out.append(mark)
            at = end + 1
        else:
            out.append(letter)
    return "".join(out)


def effects(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program, or deleted."""
    asked = Asked(words)
    return [effect for root in asked.roots for effect in _found(words, asked, root, scene)]


def _found(words: Sequence[str], asked: Asked, start: str, scene: Scene) -> Iterable[Effect]:
    root = scene.path(start)
    places = [scene.path(place) for place in below(root, asked.names)]
    around = scene.path(start.rpartition("/")[0])
    found: list[Effect] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in RUNS:
            end = ran_until(words, at)
            inner = [each for each in words[at:end] if each != "+"]
            for place in places:
                folders = (around, root, below(root)[0]) if word.endswith("dir") else ("",)
                for folder in folders:
                    found += scene.run([each.replace("{}", place) for each in inner], folder)
            at = end
        elif word == "-delete":
            found += _deleted(root, places, whole=asked.sweeps)
        elif word in FILES and at < len(words):
            found.append(wrote(scene.path(words[at])))
    return found


def _deleted(root: str, places: Sequence[str], *, whole: bool) -> list[Effect]:
    """What `-delete` takes away: all of a folder, or the files that fit."""
    gone = [wrote(place, "delete", tree=whole) for place in ([root] if whole else places)]
    for each in gone:
        each.words = ("recursive", "forced") if whole else ("recursive",)
    return gone
