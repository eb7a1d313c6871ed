"""Calls that write, delete, rename or read files, or change where the code stands."""

from __future__ import annotations

from drumline.team.shell.code_reading import IDENTITIES, UNTOLD_PATH, UNTOLD_PROGRAM
from drumline.team.shell.code_starts import start_constant
from drumline.team.shell.code_values import UNKNOWN, choices, letters, path_value, told
from drumline.team.shell.effect import changed_identity, endangered, read, wrote
from drumline.team.shell.sql import destroyed, only_reads, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.code_reading import Call, Reading
    from drumline.team.shell.code_values import Arguments, Value

    Verb = Callable[[Call], Value]

RECURSIVE = "recursive delete in inline code"
_MODE_LETTERS = frozenset("rwaxbtcU+e")
_EVERYONE_WRITES = 0o002


def _given(args: Arguments, places: Sequence[str]) -> list[Value]:
    return [choice for place in places for value in args.all_at(place) for choice in choices(value)]


def _write(reading: Reading, args: Arguments, places: Sequence[str], how: str) -> Value:
    for path in reading.paths_of(_given(args, places)):
        reading.add(wrote(path, how))
    return UNKNOWN


def written(call: Call) -> Value:
    """Paths written anew, or appended to when an option says so."""
    options = call.args.options()
    flag = letters(options.get("flag", options.get("flags", options.get("append", UNKNOWN))))
    appends = flag.startswith("a") or flag in {"TRUE", "true", "True"}
    return _write(
        call.reading,
        call.args,
        call.places,
        "append" if appends or _says_append(call.args) else "write",
    )


def _says_append(args: Arguments) -> bool:
    return any(value.kind == "name" and "APPEND" in value.text for value in args.positional)


def appended(call: Call) -> Value:
    return _write(call.reading, call.args, call.places, "append")


def changed_mode(call: Call) -> Value:
    """Paths whose attributes change; a mode that lets everyone write is judged as chmod is."""
    *paths, mode_place = call.places
    given = call.reading.paths_of(_given(call.args, paths))
    mode = _mode(call.args.at(mode_place))
    for path in given:
        call.reading.add(wrote(path, "attributes"))
        if mode & _EVERYONE_WRITES:
            call.reading.start(["chmod", f"{mode:o}", path])
    return UNKNOWN


def _mode(value: Value | None) -> int:
    if value is None or value.kind not in {"number", "text"}:
        return 0
    digits = value.text.lower().removeprefix("0o").lstrip("0")
    return int(digits, 8) if digits and set(digits) <= set("01234567") and len(digits) < 6 else 0  # noqa: PLR2004 - a mode is short


def edited(call: Call) -> Value:
    """Files read line by line, or written again with what is printed meanwhile."""
    return (written if "inplace" in call.args.named else was_read)(call)


def made_tree(call: Call) -> Value:
    """Folders filled with more than this code says."""
    for path in call.reading.paths_of(_given(call.args, call.places)):
        call.reading.add(wrote(path, tree=True))
    return UNKNOWN


def deleted(call: Call) -> Value:
    for path in call.reading.paths_of(_given(call.args, call.places)):
        call.reading.add(wrote(path, "delete"))
        call.reading.delete_endangers(path)
    return UNKNOWN


def deleted_tree(call: Call) -> Value:
    given = _given(call.args, call.places)
    paths = call.reading.paths_of(given)
    if given and not paths:
        call.reading.add(endangered(RECURSIVE))
    for path in paths:
        call.reading.add(endangered(RECURSIVE, path), wrote(path, "delete", tree=True))
    return UNKNOWN


def deleted_maybe_tree(call: Call) -> Value:
    """A delete that goes deeper when an option says so."""
    deeper = call.args.options().get("recursive")
    if deeper is not None and letters(deeper) not in {"false", "FALSE", "False"}:
        return deleted_tree(call)
    return deleted(call)


def moved(call: Call) -> Value:
    source, target = (_given(call.args, [place]) for place in call.places)
    if source and target:
        for path in call.reading.paths_of(source):
            call.reading.add(wrote(path, "delete", tree=True))
        for path in call.reading.paths_of(target):
            call.reading.add(wrote(path, tree=True))
    return UNKNOWN


def copied(call: Call) -> Value:
    source, target = (_given(call.args, [place]) for place in call.places[:2])
    _read_known(call.reading, source)
    for path in call.reading.paths_of(target):
        call.reading.add(wrote(path, tree=call.places[-1] == "tree"))
    return UNKNOWN


def linked(call: Call) -> Value:
    """From now on a path through the link means the one through its target."""
    source, target = (_given(call.args, [place]) for place in call.places)
    links = call.reading.paths_of(target)
    for link in links:
        call.reading.add(wrote(link))
        for value in source:
            if told(letters(value)):
                call.reading.scene.links_to(link, call.reading.path(letters(value)))
    return UNKNOWN


def was_read(call: Call) -> Value:
    _read_known(call.reading, _given(call.args, call.places))
    return UNKNOWN


