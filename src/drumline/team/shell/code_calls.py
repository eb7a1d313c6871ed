"""What a name stands for, and what calling it does."""

from __future__ import annotations

from drumline.team.shell import code_files, code_pure, code_starts
from drumline.team.shell.code_reading import UNTOLD_CODE, UNTOLD_PATH, UNTOLD_PROGRAM, Call
from drumline.team.shell.code_values import (
    UNKNOWN,
    Arguments,
    Value,
    choices,
    either,
    letters,
    list_value,
    name_value,
)
from drumline.team.shell.effect import git_did, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_names import Tables
    from drumline.team.shell.code_reading import Reading

VERBS = {**code_pure.VERBS, **code_starts.VERBS, **code_files.VERBS}
_GLOBALS = (
    "builtins.",
    "__builtins__.",
    "__builtin__.",
    "globalThis.",
    "window.",
    "global.",
    "globals.",
    "Kernel.",
    "CORE.",
    "base.",
    "module.",
    "process.mainModule.",
    "java.io.",
    "java.nio.file.",
    "fs.promises.",
    "sys.process.",
    "System.Process.",
    "System.Directory.",
)
_DANGEROUS_MODULES = frozenset(
    "os subprocess shutil builtins __builtins__ child_process fs process globals Kernel".split()
)
_ESCAPES = frozenset("__globals__ __subclasses__ __getattribute__ __builtins__".split())
_ONLY_LOOK = frozenset(
    "print help type repr str dir id hasattr callable isinstance inspect console.log typeof getsource"
    " signature pprint puts p var_dump len".split()
)
_MAP_CHANGES = frozenset("update setdefault pop popitem clear set delete merge! store".split())
_GIT_LIBRARIES = frozenset(
    "git pygit2 dulwich dulwich.porcelain simple-git isomorphic-git nodegit rugged Rugged Git".split()
)


def plain_name(name: str) -> str:
    """A name without the parts that say it is everyone's."""
    if not name.startswith(_GLOBALS):
        return name
    for prefix in _GLOBALS:
        if name.startswith(prefix):
            rest = name.removeprefix(prefix)
            return f"fs.{rest}" if prefix == "fs.promises." else plain_name(rest)
    return name


def spec_of(name: str, tables: Tables) -> str:
    """What our tables say of a name: by the whole of it, else by its last part."""
    name = plain_name(name)
    whole = tables.exact.get(name)
    if whole is not None:
        return whole
    last = name.rpartition(".")[2]
    found = tables.anywhere.get(last)
    if found is None and "." in name:
        found = tables.methods.get(last)
    return found or ""


def member(reading: Reading, value: Value, name: str) -> Value:
    """What `value.name` stands for before it is called."""
    if name in _ESCAPES and reading.language.name == "python":
        reading.cannot_tell(UNTOLD_CODE)
    if value.kind == "map" and name in value.pairs:
        return value.pairs[name]
    if value.kind == "name":
        if value.text in reading.tables.environments_by_member:
            return variable(reading, name)
        whole = f"{value.text}.{name}" if value.text else name
        constant = reading.tables.constants.get(whole)
        return name_value(whole) if constant is None else Value("text", constant)
    return Value("method", name, [value])


def variable(reading: Reading, name: str) -> Value:
    """A variable of the environment, with the one value of it we know."""
    known_values = {"HOME": reading.scene.home, "PWD": reading.scene.cwd}
    items = [Value("path", known_values[name])] if name in known_values else []
    return Value("variable", name, items)


def uncalled(reading: Reading, value: Value) -> Value:
    """A method that nobody calls is a property; few of them matter."""
    if value.kind == "name" and value.text in reading.tables.on_topic:
        return called(reading, value, _arguments(reading.names.get("_", UNKNOWN)))
    if value.kind != "method":
        return value
    receiver = value.items[0]
    tables = reading.tables
    spec = tables.properties.get(value.text, "")
    if receiver.kind == "path" and reading.language.name == "ruby":
        spec = tables.path_methods.get(value.text, spec)
    if spec:
        return _performed(reading, spec, Arguments(receiver))
    if receiver.kind == "list":
        reading.iterated = receiver
    return UNKNOWN


