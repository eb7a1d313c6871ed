"""Spellings that the grammar misreads, in others that it reads.

Backticks that touch it takes for one pair; an escaped blank for no word at all, so that a `#` behind it
begins a comment; a line that begins with a backslash for more words of the line before; and a loop over
the arguments, `for each do`, for an error.
"""

from __future__ import annotations

_BEFORE_COMMENT = " \t\n;&|("
_ESCAPED = tuple("$`\\\n")  # what a backslash escapes in a here-document
_BEFORE_LOOP = ("", *"\n;&|({")
_LONGEST_NAME = 80
_BLANKS = ("\\ ", "\\\t")


def spelled_out(text: str) -> str:
    """The same script; as it stands where nothing in it is misread, or where a quote never ends."""
    return _spelled(text) or text if _is_misread(text) else text


def _is_misread(text: str) -> bool:
    if any(blank in text for blank in _BLANKS) or not all(map(str.strip, text.split("`")[1:-1])):
        return True
    words = text.split() if "for " in text else []
    return any(line.lstrip().startswith("\\") for line in text.split("\n")[1:]) or (
        "for",
        "do",
    ) in zip(words, words[2:], strict=False)


def _spelled(text: str) -> str:
    out: list[str] = []
    around: list[bool] = []  # whether the text around each open bracket is quoted
    at, line, quoted = 0, 0, False
    while at < len(text):
        end = _passage(text, at, quoted=quoted)
        if end < 0:
            return ""
        piece = text[at:end]
        if piece == "(" and (not quoted or text[at - 1 : at] == "$"):
            around.append(quoted)
            quoted = False
        elif piece == ")" and not quoted and around:
            quoted = around.pop()
        if not quoted and _begins_body(text, at):
            out.append(";")
        out.append(_replaced(piece, quoted=quoted, first=not text[line:at].strip()))
        quoted ^= piece == '"'
        at, line = end, end if piece == "\n" else line
    return "".join(out)


def _begins_body(text: str, at: int) -> bool:
    """Whether the body of a loop begins here, with nothing but the loop's name before it."""
    if text[at : at + 2] != "do" or not text[at + 2 : at + 3].isspace():
        return False
    before = text[max(0, at - _LONGEST_NAME) : at]
    head, loop, name = before.rpartition("for ")
    return bool(loop) and name.strip(" ").isidentifier() and head.rstrip(" \t")[-1:] in _BEFORE_LOOP


def _replaced(piece: str, *, quoted: bool, first: bool) -> str:
    if piece[0] == "`":
        inside = unescaped_in(piece[1:-1], '`\\$"' if quoted else "`\\$")
        return f"$({spelled_out(inside)}\n)"  # a comment in it ends before the bracket
    escapes = piece[0] == "\\" and piece[1:] not in {"", "\n", "'"}
    return f"'{piece[1]}'" if escapes and not quoted and (first or piece in _BLANKS) else piece


def _passage(text: str, at: int, *, quoted: bool) -> int:
    """Where what begins here ends: an escaped letter, a quote, a comment, a substitution, or one letter."""
    letter = text[at]
    if letter == "\\":
        return min(at + 2, len(text))
    if letter == "`":
        return _closed(text, at, "`", escapes=True)
    if quoted:
        return at + 1
    if letter == "'":
        return _closed(text, at, "'", escapes=text[at - 1 : at] == "$")
    if letter == "#" and (at == 0 or text[at - 1] in _BEFORE_COMMENT):
        end = text.find("\n", at)
        return end if end > 0 else len(text)
    return at + 1


def _closed(text: str, at: int, mark: str, *, escapes: bool) -> int:
    at += 1
    while at < len(text) and text[at] != mark:
        at += 2 if escapes and text[at] == "\\" else 1
    return at + 1 if at < len(text) else -1


def in_quotes(document: str) -> str:
    """A here-document in which variables live, as a word in double quotes: its own quotes are letters."""
    out: list[str] = []
    at = 0
    while at < len(document):
        letter = document[at]
        end = at + 1
        if letter == "`" or document.startswith("$(", at):
            end = _substituted(document, at)
            out.append(document[at:end])
        elif letter == "\\" and document[end : end + 1] in _ESCAPED:
            end += 1
            out.append(document[at:end])
        else:
            out.append(f"\\{letter}" if letter in '\\"' else letter)
        at = end
    return f'"{"".join(out)}"'


def _substituted(text: str, at: int) -> int:
    """Where a substitution ends, or the text."""
    if text[at] == "`":
        end = _closed(text, at, "`", escapes=True)
        return end if end > 0 else len(text)
    depth, quoted = 0, False
    at += 1
    while at < len(text):
        end = _passage(text, at, quoted=quoted)
        piece = text[at:end] if end > 0 else ""
        quoted ^= piece == '"'
        depth += 0 if quoted else {"(": 1, ")": -1}.get(piece, 0)
        if not depth or not piece:
            return end if piece else len(text)
        at = end
    return at


def unescaped_in(text: str, letters: str) -> str:
    """Text without the backslashes that stand before these letters; an escaped line end is nothing."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text) and text[at + 1] in letters:
            out.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)
