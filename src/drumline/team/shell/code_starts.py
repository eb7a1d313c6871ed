"""Calls that start a program, a shell, or more code."""

from __future__ import annotations

from drumline.team.shell.code_reading import IDENTITIES, UNTOLD_CODE, UNTOLD_PROGRAM
from drumline.team.shell.code_values import UNKNOWN, choices, letters, told
from drumline.team.shell.effect import HOLE, changed_identity, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.code_reading import Call, Reading
    from drumline.team.shell.code_values import Arguments, Value

    Verb = Callable[[Call], Value]

_READ_COMMANDS = frozenset(
    "sh bash zsh dash ksh fish csh tcsh ash busybox python python2 python3 node perl ruby".split()
)
_FROM_INPUT = frozenset("- -s -i -l -u /dev/stdin".split())
_FEEDS = ("input", "stdin")


def shell(call: Call) -> Value:
    """One text for a shell, or a list that is a program with its words."""
    value = call.args.at(call.places[0])
    if value is None:
        return UNKNOWN
    for choice in choices(value):
        if choice.kind == "list":
            _start_words(call.reading, choice.items, call.args)
        else:
            _start_text(call.reading, letters(choice), call.args)
    return UNKNOWN


def program(call: Call) -> Value:
    """A program, and its words in a list or one after another."""
    value = call.args.at(call.places[0])
    if value is None:
        return UNKNOWN
    if value.kind == "list":
        _start_words(call.reading, value.items, call.args)
        return UNKNOWN
    words = call.args.all_at(call.places[1]) if len(call.places) > 1 else []
    for choice in choices(value):
        _start_words(call.reading, [choice, *words], call.args)
    return UNKNOWN


def replaced(call: Call) -> Value:
    """A program, and its words with its own name in front (`execvp`)."""
    value = call.args.at(call.places[0])
    if value is not None:
        words = call.args.all_at(call.places[1])
        if call.places[1].endswith("+") and words and "e" in call.places:
            words = words[:-1]  # the last one is the environment
        _start_words(call.reading, [value, *words[1:]], call.args)
    return UNKNOWN


def words(call: Call) -> Value:
    """A text for a shell when it is alone, otherwise a program with its words."""
    found = [value for value in call.args.positional[int(call.places[0]) :] if value.kind != "map"]
    if len(found) == 1:
        for choice in choices(found[0]):
            if choice.kind == "list":
                _start_words(call.reading, choice.items, call.args)
            else:
                _start_text(call.reading, letters(choice), call.args)
    elif found:
        _start_words(call.reading, _flat(found), call.args)
    return UNKNOWN


def _flat(found: Sequence[Value]) -> list[Value]:
    flat: list[Value] = []
    for value in found:
        flat += value.items if value.kind == "list" else [value]
    return flat


def evaluated(call: Call) -> Value:
    """Text that becomes code."""
    value = _code_given(call)
    if value is None:
        return UNKNOWN
    result = UNKNOWN
    for choice in choices(value):
        if choice.kind == "text" and known(choice.text):
            result = call.reading.evaluate(choice.text)
        elif choice.kind not in {"map", "number", "list"}:
            call.reading.cannot_tell(UNTOLD_CODE)
    return result


def _code_given(call: Call) -> Value | None:
    if call.places[0] != "last":
        return call.args.at(call.places[0])
    return call.args.positional[-1] if call.args.positional else None


def evaluated_text(call: Call) -> Value:
    """Something that takes text for code, and is mostly given a function."""
    value = _code_given(call)
    if value is not None and value.kind == "text" and known(value.text):
        return call.reading.evaluate(value.text)
    return UNKNOWN


def with_options(call: Call) -> Value:
    """A program whose words stand in an option (`Deno.Command`), or all of it in one."""
    options = call.args.options()
    program_value = call.args.at("0")
    given = options.get("args", options.get("cmd", UNKNOWN))
    words_given = given.items if given.kind == "list" else [given]
    if program_value is not None and program_value.kind != "map":
        first = [program_value]
        words_given = words_given if "args" in options else []
        _start_words(call.reading, [*first, *words_given], call.args)
    else:
        _start_words(call.reading, words_given, call.args)
    return UNKNOWN


