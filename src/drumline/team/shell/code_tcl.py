"""What Tcl code does: commands made of words, with scripts in braces."""

from __future__ import annotations

from drumline.team.shell.code_calls import VERBS
from drumline.team.shell.code_language import Language
from drumline.team.shell.code_lexer import TooLong
from drumline.team.shell.code_reading import UNTOLD_CODE, UNTOLD_PROGRAM, Call, Reading
from drumline.team.shell.code_starts import start_constant
from drumline.team.shell.code_strings import Unreadable, unescaped
from drumline.team.shell.code_values import Arguments, letters, text_value, told
from drumline.team.shell.effect import HOLE, known, undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_values import Value
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_DEEPEST = 6
_MOST_LETTERS = 200_000
_MOST_WORDS = 8000
_BODIES = frozenset(
    "if while for foreach proc catch try switch namespace eval uplevel after elseif else time lmap"
    " expect".split()
)
_FILE_SPECS = {
    "rename": "move 0 1",
    "copy": "copy 0 1 tree",
    "mkdir": "write 0+",
    "attributes": "mode 0 9",
    "link": "write 0",
}


class _Tcl(Language):
    name = "tcl"


def effects_of_tcl(text: str, scene: Scene) -> list[Effect]:
    """What this Tcl code does to files, programs and its environment."""
    reading = Reading(_Tcl, scene)
    try:
        _Script(reading).follow(text)
    except Unreadable:
        return [undecided("inline code cannot be read")]
    except TooLong:
        return [undecided("inline code is too long to be told")]
    return reading.all_effects()


