"""Read a simple command line without the grammar: most commands are simple.

What is taken here means the same to every shell: words, plain quotes, `;`, newlines, `&&`, `||`,
`|` and comments. At the first letter that could mean more, the reader gives up.
"""

from __future__ import annotations

from drumline.team.shell.syntax import Command, Maybe, Pipeline, Text

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
    steps: list[Step] = []
    chain: list[Step] = []
    line: list[Step] = []
    words: list[Word] = []
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter in " \t":
            at += 1
        elif letter in ";\n|&":
            at, kind = _separator(text, at)
            if not kind or not _close(kind, words, line, chain):
                return None
            _link(kind, chain, steps)
            words = []
        elif letter == "#":
            found = text.find("\n", at)
            at = end if found < 0 else found
        else:
            at, word = _word(text, at)
            if not word or (not words and not _starts_a_command(word)):
                return None
            words.append(word)
    if not _close(";", words, line, chain):
        return None
    _link(";", chain, steps)
    return tuple(steps)


def _separator(text: str, at: int) -> tuple[int, str]:
    """What ends this command: `;`, `&` for a next that may not run, `|` into the next, or nothing."""
    two = text[at : at + 2]
    if two in {"&&", "||"}:
        return at + 2, "&"
    if two in {";;", "|&"} or text[at] == "&":
        return at, ""
    return at + 1, "|" if text[at] == "|" else ";"


def _link(kind: str, chain: list[Step], steps: list[Step]) -> None:
    """End a chain: all but its first command may not run."""
    if kind == ";" and chain:
        steps.extend([chain[0], Maybe(chain[1:])] if len(chain) > 1 else chain)
        chain.clear()


def _close(kind: str, words: list[Word], line: list[Step], steps: list[Step]) -> bool:
    """End a command; whether it may end here."""
    if words:
        line.append(Command(words))
    elif line or kind == "|":
        return False
    if kind != "|" and line:
        steps.append(line[0] if len(line) == 1 else Pipeline(line))
        line.clear()
    return True


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
