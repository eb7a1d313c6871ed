"""Spellings that the grammar misreads, in others that it reads.

Backticks that touch it takes for one pair; an escaped blank for no word at all, so that a `#` behind it
begins a comment; a line that begins with a backslash for more words of the line before; a loop over the
arguments, `for each do`, for an error, and so a `~` alone in a test; the `0` of `0<` for a word; a `$` alone for
the beginning of what follows; in `$'…'` each quote behind a backslash for a letter; `[` for a bracket, whose
errors hide what stands behind them; `time` for a program, and after `!` the words of a loop, an `if`, a `case`
or a group too.
"""

from __future__ import annotations

import re

from drumline.team.shell.text import ansi_c
from drumline.team.shell.text import quoted as as_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE_COMMENT = " \t\n;&|()<>"
_BEFORE_COMMAND = ("", *"\n;&|({)")  # a bracket ends a pattern of a case
_KEYWORDS = frozenset("then do else elif if while until time !".split())
_WORD_ENDS = re.compile(r"[\s;&|(){}]")
# signs before a command that change nothing of what it runs; with other options `time` is a program
_BEFORE_COMMANDS = re.compile(
    r"time[ \t]+(?:-p[ \t]+)?(?:--[ \t]+)?(?!-)|!\s+(?=(?:for|if|while|until|case|select|\{|!|time)\s)"
)
_MISREAD = re.compile(
    r"(?:^|[\s;&|(])(?:0<|\[[\s;&|<>)])|\$['\"]|\$(?=[\s;&|<>)]|$)|[=~][ \t]+~(?=[ \t])|\\\r"
)
_ESCAPED = tuple("$`\\\n")  # what a backslash escapes in a here-document
_BLANKS = ("\\ ", "\\\t", "\\\r")
_BEFORE_WORD = ("", *" \t\n;&|(")
_TESTS = ("=", "~")  # how signs end that compare with what follows
_AFTER_WORD = " \t\n;&|<>)"
_FAR_ENOUGH = 80  # letters to look back for the word before


TEST = "'['"  # the program, where the grammar would take the letter for a bracket
MISSPELT = "it is spelled in a way that can be read as two things"


class Misspelt(ValueError):
    """A script that the grammar would misread and that cannot be spelled another way."""


def spelled_out(text: str) -> str:
    """The same script, as the grammar reads it."""
    return "".join(_spelled(text)) if _is_misread(text) else text


def inside_backticks(text: str, *, quoted: bool) -> str:
    """The script in a substitution with backticks: what it escapes depends on the quotes around it."""
    return unescaped_in(text[1:-1], '`\\$"' if quoted else "`\\$")


def in_quotes(document: str) -> str:
    """A here-document in which variables live, as a word in double quotes: its own quotes are letters."""
    out: list[str] = []
    at = 0
    while at < len(document):
        letter = document[at]
        end = _lively(document, at)
        if end > at:
            out.append(document[at:end])
        elif letter == "\\" and document[at + 1 : at + 2] in _ESCAPED:
            end = at + 2
            out.append(document[at:end])
        else:
            end = at + 1
            out.append(f"\\{letter}" if letter in '\\"' else letter)
        at = end
    return f'"{"".join(out)}"'


def _is_misread(text: str) -> bool:
    if any(blank in text for blank in _BLANKS) or not all(map(str.strip, text.split("`")[1:-1])):
        return True
    if _MISREAD.search(text) or _BEFORE_COMMANDS.search(text):
        return True
    words = text.split() if "for " in text else []
    return any(line.lstrip().startswith("\\") for line in text.split("\n")[1:]) or (
        "for",
        "do",
    ) in zip(words, words[2:], strict=False)


def _spelled(text: str) -> Iterator[str]:
    line = passed = 0
    for at, piece, quoted, _ in _pieces(text):
        if at < passed:
            continue
        if piece in {"!", "t"} and not quoted and (passed := _passed_over(text, at)):
            yield " "
        elif piece[0] == "`":  # a comment in it ends before the bracket
            inside = spelled_out(inside_backticks(piece, quoted=quoted))
            yield f"$({inside}\n)" if inside.strip() else ""
        elif quoted:
            yield piece
        elif _is_escape(piece) and (piece in _BLANKS or not text[line:at].strip()):
            yield f"'{piece[1]}'"
        else:
            yield _bare_piece(text, at, piece)
        line = at + 1 if piece == "\n" else line


