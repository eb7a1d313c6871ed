"""What the shell does itself: it changes folder, variables, names, and runs more text."""

from __future__ import annotations

from drumline.team.shell import assigning
from drumline.team.shell.effect import HOLE, OUTER, changed_identity, git_did, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.holding import MOST
from drumline.team.shell.options import taken_apart
from drumline.team.shell.ways import ABSENT, ARGUMENTS, FOLDER, LEFT, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.state import Shell

SPECIAL = frozenset(  # in some shells, what is assigned before them stays
    ": . source break continue eval exec exit export readonly return set shift times trap unset".split()
)
_MOST_LEFT = 20  # folders left that are worth remembering
_QUIET = frozenset(
    ": true false [[ ]] wait jobs fg bg disown umask ulimit "
    "times bind complete compopt dirs suspend logout help caller enable fc".split()
)
_SHOPTS = frozenset({"lastpipe", "xpg_echo"})
LAST_IN_PIPE = "-lastpipe"  # where the last step of a pipe runs in the shell itself
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


def is_one(name: str) -> bool:
    return name in _BUILTINS or name in _QUIET


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
    shell.asked |= {FOLDER, LEFT}
    if target == "-":
        shell.cwd = shell.been[-1] if shell.been else OUTER
    elif shell.variables.get("CDPATH") and not target.startswith(("/", ".")):
        shell.cwd = HOLE  # which of its folders has the name cannot be told
    else:
        shell.cwd = shell.path(target)
    shell.been = (*shell.been[-_MOST_LEFT:], left)
    shell.open_as(FOLDER, ())
    if not _is_there(shell.cwd, shell):
        shell.stayed = without(shell.cwd, (left,))
    return ""


def _is_there(folder: str, shell: Shell) -> bool:
    """Whether a folder is there whatever happens: what we stand in, our home, or one for leftovers."""
    around = shell.around
    return folder in around.temporary or any(
        f"{place}/".startswith(f"{folder.rstrip('/')}/") for place in (around.root, around.home)
    )


def _popd(shell: Shell, words: list[str]) -> str:  # noqa: ARG001 - a row of the table
    shell.asked |= {FOLDER, LEFT}
    shell.cwd, shell.been = (shell.been or (OUTER,))[-1], shell.been[:-1]
    shell.open_as(FOLDER, ())
    return ""


def _exit(shell: Shell, words: list[str]) -> str:
    """`exit` ends the shell, unless its words make no sense to it."""
    shell.leave("exit" if len(words) <= 1 else "break")
    return ""


def _return(shell: Shell, words: list[str]) -> str:
    shell.leave("return" if len(words) <= 1 else "break")
    return ""


def _break(shell: Shell, words: list[str]) -> str:  # noqa: ARG001 - a row of the table
    shell.leave("break")
    return ""


def _shift(shell: Shell, words: list[str]) -> str:
    shell.asked.add(ARGUMENTS)
    if shell.positional is not None:
        count = int(words[0][:6]) if words and words[0].isdecimal() else 1
        shell.positional = shell.positional[count:]
    return ""


def _set(shell: Shell, words: list[str]) -> str:
    """`set -- a b` gives the shell new arguments; -e and -a change how it goes on."""
    _switches(shell, words)
    if words:
        shell.open_as(ARGUMENTS, ())
    if len(words) > MOST:
        shell.positional = (HOLE,)
    elif "--" in words:
        shell.positional = tuple(words[words.index("--") + 1 :])
    elif words and words[0][:1] not in {"-", "+"}:
        shell.positional = tuple(words)
    return ""


def _switches(shell: Shell, words: list[str]) -> None:
    for at, word in enumerate(words):
        if word == "--" or word[:1] not in {"-", "+"}:
            break
        long = words[at + 1] if word[1:2] == "o" and at + 1 < len(words) else ""
        for letter, name in (("e", "errexit"), ("a", "allexport")):
            if letter in word[1:] or long == name:
                _switch(shell, f"-{letter}", on=word[0] == "-")


def _switch(shell: Shell, name: str, *, on: bool) -> None:
    shell.put(("variables", name), "1" if on else ABSENT)
    shell.open_as(("variables", name), ())


def _getopts(shell: Shell, words: list[str]) -> str:
    for name in words[1:2]:
        shell.set(name, HOLE)
    return ""


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
        shell.evaluate(words[1])
        shell.set(words[1], printed.by_program(["printf", *words[2:]], "", shell))
        return ""
    return printed.by_program(["printf", *words], "", shell)


def _exec(shell: Shell, words: list[str]) -> str:
    """`exec` runs a program in the shell's place; its options may be bundled, `-a` takes a word."""
    given = taken_apart(words, "-a", stop=True)
    if given.has("-c"):
        shell.note(changed_identity("all variables (exec -c)"))
    words = given.operands
    for word in words:
        if word[:1] == "{" and word[-1:] == "}":
            shell.set(word[1:-1], HOLE)  # a descriptor's number goes into a variable
    if not words:
        shell.input = shell.stdin
        return ""
    shell.run(words)  # functions are passed by
    return HOLE


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


def _shopt(shell: Shell, words: list[str]) -> str:
    for name in _SHOPTS.intersection(words) if "-s" in words else ():
        shell.set(f"-{name}", "1")
    return ""


def _coproc(shell: Shell, words: list[str]) -> str:
    if words[1:2] == ["{"]:  # a name may stand before the brackets
        shell.set(words[0], HOLE)
        words = words[1:]
    while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
        words = words[1:]  # set for it alone
    return shell.apart().start(words, shell.stdin or "")


def _type(shell: Shell, words: list[str]) -> str:
    """`type -P` prints where a program is; `hash -p` gives one another name."""
    del shell
    return f"/usr/bin/{words[-1]}" if words else ""


def _hash(shell: Shell, words: list[str]) -> str:
    if words[:1] == ["-p"] and len(words) > 2:  # noqa: PLR2004 - a path and a name
        shell.aliases[words[2]] = words[1]
    return ""


def _compgen(shell: Shell, words: list[str]) -> str:
    """`compgen` runs a command or a function for its words, and works out a list of them."""
    given = taken_apart(words, "-A -C -F -G -P -S -V -W -X -o")
    shell.evaluate(given.value("-W"))
    for text in (given.value("-C"), given.value("-F")):
        if text:
            shell.apart().text(text)
    return HOLE


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
    "export": assigning.exported,
    "declare": assigning.declared,
    "typeset": assigning.declared,
    "local": assigning.declared,
    "readonly": assigning.read_only,
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _break,
    "unset": assigning.unset,
    "read": assigning.read,
    "mapfile": assigning.mapfile,
    "readarray": assigning.mapfile,
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
    "let": assigning.summed,
    "test": assigning.tested,
    "[": assigning.tested,
    "compgen": _compgen,
    "shift": _shift,
    "set": _set,
    "getopts": _getopts,
    "shopt": _shopt,
}