def _read_known(reading: Reading, values: Sequence[Value]) -> None:
    for value in values:
        word = letters(value)
        if told(word):
            reading.add(read(reading.path(word)))


def opened(call: Call) -> Value:
    """A file opened for what its mode says; a method's mode must look like one."""
    mode = call.args.at(call.places[1])
    letters_of_mode = "r" if mode is None else letters(mode)
    paths = _given(call.args, call.places[:1])
    if "strict" in call.places and not _is_mode(letters_of_mode):
        return UNKNOWN
    if any(letters(path).startswith("|") for path in paths):
        start_constant(call.reading, letters(paths[0])[1:])
    elif _mode_reads(mode, letters_of_mode):
        _read_known(call.reading, paths)
    else:
        how = "append" if letters_of_mode.startswith("a") else "write"
        for path in call.reading.paths_of(paths):
            call.reading.add(wrote(path, how))
    return UNKNOWN


def _is_mode(mode: str) -> bool:
    return bool(mode) and _MODE_LETTERS.issuperset(mode)


def _mode_reads(mode: Value | None, text: str) -> bool:
    if mode is not None and mode.kind in {"map", "number"}:
        return mode.text in {"0", ""}
    if mode is not None and mode.kind == "name":
        return mode.text.endswith(("RDONLY", "ReadMode"))
    return text.startswith("r") and "+" not in text


def opened_perl(call: Call) -> Value:
    """Perl's `open`: the mode stands in a word of its own or before the name."""
    rest = call.args.positional[1:]
    if not rest:
        return UNKNOWN
    mode = letters(rest[0]).strip()
    if len(rest) == 1:
        return _opened_by_text(call.reading, mode)
    if "|" in mode:
        words = [letters(value) for value in rest[1:]]
        if len(words) == 1:
            start_constant(call.reading, words[0])
        elif told(words[0]):
            call.reading.start(words)
        else:
            call.reading.cannot_tell(UNTOLD_PROGRAM)
        return UNKNOWN
    return _opened_by_mode(call.reading, mode, letters(rest[1]))


def _opened_by_text(reading: Reading, text: str) -> Value:
    if text.startswith("|") or text.endswith("|"):
        start_constant(reading, text.strip("|").strip())
        return UNKNOWN
    mode = text[: len(text) - len(text.lstrip("+<>"))]
    return _opened_by_mode(reading, mode, text[len(mode) :].strip())


def _opened_by_mode(reading: Reading, mode: str, name: str) -> Value:
    if name.startswith("&"):
        return UNKNOWN
    if mode.startswith("<") or not mode:
        if told(name):
            reading.add(read(reading.path(name)))
    elif told(name):
        reading.add(wrote(reading.path(name), "append" if ">>" in mode else "write"))
    else:
        reading.cannot_tell(UNTOLD_PATH)
    return UNKNOWN


def went_to(call: Call) -> Value:
    """The folder later paths are seen from."""
    for value in call.args.all_at(call.places[0])[:1]:
        call.reading.folder = call.reading.path(letters(value))
    return UNKNOWN


def set_variable(call: Call) -> Value:
    """A variable by its name, or by `NAME=value`; or all that a map or named arguments name."""
    for value in _given(call.args, call.places):
        if value.kind != "map":
            call.reading.touch_variable(letters(value).partition("=")[0])
    return UNKNOWN


def set_variables(call: Call) -> Value:
    for name in call.args.options():
        if name.startswith(IDENTITIES):
            call.reading.add(changed_identity(name))
    return UNKNOWN


def cleared_variables(call: Call) -> Value:
    call.reading.add(changed_identity("*"))
    return UNKNOWN


def connected(call: Call) -> Value:
    """A database in a file: read now, written once a statement changes something."""
    for value in _given(call.args, call.places):
        word = letters(value)
        if told(word) and word != ":memory:":
            call.reading.databases.append(call.reading.path(word))
            call.reading.add(read(call.reading.path(word)))
    return UNKNOWN


def queried(call: Call) -> Value:
    for value in _given(call.args, call.places):
        if value.kind == "text":
            given = statements(value.text)
            harm = [endangered("destroys data in a database", start) for start in destroyed(given)]
            call.reading.add(*harm)
            if not only_reads(given):
                call.reading.add(*(wrote(path) for path in call.reading.databases))
    return UNKNOWN


def opened_file(call: Call) -> Value:
    """A thing that stands for a file until it is told what to do."""
    value = call.args.at(call.places[0])
    return path_value(letters(value)) if value is not None else UNKNOWN


VERBS: dict[str, Verb] = {
    "write": written,
    "append": appended,
    "mode": changed_mode,
    "edit": edited,
    "tree": made_tree,
    "delete": deleted,
    "rmtree": deleted_tree,
    "rm": deleted_maybe_tree,
    "move": moved,
    "copy": copied,
    "link": linked,
    "read": was_read,
    "open": opened,
    "perl-open": opened_perl,
    "chdir": went_to,
    "env": set_variable,
    "envs": set_variables,
    "no-env": cleared_variables,
    "connect": connected,
    "sql": queried,
    "file": opened_file,
}
