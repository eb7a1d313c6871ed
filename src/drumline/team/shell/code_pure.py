"""Calls that only make a value out of others: paths, lists, names."""

from __future__ import annotations

from drumline.team.shell.code_reading import UNTOLD_CODE
from drumline.team.shell.code_values import (
    HEAVIEST,
    UNKNOWN,
    Value,
    below,
    choices,
    concatenated,
    either,
    letters,
    list_value,
    name_value,
    path_value,
    text_value,
    told,
    with_holes,
)
from drumline.team.shell.effect import HOLE, STAR, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.code_reading import Call

    Verb = Callable[[Call], Value]

_MODULES = {"fs/promises": "fs", "fs-extra": "fs", "graceful-fs": "fs", "posix": "os", "nt": "os"}
_REACHING_MODULES = frozenset(
    "os subprocess shutil pathlib builtins __builtins__ sys importlib posix pty io globals".split()
)
_PLAIN_ENCODINGS = frozenset("utf-8 utf8 ascii latin-1 utf-8-sig".split())


def module_name(text: str) -> str:
    """A module's name as our tables spell it."""
    plain = text.removeprefix("node:")
    return _MODULES.get(plain, plain)


def same(call: Call) -> Value:
    return call.args.at(call.places[0]) or UNKNOWN


def alone(call: Call) -> Value:
    """The first argument, when nothing is said about how to read it."""
    return call.args.positional[0] if len(call.args.positional) == 1 else UNKNOWN


def module(call: Call) -> Value:
    """An import by a name that is text."""
    value = call.args.at(call.places[0])
    if value is None:
        return UNKNOWN
    word = letters(value)
    if not known(word):
        call.reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    return name_value(module_name(word))


def member_by_text(call: Call) -> Value:
    """`getattr(thing, name)`."""
    thing, name = call.args.at(call.places[0]), call.args.at(call.places[1])
    if thing is None or name is None:
        return UNKNOWN
    word = letters(name)
    if thing.kind != "name":
        return UNKNOWN if not known(word) else Value("method", word, [thing])
    if not known(word):
        if thing.text.partition(".")[0] in _REACHING_MODULES:
            call.reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    return name_value(f"{thing.text}.{word}" if thing.text else word)


def everything(call: Call) -> Value:
    """`globals()`: whatever is asked of it is a name."""
    return name_value(call.places[0])


def joined_path(call: Call) -> Value:
    parts = [value for place in call.places for value in call.args.all_at(place)]
    return below(parts[0], parts[1:]) if parts else UNKNOWN


def resolved_path(call: Call) -> Value:
    """`path.resolve(…)`, `File.expand_path(…)`: a path with the home folder spelled out."""
    value = joined_path(call)
    options = []
    for choice in choices(value):
        word = letters(choice)
        if word == "~" or word.startswith("~/"):
            word = call.reading.scene.home + word[1:]
        options.append(path_value(word))
    return either(options)


def split(call: Call) -> Value:
    value = call.args.at(call.places[0])
    mark = call.args.at(call.places[1]) if len(call.places) > 1 else None
    if value is None or value.kind not in {"text", "path"}:
        return UNKNOWN
    by = letters(mark) if mark is not None and mark.kind == "text" else ""
    return list_value([text_value(word) for word in value.text.split(by or None)])


def joined_text(call: Call) -> Value:
    """`" ".join(list)`, or `list.join(" ")`."""
    other = call.args.at("0")
    mark, items = call.args.receiver, other
    if mark.kind == "list":
        mark, items = other or text_value(","), call.args.receiver
    if items is None or items.kind != "list" or mark.kind != "text":
        return UNKNOWN
    return text_value(mark.text.join(letters(item) for item in items.items))


def replaced_text(call: Call) -> Value:
    values = [call.args.receiver, *call.args.positional]
    if len(values) != 3 or any(value.kind != "text" for value in values):  # noqa: PLR2004 - text, old, new
        return UNKNOWN
    whole, old, new = (value.text for value in values)
    return text_value(whole.replace(old, new, 1000)) if len(new) < 100 and old else UNKNOWN  # noqa: PLR2004 - keeps it short


def decoded(call: Call) -> Value:
    """Bytes as text: only where that changes no letter."""
    by = call.args.at("0")
    plain = by is None or letters(by).lower() in _PLAIN_ENCODINGS
    return call.args.receiver if plain and call.args.receiver.kind == "text" else UNKNOWN


def formatted(call: Call) -> Value:
    value = call.args.at(call.places[0])
    if value is None or value.kind != "text":
        return UNKNOWN
    return text_value(with_holes(value.text, call.places[1]))


def globbed(call: Call) -> Value:
    """Files by a pattern: a list of one path with wildcards in it."""
    parts = [value for place in call.places for value in call.args.all_at(place)]
    if not parts:
        return UNKNOWN
    word = letters(below(parts[0], parts[1:]) if len(parts) > 1 else parts[0])
    if not told(word):
        return UNKNOWN
    word = word.replace("**", HOLE).replace("*", STAR).replace("?", STAR)
    return list_value([path_value(word if "[" not in word else HOLE)])


