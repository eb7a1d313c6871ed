"""What `echo` and `printf` print: their words, put together as their options and format say."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR, known
from drumline.team.shell.printed_words import as_date
from drumline.team.shell.text import ansi_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.state import Shell

_MOST_VALUES = 64
_MOST_PIECES = 2_000  # that are printed, at most
_LONGEST_SIZE = 2  # digits of a width or a precision worth following
_MOST_DIGITS = 18
_MOST_FLAGS = 8  # a directive with more of them is not known
_OCTAL = "01234567"
_PLAIN = "_@%+=:,./-"  # what `%q` leaves as it is, beside letters and digits
_FORMAT, _VALUE, _ECHO = "format", "value", "echo"  # who reads a backslash: each in its own way


class _Cut(str):
    """Text behind which nothing more is printed."""

    __slots__ = ()


class _Directive:
    """One `%` of a printf format; an empty kind is one that printf does not know."""

    __slots__ = ("flags", "kind", "moment", "precision", "width")

    def __init__(self, flags: str, width: str, precision: str | None, kind: str) -> None:
        self.flags, self.width, self.precision, self.kind = flags, width, precision, kind
        self.moment = ""  # how `%(...)T` shows a date


def echo(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin
    words, escapes, end = argv[1:], "-xpg_echo" in shell.variables, "\n"
    while words and words[0][:1] == "-" and words[0][1:] and not words[0][1:].strip("neE"):
        escapes = escapes or "e" in words[0]
        end = "" if "n" in words[0] else end
        words = words[1:]
    text = " ".join(words)
    shown = _backslashed(text, _ECHO) if escapes else text
    return str(shown) if isinstance(shown, _Cut) else shown + end


def printf(argv: list[str], stdin: str, shell: Shell) -> str:
    """A format is gone through again as long as values are left."""
    del stdin, shell
    words = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if len(words) > _MOST_VALUES:
        return HOLE
    pieces, left = _pieces(words[0] if words else ""), words[1:]
    if len(pieces) * len(words) > _MOST_PIECES:
        return HOLE
    said: list[str] = []
    before = -1
    while len(left) != before and (left or before < 0):
        before = len(left)
        for piece in pieces:
            said.append(piece if isinstance(piece, str) else _converted(piece, left))
            if isinstance(said[-1], _Cut):
                return "".join(said)
    return "".join(said)


def _backslashed(text: str, reader: str) -> str:
    """Text with what its backslashes stand for."""
    at = text.find("\\")
    said = [text[:at] if at >= 0 else text]
    while 0 <= at < len(text):
        end = text.find("\\", at + 2)
        end = len(text) if end < 0 else end
        if text[at + 1 : at + 2] == "c" and reader != _FORMAT:
            return _Cut("".join(said))
        said.append(_meant(text[at:end], reader))
        at = end
    return "".join(said)


def _meant(text: str, reader: str) -> str:
    """What stands for a backslash, the letters it changes and the letters behind."""
    letter = text[1:2]
    if reader == _FORMAT:
        return text if letter == "c" else ansi_c(text, braces=False)
    if letter == "0":
        digits = _run(text[2:5], _OCTAL)
        return chr(int(digits or "0", 8) % 256) + text[2 + len(digits) :]
    if letter in "\"'?" or (reader == _ECHO and letter in _OCTAL):
        return text
    return ansi_c(text, braces=False)


def _run(text: str, letters: str) -> str:
    """How a text begins, as far as it has no other letters."""
    return text[: len(text) - len(text.lstrip(letters))]


def _pieces(shape: str) -> list[str | _Directive]:
    """A format cut at its `%`; a backslash never makes one."""
    pieces: list[str | _Directive] = []
    at = 0
    while at < len(shape):
        if shape[at] != "%":
            end = shape.find("%", at)
            end = len(shape) if end < 0 else end
            pieces.append(_backslashed(shape[at:end], _FORMAT))
        elif shape[at + 1 : at + 2] == "%":
            end = at + 2
            pieces.append("%")
        else:
            directive, end = _directive(shape, at + 1)
            pieces.append(directive)
        at = end
    return pieces


def _directive(shape: str, at: int) -> tuple[_Directive, int]:
    """What a `%` asks for, and where the format goes on."""
    flags = _run(shape[at : at + _MOST_FLAGS], "-+ #0'")
    at += len(flags)
    width = _run(shape[at : at + _MOST_FLAGS], "*0123456789")
    at += len(width)
    precision = None
    if shape[at : at + 1] == ".":
        precision = _run(shape[at + 1 : at + _MOST_FLAGS], "*0123456789")
        at += 1 + len(precision)
    at += len(
        _run(shape[at : at + _MOST_FLAGS], "hlLjzt")
    )  # how long a number is: it changes no letter
    found = _Directive(flags, width, precision, shape[at : at + 1])
    if found.kind != "(":
        return found, at + 1
    end = shape.find(")T", at)
    found.kind, found.moment = ("T", shape[at + 1 : end]) if end > 0 else ("", "")
    return found, end + 2 if end > 0 else len(shape)


def _converted(asked: _Directive, left: list[str]) -> str:
    """What a directive prints; the values it takes are taken out of those left."""
    width = _size(asked.width, left)
    precision = None if asked.precision is None else _size(asked.precision, left)
    value = left.pop(0) if left else ""
    if width is None or (precision is None and asked.precision is not None):
        return HOLE
    if asked.kind in _NUMBERS:
        return _number(asked, width, value)
    if asked.kind in _WHOLE:
        return _WHOLE[asked.kind](asked, value) if not width and precision is None else HOLE
    if asked.kind not in _SHOWN:
        return HOLE
    text = _SHOWN[asked.kind](value)
    shown = _cut_and_filled(text, asked.flags, width, precision)
    return _Cut(shown) if isinstance(text, _Cut) else shown


def _size(written: str, left: list[str]) -> int | None:
    """A width or a precision; None where nobody can tell, or where it is too big to follow."""
    if written == "*":
        written = left.pop(0) if left else ""
    if written and not (written.isdecimal() and len(written) <= _LONGEST_SIZE):
        return None
    return int(written or "0")


def _cut_and_filled(value: str, flags: str, width: int, precision: int | None) -> str:
    if not known(value):  # how long it is nobody knows: blanks change none of its words, a cut does
        return value if precision is None else HOLE
    value = value if precision is None else value[:precision]
    return value.ljust(width) if "-" in flags else value.rjust(width)


def _number(asked: _Directive, width: int, value: str) -> str:
    """A number as it is written; of any other all we know is that it is one."""
    digits = value.removeprefix("-") or "0"
    written = digits.isdecimal() and (digits == "0" or digits[0] != "0")
    if asked.kind not in "diu" or not written or len(digits) > _MOST_DIGITS:
        return STAR
    if asked.precision is not None or "'" in asked.flags:
        return STAR
    return f"%{asked.flags}{width or ''}d" % int(value or "0")


def _requoted(asked: _Directive, value: str) -> str:
    """A value as a shell reads it back."""
    del asked
    if not known(value) or not value:
        return value or "''"
    if not value.isprintable():  # it is written as `$'…'`
        return HOLE
    return "".join(each if each.isalnum() or each in _PLAIN else f"\\{each}" for each in value)


def _dated(asked: _Directive, value: str) -> str:
    del value
    return as_date(asked.moment)


_NUMBERS = frozenset("diuoxXeEfFgGaA")
_WHOLE: dict[str, Callable[[_Directive, str], str]] = {"q": _requoted, "T": _dated}
_SHOWN: dict[str, Callable[[str], str]] = {
    "s": str,
    "c": lambda value: value[:1],
    "b": lambda value: _backslashed(value, _VALUE),
}
PRINTERS: dict[str, Callable[[list[str], str, Shell], str]] = {"echo": echo, "printf": printf}
