"""The words of an interpreter whose short options come in bundles and carry values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Letters:
    """What an interpreter's short options take."""

    coded = ""  # code: the rest of the word, or the next one
    valued = ""  # a value: the rest of the word, or the next one
    attached = ""  # a value that can only be the rest of the word
    numbered = ""  # digits, with more options behind them
    in_place = ""  # the suffix of copies, or nothing
    long_valued: tuple[str, ...] = ()
    code_ends_options = False


class PythonLetters(Letters):
    coded = "cm"
    valued = "WXQ"
    long_valued = ("--check-hash-based-pycs", "--profile", "--colors")
    code_ends_options = True


class PerlLetters(Letters):
    coded = "eE"
    valued = "IMm"
    attached = "FCDVx"
    numbered = "0l"
    in_place = "i"


class RubyLetters(Letters):
    coded = "e"
    valued = "IrCE"
    attached = "FKx"
    numbered = "0lWT"
    in_place = "i"
    long_valued = ("--encoding", "--external-encoding", "--internal-encoding")


class Line:
    """An interpreter's words, taken apart."""

    __slots__ = ("codes", "flags", "in_place", "operands", "option", "values")

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.option = ""  # the one that gave the code
        self.flags: set[str] = set()
        self.values: dict[str, list[str]] = {}
        self.operands: list[str] = []
        self.in_place: str | None = None  # the suffix of copies, when files are edited in place


def read_line(words: Sequence[str], letters: type[Letters]) -> Line:
    """Options, code and operands of an interpreter's words."""
    line = Line()
    at = 0
    while at < len(words):
        word = words[at]
        if word in {"--", "-"} or not word.startswith("-"):
            line.operands.extend(words[at + (word == "--") :])
            break
        at += 1
        if word.startswith("--"):
            at += word in letters.long_valued
            continue
        at += _bundle(line, word[1:], words[at : at + 1], letters)
        if line.option and letters.code_ends_options:
            line.operands.extend(words[at:])
            break
    return line


def _bundle(line: Line, word: str, following: Sequence[str], letters: type[Letters]) -> int:
    """Note the options of one word; how many of the next words they took."""
    at = 0
    while at < len(word):
        letter, rest = word[at], word[at + 1 :]
        at += 1
        if letter in letters.in_place:
            line.in_place = rest
            return 0
        if letter in letters.attached:
            return 0
        if letter in letters.coded or letter in letters.valued:
            _take(line, letter, rest or "".join(following), letters)
            return 0 if rest else 1
        line.flags.add(letter)
        while letter in letters.numbered and word[at : at + 1].isdigit():
            at += 1
    return 0


def _take(line: Line, letter: str, value: str, letters: type[Letters]) -> None:
    if letter in letters.coded:
        line.codes.append(value)
        line.option = letter
    else:
        line.values.setdefault(letter, []).append(value)
