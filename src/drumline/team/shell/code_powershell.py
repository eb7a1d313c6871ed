"""What PowerShell code does: cmdlets with their paths, and programs it starts."""

from __future__ import annotations

from drumline.team.shell.code_calls import VERBS
from drumline.team.shell.code_language import Language
from drumline.team.shell.code_lexer import TooLong
from drumline.team.shell.code_reading import UNTOLD_CODE, UNTOLD_PATH, UNTOLD_PROGRAM, Call, Reading
from drumline.team.shell.code_strings import Unreadable
from drumline.team.shell.code_values import UNKNOWN, Arguments, letters, text_value, told
from drumline.team.shell.effect import HOLE, known, undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_SPECS = {
    "delete 0+": "remove-item ri del erase rd rmdir rm",
    "write 0": "set-content sc out-file new-item ni clear-content clc tee-object export-csv mkdir md",
    "append 0": "add-content ac",
    "move 0 1": "move-item mi move mv rename-item rni ren",
    "copy 0 1 tree": "copy-item ci copy cp cpi",
    "read 0": "get-content gc cat type import-csv",
    "chdir 0": "set-location cd sl chdir push-location pushd",
    "eval": "invoke-expression iex",
    "start": "start-process saps start",
}
_CMDLETS = {name: spec for spec, names in _SPECS.items() for name in names.split()}
_WORDS = frozenset(
    "if else elseif foreach for while do switch function param return try catch finally in echo write"
    " where select sort measure foreach-object where-object %".split()
)
_VALUED = frozenset(
    "-value -encoding -itemtype -filter -include -exclude -erroraction -ea -workingdirectory"
    " -delimiter -type".split()
)
_PATHS = frozenset("-path -literalpath -filepath -destination -name -newname -argumentlist".split())
_BREAKS = frozenset("\n;|{}()&")
_MOST_STEPS = 10_000
_DOT_NET_WRITES = ("delete", "write", "append", "move", "copy", "replace", "create", "setaccess")


class _PowerShell(Language):
    name = "powershell"


def effects_of_powershell(text: str, scene: Scene) -> list[Effect]:
    """What this PowerShell code does to files, programs and its environment."""
    reading = Reading(_PowerShell, scene)
    try:
        _follow(reading, text, 0)
    except Unreadable:
        return [undecided("inline code cannot be read")]
    except TooLong:
        return [undecided("inline code is too long to be told")]
    return reading.all_effects()


def _follow(reading: Reading, text: str, depth: int) -> None:
    words: list[str] = []
    at = steps = 0
    while at < len(text):
        steps += not text[at].isspace()
        if steps > _MOST_STEPS:
            raise TooLong
        letter = text[at]
        if letter in _BREAKS:
            _command(reading, words, depth)
            words = []
            at += 1
        elif letter == "#" and not words:
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif letter.isspace() or letter == ",":
            at += 1
        else:
            at, word = _word(reading, text, at)
            words.append(word)
    _command(reading, words, depth)


_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "0": "", "b": "", "a": "", "f": "", "v": "", "e": ""}


def _word(reading: Reading, text: str, at: int) -> tuple[int, str]:
    out: list[str] = []
    while at < len(text) and not text[at].isspace() and text[at] not in _BREAKS and text[at] != ",":
        letter = text[at]
        if letter in "'\"":
            at, piece = _quoted(reading, text, at)
        elif letter == "`":
            at, piece = at + 2, text[at + 1 : at + 2]
        else:
            at, piece = at + 1, letter
        out.append(piece)
    word = "".join(out)
    if word.startswith("$") and not word.lower().startswith("$env:"):
        name = word[1:].lower()
        return at, letters(reading.names[name]) if name in reading.names else word
    return at, word


def _quoted(reading: Reading, text: str, at: int) -> tuple[int, str]:
    quote = text[at]
    out: list[str] = []
    at += 1
    while at < len(text):
        end = text.find(quote, at)
        if end < 0:
            raise Unreadable
        tick = text.find("`", at, end) if quote == '"' else -1
        if tick >= 0:
            out += [text[at:tick], _ESCAPED.get(text[tick + 1], text[tick + 1])]
            at = tick + 2
            continue
        out.append(text[at:end])
        if not text.startswith(quote, end + 1):
            inner = "".join(out)
            return end + 1, inner if quote == "'" else _filled(reading, inner)
        out.append(quote)
        at = end + 2
    raise Unreadable


