"""Read a simple command line without the grammar: most commands are simple.

What is taken here means the same to every shell: words, plain quotes, `;`, newlines, `&&`, `||`,
`|` and comments. At the first letter that could mean more, the reader gives up.
"""

from __future__ import annotations

from drumline.team.shell.syntax import Chain, Command, Pipeline, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.syntax import Part, Script, Step, Word

LONGEST = 4_000  # letters: longer ones are mostly data, which the grammar's reader sets aside

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=^*?[]")
_RESERVED = frozenset(
    "if then else elif fi for while until do done case esac in function select time coproc "
    "alias unalias export declare typeset local readonly unset let eval exec source . trap { } ! "
    "[[ ]]".split()
)


def read(text: str) -> Script | None:
    """The script, or None where only the grammar can tell."""
    if len(text) > LONGEST:
        return None
    reading = _Reading()
    at = 0
    while at < len(text):
        letter = text[at]
        if letter in " \t":
            at += 1
        elif letter == "#":
            at = _line_end(text, at)
        elif letter in ";\n|&":
            at, kind = _separator(text, at)
            if not reading.ended(kind):
                return None
        else:
            at, word = _word(text, at)
            if not reading.took(word):
                return None
    return tuple(reading.steps) if reading.ended(";") and not reading.waits() else None


class _Reading:
    """What was read so far: finished steps, a chain, a pipeline and a command in the making."""

    __slots__ = ("chain", "line", "signs", "steps", "words")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.chain: list[Step] = []
        self.signs: list[str] = []  # what stands between the steps of the chain
        self.line: list[Step] = []
        self.words: list[Word] = []

    def took(self, word: Word) -> bool:
        """Add a word; False where it means more than a word."""
        if not word or (not self.words and not _starts_a_command(word)):
            return False
        self.words.append(word)
        return True

    def waits(self) -> bool:
        """Whether `&&` or `||` was last, and its command is still to come."""
        return bool(self.signs) and len(self.signs) == len(self.chain) and not self.words

    def ended(self, kind: str) -> bool:
        """End a command, and the pipeline and chain with it where they end; False if it may not end."""
        if not kind or (not self.words and (self.line or kind == "|")):
            return False
        if kind == ";" and self.waits():
            return True  # a chain goes on over the end of a line
        if self.words:
            self.line.append(Command(self.words))
            self.words = []
        if kind != "|" and self.line:
            self.chain.append(self.line[0] if len(self.line) == 1 else Pipeline(self.line))
            self.line = []
        if kind == ";" and self.chain:
            first, *rest = self.chain
            links = list(zip(self.signs, rest, strict=False))
            self.steps.append(Chain(first, links) if links else first)
            self.chain, self.signs = [], []
        elif kind in {"&&", "||"}:
            self.signs.append(kind)
        return True


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _separator(text: str, at: int) -> tuple[int, str]:
    """What ends this command: `;`, `&&` or `||` before the next, `|` into it, or nothing we know."""
    two = text[at : at + 2]
    if two in {"&&", "||"}:
        return at + 2, two
    if two in {";;", "|&"} or text[at] == "&":
        return at, ""
    return at + 1, "|" if text[at] == "|" else ";"


def _word(text: str, at: int) -> tuple[int, Word]:
    """The word that starts here; empty when it needs the grammar."""
    parts: list[Part] = []
    while at < len(text):
        letter = text[at]
        if letter in _BARE:
            start = at
            while at < len(text) and text[at] in _BARE:
                at += 1
            parts.append(Text(text[start:at]))
        elif letter in "'\"":
            at, part = _quoted(text, at)
            if part is None:
                return at, ()
            parts.append(part)
        elif letter in " \t;\n|&":
            break
        else:
            return at, ()
    return at, tuple(parts)


def _quoted(text: str, at: int) -> tuple[int, Part | None]:
    end = text.find(text[at], at + 1)
    inside = text[at + 1 : end]
    if end < 0 or (text[at] == '"' and any(letter in "$`\\!" for letter in inside)):
        return at, None
    return end + 1, Text(inside, quoted=True)


def _starts_a_command(word: Word) -> bool:
    """Whether a first word is a program's name, and neither an assignment nor the shell's own."""
    first = word[0]
    if not isinstance(first, Text) or first.quoted:
        return True
    return "=" not in first.text and first.text not in _RESERVED
