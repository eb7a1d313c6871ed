"""Builtins that give variables their values: declare and its kin, read and mapfile."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, changed_identity, undecided
from drumline.team.shell.expand import plain_blanks
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import Listing
from drumline.team.shell.ways import without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.options import Words
    from drumline.team.shell.state import Shell

_BLANKS = " \t\n"


def exported(shell: Shell, words: list[str]) -> str:
    """`export`: programs are told; with -n they no longer are."""
    hides = taken_apart(words).has("-n")
    for name in _declared(shell, words, own=False):
        shell.exported.add(name)
        if hides:
            unset(shell, [name])
    return ""


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
        if given.has("-i"):
            summed(shell, [str(shell.variables.get(name, ""))])
        if given.has("-n"):
            _another_name(shell, name)
        if "+x" in words:
            unset(shell, [name])
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
        is_own = own and shell.own(plain)
        shell.evaluate(plain)
        if sign:
            shell.set(plain, value if plain == name else _longer(shell, plain, value))
        elif is_own:
            shell.set(plain, "")
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
    for word in words:
        shell.evaluate(word)
        if word.startswith(("DRUMLINE_", "LOA_")):
            shell.note(changed_identity(word))
        elif HOLE in word:
            shell.note(undecided("which variable is unset cannot be told"))
        if not word.startswith("-"):
            shell.put(("variables", word), "")
            shell.open_as(("variables", word), ())
            shell.functions.pop(word, None)
            shell.open_as(("functions", word), ())
    return ""


def read(shell: Shell, words: list[str]) -> str:
    """`read`: each name gets its part of a line, of whichever line it may be."""
    given = taken_apart(words, "-a -d -i -n -N -p -t -u")
    lines = _lines(HOLE if given.has("-u") else shell.stdin, given)
    listed = given.value("-a")
    names = given.operands or ["REPLY"]
    ways: dict[str, list[str | tuple[str, ...]]] = {}
    for line in lines:
        if listed:
            ways.setdefault(listed, []).append(tuple(_parted(shell, line, 0)))
            continue
        parts = _parted(shell, line, len(names)) if given.operands else [line]
        for at, name in enumerate(names):
            ways.setdefault(name, []).append(parts[at] if at < len(parts) else "")
    for name, values in ways.items():
        shell.evaluate(name)
        shell.set(name, values[0])
        shell.open_as(("variables", name), without(shell.variables[name], values))
    return ""


def mapfile(shell: Shell, words: list[str]) -> str:
    """`mapfile`: a list of all lines."""
    given = taken_apart(words, "-d -n -O -s -u -C -c")
    text = HOLE if given.has("-u") else shell.stdin
    lines = tuple(_lines(text, given))
    name = (given.operands or ["MAPFILE"])[0]
    shell.set(name, lines)
    if isinstance(text, Listing) and len(lines) > 1:  # any of them may be the only one
        shell.open_as(("variables", name), tuple((line,) for line in lines))
    if given.value("-C"):
        shell.apart().text(given.value("-C"))
    return ""


def _lines(text: str | None, given: Words) -> list[str]:
    """What is read at a time: a line, or what ends with the letter of `-d`; an empty one is a zero."""
    ends = (given.value("-d") or "\0")[0] if given.has("-d") else "\n"
    told = isinstance(text, Listing) and ends in "\n\0" and not given.has("-n", "-N")
    if not text or not (told or (HOLE not in text and not isinstance(text, Listing))):
        return [HOLE]
    text = text if ends == "\0" else text.replace("\0", ends)  # else it is left out
    return text.removesuffix(ends).split(ends)


def _parted(shell: Shell, line: str, most: int) -> list[str]:
    """A line cut at the letters of IFS, into so many parts at most; 0 is as many as there are."""
    between = shell.value("IFS")
    letters = between if isinstance(between, str) else _BLANKS
    if HOLE in line or HOLE in letters:
        return [line.strip() if most == 1 and plain_blanks(between) else HOLE] * (most or 1)
    blanks = "".join(letter for letter in letters if letter in _BLANKS)
    rest = line.strip(blanks) if blanks else line
    parts: list[str] = []
    while rest and (not most or len(parts) < most - 1):
        at = next((at for at, letter in enumerate(rest) if letter in letters), len(rest))
        parts.append(rest[:at])
        rest = rest[at:].lstrip(blanks)
        if rest[:1] and rest[0] in letters and rest[0] not in blanks:
            rest = rest[1:].lstrip(blanks)
    return [*parts, rest] if rest else parts