def _filled(reading: Reading, inner: str) -> str:
    if "$" not in inner:
        return inner
    out, at = [], 0
    while (mark := inner.find("$", at)) >= 0:
        end = mark + 1
        while end < len(inner) and (inner[end].isalnum() or inner[end] in "_:"):
            end += 1
        name = inner[mark + 1 : end].lower()
        value = letters(reading.names[name]) if name in reading.names else HOLE
        out += [inner[at:mark], value]
        at = end
    return "".join(out) + inner[at:]


def _command(reading: Reading, words: list[str], depth: int) -> None:
    _redirected(reading, words)
    if not words:
        return
    first = words[0]
    lower = first.lower()
    if lower.startswith("$env:"):
        _variable(reading, words)
    elif first.startswith("$"):
        if words[1:2] == ["="] and len(words) > 2:  # noqa: PLR2004 - name, sign, value
            value = text_value(words[2]) if len(words) == 3 else UNKNOWN  # noqa: PLR2004 - one word
            reading.assign(lower[1:], value)
            _command(reading, words[2:], depth)
    elif first.startswith("["):
        _dot_net(reading, lower)
    elif lower in _CMDLETS:
        _cmdlet(reading, _CMDLETS[lower], words[1:], depth)
    elif not _is_cmdlet(lower) and lower not in _WORDS and first != ".":
        _program(reading, words)


def _is_cmdlet(lower: str) -> bool:
    verb, _, noun = lower.partition("-")
    starts_program = lower[:1].isalnum() or lower.startswith((".", "/", "~"))
    return (verb.isalpha() and noun.isalpha()) or not starts_program


def _program(reading: Reading, words: Sequence[str]) -> None:
    reading.start([word if not word.startswith("$") else HOLE for word in words])


def _redirected(reading: Reading, words: list[str]) -> None:
    for place, word in enumerate(words[:-1]):
        if word in {">", ">>"}:
            spec = "append 0" if word == ">>" else "write 0"
            _perform(reading, spec, words[place + 1 : place + 2])
            del words[place:]
            return


def _variable(reading: Reading, words: Sequence[str]) -> None:
    name, sign, _ = words[0].partition("=")
    if sign or "".join(words[1:2]).startswith(("=", "+=")):
        reading.touch_variable(name[len("$env:") :].rstrip("+"))


def _dot_net(reading: Reading, lower: str) -> None:
    """`[System.IO.File]::Delete(…)`: its arguments stand in brackets we have left behind."""
    owner, _, name = lower.partition("]::")
    if owner.endswith(("file", "directory")) and name.startswith(_DOT_NET_WRITES):
        reading.cannot_tell(UNTOLD_PATH)
    elif owner.endswith("process") and name.startswith("start"):
        reading.cannot_tell(UNTOLD_PROGRAM)
    elif owner.endswith("environment") and name.startswith("set"):
        reading.cannot_tell(UNTOLD_CODE)


def _cmdlet(reading: Reading, spec: str, words: Sequence[str], depth: int) -> None:
    operands = _operands(words)
    options = {word.lower() for word in words if word.startswith("-")}
    if spec == "eval":
        _eval(reading, " ".join(operands), depth)
    elif spec == "start":
        _start(reading, operands)
    elif spec.startswith("delete"):
        variables = [word for word in operands if word.lower().startswith("env:")]
        for word in variables:
            reading.touch_variable(word[4:].lstrip("\\/"))
        deep = any(option.startswith("-r") for option in options)
        if not variables:
            _perform(reading, "rmtree 0+" if deep else spec, operands)
    else:
        _perform(reading, spec, operands)


def _operands(words: Sequence[str]) -> list[str]:
    """Words that are no options, nor the values of options that name no path."""
    found: list[str] = []
    skips = False
    for word in words:
        lower = word.lower()
        if skips:
            skips = False
        elif word.startswith("-"):
            skips = lower in _VALUED
        else:
            found.append(HOLE if word.startswith("$") else word)
    return found


def _eval(reading: Reading, text: str, depth: int) -> None:
    if known(text) and text and depth < 4:  # noqa: PLR2004 - deeper than anyone writes
        _follow(reading, text, depth + 1)
    else:
        reading.cannot_tell(UNTOLD_CODE)


def _start(reading: Reading, operands: Sequence[str]) -> None:
    words = [word for operand in operands for word in operand.split(" ")]
    if words and told(words[0]):
        reading.start(words)
    else:
        reading.cannot_tell(UNTOLD_PROGRAM)


def _perform(reading: Reading, spec: str, words: Sequence[str]) -> None:
    verb, *places = spec.split(" ")
    args = Arguments()
    args.positional = [text_value(word) for word in words]
    VERBS[verb](Call(reading, args, places))