def indexed(reading: Reading, value: Value, keys: Arguments) -> Value:
    """What `value[key]` stands for."""
    key = keys.positional[0] if keys.positional else UNKNOWN
    word = letters(key)
    if value.kind == "name":
        return _indexed_name(reading, value.text, word)
    if value.kind == "map" and word in value.pairs:
        return value.pairs[word]
    if value.kind == "list" and word.isdigit() and int(word) < len(value.items):
        return value.items[int(word)]
    if known(word) and word.startswith(("DRUMLINE_", "LOA_")):
        return variable(reading, word)
    return UNKNOWN


def _indexed_name(reading: Reading, name: str, word: str) -> Value:
    tables = reading.tables
    if name in tables.environments:
        return variable(reading, word)
    if name in tables.globbers:
        return _performed(reading, "glob 0", _arguments(Value("text", word)))
    if not known(word):
        if plain_name(name).removesuffix(".__dict__") in _DANGEROUS_MODULES:
            reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    if name == "sys.modules":
        return name_value(code_pure.module_name(word))
    if word.startswith(("DRUMLINE_", "LOA_")):
        return variable(reading, word)
    owner = name.removesuffix("__dict__").removesuffix(".")
    return name_value(f"{owner}.{word}") if not word.isdigit() else UNKNOWN


def _arguments(*values: Value) -> Arguments:
    found = Arguments()
    found.positional = list(values)
    return found


def called(reading: Reading, value: Value, args: Arguments) -> Value:
    """What calling a value with these arguments gives; what it does is noted."""
    if reading.piped is not None:
        args.positional.insert(0, reading.piped)
        reading.piped = None
    results = [_called_one(reading, choice, args) for choice in choices(value)]
    return results[0] if len(results) == 1 else either(results)


def _called_one(reading: Reading, value: Value, args: Arguments) -> Value:
    if value.kind == "text" and reading.language.calls_texts:
        value = name_value(value.text)
    if value.kind == "name":
        return _called_name(reading, value.text, args)
    if value.kind == "method":
        return _called_method(reading, value, args)
    _handed_over(reading, "", args)
    return UNKNOWN


def _called_name(reading: Reading, name: str, args: Arguments) -> Value:
    tables = reading.tables
    _bind_parameters(reading, name, args)
    if name in tables.senders or name.rpartition(".")[2] in tables.senders:
        return _sent(reading, args)
    owner, _, last = name.rpartition(".")
    if last in {"call", "apply", "__call__"} and spec_of(owner, tables):
        return _called_name(reading, owner, _shifted(reading, args, last))
    _git_library(reading, last)
    spec = spec_of(name, tables)
    args.receiver = reading.names.get(owner, name_value(owner)) if owner else UNKNOWN
    if spec:
        return _performed(reading, spec, args)
    if name.startswith("sh.") and "sh" in reading.modules:
        args.positional[:0] = [Value("text", word) for word in name.split(".")[1:]]
        return _performed(reading, "program 0 1+", args)
    _handed_over(reading, name, args)
    return UNKNOWN


def _called_method(reading: Reading, value: Value, args: Arguments) -> Value:
    tables = reading.tables
    receiver, name = value.items[0], value.text
    if receiver.kind == "either":
        methods = [Value("method", name, [choice]) for choice in receiver.items]
        return either(_called_method(reading, method, args) for method in methods)
    args.receiver = receiver
    if name in tables.senders:
        return _sent(reading, args)
    spec = tables.methods.get(name) or tables.anywhere.get(name, "")
    if receiver.kind == "path" and name in tables.path_methods:
        spec = tables.path_methods[name]
    if receiver.kind == "map" and name in _MAP_CHANGES:
        receiver.forget()
    if receiver.kind == "list":
        _iterate(reading, receiver, args)
        spec = tables.list_methods.get(name, spec)
    if receiver.kind == "name" and name == "call":
        return _called_name(reading, receiver.text, args)
    if spec:
        return _performed(reading, spec, args)
    _git_library(reading, name)
    _handed_over(reading, name, args)
    return UNKNOWN


