"""Here-documents and here-strings written as plain redirections the grammar always gets right.

`cat <<'E' | sh` with its body below becomes `cat <GIVEN'body' | sh`, where GIVEN is a mark no command
has. An unquoted delimiter lets variables and substitutions in the body live; so do double quotes.
"""

from __future__ import annotations

GIVEN = "\ufdd6"  # at the start of a redirection's word: not a file, but the text itself

_COMMAND, _PARENS, _TICKS, _DOUBLE, _SUM = "command", "parens", "ticks", "double", "sum"
_BLANK = " \t\n;|&()"


class _Waiting:
    """A here-document whose body comes after the end of the line."""

    __slots__ = ("at", "delimiter", "quoted", "strips")

    def __init__(self, at: int, delimiter: str, *, quoted: bool, strips: bool) -> None:
        self.at, self.delimiter = at, delimiter
        self.quoted, self.strips = quoted, strips


def lifted(text: str) -> str:
    """The same script without here-documents."""
    return _Lifting(text).done() if "<<" in text else text


class _Lifting:
    """One pass over the text, knowing at each letter which brackets and quotes it stands in."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._out: list[str] = []
        self._inside = [_COMMAND]
        self._waiting: list[_Waiting] = []

    def done(self) -> str:
        while self._at < len(self._text):
            if self._inside[-1] == _DOUBLE:
                self._in_double_quotes()
            else:
                self._in_command()
        self._bodies()
        return "".join(self._out)

    def _copy(self, length: int) -> None:
        self._out.append(self._text[self._at : self._at + length])
        self._at += length

    def _in_double_quotes(self) -> None:
        letter = self._text[self._at]
        if letter == "\\":
            self._copy(2)
        elif letter == '"':
            self._inside.pop()
            self._copy(1)
        elif not self._opens():
            self._copy(1)

    def _in_command(self) -> None:
        letter = self._text[self._at]
        if letter == "\\":
            self._copy(2)
        elif letter == "'":
            self._to_quote()
        elif letter == '"':
            self._inside.append(_DOUBLE)
            self._copy(1)
        elif letter == "#" and self._starts_a_word():
            end = self._text.find("\n", self._at)
            self._copy((end if end >= 0 else len(self._text)) - self._at)
        elif letter == "\n":
            self._copy(1)
            self._bodies()
        elif letter in ")(" or not self._opens():
            self._brackets_or_operator(letter)

    def _to_quote(self) -> None:
        """A single-quoted stretch; `$'…'` knows escapes, the plain one does not."""
        end = self._at + 1
        escapes = self._text[self._at - 1 : self._at] == "$"
        while end < len(self._text) and self._text[end] != "'":
            end += 2 if escapes and self._text[end] == "\\" else 1
        self._copy(end + 1 - self._at)

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
            if len(self._inside) > 1:
                self._inside.pop()
            self._copy(1)
        elif self._text.startswith("<<<", self._at):
            self._at += 3
            self._skip_blanks()
            self._out.append("<" + GIVEN)
        elif self._text.startswith("<<", self._at) and self._inside[-1] != _SUM:
            self._operator()
        else:
            self._copy(1)

    def _starts_a_word(self) -> bool:
        return self._at == 0 or self._text[self._at - 1] in _BLANK

    def _operator(self) -> None:
        """`<<`, perhaps `-`, and the delimiter; a place is kept for the body."""
        self._at += 2
        strips = self._text.startswith("-", self._at)
        self._at += strips
        self._skip_blanks()
        start = self._at
        quote = ""
        while self._at < len(self._text):
            letter = self._text[self._at]
            if quote:
                quote = "" if letter == quote else quote
            elif letter in "'\"":
                quote = letter
            elif letter in _BLANK + "<>":
                break
            self._at += 1
        raw = self._text[start : self._at]
        delimiter = raw.replace("'", "").replace('"', "").replace("\\", "")
        quoted = raw != delimiter
        self._waiting.append(_Waiting(len(self._out), delimiter, quoted=quoted, strips=strips))
        self._out.append(f"<{GIVEN}''")

    def _skip_blanks(self) -> None:
        while self._text[self._at : self._at + 1] in {" ", "\t"}:
            self._at += 1

    def _bodies(self) -> None:
        for waiting in self._waiting:
            body = self._body(waiting)
            if waiting.quoted:
                text = "'" + body.replace("'", "'\\''") + "'"
            else:
                text = '"' + body.replace('"', '\\"') + '"'
            self._out[waiting.at] = f"<{GIVEN}{text}"
        self._waiting.clear()

    def _body(self, waiting: _Waiting) -> str:
        lines: list[str] = []
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            end = len(self._text) if end < 0 else end
            line = self._text[self._at : end]
            self._at = min(end + 1, len(self._text))
            line = line.lstrip("\t") if waiting.strips else line
            if line == waiting.delimiter or line.rstrip(")") == waiting.delimiter != line:
                self._at -= len(line) - len(waiting.delimiter) + (line != waiting.delimiter)
                break
            lines.append(line + "\n")
        return "".join(lines)