def globbed_deep(call: Call) -> Value:
    folder = letters(call.args.receiver)
    return list_value([path_value(f"{folder}/{HOLE}")]) if told(folder) else UNKNOWN


def names_in(call: Call) -> Value:
    """The names in a folder: each is one name, whatever it is."""
    return list_value([text_value(STAR)] * len(call.places))


def paths_in(call: Call) -> Value:
    folder = letters(call.args.receiver)
    return list_value([path_value(f"{folder}/{STAR}")]) if told(folder) else UNKNOWN


def walked(call: Call) -> Value:
    """`os.walk(top)`: the top or a folder below it, names of folders, names of files."""
    top = call.args.at("0")
    word = letters(top) if top is not None else HOLE
    if not told(word):
        return UNKNOWN
    folder = either([path_value(word), path_value(f"{word}/{HOLE}")])
    names = list_value([text_value(STAR)])
    return list_value([list_value([folder, names, names])])


def home(call: Call) -> Value:
    return path_value(call.reading.scene.home)


def here(call: Call) -> Value:
    return path_value(call.reading.folder)


def listed(call: Call) -> Value:
    """A call that makes a list of its arguments."""
    return list_value(call.args.positional)


def mapped(call: Call) -> Value:
    return Value("map", pairs=call.args.options())


def pairs(call: Call) -> Value:
    """`dict.items()`, `Object.entries(dict)`."""
    value = call.args.at(call.places[0])
    if value is None or value.kind != "map":
        return UNKNOWN
    return list_value([list_value([text_value(key), item]) for key, item in value.pairs.items()])


def numbered(call: Call) -> Value:
    value = call.args.at("0")
    if value is None or value.kind != "list":
        return UNKNOWN
    return list_value([list_value([UNKNOWN, item]) for item in value.items])


def zipped(call: Call) -> Value:
    if not call.args.positional or any(value.kind != "list" for value in call.args.positional):
        return UNKNOWN
    rows = zip(*(value.items for value in call.args.positional), strict=False)
    return list_value([list_value(list(row)) for row in rows])


def item(call: Call) -> Value:
    """`map.get(key)`."""
    key = call.args.at("0")
    return call.args.receiver.pairs.get(letters(key), UNKNOWN) if key is not None else UNKNOWN


def parent(call: Call) -> Value:
    value = call.args.at(call.places[0])
    word = letters(value) if value is not None else HOLE
    if not told(word):
        return UNKNOWN
    folder, slash, _ = word.rpartition("/")
    return path_value(folder or ("/" if slash else "."))


def grown(call: Call) -> Value:
    """A list that gets more items; what else changes it leaves nothing known."""
    receiver = call.args.receiver
    if receiver.kind != "list":
        return UNKNOWN
    more = call.args.all_at("0+") if call.places[0] != "one" else call.args.positional
    more = [_flat_copy(value) for value in more]
    if call.places[0] == "any" or receiver.weight > HEAVIEST:
        receiver.hold([UNKNOWN])
    elif call.places[0] == "front":
        receiver.hold([*more, *receiver.items])
    else:
        receiver.hold([*receiver.items, *more])
    return receiver


def _flat_copy(value: Value) -> Value:
    """A value that can stand in any list without holding that list itself."""
    if value.kind not in {"list", "either", "map"}:
        return value
    if value.kind == "list" and all(
        item.kind in {"text", "path", "number"} for item in value.items
    ):
        return Value("list", items=value.items)
    return UNKNOWN


def joined_lists(call: Call) -> Value:
    return concatenated([call.args.receiver, *call.args.positional])


def pasted(call: Call) -> Value:
    """R's `paste` and `paste0`: texts with a mark between them."""
    mark = call.args.named.get("sep", text_value("" if call.places else " "))
    if any(value.kind == "list" for value in call.args.positional):
        return UNKNOWN
    return text_value(letters(mark).join(letters(value) for value in call.args.positional))


def named(call: Call) -> Value:
    """`method(:name)`: the thing that is called so."""
    value = call.args.at(call.places[0])
    return name_value(value.text) if value is not None and value.kind == "text" else UNKNOWN


VERBS: dict[str, Verb] = {
    "same": same,
    "alone": alone,
    "module": module,
    "member": member_by_text,
    "everything": everything,
    "join-path": joined_path,
    "resolve": resolved_path,
    "split": split,
    "join-text": joined_text,
    "replace-text": replaced_text,
    "decode": decoded,
    "format": formatted,
    "glob": globbed,
    "glob-deep": globbed_deep,
    "names-in": names_in,
    "paths-in": paths_in,
    "walk": walked,
    "home": home,
    "here": here,
    "list": listed,
    "map": mapped,
    "pairs": pairs,
    "number": numbered,
    "zip": zipped,
    "item": item,
    "parent": parent,
    "grow": grown,
    "join-lists": joined_lists,
    "paste": pasted,
    "named": named,
}
