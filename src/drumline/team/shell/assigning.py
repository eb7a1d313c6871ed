"""Builtins that give variables their values: declare and its kin, read and mapfile."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, STAR, changed_identity, undecided
from drumline.team.shell.expand import plain_blanks
from drumline.team.shell.holding import Gone, array_of, written
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import Listing
from drumline.team.shell.text import quoted
from drumline.team.shell.ways import ABSENT, MOST_WAYS, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.options import Words
    from drumline.team.shell.state import Shell

_BLANKS = " \t\n"
_BACKSLASH = "\ufdd7"  # one that is a letter, while the others are taken off


def exported(shell: Shell, words: list[str]) -> str:
    """`export`: programs are told; with -n they no longer are."""
    hides = taken_apart(words).has("-n")
    for name in _declared(shell, words, own=False):
        if hides:
            _hidden(shell, name)
        else:
            shell.exported.add(name)
    return ""


def _hidden(shell: Shell, name: str) -> None:
    """Programs started from here no longer know a name; this shell does."""
    shell.exported.discard(name)
    if name.startswith(("DRUMLINE_", "LOA_")):
        shell.note(changed_identity(name))


def read_only(shell: Shell, words: list[str]) -> str:
    shell.kept_as_is.update(_declared(shell, words, own=False))
    return ""


def declared(shell: Shell, words: list[str]) -> str:
    """`declare`, `local` and `typeset`: a function's own names, unless -g says otherwise."""
    given = taken_apart(words)
    names = _declared(shell, words, own=not given.has("-g", "-f", "-F"))
    for name in names:
        if given.has("-x"):
            shell.exported.add(name)
        if given.has("-r"):
            shell.kept_as_is.add(name)
        if given.has("-a", "-A") and shell.variables.get(name) == HOLE:
            shell.set(name, (HOLE,))
        if given.has("-i"):
            summed(shell, [str(shell.variables.get(name, ""))])
        if given.has("-n"):
            _another_name(shell, name)
        if "+x" in words:
            _hidden(shell, name)
    return ""


def _declared(shell: Shell, words: list[str], *, own: bool) -> list[str]:
    """Give each name its value; the names."""
    names: list[str] = []
    for word in words:
        if word[:1] in {"-", "+"}:
            continue
        name, sign, value = word.partition("=")
        plain = name.removesuffix("+")
        names.append(plain)
        place = ("variables", plain)
        before = (shell.variables.get(plain, ABSENT), *shell.others.get(place, ()))
        is_own = own and shell.own(plain)
        shell.evaluate(plain)
        if sign:
            shell.set(plain, value if plain == name else _longer(shell, plain, value))
        elif is_own:
            shell.set(plain, Gone())
        if own and is_own != bool(sign):  # `local` fails outside a function, or changes nothing
            kept = without(
                shell.variables.get(plain), (each for each in before if each is not ABSENT)
            )
            shell.open_as(place, (*shell.others.get(place, ()), *kept))
    return names


def _longer(shell: Shell, name: str, value: str) -> str:
    before = shell.value(name)
    return before + value if isinstance(before, str) else HOLE + value


def _another_name(shell: Shell, name: str) -> None:
    """`declare -n name=other`: what is written to the one is written to the other."""
    other = shell.variables.get(name, "")
    if isinstance(other, str) and other:
        if other.startswith(("DRUMLINE_", "LOA_")):
            shell.note(changed_identity(other))
        shell.set(other, HOLE)
    shell.set(name, HOLE)


def summed(shell: Shell, words: list[str]) -> str:
    """Arithmetic may assign, and works out the values of the names in it, subscripts and all."""
    text = " ".join(words)
    shell.evaluate(text)
    for name in {*"".join(c if c.isalnum() or c == "_" else " " for c in text).split()}:
        value = shell.value(name) if name in shell.variables else ""
        shell.evaluate(value if isinstance(value, str) else " ".join(value or ()))
    for letter in "$(,":
        text = text.replace(letter, " ")
    for word in text.replace(" =", "=").split():
        variable, sign, _ = word.partition("=")
        if sign and variable.startswith(("DRUMLINE_", "LOA_")):
            shell.set(variable.rstrip("+-*/%&|^<>"), HOLE)
    return ""


def tested(shell: Shell, words: list[str]) -> str:
    """`test -v` works out the subscript of a name."""
    for word in words:
        if "-v" in words:
            shell.evaluate(word)
    return ""


def unset(shell: Shell, words: list[str]) -> str:
    """`unset` takes a variable away, and a function where no variable has the name, or -f asks for it."""
    given = taken_apart(words)
    for word in words:
        shell.evaluate(word)
        if word.startswith(("DRUMLINE_", "LOA_")):
            shell.note(changed_identity(word))
        elif HOLE in word:
            shell.note(undecided("which variable is unset cannot be told"))
    for name in given.operands:
        shell.asked.add(("variables", name))
        is_variable = shell.variables.get(name, ()) != ()
        if not given.has("-f", "-n"):
            _unset_variable(shell, name)
        if given.has("-f") or not (is_variable or given.has("-v", "-n")):
            shell.functions.pop(name, None)
            shell.open_as(("functions", name), ())
    return ""


def _unset_variable(shell: Shell, name: str) -> None:
    """One that may be read-only may stay; of an element it is not told which it was."""
    array = array_of(name)
    if array in shell.variables:
        shell.set(array, (HOLE,))
    elif not array:
        place = ("variables", name)
        before = (shell.variables.get(name, ABSENT), *shell.others.get(place, ()))
        shell.put(place, Gone())
        shell.open_as(place, without(Gone(), before if name in shell.kept_as_is else ()))


