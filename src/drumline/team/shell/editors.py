"""What editors do: the files they are given, and the commands they are told."""

from __future__ import annotations

from drumline.team.shell.code import effects_of_code
from drumline.team.shell.effect import HOLE, MARKS, read, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_VI = frozenset(
    "vi vim nvim gvim ex view vimdiff rvim rview evim vim.basic vim.tiny nvi elvis".split()
)
_LINE = frozenset({"ed", "red"})
_LISP = frozenset({"emacs", "emacsclient", "xemacs", "emacs-nox"})
_PLAIN = frozenset("nano pico micro joe jed mg kak helix hx ne mcedit gedit kate subl".split())
PROGRAMS = _VI | _LINE | _LISP | _PLAIN
_VI_VALUED = "-c --cmd -S -u -U -i -T -t -w -W --servername --listen"
_LISP_VALUED = (
    "--eval -eval --execute -l --load -f --funcall --script -L --directory -u --chdir --insert -e"
)
_CODE_COMMANDS = {
    "python": "python",
    "python3": "python",
    "py": "python",
    "py3": "python",
    "pyx": "python",
    "perl": "perl",
    "ruby": "ruby",
    "rub": "ruby",
}
_PREFIXES = frozenset(
    "silent sil silent! sil! noautocmd noa bufdo argdo windo tabdo verbose verb keepjumps keepj".split()
)
_SAVES = frozenset(
    "w write wq x xit exit sav saveas up update w! wq! x! sav! saveas! wa wqa".split()
)
_OPENS = frozenset("e edit e! tabe tabedit tabnew sp split vs vsplit new badd".split())
_MOST_COMMANDS = 500


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What an editor with these words does; to open a file is to write it."""
    name = argv[0].rpartition("/")[2]
    if name in _LINE:
        return _line_editor(argv[1:], scene)
    if name in _LISP:
        return _emacs(argv[1:], scene)
    if name in _PLAIN:
        given = taken_apart(argv[1:], "-T -r -o -C -Y -s --syntax --speller")
        return _opened(given.operands, scene, reads=given.has("-v", "--view"))
    return _vi(name, argv[1:], scene)


def _opened(names: Sequence[str], scene: Scene, *, reads: bool) -> list[Effect]:
    paths = [scene.path(name) for name in names if not name.startswith("+") and name != "-"]
    return [read(path) if reads else wrote(path) for path in paths]


def _vi(name: str, words: Sequence[str], scene: Scene) -> list[Effect]:
    quiet = name == "ex" or taken_apart(words, _VI_VALUED).has("-e", "-E")
    given = taken_apart(words, _VI_VALUED if quiet else f"{_VI_VALUED} -s")
    if given.has("--version", "--help", "-h"):
        return []
    found: list[Effect] = [read(scene.path(path)) for path in given.values.get("-S", [])]
    found += [
        wrote(scene.path(path)) for option in ("-w", "-W") for path in given.values.get(option, [])
    ]
    commands = [*given.values.get("-c", []), *given.values.get("--cmd", [])]
    commands += [word[1:] for word in given.operands if word.startswith("+")]
    if quiet and scene.stdin:
        commands.append(scene.stdin)
    for command in commands:
        found += _commands(command, scene)
    reads = name in {"view", "rview"} or given.has("-R", "-M")
    return found + _opened(given.operands, scene, reads=reads)


def _commands(text: str, scene: Scene) -> list[Effect]:
    """What ex commands do; one that runs a program takes its whole line."""
    if text.strip() and not text.strip(MARKS + " \n:"):
        return [undecided("an editor is given commands that cannot be told")]
    found: list[Effect] = []
    lines = text.split("\n")
    for line in lines[:_MOST_COMMANDS]:
        found += _line(line, scene)
    if len(lines) > _MOST_COMMANDS:
        found.append(undecided("an editor is given more commands than can be told"))
    return found


def _line(line: str, scene: Scene) -> list[Effect]:
    found: list[Effect] = []
    rest = line
    for _ in range(_MOST_COMMANDS):
        rest = rest.lstrip(" \t:|")
        if not rest:
            break
        shell = _shell_part(rest)
        if shell is not None:
            return [*found, *(scene.script(shell) if shell.strip() else [])]
        command, _, rest = rest.partition("|")
        found += _command(command.strip(), scene)
    return found


def _shell_part(text: str) -> str | None:
    """The program behind `!`, `%!`, `r !`, `w !` or `terminal`."""
    bare = text.lstrip("%0123456789,.$'<> \t")
    if bare.startswith("!"):
        return bare[1:]
    word, _, rest = bare.partition(" ")
    while word in _PREFIXES:
        bare = rest.lstrip()
        if bare.startswith("!"):
            return bare[1:]
        word, _, rest = bare.partition(" ")
    if word in {"r", "read", "w", "write"} and rest.lstrip().startswith("!"):
        return rest.lstrip()[1:]
    if word in {"term", "terminal", "te", "Git", "G"}:
        return f"git {rest}" if word.startswith("G") else rest
    return None


def _command(text: str, scene: Scene) -> list[Effect]:
    word, _, rest = text.lstrip("%0123456789,.$'<>").partition(" ")
    rest = rest.strip()
    while word in _PREFIXES:
        word, _, rest = rest.partition(" ")
    if word in _SAVES or word in _OPENS:
        name = rest.removeprefix("++p ").strip()
        return [wrote(scene.path(name))] if name else []
    if word in _CODE_COMMANDS or word == "lua":
        return effects_of_code(rest, _CODE_COMMANDS.get(word, "lua"), scene)
    if word in {"g", "global", "v"} or word[:2] in {"g/", "v/"}:
        return _command(text.rpartition("/")[2], scene) if "/" in text else []
    if word in {"exe", "exec", "execute"}:
        return _expression(rest, scene) or [
            undecided("an editor is given commands that cannot be told")
        ]
    if word in {"call", "cal", "echo", "ec", "let", "put", "pu", "redir"}:
        return _expression(rest, scene) if word != "redir" else _redirected(rest, scene)
    return []


def _redirected(rest: str, scene: Scene) -> list[Effect]:
    name = rest.lstrip("!> ")
    return [wrote(scene.path(name))] if rest.startswith((">", "!")) and name else []


def _expression(text: str, scene: Scene) -> list[Effect]:
    """Calls of Vim's own language are close enough to Lua's."""
    lowered = text.replace("system(", "os.execute(").replace("systemlist(", "os.execute(")
    lowered = lowered.replace("job_start(", "os.execute(").replace("termopen(", "os.execute(")
    lowered = lowered.replace("delete(", "os.remove(").replace("rename(", "os.rename(")
    if "writefile(" in lowered:
        name = lowered.rpartition(",")[2].strip(" )\"'")
        return [wrote(scene.path(name or HOLE))]
    return effects_of_code(lowered, "lua", scene)


def _line_editor(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-p --prompt")
    found: list[Effect] = []
    for name in given.operands[:1]:
        if name.startswith("!"):
            found += scene.script(name[1:])
        else:
            found.append(wrote(scene.path(name)))
    text = scene.stdin or ""
    if text.strip() and not text.strip(MARKS + " \n"):
        return [*found, undecided("an editor is given commands that cannot be told")]
    return found + _ed_script(text, scene)


def _ed_script(text: str, scene: Scene) -> list[Effect]:
    found: list[Effect] = []
    inserting = False
    for line in text.split("\n")[:_MOST_COMMANDS]:
        if inserting:
            inserting = line != "."
            continue
        command = line.lstrip("0123456789,;.$%+-'^ ")
        if command[:1] in {"!", "w", "W", "e", "E", "r"}:
            found += _ed_command(command, scene)
        inserting = command in {"a", "i", "c"}
    return found


def _ed_command(command: str, scene: Scene) -> list[Effect]:
    if command.startswith("!"):
        return list(scene.script(command[1:]))
    rest = command[1:].lstrip("q").strip()
    if rest.startswith("!"):
        return list(scene.script(rest[1:]))
    if not rest:
        return []
    return [read(scene.path(rest)) if command[0] == "r" else wrote(scene.path(rest))]


def _emacs(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart([_one_dash(word) for word in words], _LISP_VALUED)
    found: list[Effect] = []
    for option in ("--eval", "--execute", "-e"):
        for text in given.values.get(option, []):
            found += effects_of_code(text, "lisp", scene)
    for option in ("-l", "--load", "--script"):
        found += [read(scene.path(name)) for name in given.values.get(option, [])]
    return found + _opened(given.operands, scene, reads=False)


def _one_dash(word: str) -> str:
    """Emacs takes its long options with one dash too."""
    long = word.startswith("-") and not word.startswith("--") and len(word) > 2  # noqa: PLR2004 - `-x`
    return f"-{word}" if long else word