def _bare_piece(text: str, at: int, piece: str) -> str:
    """What stands in no quotes."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    ends = not after or after in _AFTER_WORD
    if piece.startswith("$'"):
        piece = as_quoted(ansi_c(piece[2:-1]))
    elif piece == "0" and after == "<" and before in _BEFORE_WORD:
        piece = ""
    elif piece == "$" and (ends or after == '"'):
        piece = "\\$" if ends else ""  # before a quote it begins text in the user's own language
    elif (
        piece == "~"
        and ends
        and before in {" ", "\t"}
        and text[max(0, at - _FAR_ENOUGH) : at].rstrip(" \t")[-1:] in _TESTS
    ):
        piece = '"$HOME"'
    elif piece == "[" and after and ends and begins_command(text, at):
        piece = TEST
    elif _begins_body(text, at):
        piece = f";{piece}"
    return piece


def _passed_over(text: str, at: int) -> int:
    """Where a sign before a command ends that changes nothing of what it runs."""
    found = _BEFORE_COMMANDS.match(text, at)
    return found.end() if found and begins_command(text, at) else 0


def _is_escape(piece: str) -> bool:
    return piece[0] == "\\" and piece[1:] not in {"", "\n", "'"}


def _begins_body(text: str, at: int) -> bool:
    """Whether the body of a loop begins here, with nothing but the loop's name before it."""
    if text[at : at + 2] != "do" or not text[at + 2 : at + 3].isspace():
        return False
    _, loop, name = text[max(0, at - _FAR_ENOUGH) : at].rpartition("for ")
    whole = bool(loop) and name.strip(" ").isidentifier()
    return whole and begins_command(text, at - len(loop) - len(name))


def begins_command(text: str, at: int) -> bool:
    before = text[max(0, at - _FAR_ENOUGH) : at]
    head = before.rstrip(" \t")
    return head[-1:] in _BEFORE_COMMAND or (
        head != before and _WORD_ENDS.split(head)[-1] in _KEYWORDS
    )


def _pieces(
    text: str, at: int = 0, *, quoted: bool = False
) -> Iterator[tuple[int, str, bool, int]]:
    """Each passage, where it is, whether it stands in quotes, and how many brackets are open behind it."""
    # whether the text around each of these brackets is quoted; None: a case
    around: list[bool | None] = []
    before = ""
    while at < len(text):
        end = _passage(text, at, quoted=quoted)
        if end < 0:
            raise Misspelt
        piece = text[at:end]
        if piece == "(" and (not quoted or before == "$"):
            around.append(quoted)
            quoted = False
        elif piece == ")" and not quoted and around:
            quoted = _closing(around)
        elif around and not quoted and piece in {"c", "e"}:
            _enter_or_leave_case(text, at, around)
        yield at, piece, quoted, len(around)
        quoted ^= piece == '"'
        before, at = piece, end
    if around:
        raise Misspelt


def _closing(around: list[bool | None]) -> bool:
    """Whether the text behind this bracket is quoted; behind one that ends a pattern it is as before it."""
    return bool(around.pop()) if around[-1] is not None else False


def _enter_or_leave_case(text: str, at: int, around: list[bool | None]) -> None:
    """Patterns of a case close brackets that nobody opened."""
    word = text[at : at + 5]
    if not begins_command(text, at):
        return
    if word[:4] == "case" and word[4:].isspace():
        around.append(None)
    elif word[:4] == "esac" and not word[4:].isalnum() and around[-1] is None:
        around.pop()


def _passage(text: str, at: int, *, quoted: bool) -> int:
    """Where what begins here ends: an escaped letter, a quote, a comment, a substitution, or one letter."""
    two = text[at : at + 2]
    if two[0] == "\\" or two == "$$":
        return at + len(two)
    if two[0] == "`":
        return _closed(text, at, "`", escapes=True)
    if quoted:
        return at + 1
    if two == "$'" or two[0] == "'":
        dollar = two[0] == "$"
        return _closed(text, at + dollar, "'", escapes=dollar)
    if two[0] == "#" and (at == 0 or text[at - 1] in _BEFORE_COMMENT):
        end = text.find("\n", at)
        return end if end > 0 else len(text)
    return at + 1


def _closed(text: str, at: int, mark: str, *, escapes: bool) -> int:
    at += 1
    while at < len(text) and text[at] != mark:
        at += 2 if escapes and text[at] == "\\" else 1
    return at + 1 if at < len(text) else -1


def _lively(text: str, at: int) -> int:
    """Where a substitution or an expansion that begins here ends: its quotes are its own."""
    if text[at] == "`":
        end = _closed(text, at, "`", escapes=True)
    elif text.startswith("$(", at):
        found = (at + len(piece) for at, piece, _, depth in _pieces(text, at + 1) if not depth)
        end = next(found, -1)
    elif text.startswith("${", at):
        end = _closed_brace(text, at + 2)
    else:
        return at
    if end < 0:
        raise Misspelt  # as for the shell; whoever looked for its end once more at each sign would look for ever
    return end


def _closed_brace(text: str, at: int) -> int:
    depth = 1
    for place, piece, _, brackets in _pieces(text, at, quoted=True):
        depth += 0 if brackets else {"{": 1, "}": -1}.get(piece, 0)
        if not depth:
            return place + 1
    return -1


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
