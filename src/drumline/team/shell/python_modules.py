"""What `python -m module` does, for modules whose words name files or code."""

from __future__ import annotations

from drumline.team.shell.code import effects_of_code
from drumline.team.shell.effect import endangered, read, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_RUNS_ELSEWHERE = frozenset("invoke nox tox poethepoet poetry uv pdm hatch".split())
_PROGRAMS_OF_MODULES = {"poethepoet": "poe"}


def effects(words: Sequence[str], scene: Scene) -> list[Effect]:
    """What a module does with its words; nothing for one we know nothing of."""
    name = words[0] if words else ""
    if name in _RUNS_ELSEWHERE:
        return list(scene.run([_PROGRAMS_OF_MODULES.get(name, name), *words[1:]]))
    module = _MODULES.get(name)
    return module(words[1:], scene) if module is not None else []


def _json_tool(words: Sequence[str], scene: Scene) -> list[Effect]:
    operands = [word for word in taken_apart(words, "--indent").operands if word != "-"]
    found: list[Effect] = [read(scene.path(name)) for name in operands[:1]]
    return found + [wrote(scene.path(name)) for name in operands[1:2]]


def _zip(words: Sequence[str], scene: Scene) -> list[Effect]:
    """`zipfile` and `tarfile`: a list, a test, an archive made, or one unpacked."""
    given = taken_apart(words, "--metadata-encoding --filter")
    operands = given.operands
    if not operands:
        return []
    if given.has("-e", "--extract"):
        folder = operands[1] if len(operands) > 1 else "."
        return [read(scene.path(operands[0])), wrote(scene.path(folder), tree=True)]
    if given.has("-c", "--create"):
        return [wrote(scene.path(operands[0]))]
    return [read(scene.path(operands[0]))]


def _venv(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "--prompt -p --python")
    folders = [scene.path(name) for name in given.operands]
    cleared = [endangered("recursive delete in inline code", path) for path in folders]
    made = [wrote(path, tree=True) for path in folders]
    return made + cleared if given.has("--clear") else made


def _timeit(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-n -r -s -u --number --repeat --setup --unit", stop=True)
    setup = [*given.values.get("-s", []), *given.values.get("--setup", [])]
    return effects_of_code("\n".join([*setup, *given.operands]), "python", scene)


def _script(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Modules that run a script or another module: `cProfile`, `trace`, `coverage run`."""
    given = taken_apart(words, "-o -s -m --outfile --sort --module --source", stop=True)
    found: list[Effect] = [wrote(scene.path(name)) for name in given.values.get("-o", [])]
    module = given.value("-m", "--module")
    if module:
        return found + effects([module, *given.operands], scene)
    operands = given.operands[1:] if given.operands[:1] == ["run"] else given.operands
    return found + [read(scene.path(name)) for name in operands[:1]]


def _pdb(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-c -m", stop=True)
    found: list[Effect] = [read(scene.path(name)) for name in given.operands[:1]]
    for command in given.values.get("-c", []):
        found += effects_of_code(command.removeprefix("!").strip(), "python", scene)
    return found


def _console(words: Sequence[str], scene: Scene) -> list[Effect]:
    del words
    if not scene.stdin:
        return []
    return effects_of_code(scene.stdin, "python", scene)


def _compiled(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-d -s -p -x -i -j -r -o -e")
    return [read(scene.path(name)) for name in given.operands]


def _served(words: Sequence[str], scene: Scene) -> list[Effect]:
    del words, scene
    return []


def _encoded(words: Sequence[str], scene: Scene) -> list[Effect]:
    return [read(scene.path(name)) for name in taken_apart(words).operands[:1]]


def _runpy(words: Sequence[str], scene: Scene) -> list[Effect]:
    return effects(words, scene) if words else [undecided("a module that cannot be told is run")]


_MODULES: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "json.tool": _json_tool,
    "json": _json_tool,
    "zipfile": _zip,
    "tarfile": _zip,
    "venv": _venv,
    "virtualenv": _venv,
    "timeit": _timeit,
    "cProfile": _script,
    "profile": _script,
    "trace": _script,
    "coverage": _script,
    "pdb": _pdb,
    "code": _console,
    "compileall": _compiled,
    "http.server": _served,
    "base64": _encoded,
    "runpy": _runpy,
}