class _Script:
    """A Tcl script while its commands are gone through."""

    __slots__ = ("depth", "left", "reading", "words_left")

    def __init__(self, reading: Reading) -> None:
        self.reading, self.depth, self.left = reading, 0, _MOST_LETTERS
        self.words_left = _MOST_WORDS

    def follow(self, text: str) -> None:
        self.left -= len(text)
        if self.depth > _DEEPEST or self.left < 0:
            self.reading.cannot_tell(UNTOLD_CODE)
            return
        self.depth += 1
        words: list[str] = []
        at = 0
        while at < len(text):
            at = self._next(text, at, words)
        self._command(words)
        self.depth -= 1

    def _next(self, text: str, at: int, words: list[str]) -> int:
        letter = text[at]
        if letter in "\n;":
            self._command(words)
            words.clear()
        elif letter == "#" and not words:
            end = text.find("\n", at)
            return len(text) if end < 0 else end
        elif text.startswith("\\\n", at):
            return at + 2
        elif not letter.isspace():
            at, word = self._word(text, at)
            words.append(word)
            return at
        return at + 1

    def _word(self, text: str, at: int) -> tuple[int, str]:
        self._spend()
        if text[at] == "{":
            end = _closing(text, at + 1)
            return end + 1, text[at + 1 : end]
        quoted = text[at] == '"'
        out: list[str] = []
        at += quoted
        while at < len(text) and not _word_ends(text[at], quoted=quoted):
            end = _plain_end(text, at, quoted=quoted)
            if end == at:
                self._spend()
                end, piece = self._piece(text, at)
            else:
                piece = text[at:end]
            out.append(piece)
            at = end
        if quoted and at >= len(text):
            raise Unreadable
        return at + quoted, "".join(out)

    def _spend(self) -> None:
        self.words_left -= 1
        if self.words_left < 0:
            raise TooLong

    def _piece(self, text: str, at: int) -> tuple[int, str]:
        """An escape, a variable, or a command in brackets."""
        letter = text[at]
        if letter == "\\":
            return at + 2, unescaped(text[at : at + 2])
        if letter == "$":
            end = _variable_end(text, at + 1)
            name = text[at + 1 : end].strip("{}")
            return end, letters(self.reading.names[name]) if name in self.reading.names else HOLE
        end = _closing(text, at + 1, "[]")
        self.follow(text[at + 1 : end])
        return end + 1, HOLE

    def _command(self, words: Sequence[str]) -> None:
        if not words:
            return
        name, rest = words[0].removeprefix("::"), list(words[1:])
        if name in {"set", "unset", "array"}:
            self._set(name, rest)
        elif name in {"eval", "uplevel", "subst"}:
            self._eval(" ".join(rest))
        elif name in _BODIES:
            self._bodies(rest)
        elif not known(name):
            self.reading.cannot_tell(UNTOLD_CODE)
        elif rest:
            self._outside(name, rest)

    def _outside(self, name: str, rest: list[str]) -> None:
        """Commands that reach out: programs, files, folders."""
        if name in {"exec", "spawn"}:
            options = next((n for n, word in enumerate(rest) if not word.startswith("-")), 0)
            self._start(rest[options:])
        elif name == "open":
            self._open(rest)
        elif name == "file":
            self._file(rest[0], rest[1:])
        elif name in {"source", "cd"}:
            self._perform("read 0" if name == "source" else "chdir 0", rest)

    def _bodies(self, rest: Sequence[str]) -> None:
        for word in rest:
            if any(mark in word for mark in " \n["):
                self.follow(word)

    def _eval(self, text: str) -> None:
        if known(text):
            self.follow(text)
        else:
            self.reading.cannot_tell(UNTOLD_CODE)

    def _start(self, words: Sequence[str]) -> None:
        if not words or not told(words[0]):
            self.reading.cannot_tell(UNTOLD_PROGRAM)
        elif any(word in {"|", ">", ">>", "<", "&", "2>"} for word in words):
            start_constant(self.reading, " ".join(words))
        else:
            self.reading.start(list(words))

    def _open(self, rest: Sequence[str]) -> None:
        if rest and rest[0].startswith("|"):
            start_constant(self.reading, rest[0][1:].strip())
        else:
            self._perform("open 0 1", rest)

    def _file(self, verb: str, rest: Sequence[str]) -> None:
        paths = [word for word in rest if not word.startswith("-")]
        if verb == "delete":
            self._perform("rmtree 0+" if "-force" in rest else "delete 0+", paths)
        elif verb in _FILE_SPECS:
            self._perform(_FILE_SPECS[verb], paths)

    def _set(self, name: str, rest: Sequence[str]) -> None:
        if not rest:
            return
        target = rest[0]
        if target.startswith("env("):
            if name == "unset" or len(rest) > 1:
                self.reading.touch_variable(target[4:].rstrip(")"))
        elif name == "set" and len(rest) > 1:
            self.reading.assign(target, text_value(rest[1]))
        if name == "unset" and target == "-nocomplain":
            self._set(name, rest[1:])

    def _perform(self, spec: str, words: Sequence[str]) -> Value:
        verb, *places = spec.split(" ")
        args = Arguments()
        args.positional = [text_value(word) for word in words]
        return VERBS[verb](Call(self.reading, args, places))


def _word_ends(letter: str, *, quoted: bool) -> bool:
    return letter == '"' if quoted else letter.isspace() or letter == ";"


def _plain_end(text: str, at: int, *, quoted: bool) -> int:
    """The end of letters that stand for themselves."""
    while at < len(text) and text[at] not in "\\$[" and not _word_ends(text[at], quoted=quoted):
        at += 1
    return at


def _variable_end(text: str, at: int) -> int:
    if text.startswith("{", at):
        return _closing(text, at + 1) + 1
    while at < len(text) and (text[at].isalnum() or text[at] in "_:"):
        at += 1
    if text.startswith("(", at):
        end = text.find(")", at)
        return len(text) if end < 0 else end + 1
    return at


def _closing(text: str, at: int, pair: str = "{}") -> int:
    level = 1
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == pair[0]:
            level += 1
        elif letter == pair[1]:
            level -= 1
            if not level:
                return at
        at += 1
    raise Unreadable
