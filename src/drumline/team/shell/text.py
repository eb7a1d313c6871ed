"""Escapes of shell text: what a backslash and an ANSI-C string stand for."""

from __future__ import annotations

from drumline.team.shell.syntax import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.syntax import Part

_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_HEXADECIMAL = "0123456789abcdefABCDEF"
_WIDTHS = {"x": 2, "u": 4, "U": 8}
_HIGHEST = 0x10FFFF


def unescaped(text: str) -> list[Part]:
    """A bare word's letters: escaped ones are quoted, an escaped line end is nothing."""
    if "\\" not in text:
        return [Text(text)]
    parts: list[Part] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            if text[at + 1] != "\n":
                parts.append(Text(text[at + 1], quoted=True))
            at += 2
        else:
            end = text.find("\\", at + 1)
            end = len(text) if end < 0 else end
            parts.append(Text(text[at:end]))
            at = end
    return parts


def ansi_c(text: str, *, braces: bool = True) -> str:
    """What stands between `$'` and `'`; for `echo` and `printf` braces around a number are letters."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\" or at + 1 >= len(text):
            out.append(text[at])
            at += 1
        elif braces and text.startswith("x{", at + 1):
            at, letter = _braced(text, at + 3)
            out.append(letter)
        else:
            at, letter = _escape(text, at + 1)
            out.append(letter)
    return "".join(out)


def _escape(text: str, at: int) -> tuple[int, str]:
    letter = text[at]
    if letter in _LETTERS:
        return at + 1, _LETTERS[letter]
    if letter in _WIDTHS:
        return _number(text, at + 1, _WIDTHS[letter], 16)
    if letter in "01234567":
        return _number(text, at, 3, 8)
    if letter == "c" and at + 1 < len(text):
        return at + 2, chr(ord(text[at + 1]) & 0x1F)
    return at + 1, "\\" + letter


def _braced(text: str, at: int) -> tuple[int, str]:
    end = at
    while end < len(text) and text[end] in _HEXADECIMAL:
        end += 1
    letter = chr(int(text[at:end][-2:] or "0", 16))
    return end + (text[end : end + 1] == "}"), letter


def _number(text: str, at: int, most: int, radix: int) -> tuple[int, str]:
    digits = _HEXADECIMAL if radix == 16 else "01234567"  # noqa: PLR2004 - hexadecimal
    end = at
    while end < len(text) and end - at < most and text[end] in digits:
        end += 1
    if end == at:
        return at, "\\" + text[at - 1]
    value = int(text[at:end], radix)
    return end, chr(value) if value <= _HIGHEST else ""


def quoted(word: str) -> str:
    """A word as a shell reads it back, letter by letter."""
    return "'" + word.replace("'", "'\\''") + "'"
