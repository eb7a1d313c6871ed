"""Text that is data lifted out of a script, so that what is left is short and every reader gets it right.

`cat <<'E' | sh` with its body below becomes `cat <GIVEN0 | sh`: the mark GIVEN and a number stand for
the body, and a here-string's word gets the mark before it. A long quoted string becomes LONG and a
number. What remains is bounded, because a grammar may take a time that grows with its square.
"""

from __future__ import annotations

import re

from drumline.team.shell.spelling import begins_command, unescaped_in
from drumline.team.shell.text import ansi_c

GIVEN = "\ufdd6"  # at the start of a redirection's word: not a file, but the text itself
LONG = "\ufdd7"  # around a number: a quoted string kept elsewhere
LONG_FROM = 200  # letters from which a quoted string is worth lifting
MOST_LETTERS = 12_000  # of what remains
MOST_OPERATORS = 800
MOST_BRACKETS = 300

_COMMAND, _PARENS, _TICKS, _DOUBLE, _SUM = "command", "parens", "ticks", "double", "sum"
_CASE = "case"
_BLANK = " \t\n;|&()"
_STOP = re.compile(r"[\\'\"#\n()`$<>|&]|\b(?:case|esac)\b")
_STOP_IN_DOUBLE = re.compile(r"[\\\"`$]")
_QUOTED = re.compile(r"""\\(?:.|\n)|\$'(?:[^'\\]|\\.)*'|'[^']*'|\$?"(?:[^"\\]|\\(?:.|\n))*\"""")


def _unquoted(piece: str) -> str:
    """What a quoted piece of a word stands for."""
    if piece[0] == "\\":
        return piece[1:].replace("\n", "")
    if piece.startswith("$'"):
        return ansi_c(piece[2:-1])
    if piece[0] == "'":
        return piece[1:-1]
    return unescaped_in(piece.lstrip("$")[1:-1], '\\"$`\n')


class Lifted:
    """A script without its data, and the data by number."""

    __slots__ = ("bodies", "text", "too_much")

    def __init__(self, text: str, bodies: list[tuple[str, bool]], *, too_much: bool) -> None:
        self.text, self.bodies = text, bodies  # a body, and whether its variables live
        self.too_much = too_much


class _Waiting:
    """A here-document whose body comes after the end of the line."""

    __slots__ = ("at", "delimiter", "quoted", "strips")

    def __init__(self, at: int, delimiter: str, *, quoted: bool, strips: bool) -> None:
        self.at, self.delimiter = at, delimiter
        self.quoted, self.strips = quoted, strips


def lifted(text: str) -> Lifted:
    """The same script with its data elsewhere."""
    if len(text) <= LONG_FROM and "<<" not in text and "\\\n" not in text:
        return Lifted(text, [], too_much=False)
    return _Lifting(text).done()


def too_live(quoted: str) -> bool:
    """Whether the substitutions in a quoted text are too long to be read; the text around them may be long."""
    return _Lifting(quoted, prose=True).done().too_much