def _iterate(reading: Reading, receiver: Value, args: Arguments) -> None:
    """`list.forEach(f => …)`: the name before the arrow is each item in turn."""
    for name in list(args.named)[:1]:
        reading.bind(name, either(receiver.items) if receiver.items else UNKNOWN)


def _performed(reading: Reading, spec: str, args: Arguments) -> Value:
    verb, *places = spec.split(" ")
    if verb not in code_pure.VERBS and verb != "file":
        return VERBS[verb](Call(reading, args, places))
    return either(VERBS[verb](Call(reading, each, places)) for each in args.expanded())


def _shifted(reading: Reading, args: Arguments, how: str) -> Arguments:
    """The arguments of `f.call(this, …)` or `f.apply(this, […])` as f sees them."""
    if reading.language.name != "javascript":
        return args
    found = Arguments()
    found.positional = args.positional[1:]
    if how == "apply" and found.positional and found.positional[0].kind == "list":
        found.positional = found.positional[0].items
    return found


def _sent(reading: Reading, args: Arguments) -> Value:
    """A call by a name that is text: `send(:system, …)`, `call_user_func("system", …)`."""
    if not args.positional:
        return UNKNOWN
    name, *rest = args.positional
    word = letters(name)
    if name.kind == "name" and spec_of(name.text, reading.tables):
        word = name.text
    elif name.kind == "name" and reading.language.name == "elixir" and rest:
        word = f"{name.text}.{rest[0].text}"
        rest = rest[1:]
    if not known(word):
        reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    if len(rest) == 1 and rest[0].kind == "list":
        rest = rest[0].items
    return _called_name(reading, word, _arguments(*rest))


def _bind_parameters(reading: Reading, name: str, args: Arguments) -> None:
    parameters = reading.functions.get(name)
    if parameters is None:
        return
    for place, parameter in enumerate(parameters):
        if parameter.startswith("*"):
            reading.bind(parameter[1:], list_value(args.positional[place:]))
        elif place < len(args.positional):
            reading.bind(parameter, args.positional[place])
    for parameter, value in args.named.items():
        if parameter in parameters:
            reading.bind(parameter, value)


def _handed_over(reading: Reading, name: str, args: Arguments) -> None:
    """A call that is given one of the calls we know may make it, with who knows what."""
    if plain_name(name).partition(".")[0] in _ONLY_LOOK or name.rpartition(".")[2] in _ONLY_LOOK:
        return
    tables = reading.tables
    for value in [*args.positional, *args.named.values()]:
        for choice in choices(value):
            if choice.kind == "name" and choice.text:
                verb = spec_of(choice.text, tables).partition(" ")[0]
                _warn(reading, verb)


def _warn(reading: Reading, verb: str) -> None:
    if verb in code_starts.VERBS and verb != "eval-text":
        reading.cannot_tell(UNTOLD_PROGRAM)
    elif verb in {"write", "append", "delete", "rmtree", "rm", "move", "tree", "link"}:
        reading.cannot_tell(UNTOLD_PATH)


def _git_library(reading: Reading, name: str) -> None:
    """Git without its program: libraries that commit and push by themselves."""
    if name in {"push", "commit"} and _GIT_LIBRARIES.intersection(reading.modules):
        reading.add(git_did(name, words=("git", name)))


def may_change(reading: Reading) -> bool:
    """Whether following the code again can tell anything new."""
    if not reading.names.loose and not reading.functions:
        return False
    if reading.effects or reading.starts:
        return True
    values = [choice for value in reading.names.known() for choice in choices(value)]
    return any(value.kind == "name" and spec_of(value.text, reading.tables) for value in values)


def starts_call(reading: Reading, value: Value) -> bool:
    """Whether a name may be called without brackets."""
    if value.kind == "name":
        return bool(spec_of(value.text, reading.tables))
    tables = reading.tables
    return value.kind == "method" and (
        value.text in tables.methods or value.text in tables.anywhere
    )


def argument_spread(values: Sequence[Value]) -> list[Value]:
    """`*list` among arguments: its items, or one that is not known."""
    found: list[Value] = []
    for value in values:
        found += value.items if value.kind == "list" else [UNKNOWN]
    return found
