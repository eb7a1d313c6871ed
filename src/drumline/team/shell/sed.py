"""What sed does: the files it edits in place, and what its script writes or runs."""

from __future__ import annotations

from drumline.team.shell.effect import MARKS, read, undecided, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

PROGRAMS = frozenset({"sed", "gsed", "ssed"})
_MOST_COMMANDS = 4000
_STREAMS = frozenset({"/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/null", "-"})
_PLAIN = frozenset("dDgGhHnNpPxzF=")
_NUMBERED = frozenset("qQlL")
_LABELLED = frozenset("btT:v")
_TEXTS = frozenset("aic")
_FILES = frozenset("rRwW")
_SUBSTITUTION_FLAGS = frozenset("gpiImMe0123456789")


class _Given:
    """sed's words, taken apart."""

    __slots__ = ("in_place", "operands", "script_files", "scripts", "suffix")

    def __init__(self) -> None:
        self.scripts: list[str] = []
        self.script_files: list[str] = []
        self.operands: list[str] = []
        self.in_place = False
        self.suffix = ""


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What a sed with these words does."""
    given = _taken_apart(argv[1:])
    if given.in_place and given.operands[:1] == [""]:
        del given.operands[0]  # BSD spells "no suffix" as an empty word
    if not given.scripts and not given.script_files and given.operands:
        given.scripts.append(given.operands.pop(0))
    found: list[Effect] = [read(scene.path(name)) for name in given.script_files if name != "-"]
    kept = [scene.kept(scene.path(name)) for name in given.script_files]
    for script in [*given.scripts, *(text for text in kept if text is not None)]:
        found += _script(script, scene)
    for name in given.operands:
        if given.in_place:
            found.append(wrote(scene.path(name)))
            if given.suffix and "*" not in given.suffix:
                found.append(wrote(scene.path(name + given.suffix)))
        elif name != "-":
            found.append(read(scene.path(name)))
    return found


def _taken_apart(words: Sequence[str]) -> _Given:
    given = _Given()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            given.operands.extend(words[at:])
            break
        if word.startswith("--"):
            at += _long(given, word, words[at : at + 1])
        elif word.startswith("-") and len(word) > 1:
            at += _short(given, word[1:], words[at : at + 1])
        else:
            given.operands.append(word)
    return given


def _long(given: _Given, word: str, following: Sequence[str]) -> int:
    name, sign, value = word.partition("=")
    taken = 0
    if not sign and following and (name.startswith(("--exp", "--fil", "--line"))):
        value, taken = following[0], 1
    if name.startswith("--e"):
        given.scripts.append(value)
    elif name.startswith("--fi"):
        given.script_files.append(value)
    elif name.startswith("--i"):
        given.in_place, given.suffix = True, value
    return taken


def _short(given: _Given, letters: str, following: Sequence[str]) -> int:
    """A bundle of short options; what takes a value takes the rest of the bundle."""
    for at, letter in enumerate(letters):
        rest = letters[at + 1 :]
        if letter in {"i", "I"}:
            given.in_place, given.suffix = True, rest
            return 0
        if letter in {"e", "f", "l"}:
            value = rest or "".join(following)
            if letter == "e":
                given.scripts.append(value)
            elif letter == "f":
                given.script_files.append(value)
            return 0 if rest else 1
    return 0


def _script(text: str, scene: Scene) -> list[Effect]:
    if text.strip() and not text.strip(MARKS + " "):
        return [undecided("a sed script cannot be told")]
    found: list[Effect] = []
    at = 0
    for _ in range(_MOST_COMMANDS):
        at = _after_address(text, at)
        if at >= len(text):
            return found
        at = _command(text, at, found, scene)
    return [*found, undecided("a sed script is too long to be told")]


def _after_address(text: str, at: int) -> int:
    """Past what says which lines a command is for."""
    while at < len(text):
        letter = text[at]
        if letter in " \t\n;{}!,$+~" or letter.isdigit() or letter in MARKS:
            at += 1
        elif letter == "/":
            at = _after_flags(text, _after_pattern(text, at + 1, "/"))
        elif letter == "\\" and at + 1 < len(text):
            at = _after_flags(text, _after_pattern(text, at + 2, text[at + 1]))
        else:
            return at
    return at


def _after_flags(text: str, at: int) -> int:
    while text[at : at + 1] in {"I", "M"}:
        at += 1
    return at


def _after_part(text: str, at: int, delimiter: str) -> int:
    """Past the delimiter that ends a replacement, or one half of `y`."""
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == delimiter:
            return at + 1
        at += 1
    return at


def _after_pattern(text: str, at: int, delimiter: str) -> int:
    """Past the delimiter that ends a pattern; in a bracket expression it means itself."""
    line = _line_end(text, at)
    closed = True
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == delimiter:
            return at + 1
        elif letter == "[" and closed:
            end = _bracket_end(text, at + 1, line)
            closed = end >= 0
            at = max(at, end)
        at += 1
    return at


def _bracket_end(text: str, at: int, line: int) -> int:
    at += text.startswith("^", at)
    end = text.find("]", at + 1, line)
    while end >= 0 and text[end - 1] in ":.=":
        end = text.find("]", end + 1, line)
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _command(text: str, at: int, found: list[Effect], scene: Scene) -> int:
    letter = text[at]
    if letter == "s":
        return _substitute(text, at, found, scene)
    if letter in _FILES or letter == "e":
        return _with_line(text, at, found, scene)
    if letter in _PLAIN or letter in _NUMBERED:
        return at + 1
    if letter in _TEXTS:
        return _after_text(text, at + 1)
    if letter == "y" or letter in _LABELLED or letter == "#":
        return _after_inert(text, at)
    found.append(undecided("a sed script cannot be read"))
    return len(text)


def _after_inert(text: str, at: int) -> int:
    """Past a command that can do no harm: `y`, a label, a comment."""
    if text[at] != "y":
        return _after_label(text, at, comment=text[at] == "#")
    delimiter = text[at + 1 : at + 2]
    return _after_part(text, _after_part(text, at + 2, delimiter), delimiter)


def _after_label(text: str, at: int, *, comment: bool) -> int:
    end = _line_end(text, at)
    if comment:
        return end
    stop = text.find(";", at, end)
    brace = text.find("}", at, end)
    return min(place for place in (end, stop, brace) if place >= 0)


def _after_text(text: str, at: int) -> int:
    """Past the text of `a`, `i` or `c`: to the first line end that no backslash hides."""
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "\n":
            return at
        at += 1
    return at


def _with_line(text: str, at: int, found: list[Effect], scene: Scene) -> int:
    """A command that takes the rest of its line: a file, or a shell command."""
    end = _line_end(text, at)
    rest = text[at + 1 : end].strip()
    if text[at] == "e":
        found.extend(scene.script(rest) if rest else [_runs_its_input()])
    elif text[at] in "wW":
        found.extend(_written(rest, scene))
    elif rest not in _STREAMS:
        found.append(read(scene.path(rest)))
    return end


def _runs_its_input() -> Effect:
    return undecided("sed runs the lines it reads")


def _written(name: str, scene: Scene) -> list[Effect]:
    return [] if name in _STREAMS or not name else [wrote(scene.path(name))]


def _substitute(text: str, at: int, found: list[Effect], scene: Scene) -> int:
    delimiter = text[at + 1 : at + 2]
    if not delimiter or delimiter in "\n\\":
        found.append(undecided("a sed script cannot be read"))
        return len(text)
    middle = _after_pattern(text, at + 2, delimiter)
    at = _after_part(text, middle, delimiter)
    flags_from = at
    while text[at : at + 1] and text[at] in _SUBSTITUTION_FLAGS:
        at += 1
    if "e" in text[flags_from:at]:
        found.append(_runs_its_input())
    if text[at : at + 1] == "w":
        end = _line_end(text, at)
        found.extend(_written(text[at + 1 : end].strip(), scene))
        return end
    return at