def port(call: Call) -> Value:
    """Elixir's `Port.open({:spawn, command}, …)`."""
    value = call.args.at("0")
    if value is not None and value.kind == "list" and value.items:
        _start_text(call.reading, letters(value.items[-1]), call.args)
    return UNKNOWN


def opaque(call: Call) -> Value:
    """Something that can call anything by a name it makes up."""
    call.reading.cannot_tell(UNTOLD_CODE)
    return UNKNOWN


def _start_words(reading: Reading, items: Sequence[Value], args: Arguments) -> None:
    argv = [letters(item) for item in items if item.kind != "map"]
    options = args.options()
    if "executable" in options and argv:
        argv[0] = letters(options["executable"])
    if "shell" in options and letters(options["shell"]) not in {"False", "false"}:
        _start_text(reading, " ".join(argv), args)
        return
    _note_environment(reading, args)
    before, after = _enter(reading, options), _feed(options)
    if argv and (not told(argv[0]) or (not after and waits_for_orders(argv))):
        reading.cannot_tell(UNTOLD_PROGRAM)
    elif argv:
        reading.start(before + " ".join(map(quoted, argv)) + after if before or after else argv)


def _start_text(reading: Reading, text: str, args: Arguments) -> None:
    _note_environment(reading, args)
    options = args.options()
    before, after = _enter(reading, options), _feed(options)
    if HOLE in text or (not after and waits_for_orders(text.split())):
        reading.cannot_tell(UNTOLD_PROGRAM)
    if told(text):
        reading.start(before + text + after)


def start_constant(reading: Reading, text: str) -> None:
    """A command in quotes of its own."""
    if HOLE in text:
        reading.cannot_tell(UNTOLD_PROGRAM)
    if told(text):
        reading.start(_enter(reading, {}) + text)


def waits_for_orders(argv: Sequence[str]) -> bool:
    """A shell alone does what it is told later."""
    return (
        bool(argv)
        and argv[0].rpartition("/")[2] in _READ_COMMANDS
        and all(word in _FROM_INPUT for word in argv[1:])
    )


def _enter(reading: Reading, options: dict[str, Value]) -> str:
    """What a shell would say first to stand where the program will."""
    folder = reading.folder
    if "cwd" in options:
        folder = reading.path(letters(options["cwd"]))
    return "" if folder == reading.scene.cwd else f"cd {quoted(folder)} && "


def _feed(options: dict[str, Value]) -> str:
    """A here-document with what the program is given to read."""
    for name in _FEEDS:
        value = options.get(name)
        if value is not None and value.kind in {"text", "unknown", "list"}:
            return f" <<'END_OF_INPUT'\n{letters(value)}\nEND_OF_INPUT"
    return ""


def _note_environment(reading: Reading, args: Arguments) -> None:
    """Identity variables among what the program is given as its environment."""
    maps = [value for value in args.positional if value.kind == "map"]
    given = args.options().get("env")
    if given is not None:
        maps.append(given)
    for value in maps:
        for name in value.pairs:
            if name.startswith(IDENTITIES):
                reading.add(changed_identity(name))
    if given is not None:
        reading.add(*(changed_identity(name) for name in reading.mentions))


def quoted(word: str) -> str:
    """A word as a shell takes it literally."""
    plain = word.replace("/", "").replace("-", "").replace("_", "").replace(".", "")
    return word if plain.isalnum() and plain.isascii() else "'" + word.replace("'", "'\\''") + "'"


VERBS: dict[str, Verb] = {
    "shell": shell,
    "program": program,
    "replaced": replaced,
    "words": words,
    "eval": evaluated,
    "eval-text": evaluated_text,
    "with-options": with_options,
    "opened-port": port,
    "opaque": opaque,
}
