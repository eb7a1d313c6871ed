"""What `find` is asked for: where it looks, the names of what it looks for, and what becomes of that."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR, could_be, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

    Test = tuple[str, str, list[str]]  # the word before it, itself, and the words that belong to it

PROGRAMS = frozenset({"find", "gfind"})
RUNS = frozenset("-exec -execdir -ok -okdir".split())
_FILES = frozenset("-fprint -fprint0 -fls -fprintf".split())
_ACTIONS = RUNS | _FILES | frozenset("-delete -print -print0 -printf -ls".split())
_BY_NAME = frozenset("-name -iname -path -ipath -wholename -iwholename -regex -iregex".split())
_BY_KIND = frozenset(
    "-size -empty -newer -mtime -mmin -atime -amin -ctime -cmin -user -perm -inum -samefile -maxdepth "
    "-links -mnewer -anewer -cnewer".split()
)
_NAMES = frozenset({"-name", "-iname"})
_OR = frozenset({"-o", "-or", ","})
_NOT = frozenset({"!", "-not"})
_BEFORE = frozenset("-H -L -P -E -X -d -s -x -f".split())  # the last six are BSD's
_VALUED = _BY_NAME | frozenset(
    "-lname -ilname -newer -anewer -cnewer -mtime -mmin -atime -amin -ctime -cmin -used -size -perm "
    "-user -group -uid -gid -inum -links -samefile -type -xtype -fstype -context -maxdepth -mindepth "
    "-regextype -printf -fprint -fprint0 -fls -flags -Bmin -Btime -mnewer -files0-from".split()
)
_MOST_PLACES = 64


class Search:
    """What one `find` looks through, what for, and what it does with what it finds.

    roots        the folders it looks through
    names        wildcards; all that is found fits one of them, and there are none where it may have any name
    tests        what is asked of each file, and what is done with it, by their words
    actions      what is done, each with its words
    narrowed     whether something else than a name is asked for
    deletes_all  whether something is deleted whatever its name and place
    """

    __slots__ = ("actions", "deletes_all", "names", "narrowed", "roots", "tests")

    def __init__(self, words: Sequence[str]) -> None:
        first = _options(words)
        at = first
        while at < len(words) and not _is_test(words[at]):
            at += 1
        told = list(_told(words[at:]))
        self.tests = frozenset(word for _, word, _ in told)
        self.actions = [(word, own) for _, word, own in told if word in _ACTIONS]
        self.narrowed = any(_narrows(word, own) for _, word, own in told if word not in _NAMES)
        self.deletes_all = any(map(_deletes_all, _ways(told)))
        self.roots = [root.rstrip("/") or "/" for root in words[first:at]] or ["."]
        if "-files0-from" in self.tests or len(self.roots) > _MOST_PLACES:
            self.roots = [HOLE]
        names = _names(told)
        self.names = names if len(names) * len(self.roots) <= _MOST_PLACES else []

    def places(self) -> list[str]:
        """Whatever it may find, by the names these places have."""
        return [place for root in self.roots for place in self.places_at(root)]

    def places_at(self, root: str) -> list[str]:
        """The same at one of its folders."""
        itself = [root] if any(_is_called(root, name) for name in self.names) else []
        return itself + below(root, self.names)


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


def _told(words: Sequence[str]) -> Iterator[Test]:
    """Each test and action of the expression, with the words that belong to it."""
    at, before = 0, ""
    while at < len(words):
        word = words[at]
        at += 1
        end = at
        if word in RUNS:
            end = _ran_until(words, at)
        elif word in _VALUED or word.startswith("-newer"):
            end = at + 1
        elif word == "-fprintf":
            end = at + 2
        yield before, word, list(words[at:end])
        at = end + (word in RUNS)
        before = word


def _ran_until(words: Sequence[str], at: int) -> int:
    """Where the words of a program that is run end: at a semicolon, or at a plus behind the files."""
    while at < len(words) and words[at] != ";" and words[at - 1 : at + 1] != ["{}", "+"]:
        at += 1
    return at


def _names(told: Sequence[Test]) -> list[str]:
    """One name at least of every way to be found, or none at all."""
    ways = list(_ways(told))
    acting = [way for way in ways if any(word in _ACTIONS for _, word, _ in way)]
    found = [_named(way) for way in acting or ways]  # where something is done, nothing else finds
    return [name for names in found for name in names] if all(found) else []


def _ways(told: Sequence[Test]) -> Iterator[list[Test]]:
    """The expression cut at each `or` that is in no brackets."""
    way: list[Test] = []
    depth = 0
    for each in told:
        depth += {"(": 1, ")": -1}.get(each[1], 0)
        if each[1] in _OR and not depth:
            yield way
            way = []
        else:
            way.append(each)
    yield way


def _named(way: Sequence[Test]) -> list[str]:
    """The names something has before anything is done with it; none where it may have another."""
    found: list[str] = []
    named = False
    for before, word, own in [*way, ("", ",", [])]:
        if word in _OR or (word in _ACTIONS and not named):
            if not named:
                return []
            named = False
        elif word == "(" and before in _NOT:
            return []
        elif word in _NAMES and before not in _NOT and _narrows(word, own):
            found += own
            named = True
    return found


def _narrows(word: str, own: Sequence[str]) -> bool:
    """Whether a test leaves some files out."""
    if word in _BY_NAME:
        return any(value.strip("*") for value in own)
    return word in _BY_KIND or word.startswith("-newer")


def _deletes_all(way: Sequence[Test]) -> bool:
    """Whether something is deleted before its name or place is asked for."""
    for _, word, own in way:
        if word == "-delete":
            return True
        if word == "-empty" or (word in _BY_NAME and _narrows(word, own)):
            return False
    return False


def _is_called(root: str, name: str) -> bool:
    """Whether the folder it begins at may have a name that is looked for."""
    return could_be(wild(name).lower(), root.rpartition("/")[2].lower())


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
    search = Search(words)
    return [effect for root in search.roots for effect in _done(search, root, scene)]


def _done(search: Search, root: str, scene: Scene) -> Iterable[Effect]:
    places = [scene.path(place) for place in search.places_at(root)]
    found: list[Effect] = []
    for word, own in search.actions:
        if word in RUNS:
            folders = _folders(root, scene) if word.endswith("dir") else [""]
            for place in places:
                argv = [each.replace("{}", place) for each in own]
                for folder in folders:
                    found += scene.run(argv, folder)
        elif word == "-delete":
            whole = search.deletes_all
            found += _deleted([scene.path(root)] if whole else places, whole=whole)
        elif word in _FILES and own:
            found.append(wrote(scene.path(own[0])))
    return found


def _folders(root: str, scene: Scene) -> list[str]:
    """Where a program runs that is started beside what was found: the first folder lies in another."""
    path = scene.path(root)
    return [scene.path(root.rpartition("/")[0]), path, *below(path)]


def _deleted(places: Sequence[str], *, whole: bool) -> list[Effect]:
    """What `-delete` takes away: all of a folder, or the files that fit."""
    gone = [wrote(place, "delete", tree=whole) for place in places]
    for each in gone:
        each.words = ("recursive", "forced") if whole else ("recursive",)
    return gone
