"""What the expression of a `find` asks of a file before something is done with it.

A way to come to an action is what surely was asked on it, as pairs of a test and its value; nothing at all
where every file comes there. A test that was negated leaves too many files to be told.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Test = tuple[str, list[str]]  # itself, and the words that belong to it
    Way = tuple[tuple[str, str], ...]
    Deed = tuple[str, list[str], Sequence[Way]]  # an action, its words, and the ways to come to it

NAME, PATH, EMPTY, NO_FOLDER, UNKNOWN = "-name", "-path", "-empty", "-type", ""
RUNS = frozenset("-exec -execdir -ok -okdir".split())
FILES = frozenset("-fprint -fprint0 -fls -fprintf".split())
_PRINTS = frozenset("-print -print0 -printf -ls".split())
_ACTIONS = RUNS | FILES | _PRINTS | {"-delete"}
_NEVER_FAILS = FILES | _PRINTS | frozenset("-prune -true -depth -mindepth".split())
_REGEX = frozenset({"-regex", "-iregex"})
_MEANS = {
    "-iname": NAME,
    **dict.fromkeys("-ipath -wholename -iwholename".split(), PATH),
    "-xtype": NO_FOLDER,
}
_BY_KIND = frozenset(
    "-size -empty -newer -mtime -mmin -atime -amin -ctime -cmin -user -perm -inum -samefile -maxdepth "
    "-links -mnewer -anewer -cnewer".split()
)
_VALUED = _REGEX | frozenset(
    "-name -iname -path -ipath -wholename -iwholename -lname -ilname -newer -anewer -cnewer -mtime -mmin "
    "-atime -amin -ctime -cmin -used -size -perm -user -group -uid -gid -inum -links -samefile -type "
    "-xtype -fstype -context -maxdepth -mindepth -regextype -printf -fprint -fprint0 -fls -flags -Bmin "
    "-Btime -mnewer -files0-from".split()
)
_SIGNS = "\\()|[]{}^$*+?"  # of a regular expression
EXCEPT = ("!", "")  # some files were left out
MOST_PLACES = 64
LONGEST = 300  # letters of a folder or a pattern that are looked at
_MOST_ASKED = 16


class _Bracket:
    """How far a bracket was read, by the ways on which its tests hold.

    start     the ways into it
    held      the ways on which all held since the last `or`
    failed    the ways on which one of these did not
    earlier   the ways on which an alternative before that `or` held, or what stands before a comma
    negated   whether the next test or bracket counts the other way round
    """

    __slots__ = ("earlier", "failed", "held", "negated", "start")

    def __init__(self, ways: Sequence[Way]) -> None:
        self.start = self.held = ways
        self.earlier: Sequence[Way] = ()
        self.failed: Sequence[Way] = ()
        self.negated = False

    def asked(self, held: Sequence[Way], failed: Sequence[Way]) -> None:
        if self.negated:
            held, failed = [way if EXCEPT in way else (*way, EXCEPT) for way in failed], held
        self.held, self.failed, self.negated = (
            held,
            _without_repeats((*self.failed, *failed)),
            False,
        )

    def go_on(self) -> None:
        """As tests do that have no word between them."""

    def negate(self) -> None:
        self.negated = not self.negated

    def otherwise(self) -> None:
        self.held, self.failed, self.earlier = self.failed, (), self.true()

    def anew(self) -> None:
        """After a comma; find may try what stands before it last, and then goes by that."""
        self.held, self.earlier = self.start, self.true()

    def true(self) -> Sequence[Way]:
        return _without_repeats((*self.earlier, *self.held))


_OPERATORS: dict[str, Callable[[_Bracket], None]] = {
    **dict.fromkeys(("!", "-not"), _Bracket.negate),
    **dict.fromkeys(("-a", "-and"), _Bracket.go_on),
    **dict.fromkeys(("-o", "-or"), _Bracket.otherwise),
    ",": _Bracket.anew,
}


def tests(words: Sequence[str]) -> Iterator[Test]:
    """Each word of an expression, with the words that belong to it."""
    at = 0
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
        yield word, list(words[at:end])
        at = end + (word in RUNS)


def _ran_until(words: Sequence[str], at: int) -> int:
    """Where the words of a program that is run end: at a semicolon, or at a plus behind the files."""
    while at < len(words) and words[at] != ";" and words[at - 1 : at + 1] != ["{}", "+"]:
        at += 1
    return at


def deeds(asked: Iterable[Test]) -> list[Deed]:
    """Whatever is done with files; they are printed where nothing else is done."""
    done: list[Deed] = []
    brackets = [_Bracket(((),))]
    for word, own in asked:
        bracket = brackets[-1]
        if word == "(":
            brackets.append(_Bracket(bracket.held))
        elif word == ")":
            _close(brackets)
        elif word in _OPERATORS:
            _OPERATORS[word](bracket)
        else:
            if word in _ACTIONS:
                done.append((word, own, bracket.held))
            bracket.asked(*_tried(word, own, bracket.held))
    return done or [("-print", [], brackets[0].true())]


def _close(brackets: list[_Bracket]) -> None:
    if len(brackets) > 1:
        inner = brackets.pop()
        brackets[-1].asked(inner.true(), inner.failed)


def _tried(
    word: str, own: Sequence[str], ways: Sequence[Way]
) -> tuple[Sequence[Way], Sequence[Way]]:
    """The ways on which a test or action may hold, and those on which it may not."""
    if word in _NEVER_FAILS:
        return ways, ()
    value = own[0] if own else ""
    asks = _asks(word, value) if len(value) <= LONGEST else (UNKNOWN, "")
    if asks is None:
        return ways, ways
    return _without_repeats(
        [way if asks in way else (*way, asks)[:_MOST_ASKED] for way in ways]
    ), ways


def _without_repeats(ways: Iterable[Way]) -> Sequence[Way]:
    """Each way once, as long as they are not too many."""
    unlike = tuple(dict.fromkeys(ways))
    return unlike if len(unlike) <= MOST_PLACES else as_one(unlike)


def as_one(ways: Sequence[Way]) -> Sequence[Way]:
    """Of many ways no more than whether something is asked on each."""
    return ((),) if () in ways else (((UNKNOWN, ""),),)


def _asks(word: str, value: str) -> tuple[str, str] | None:
    """What a test asks, in few words; None where it leaves hardly a file out."""
    if word.startswith("-i"):
        value = value.lower()
    word = _MEANS.get(word, word)
    if word in _REGEX:
        pattern = as_pattern(value)
        if pattern.strip("*"):
            return PATH, pattern
        return (UNKNOWN, "") if all(map(has_letters, value.split("|"))) else None
    if word == NAME:
        return (NAME, value) if value[:1] == "." or has_letters(value) else None  # hidden ones
    if word == PATH:
        return (PATH, value) if value.strip("*") else None
    if word == NO_FOLDER:
        return None if "d" in value else (NO_FOLDER, "")
    return (word, "") if word in _BY_KIND or word.startswith("-newer") else None


def has_letters(pattern: str) -> bool:
    """Whether a pattern asks for more than dots and wildcards."""
    for sign in ("[!", "[^"):
        while sign in pattern:
            before, _, rest = pattern.partition(sign)
            pattern = before + rest.partition("]")[2]
    return pattern.strip(f"{_SIGNS}./") != ""


def as_pattern(regex: str) -> str:
    """A plain regular expression as a wildcard; `*` for one that is not so plain."""
    out: list[str] = []
    at = 0
    while at < len(regex):
        letter, following = regex[at], regex[at + 1 : at + 2]
        at += 1
        if letter == "." and following == "*":
            out.append("*")
            at += 1
        elif letter == ".":
            out.append("?")
        elif letter == "\\" and following in {".", "-", "/", "_"}:
            out.append(following)
            at += 1
        elif letter in _SIGNS:
            return "*"
        else:
            out.append(letter)
    return "".join(out)
