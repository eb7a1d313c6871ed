"""What awk does: the commands its program starts, and the files it prints to."""

from __future__ import annotations

from drumline.team.shell.code_language import Language
from drumline.team.shell.code_lexer import END, MARK, NUMBER, TEXT, WORD, TooLong
from drumline.team.shell.code_reading import UNTOLD_PATH, UNTOLD_PROGRAM
from drumline.team.shell.code_starts import waits_for_orders
from drumline.team.shell.code_strings import Unreadable
from drumline.team.shell.code_tokens import tokens_of
from drumline.team.shell.code_values import told
from drumline.team.shell.effect import HOLE, MARKS, TREE, read, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_lexer import Token
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

PROGRAMS = frozenset("awk gawk mawk nawk original-awk goawk".split())
_VALUED = (
    "-F -v -f -e -i -E -l -W --assign --field-separator --file --source --include --exec --load"
)
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/null", "/dev/stdin", "/dev/tty", "-", "/inet")
_STOPS = frozenset({")", "}", "{", ",", "?", "&&", "||", "=="})
_ADDS_OUTPUT = ("-o", "-d", "-p", "--pretty-print", "--dump-variables", "--profile")


class _Awk(Language):
    name = "awk"
    texts = '"'
    regexes = True


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What an awk with these words does."""
    given = taken_apart(argv[1:], _VALUED, stop=True)
    programs = [*given.values.get("-e", []), *given.values.get("--source", [])]
    files = [*given.values.get("-f", []), *given.values.get("--file", [])]
    files += [*given.values.get("-E", []), *given.values.get("--exec", [])]
    operands = list(given.operands)
    if not programs and not files and operands:
        programs.append(operands.pop(0))
    inputs = [word for word in operands if not _assigns(word)]
    found: list[Effect] = [read(scene.path(name)) for name in files if name != "-"]
    names = _assigned([*given.values.get("-v", []), *given.values.get("--assign", []), *operands])
    programs += [kept for name in files if (kept := scene.kept(scene.path(name))) is not None]
    for text in programs:
        found += _program(text, names, scene)
    in_place = "inplace" in [*given.values.get("-i", []), *given.values.get("--include", [])]
    for name in inputs:
        found.append(wrote(scene.path(name)) if in_place else read(scene.path(name)))
    found += [wrote(scene.path(name)) for name in _outputs(argv) if name]
    return found


def _outputs(argv: Sequence[str]) -> list[str]:
    """Files gawk writes about its program."""
    return [
        word.partition("=")[2] if word.startswith("--") else word[2:]
        for word in argv[1:]
        if word.startswith(_ADDS_OUTPUT) and not word.startswith("--posix")
    ]


def _assigns(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.isidentifier()


def _assigned(words: Sequence[str]) -> dict[str, str]:
    return {name: value for name, sign, value in (word.partition("=") for word in words) if sign}


def _program(text: str, names: dict[str, str], scene: Scene) -> list[Effect]:
    if not text.strip(MARKS + " "):
        return [undecided("an awk program cannot be told")] if text.strip() else []
    try:
        tokens = tokens_of(text, _Awk)
    except Unreadable:
        return [undecided("an awk program cannot be read")]
    except TooLong:
        return [undecided("an awk program is too long to be told")]
    return _Following(tokens, names, scene).effects()


class _Following:
    """One awk program while its tokens are gone through."""

    __slots__ = ("at", "found", "names", "printing", "scene", "tokens")

    def __init__(self, tokens: Sequence[Token], names: dict[str, str], scene: Scene) -> None:
        self.tokens, self.scene = tokens, scene
        self.names = dict(names)
        self.found: dict[Effect, None] = {}
        self.at = 0
        self.printing = -1  # how deep in brackets a print statement began

    def effects(self) -> list[Effect]:
        self._note_names()
        depth = 0
        for at, (kind, content) in enumerate(self.tokens):
            self.at = at
            if kind == END or (kind == MARK and content == "}"):
                self.printing = -1
            elif kind == WORD:
                self._word(content, depth)
            elif kind == MARK:
                depth += (content in "([") - (content in ")]")
                self._mark(content, depth)
        return list(self.found)

    def _note_names(self) -> None:
        """Variables that hold one constant all along."""
        for at, token in enumerate(self.tokens):
            if token[0] != MARK or "=" not in token[1] or token[1] in {"==", "!=", "<=", ">="}:
                continue
            if at == 0 or self.tokens[at - 1][0] != WORD:
                continue
            name = self.tokens[at - 1][1]
            text = self._constant(at + 1) if token[1] == "=" else HOLE
            self.names[name] = text if self.names.get(name, text) == text else HOLE

    def _word(self, word: str, depth: int) -> None:
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else (END, "")
        if word in {"print", "printf"}:
            self.printing = depth
        elif word == "system" and following == (MARK, "("):
            self._start(self._constant(self.at + 2))
        elif word == "getline":
            self._getline()
        elif self._before() == (MARK, "@") and word not in {"include", "load", "namespace"}:
            self._add(undecided(UNTOLD_PROGRAM))

    def _mark(self, mark: str, depth: int) -> None:
        if self.printing < 0 or depth > self.printing:
            return
        if mark in {">", ">>"}:
            self._print_to(self._constant(self.at + 1), "append" if mark == ">>" else "write")
        elif mark == "|":
            start = self.at + 1
            if self.tokens[start : start + 1] == [(MARK, "&")]:
                start += 1
            if self.tokens[start : start + 1] != [(WORD, "getline")]:
                self._start(self._constant(start))

    def _before(self) -> Token:
        return self.tokens[self.at - 1] if self.at else (END, "")

    def _getline(self) -> None:
        """`command | getline` runs, `getline < file` reads."""
        before = self._before()
        if before in ((MARK, "|"), (MARK, "&")):
            self._start(self._constant_before(self.at - (1 if before[1] == "|" else 2)))
            return
        at = self.at + 1
        while at < len(self.tokens) and self.tokens[at][0] in {WORD, NUMBER}:
            at += 1
        if self.tokens[at : at + 1] == [(MARK, "<")]:
            text = self._constant(at + 1)
            if told(text):
                self._add(read(self.scene.path(text)))

    def _constant(self, at: int) -> str:
        """The text that adjoining constants and known variables make, with holes for the rest."""
        parts: list[str] = []
        while at < len(self.tokens) and len(parts) < 1000:  # noqa: PLR2004 - a long sum is no name
            kind, content = self.tokens[at]
            if kind == END or (kind == MARK and content in _STOPS) or content in {">", ">>", "|"}:
                break
            parts.append(self._part(kind, content))
            at += 1
        return _joined(parts)

    def _constant_before(self, at: int) -> str:
        parts: list[str] = []
        while at > 0 and len(parts) < 1000:  # noqa: PLR2004 - a long sum is no name
            kind, content = self.tokens[at - 1]
            starts = kind == MARK and content in {"{", "(", "!", ";", "}", "&&", "||", "=", ","}
            if kind == END or starts or content in {"while", "if", "print", "return"}:
                break
            parts.insert(0, self._part(kind, content))
            at -= 1
        return _joined(parts)

    def _part(self, kind: str, content: object) -> str:
        if kind == TEXT and isinstance(content, tuple):
            return "".join(content)
        if kind == WORD and isinstance(content, str):
            return self.names.get(content, HOLE)
        return "" if content == "(" else HOLE

    def _start(self, command: str) -> None:
        if HOLE in command or not command or waits_for_orders(command.split()):
            self._add(undecided(UNTOLD_PROGRAM))
        if told(command):
            self._add(*self.scene.script(command))

    def _print_to(self, name: str, how: str) -> None:
        if name.startswith(_STREAMS):
            return
        if told(name):
            self._add(wrote(self.scene.path(name), how))
        else:
            self._add(undecided(UNTOLD_PATH, TREE, self.scene.cwd))

    def _add(self, *effects: Effect) -> None:
        for effect in effects:
            self.found[effect] = None


def _joined(parts: Sequence[str]) -> str:
    """Parts as one text; several holes in a row are one."""
    out: list[str] = []
    for part in parts:
        if part != HOLE or out[-1:] != [HOLE]:
            out.append(part)
    return "".join(out)