class _Lifting:
    """One pass over the text, knowing at each letter which brackets and quotes it stands in."""

    def __init__(self, text: str, *, prose: bool = False) -> None:
        self._text, self._at = text, 0
        self._prose = prose  # whether what stands in double quotes counts for nothing
        self._out: list[str] = []
        self._bodies: list[tuple[str, bool]] = []
        self._inside = [_COMMAND]
        self._waiting: list[_Waiting] = []
        self._operators = self._letters = 0

    def done(self) -> Lifted:
        while self._at < len(self._text):
            if self._letters > MOST_LETTERS or self._operators > MOST_OPERATORS:
                return Lifted("", [], too_much=True)
            double = self._inside[-1] == _DOUBLE
            found = (_STOP_IN_DOUBLE if double else _STOP).search(self._text, self._at)
            self._copy((found.start() if found else len(self._text)) - self._at)
            if found and double:
                self._in_double_quotes()
            elif found:
                self._in_command()
        self._take_bodies()
        text = "".join(self._out)
        too_much = self._letters > MOST_LETTERS or text.count("[") > MOST_BRACKETS
        return Lifted(text, self._bodies, too_much=too_much)

    def _copy(self, length: int) -> None:
        if length:
            self._out.append(self._text[self._at : self._at + length])
            self._at += length
            if not (self._prose and self._inside[-1] == _DOUBLE):
                self._letters += length

    def _in_double_quotes(self) -> None:
        letter = self._text[self._at]
        if letter == "\\":
            self._escaped()
        elif letter == '"':
            self._inside.pop()
            self._copy(1)
        elif not self._opens():
            self._copy(1)

    def _in_command(self) -> None:
        letter = self._text[self._at]
        if letter == "\\":
            self._escaped()
        elif letter in "'\"":
            self._quotes(letter)
        elif letter == "#":
            self._comment()
        elif letter == "\n":
            self._copy(1)
            self._take_bodies()
        elif letter in "ce":
            self._case_or_its_end()
        elif letter in "()" or not self._opens():
            self._operators += 1
            self._brackets_or_operator(letter)

    def _case_or_its_end(self) -> None:
        """Patterns of a case close brackets that nobody opened."""
        begins = len(self._inside) > 1 and begins_command(self._text, self._at)
        if begins and self._text[self._at] == "c":
            self._inside.append(_CASE)
        elif begins and self._inside[-1] == _CASE:
            self._inside.pop()
        self._copy(4)

    def _escaped(self) -> None:
        """A letter behind a backslash; a line end behind one is nothing at all."""
        if self._text.startswith("\\\n", self._at):
            self._at += 2
        else:
            self._copy(2)

    def _comment(self) -> None:
        if self._at and self._text[self._at - 1] not in _BLANK:
            self._copy(1)
            return
        end = self._text.find("\n", self._at)
        self._copy((len(self._text) if end < 0 else end) - self._at)

    def _quotes(self, quote: str) -> None:
        """A quoted stretch: kept elsewhere when it is long and nothing in it lives."""
        dollar = self._text[self._at - 1 : self._at] == "$"
        if quote == "'" and dollar:
            self._copy(self._ansi_end() - self._at)
            return
        end = self._text.find(quote, self._at + 1)
        inside = self._text[self._at + 1 : end] if end > 0 else ""
        dead = quote == "'" or not any(letter in inside for letter in "$`\\")
        if end - self._at > LONG_FROM and dead and not dollar:
            self._out.append(f"{LONG}{len(self._bodies)}{LONG}")
            self._bodies.append((inside, False))
            self._at = end + 1
        elif quote == "'":
            self._copy((end if end > 0 else len(self._text)) + 1 - self._at)
        else:
            self._inside.append(_DOUBLE)
            self._copy(1)

    def _ansi_end(self) -> int:
        end = self._at + 1
        while end < len(self._text) and self._text[end] != "'":
            end += 2 if self._text[end] == "\\" else 1
        return end + 1

    def _opens(self) -> bool:
        """A substitution begins, or a backtick ends one; it is copied."""
        if self._text.startswith("$((", self._at):
            self._inside.append(_SUM)
            self._copy(3)
        elif self._text.startswith("$(", self._at):
            self._inside.append(_PARENS)
            self._copy(2)
        elif self._text[self._at] == "`":
            if self._inside[-1] == _TICKS:
                self._inside.pop()
            else:
                self._inside.append(_TICKS)
            self._copy(1)
        else:
            return False
        self._operators += 1
        return True

    def _brackets_or_operator(self, letter: str) -> None:
        if self._inside[-1] == _SUM and self._text.startswith("))", self._at):
            self._inside.pop()
            self._copy(2)
        elif letter == "(":
            double = self._text.startswith("((", self._at)
            self._inside.append(_SUM if double else _PARENS)
            self._copy(2 if double else 1)
        elif letter == ")":
            if len(self._inside) > 1 and self._inside[-1] != _CASE:
                self._inside.pop()
            self._copy(1)
        elif self._text.startswith("<<<", self._at):
            self._at += 3
            self._skip_blanks()
            self._out.append("<" + GIVEN)
        elif self._text.startswith("<<", self._at) and self._inside[-1] != _SUM:
            self._heredoc()
        else:
            self._copy(1)

    def _heredoc(self) -> None:
        """`<<`, perhaps `-`, and the delimiter; a place is kept for the body."""
        self._at += 2
        strips = self._text.startswith("-", self._at)
        self._at += strips
        self._skip_blanks()
        delimiter, quoted = self._delimiter()
        self._waiting.append(_Waiting(len(self._out), delimiter, quoted=quoted, strips=strips))
        self._out.append(f"<{GIVEN}")

    def _delimiter(self) -> tuple[str, bool]:
        """The word that ends a body, without its quotes, and whether it had any."""
        out: list[str] = []
        quoted = False
        while self._at < len(self._text) and self._text[self._at] not in _BLANK + "<>":
            found = _QUOTED.match(self._text, self._at)
            piece = found[0] if found else self._text[self._at]
            self._at += len(piece)
            quoted = quoted or (found is not None and piece != "\\\n")
            out.append(_unquoted(piece) if found else piece)
        return "".join(out), quoted

    def _skip_blanks(self) -> None:
        while self._text[self._at : self._at + 1] in {" ", "\t"}:
            self._at += 1

    def _take_bodies(self) -> None:
        for waiting in self._waiting:
            self._out[waiting.at] = f"<{GIVEN}{LONG}{len(self._bodies)}{LONG}"
            body = self._body(waiting).removesuffix("\n")  # a here-string brings its own
            self._bodies.append((body, not waiting.quoted))
        self._waiting.clear()

    def _body(self, waiting: _Waiting) -> str:
        lines: list[str] = []
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            end = len(self._text) if end < 0 else end
            line = self._text[self._at : end]
            self._at = min(end + 1, len(self._text))
            line = line.lstrip("\t") if waiting.strips else line
            if line == waiting.delimiter:
                break
            lines.append(line + "\n")
        return "".join(lines)
