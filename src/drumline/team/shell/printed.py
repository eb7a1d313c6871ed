"""What a program prints, where its words tell: enough to follow text into a shell or a path."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, STAR
from drumline.team.shell.said import Listing, either_of, together
from drumline.team.shell.text import ansi_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.state import Shell

_ONE_NAME = frozenset(  # a single word without a slash, whatever it is
    "date basename uname hostname whoami id wc uuidgen arch tty getconf seq sw_vers stat "
    "md5sum sha256sum sha1sum cksum expr bc od tput rustc locale".split()
)
_SETS_UP = frozenset(  # print shell text that only sets variables, functions and completions
    "ssh-agent direnv pyenv rbenv nodenv jenv goenv phpenv plenv brew starship zoxide fnm nvm opam "
    "dircolors conda mamba micromamba thefuck atuin mise rtx asdf minikube docker-machine luarocks "
    "register-python-argcomplete kubectl helm gh glab npm pip poetry uv rustup deno volta sdk "
    "resize gpg-agent keychain hub lesspipe fzf pipx just bun task argocd flux k3d kind oh-my-posh "
    "vcpkg spack module aws_completer gcloud az terraform".split()
)
_ALWAYS = frozenset("ssh-agent dircolors register-python-argcomplete keychain resize".split())
_SETTING_UP = frozenset(
    "init hook env shellenv completion completions activate generate-shell-completion docker-env "
    "path export shell.bash shell.zsh shell --alias --bash --zsh shell-completion shell-init -s -k "
    "--daemon dircolors --eval virtualenv-init podman-env --completion".split()
)
_LISTERS = frozenset("find gfind fd fdfind ls".split())
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack".split())  # with some options they are listers
_FILTERS = _SEARCHERS | frozenset("sort uniq head tail shuf tac tr".split())
_GIT_LISTERS = frozenset("ls-files grep diff".split())
_MOST_VALUES = 64


def by_program(argv: list[str], stdin: str, shell: Shell) -> str:
    """The text a program prints; HOLE where nobody can tell."""
    name = argv[0].rpartition("/")[2]
    printer = _PRINTERS.get(name)
    if printer is not None:
        return printer(argv, stdin, shell)
    if name == "nproc":
        return "8"  # a number, whichever
    if name in _ONE_NAME:
        return STAR
    if name in _ALWAYS or (name in _SETS_UP and len(argv) == 1):
        return ""
    if name in _SETS_UP and (_SETTING_UP & set(argv[1:])):
        return ""
    return _listed(name, argv, stdin)


def _listed(name: str, argv: list[str], stdin: str) -> str:
    """Names of files; what prints none does not pay for knowing how."""
    lists = name in _LISTERS or (name in _SEARCHERS and any(map(_may_list, argv)))
    if not lists and not (name in _FILTERS and isinstance(stdin, Listing)):
        return HOLE
    from drumline.team.shell import listings

    return listings.PRINTERS[name](argv, stdin)


def _may_list(word: str) -> bool:
    return word[:1] == "-" and any(letter in word for letter in "lL")


def _echo(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    words, escapes, end = argv[1:], False, "\n"
    while words and words[0].startswith("-") and words[0].strip("-neE") == "" and words[0] != "-":
        escapes = escapes or "e" in words[0]
        end = "" if "n" in words[0] else end
        words = words[1:]
    text = " ".join(words)
    return (ansi_c(text) if escapes else text) + end


def _printf(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    words = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if not words:
        return ""
    if len(words) > _MOST_VALUES:
        return HOLE
    shape, values = ansi_c(words[0]), words[1:]
    out: list[str] = []
    at = 0
    while True:
        text, used = _formatted(shape, values[at:])
        out.append(text)
        at += used
        if at >= len(values) or not used:
            return "".join(out)


def _formatted(shape: str, values: list[str]) -> tuple[str, int]:
    """One pass of a printf format, and how many values it took."""
    out: list[str] = []
    used = at = 0
    while at < len(shape):
        if shape[at] != "%" or at + 1 >= len(shape):
            out.append(shape[at])
            at += 1
            continue
        end = at + 1
        while end < len(shape) - 1 and shape[end] in "-+ #0123456789.":
            end += 1
        kind = shape[end]
        if kind == "%":
            out.append("%")
        else:
            value = values[used] if used < len(values) else ""
            used += 1
            out.append(_converted(kind, value))
        at = end + 1
    return "".join(out), used


def _converted(kind: str, value: str) -> str:
    if kind in "sqd":
        return value
    if kind == "b":
        return ansi_c(value)
    return value[:1] if kind == "c" else STAR


def _cat(argv: list[str], stdin: str, shell: Shell) -> str:
    names = [word for word in argv[1:] if not word.startswith("-") or word == "-"]
    if not names:
        return stdin
    known = [stdin if name == "-" else shell.kept(_file(name, shell)) for name in names]
    return together([HOLE if text is None else text for text in known])


def _file(name: str, shell: Shell) -> str:
    return name if name.startswith("/dev/fd/") else shell.path(name)


def _tee(argv: list[str], stdin: str, shell: Shell) -> str:
    for name in argv[1:]:
        if not name.startswith("-"):
            shell.files[shell.path(name)] = stdin
    return stdin


def _base64(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    """Text behind a code that hides nothing."""
    if not {"-d", "-D", "--decode"} & set(argv):
        return HOLE
    from base64 import b64decode

    try:
        return b64decode(stdin.strip(), validate=False).decode()
    except ValueError:
        return HOLE


def _rev(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    return HOLE if HOLE in stdin else stdin.rstrip("\n")[::-1]


def _hexadecimal(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    try:
        return bytes.fromhex(stdin.strip()).decode() if "-r" in argv or "-rp" in argv else HOLE
    except ValueError:
        return HOLE


def _pwd(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    return shell.cwd


def _which(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    name = argv[-1] if len(argv) > 1 else ""
    return either_of(name, (name, ""))


def _mktemp(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    return f"{shell.temporary[0]}/{STAR}"


def _dirname(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    head, slash, _ = argv[-1].rpartition("/")
    return head or (slash or ".")


def _realpath(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    return shell.path(argv[-1]) if len(argv) > 1 else shell.cwd


def _git(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    if "--show-toplevel" in argv or "--show-cdup" in argv:
        return shell.root
    if any(word in argv for word in ("--git-dir", "--absolute-git-dir", "--git-common-dir")):
        return f"{shell.root}/.git"
    if any(word.startswith(("--abbrev-ref", "--symbolic", "--git-path")) for word in argv):
        return HOLE
    if len(argv) > 1 and argv[1] in {
        "rev-parse",
        "describe",
        "hash-object",
        "merge-base",
        "rev-list",
    }:
        return "0" * 40  # a hash, whichever: it names a commit and no file
    return _git_listed(argv, shell)


def _git_listed(argv: list[str], shell: Shell) -> str:
    if not _GIT_LISTERS.intersection(argv[1:2]):
        return HOLE
    if argv[1] != "ls-files" and not any(map(_may_list, argv[2:])):
        return HOLE
    from drumline.team.shell import listings

    return listings.by_git(argv[1:], at_top=shell.path(".") == shell.root)


def _env(argv: list[str], stdin: str, shell: Shell) -> str:  # noqa: ARG001 - a row of the table
    return OUTER


_PRINTERS: dict[str, Callable[[list[str], str, Shell], str]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "tee": _tee,
    "pwd": _pwd,
    "which": _which,
    "mktemp": _mktemp,
    "dirname": _dirname,
    "realpath": _realpath,
    "readlink": _realpath,
    "git": _git,
    "base64": _base64,
    "rev": _rev,
    "xxd": _hexadecimal,
    "printenv": _env,
}