def read(shell: Shell, words: list[str]) -> str:
    """`read`: each name gets its part of a line, of whichever line it may be."""
    given = taken_apart(words, "-a -d -i -n -N -p -t -u")
    listed = given.value("-a")
    names = given.operands or ["REPLY"]
    ways: dict[str, dict[str | tuple[str, ...], None]] = {}
    for line in _read_lines(shell, given):
        if listed:
            ways.setdefault(listed, {})[tuple(_parted(shell, line, 0))] = None
        else:
            parts = _parted(shell, line, len(names)) if given.operands else [line]
            for at, name in enumerate(names):
                ways.setdefault(name, {})[parts[at] if at < len(parts) else ""] = None
        if min(map(len, ways.values())) > MOST_WAYS:
            break  # none of them is known any more
    for name, found in ways.items():
        values = list(found)
        shell.evaluate(name)
        before = shell.variables.get(name, ABSENT)
        shell.set(name, values[0])
        place = ("variables", name)
        also = (*shell.others.get(place, ()), *(written(each, before) for each in values))
        shell.open_as(place, without(shell.variables.get(name), also))
    return ""


def _read_lines(shell: Shell, given: Words) -> list[str]:
    """The lines `read` may read; of one that is cut short nobody can tell what is left."""
    text = shell.stdin
    if given.has("-u", "-n", "-N"):
        return [HOLE]
    if text and "\\" in text and not given.has("-r"):
        kept = _without_backslashes(text, _between(shell) + _end(given))
        text = Listing(kept) if isinstance(text, Listing) else kept
    return _lines(text, given)


def _without_backslashes(text: str, parting: str) -> str:
    """A letter behind a backslash is a letter; one that would part words is no longer what it looks like."""
    head, *rest = text.replace("\\\\", _BACKSLASH).split("\\")
    for part in rest:
        letter = HOLE if part[:1] in {*parting} else part[:1]
        head += ("" if part[:1] == "\n" else letter) + part[1:]
    return head.replace(_BACKSLASH, "\\")


def mapfile(shell: Shell, words: list[str]) -> str:
    """`mapfile`: a list of all lines, or of as many of them as it is asked for."""
    given = taken_apart(words, "-d -n -O -s -u -C -c")
    text = HOLE if given.has("-u", "-O") else shell.stdin  # -O leaves what was there before
    name = (given.operands or ["MAPFILE"])[0]
    if isinstance(text, Listing):
        lines = tuple(_lines(text, given))
        shell.set(name, lines)
        if len(lines) > 1:  # any of them may be the only one, and their order is not told
            shell.open_as(("variables", name), tuple((line,) for line in lines))
    else:
        shell.set(name, _asked_for(_lines(text, given, cut=True), given))
    if given.value("-C"):
        told = _lines(text, given, cut=True)
        for line in told if len(told) < MOST_WAYS else [HOLE]:
            shell.apart().text(f"{given.value('-C')} {STAR} {quoted(line)}")
    return ""


def _asked_for(lines: list[str], given: Words) -> tuple[str, ...]:
    """The lines that `-s` does not pass over and `-n` does not leave."""
    first, most = given.value("-s") or "0", given.value("-n") or "0"
    if lines == [HOLE] or not (first.isdecimal() and most.isdecimal()):
        return (HOLE,)
    left = lines[int(first) :]
    return tuple(left[: int(most)] if int(most) else left)


def _end(given: Words) -> str:
    """What a line ends with: the letter of `-d`; an empty one is a zero."""
    return (given.value("-d") or "\0")[0] if given.has("-d") else "\n"


def _lines(text: str | None, given: Words, *, cut: bool = False) -> list[str]:
    """What is read at a time; a zero that ends no line is left out, or what is behind it in the line."""
    end = _end(given)
    if not text or end in MARKS:
        return [HOLE]
    if isinstance(text, Listing):
        return _names(text, end)
    if HOLE in text:
        return [HOLE]
    lines = text.removesuffix(end).split(end)
    return [line.partition("\0")[0] if cut else line.replace("\0", "") for line in lines]


def _names(listing: Listing, end: str) -> list[str]:
    """Its names; where they end with something else than what is read, they are one long name."""
    ends = {letter for letter in "\n\0" if letter in listing}
    return listing.names() if ends == {end} else [*listing.names(), HOLE]


def _between(shell: Shell) -> str:
    """The letters of IFS."""
    between = shell.value("IFS")
    return between if isinstance(between, str) else _BLANKS


def _parted(shell: Shell, line: str, most: int) -> list[str]:
    """A line cut at the letters of IFS, into so many parts at most; 0 is as many as there are."""
    letters = _between(shell)
    if HOLE in line or HOLE in letters:
        return [line.strip() if most == 1 and plain_blanks(letters) else HOLE] * (most or 1)
    blanks = "".join(letter for letter in letters if letter in _BLANKS)
    rest = line.strip(blanks)
    parts: list[str] = []
    while rest and (not most or len(parts) < most - 1):
        at = next((at for at, letter in enumerate(rest) if letter in letters), len(rest))
        parts.append(rest[:at])
        rest = rest[at:].lstrip(blanks)
        if rest[:1] and rest[0] in letters and rest[0] not in blanks:
            rest = rest[1:].lstrip(blanks)
    before = rest[:-1].rstrip(blanks)
    if rest[-1:] in {*letters} and not any(letter in letters for letter in before):
        rest = before  # what only ends the last part is no part of it
    return [*parts, rest] if rest else parts
