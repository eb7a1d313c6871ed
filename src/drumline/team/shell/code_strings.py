"""Strings of programming languages: where they end, what their escapes say, what fills them."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Part = str | tuple[str]  # letters as they stand, or code whose result stands there
    Fills = Sequence[tuple[str, str]]

PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "\n": "",
}
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_WIDTHS = {"x": 2, "u": 4, "U": 8}
_HIGHEST = 0x10FFFF
_DEEPEST = 8
_MOST_PARTS = 400


class Unreadable(Exception):
    """The text is not what its language calls code, as far as we can tell."""


def end_of_text(text: str, at: int, quote: str, fills: Fills = (), depth: int = 0) -> int:
    """Where the quote stands that closes the string whose letters begin here."""
    if fills:
        return _end_of_filled(text, at, quote, fills, depth)
    end = text.find(quote, at)
    while end >= 0:
        escape = text.find("\\", at, end)
        if escape < 0:
            return end
        at = escape + 2
        if at > end:
            end = text.find(quote, at)
    raise Unreadable


def _end_of_filled(text: str, at: int, quote: str, fills: Fills, depth: int) -> int:
    firsts = {opener[0] for opener, _ in fills} | {quote[0], "\\"}
    while at < len(text):
        letter = text[at]
        if letter not in firsts:
            at += 1
        elif letter == "\\":
            at += 2
        elif text.startswith(quote, at):
            return at
        else:
            at = _after_fill(text, at, fills, depth)
    raise Unreadable


def _after_fill(text: str, at: int, fills: Fills, depth: int) -> int:
    if text.startswith("{{", at):
        return at + 2
    for opener, closer in fills:
        if text.startswith(opener, at):
            return end_of_code(text, at + len(opener), closer, depth + 1) + 1
    return at + 1


def end_of_code(text: str, at: int, closer: str, depth: int = 0) -> int:
    """Where the bracket stands that closes the code which begins here inside a string."""
    if depth > _DEEPEST:
        raise Unreadable
    opener = "(" if closer == ")" else "{"
    level = 1
    while at < len(text):
        letter = text[at]
        if letter in "'\"`":
            at = end_of_text(text, at + 1, letter, (("${", "}"), ("#{", "}")), depth + 1)
        elif letter == opener:
            level += 1
        elif letter == closer:
            level -= 1
            if not level:
                return at
        at += 1
    raise Unreadable


def end_of_paired(text: str, at: int, opener: str) -> int:
    """Where a delimiter closes that may nest, or the same one comes again."""
    closer = PAIRS.get(opener, opener)
    level = 1
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == closer:
            level -= 1
            if not level:
                return at
        elif letter == opener:
            level += 1
        at += 1
    raise Unreadable


def unescaped(raw: str) -> str:
    """What a string's letters say once its escapes are read."""
    if "\\" not in raw:
        return raw
    out: list[str] = []
    at = 0
    while True:
        escape = raw.find("\\", at)
        if escape < 0 or escape + 1 >= len(raw):
            out.append(raw[at:])
            return "".join(out)
        out.append(raw[at:escape])
        at, letter = _escape(raw, escape + 1)
        out.append(letter)


def _escape(raw: str, at: int) -> tuple[int, str]:
    letter = raw[at]
    if letter in _LETTERS:
        return at + 1, _LETTERS[letter]
    if letter in _WIDTHS:
        if raw.startswith("{", at + 1):
            return _braced(raw, at + 2)
        return _coded(raw, at + 1, _WIDTHS[letter], _HEXADECIMAL)
    if letter in _OCTAL:
        return _coded(raw, at, 3, _OCTAL)
    if letter == "N" and raw.startswith("{", at + 1):
        end = raw.find("}", at, at + 100)
        return (end if end >= 0 else at) + 1, HOLE
    return at + 1, letter


def _braced(raw: str, at: int) -> tuple[int, str]:
    end = raw.find("}", at, at + 10)
    if end < 0:
        return at, HOLE
    return end + 1, _letter(raw[at:end], 16)


def _coded(raw: str, at: int, most: int, digits: frozenset[str]) -> tuple[int, str]:
    end = at
    while end < len(raw) and end - at < most and raw[end] in digits:
        end += 1
    return end, _letter(raw[at:end], 8 if digits is _OCTAL else 16)


def _letter(digits: str, radix: int) -> str:
    if not digits or not _HEXADECIMAL.issuperset(digits):
        return HOLE
    value = int(digits, radix)
    return chr(value) if value <= _HIGHEST else HOLE


def unquoted(raw: str, quote: str) -> str:
    """What a plain string says: only the quote and the backslash can be escaped."""
    if "\\" not in raw:
        return raw
    return raw.replace("\\\\", "\0").replace("\\" + quote, quote).replace("\0", "\\")


def filled(raw: str, fills: Fills, *, dollar: bool) -> tuple[Part, ...]:
    """A string's letters, cut where code or a variable stands between them."""
    firsts = {opener[0] for opener, _ in fills} | ({"$", "@"} if dollar else set())
    parts: list[Part] = []
    at = start = 0
    while at < len(raw):
        if raw[at] == "\\":
            at += 2
            continue
        if raw[at] not in firsts:
            at += 1
            continue
        if len(parts) > _MOST_PARTS:
            return (*parts, (HOLE,))
        code, after = _fill(raw, at, fills, dollar=dollar)
        if after > at:
            parts += [unescaped(raw[start:at]), (code,)] if code else [unescaped(raw[start:at])]
            start = after - 1 if not code else after
        at = max(after, at + 1)
    parts.append(unescaped(raw[start:]))
    return tuple(part for part in parts if part)


def _fill(raw: str, at: int, fills: Fills, *, dollar: bool) -> tuple[str, int]:
    """The code that fills the string here and where it ends; no code for a doubled brace."""
    if raw.startswith("{{", at):
        return "", at + 2
    for opener, closer in fills:
        if raw.startswith(opener, at):
            try:
                end = end_of_code(raw, at + len(opener), closer)
            except Unreadable:
                return HOLE, len(raw)
            return _code_of(raw[at + len(opener) : end], opener), end + 1
    return _variable(raw, at) if dollar else ("", at)


def _code_of(inner: str, opener: str) -> str:
    if opener == "{$" or (opener == "${" and inner.isidentifier()):
        return f"${inner}"
    if opener == "{":
        return _without_format(inner)
    return inner or HOLE


def _without_format(inner: str) -> str:
    """What an f-string prints, without how it is printed."""
    if any(letter in inner for letter in "([{'\"\\"):
        return inner
    return inner.partition(":")[0].partition("!")[0].rstrip("= ") or HOLE


def _variable(raw: str, at: int) -> tuple[str, int]:
    end = at + 1
    while end < len(raw) and (raw[end].isalnum() or raw[end] == "_"):
        end += 1
    if end == at + 1:
        return "", at
    return raw[at:end], end
