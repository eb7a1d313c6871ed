"""What the shell does itself: it changes folder, variables, names, and runs more text."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, changed_identity, git_did, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.state import MOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.state import Shell

_QUIET = frozenset(
    ": true false test [ [[ ]] break continue return exit wait jobs fg bg disown umask ulimit "
    "times bind complete compgen compopt dirs suspend logout help caller enable fc "
    "shopt".split()
)
_SKIP_HOOKS = {
    "HUSKY": ("0",),
    "LEFTHOOK": ("0", "false"),
    "HUSKY_SKIP_HOOKS": ("1", "true"),
    "OVERCOMMIT_DISABLE": ("1", "true"),
}
_SKIP_BY_NAME = ("SKIP", "LEFTHOOK_EXCLUDE", "PRE_COMMIT_ALLOW_NO_CONFIG")


def run(shell: Shell, argv: list[str]) -> str | None:
    """Do what a builtin does; None when this is no builtin."""
    builtin = _BUILTINS.get(argv[0])
    if builtin is not None:
        return builtin(shell, argv[1:])
    return "" if argv[0] in _QUIET else None


def meant_for_git(name: str, shell: Shell) -> list[Effect]:
    """What a variable set for one command does to git: skipped hooks, or settings from nowhere."""
    value = shell.variables.get(name, "")
    if name.startswith("GIT_CONFIG_KEY") and str(value).lower() == "core.hookspath":
        return [git_did("hooks-skipped", name)]
    if name == "GIT_CONFIG_PARAMETERS" and "hookspath" in str(value).lower():
        return [git_did("hooks-skipped", name)]
    if name.startswith("GIT_CONFIG"):
        return [undecided("git is given settings that cannot be told", "git")]
    return []


def hooks_skipped(effects: list[Effect], shell: Shell) -> list[Effect]:
    """Whether a commit or push goes round its hooks by a variable that programs see."""
    if not any(each.kind == "git" and each.subject in {"commit", "push"} for each in effects):
        return []
    seen = {name: str(shell.variables.get(name, "")) for name in shell.exported}
    off = [name for name, values in _SKIP_HOOKS.items() if seen.get(name, "").lower() in values]
    off += [name for name in _SKIP_BY_NAME if seen.get(name)]
    return [git_did("hooks-skipped", name) for name in off]


def _cd(shell: Shell, words: list[str]) -> str:
    names = [word for word in words if not (word.startswith("-") and len(word) > 1)]
    target = names[0] if names else shell.home
    left = shell.cwd
    if target == "-":
        shell.cwd = shell.been[-1] if shell.been else OUTER
    elif shell.variables.get("CDPATH") and not target.startswith(("/", ".")):
        shell.cwd = HOLE  # which of its folders has the name cannot be told
    else:
        shell.cwd = shell.path(target)
    shell.been.append(left)
    return ""


def _popd(shell: Shell, words: list[str]) -> str:  # noqa: ARG001 - a row of the table
    shell.cwd = shell.been.pop() if shell.been else OUTER
    return ""


def _shift(shell: Shell, words: list[str]) -> str:
    if shell.positional is not None:
        count = int(words[0][:6]) if words and words[0].isdecimal() else 1
        shell.positional = shell.positional[count:]
    return ""


def _set(shell: Shell, words: list[str]) -> str:
    """`set -- a b` gives the shell new arguments."""
    if len(words) > MOST:
        shell.positional = (HOLE,)
    elif "--" in words:
        shell.positional = tuple(words[words.index("--") + 1 :])
    elif words and words[0][:1] not in {"-", "+"}:
        shell.positional = tuple(words)
    return ""


def _getopts(shell: Shell, words: list[str]) -> str:
    for name in words[1:2]:
        shell.set(name, HOLE)
    return ""


def _declare(shell: Shell, words: list[str]) -> str:
    """`export`, `declare` and their kin: set, or hide from programs, or show."""
    options = "".join(word[1:] for word in words if word[:1] in {"-", "+"})
    for word in words:
        name, sign, value = word.partition("=")
        if word[:1] in {"-", "+"}:
            continue
        shell.exported.add(name.rstrip("+"))
        if sign:
            shell.set(name.rstrip("+"), value)
            if "n" in options and value.startswith(("DRUMLINE_", "LOA_")):
                shell.note(changed_identity(value))  # another name for it, about to be written
        elif "n" in options or "x" in options:
            _touch(shell, name, unless_shown="-n" not in words and "+x" not in words)
    return ""


def _touch(shell: Shell, name: str, *, unless_shown: bool) -> None:
    """A variable taken out of the environment; exporting one unchanged alters nothing."""
    if not unless_shown:
        _unset(shell, [name])


def _unset(shell: Shell, words: list[str]) -> str:
    for word in words:
        if word.startswith(("DRUMLINE_", "LOA_")):
            shell.note(changed_identity(word))
        elif HOLE in word:
            shell.note(undecided("which variable is unset cannot be told"))
        if not word.startswith("-"):
            shell.variables[word] = ""
            shell.functions.pop(word, None)
    return ""


def _read(shell: Shell, words: list[str]) -> str:
    """`read` and `mapfile`: variables get what comes in."""
    known = (shell.stdin or HOLE).split()
    names = _names_read(words)
    if "-a" in words and names:
        shell.set(names[0], tuple(known))
        return ""
    for at, name in enumerate(names):
        single = len(names) == 1 and HOLE not in (shell.stdin or HOLE)
        value = " ".join(known) if single else (known[at] if at < len(known) else "")
        shell.set(name, HOLE if HOLE in (shell.stdin or HOLE) else value)
    return ""


def _mapfile(shell: Shell, words: list[str]) -> str:
    return _read(shell, [word for word in words if word != "-t"])


def _names_read(words: list[str]) -> list[str]:
    names: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in {"-d", "-i", "-n", "-N", "-p", "-t", "-u", "-O", "-s", "-c", "-C"}
            if word == "-a":
                skip = False
        else:
            names.append(word)
    return names or ["REPLY"]


def _alias(shell: Shell, words: list[str]) -> str:
    for word in words:
        name, sign, text = word.partition("=")
        if sign:
            shell.aliases[name] = text
    return ""


def _unalias(shell: Shell, words: list[str]) -> str:
    for word in words:
        shell.aliases.pop(word, None)
    return ""


def _eval(shell: Shell, words: list[str]) -> str:
    words = words[1:] if words[:1] == ["--"] else words
    return shell.text(" ".join(words), shell.stdin or "") if words else ""


def _source(shell: Shell, words: list[str]) -> str:
    if not words:
        return ""
    path = words[0] if words[0].startswith("/dev/fd/") else shell.path(words[0])
    text = shell.kept(path)
    if text is not None:
        return shell.text(text)
    if path in {"/dev/stdin", "/dev/fd/0"}:
        return shell.text(shell.stdin or "")
    shell.note(did_read(path))
    return ""


def _trap(shell: Shell, words: list[str]) -> str:
    words = [word for word in words if word not in {"--", "-l", "-p"}]
    if len(words) > 1 and words[0] not in {"", "-"}:
        shell.at_the_end(words[0])
    return ""


def _printf(shell: Shell, words: list[str]) -> str | None:
    """`printf -v name` sets a variable; otherwise it prints like the program."""
    from drumline.team.shell import printed

    if words[:1] == ["-v"] and len(words) > 1:
        shell.set(words[1], printed.by_program(["printf", *words[2:]], "", shell))
        return ""
    return printed.by_program(["printf", *words], "", shell)


def _exec(shell: Shell, words: list[str]) -> str:
    while words[:1] and words[0] in {"-c", "-l", "-cl", "-lc", "-a"}:
        if "c" in words[0]:
            shell.note(changed_identity("all variables (exec -c)"))
        words = words[2:] if words[0] == "-a" else words[1:]
    for word in words:
        if word[:1] == "{" and word[-1:] == "}":
            shell.set(word[1:-1], HOLE)  # a descriptor's number goes into a variable
    return shell.start(words, shell.stdin or "") if words else ""


def _command(shell: Shell, words: list[str]) -> str:
    """`command` and `builtin` run a program; with -v or -V they only say where it is."""
    while words and words[0].startswith("-"):
        if "v" in words[0] or "V" in words[0]:
            return f"/usr/bin/{words[-1]}\n"
        words = words[1:]
    if not words:
        return ""
    functions, aliases = shell.functions, shell.aliases
    shell.functions, shell.aliases = {}, {}
    said = shell.start(words, shell.stdin or "")
    shell.functions, shell.aliases = functions, aliases
    return said


def _coproc(shell: Shell, words: list[str]) -> str:
    if words[1:2] == ["{"]:  # a name may stand before the brackets
        shell.set(words[0], HOLE)
        words = words[1:]
    return shell.start(words, shell.stdin or "")


def _type(shell: Shell, words: list[str]) -> str:
    """`type -P` prints where a program is; `hash -p` gives one another name."""
    del shell
    return f"/usr/bin/{words[-1]}" if words else ""


def _hash(shell: Shell, words: list[str]) -> str:
    if words[:1] == ["-p"] and len(words) > 2:  # noqa: PLR2004 - a path and a name
        shell.aliases[words[2]] = words[1]
    return ""


def _let(shell: Shell, words: list[str]) -> str:
    """Arithmetic may assign too."""
    text = " ".join(words).replace("$", " ").replace("(", " ").replace(",", " ")
    for name in text.replace(" =", "=").split():
        variable, sign, _ = name.partition("=")
        if sign and variable.startswith(("DRUMLINE_", "LOA_")):
            shell.set(variable.rstrip("+-*/%&|^<>"), HOLE)
    return ""


def _history_file(shell: Shell, words: list[str]) -> str:
    for flag in ("-w", "-a"):
        if flag in words[:-1]:
            shell.note(wrote(shell.path(words[words.index(flag) + 1])))
    return ""


_BUILTINS: dict[str, Callable[[Shell, list[str]], str | None]] = {
    "cd": _cd,
    "pushd": _cd,
    "popd": _popd,
    "chdir": _cd,
    "export": _declare,
    "declare": _declare,
    "typeset": _declare,
    "local": _declare,
    "readonly": _declare,
    "unset": _unset,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "alias": _alias,
    "unalias": _unalias,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "printf": _printf,
    "exec": _exec,
    "command": _command,
    "builtin": _command,
    "coproc": _coproc,
    "history": _history_file,
    "type": _type,
    "hash": _hash,
    "let": _let,
    "shift": _shift,
    "set": _set,
    "getopts": _getopts,
}
