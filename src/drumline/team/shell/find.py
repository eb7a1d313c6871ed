"""What `find` is asked for: the folders it looks through, and the names of what it looks for."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROGRAMS = frozenset({"find", "gfind"})
RUNS = frozenset("-exec -execdir -ok -okdir".split())
FILES = frozenset("-fprint -fprint0 -fls -fprintf".split())
_NAMES = frozenset({"-name", "-iname"})
_OR = frozenset({"-o", "-or", ","})
_NOT = frozenset({"!", "-not"})
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
    """

    __slots__ = ("names", "roots", "tests")

    def __init__(self, words: Sequence[str]) -> None:
        first = _options(words)
        at = first
        while at < len(words) and not _is_test(words[at]):
            at += 1
        told = list(_told(words[at:]))
        self.tests = frozenset(test for _, test, _ in told)
        self.names = _names(told)
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
    return at


def _is_test(word: str) -> bool:
    return word[:1] == "-" or word in {"(", ")", "!", ","}


def _told(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
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


def _names(told: Sequence[tuple[str, str, str]]) -> list[str]:
    """One name at least of every alternative, or none at all."""
    found: list[str] = []
    named = False
    for before, word, value in [*told, ("", ",", "")]:
        if word in _OR:
            if not named:
                return []
            named = False
        elif word == "(" and before in _NOT:
            return []
        elif word in _NAMES and before not in _NOT:
            found.append(value)
            named = True
    return found


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
