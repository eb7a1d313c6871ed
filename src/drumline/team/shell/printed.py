"""What a program prints, where its words tell: enough to follow text into a shell or a path."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, STAR, known
from drumline.team.shell.holding import bounded
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import Listing, either_of, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drumline.team.shell.state import Shell

    Printer = Callable[[list[str], str, Shell], str]

# Programs that print shell text which only sets variables, functions and completions: as their first
# words ask for it, behind the options here, which take a value. What runs a command prints what it likes.
_COMPLETED = frozenset(
    "kubectl helm gh glab npm pip poetry uv rustup deno volta pipx bun argocd flux k3d kind terraform "
    "gcloud az".split()
)
_COMPLETING = frozenset(
    ("env activate", *"completion completions shell-completion generate-shell-completion".split())
)
_SET_UP = frozenset(
    "direnv pyenv rbenv nodenv jenv goenv phpenv plenv brew starship zoxide fnm nvm opam conda mamba "
    "micromamba atuin mise rtx asdf minikube docker-machine luarocks sdk oh-my-posh spack module".split()
)
_SETTING_UP = _COMPLETING.union(
    "init hook env shellenv activate docker-env path export shell.bash shell.zsh shell shell-init "
    "virtualenv-init podman-env".split(),
    ("config env",),
)
_BEFORE = {
    "minikube": "-p --profile",
    "poetry": "-C --directory -P --project",
    "uv": "--directory --project",
    "kubectl": "-n --namespace --context --kubeconfig",
}
_SET_UP_WITH = {  # what otherwise does something else
    "thefuck": "--alias",
    "fzf": "--bash --zsh --fish",
    "just": "--completions",
    "task": "--completion",
    "hub": "alias",
}
_ALWAYS = frozenset(
    "dircolors register-python-argcomplete keychain resize lesspipe aws_completer".split()
)
_DAEMONS = {"ssh-agent": "-a -E -O -P -t", "gpg-agent": "--options --homedir"}
_IN_PLAIN_WORDS = f"_@%+=:,./-{STAR}{OUTER}"

TEXTS = frozenset({"echo", "printf"})
WORDS = frozenset(
    "uname hostname whoami id uuidgen arch tty getconf sw_vers tput rustc locale md5sum sha1sum sha256sum "
    "cksum wc nproc date basename dirname expr seq stat bc od".split()
)
LISTERS = frozenset("find gfind fd fdfind ls".split())
SEARCHERS = frozenset("grep egrep fgrep rg ag ack".split())  # with some options they are listers
FILTERS = SEARCHERS | frozenset("sort uniq head tail shuf tac tr xargs".split())
GIT_LISTERS = frozenset("ls-files grep diff".split())

_HASH = "0" * 40 + "\n"  # whichever: it names a commit and no file
_NAMES_COMMITS = frozenset("rev-parse describe hash-object merge-base rev-list".split())
_ONLY_COMMITS = frozenset(
    "--verify -q --quiet --short --always --tags --all --long --abbrev --exact-match --count --max-count "
    "-n -1 --merges --no-merges --first-parent --reverse --is-ancestor --fork-point --octopus -w".split()
)
_READS_CODE = frozenset("-d -D --decode -i --ignore-garbage --input -w --wrap -b --break".split())
_READS_PLAIN_HEX = ({"-r", "-p"}, {"-r", "-ps"}, {"-r", "-plain"}, {"-rp"})


def by_program(argv: list[str], stdin: str, shell: Shell) -> str:
    """The text a program prints; HOLE where nobody can tell."""
    name = argv[0].rpartition("/")[2]
    printer = _printers(name).get(name)
    if printer is not None:
        return printer(argv, stdin, shell)
    return "" if _only_sets_up(name, argv[1:]) else _listed(name, argv, stdin)


def _printers(name: str) -> Mapping[str, Printer]:
    """The table it stands in; who prints nothing of that kind does not pay for knowing how."""
    if name in TEXTS:
        from drumline.team.shell.printed_text import PRINTERS

        return PRINTERS
    if name in WORDS:
        from drumline.team.shell.printed_words import PRINTERS

        return PRINTERS
    return _PRINTERS


def _only_sets_up(name: str, words: Sequence[str]) -> bool:
    """Whether what it prints sets up a shell and does nothing else."""
    if not all(letter.isalnum() or letter in _IN_PLAIN_WORDS for letter in "".join(words)):
        return False  # a name in it may carry text of its own
    if name in _DAEMONS:  # with an operand they run that, and print what it prints
        return not taken_apart(words, _DAEMONS[name]).operands
    if name in _SET_UP_WITH:
        return not {*words[:1]}.isdisjoint(_SET_UP_WITH[name].split())
    return name in _ALWAYS or _sets_up_as_asked(name, words)


def _sets_up_as_asked(name: str, words: Sequence[str]) -> bool:
    if name not in _SET_UP and name not in _COMPLETED:
        return False
    before = _BEFORE.get(name, "")
    given = taken_apart(words, before, stop=True)
    asked = {" ".join(given.operands[:number]) for number in (1, 2)}
    known = _SETTING_UP if name in _SET_UP else _COMPLETING
    return given.flags <= {*before.split()} and not asked.isdisjoint(known)


def _listed(name: str, argv: list[str], stdin: str) -> str:
    """Names of files; what prints none does not pay for knowing how."""
    lists = name in LISTERS or (name in SEARCHERS and any(map(_may_list, argv)))
    if not lists and not (name in FILTERS and isinstance(stdin, Listing)):
        return HOLE
    from drumline.team.shell import listings

    return listings.PRINTERS[name](argv, stdin)


def _may_list(word: str) -> bool:
    return word[:1] == "-" and any(letter in word for letter in "lL")


def _held(names: Sequence[str], stdin: str, shell: Shell) -> str:
    """What these files hold; without a name, what comes in."""
    known = [stdin if name == "-" else shell.kept(_file(name, shell)) for name in names or ("-",)]
    return together([HOLE if text is None else text for text in known])


def _file(name: str, shell: Shell) -> str:
    return name if name.startswith("/dev/fd/") else shell.path(name)


def _cat(argv: list[str], stdin: str, shell: Shell) -> str:
    given = taken_apart(argv[1:])
    return _held(given.operands, stdin, shell) if given.flags <= {"-u"} else HOLE


def _tee(argv: list[str], stdin: str, shell: Shell) -> str:
    given = taken_apart(argv[1:])
    appends = given.has("-a", "--append")
    for name in given.operands:
        path = shell.path(name)
        before = shell.kept(path) if appends else None
        shell.files[path] = bounded(together([before or "", stdin]))
    return stdin


def _sponge(argv: list[str], stdin: str, shell: Shell) -> str:
    _tee(argv, stdin, shell)
    named = taken_apart(argv[1:]).operands
    return "" if named and not any(map(_is_a_stream, named)) else stdin


def _is_a_stream(name: str) -> bool:
    """Whether what is written to a file may be printed."""
    return name.startswith(("/dev/", "/proc/")) or not known(name)


def _dd(argv: list[str], stdin: str, shell: Shell) -> str:
    """What it copies is told as long as nothing but where from and where to is asked."""
    asked = dict(word.split("=", 1) for word in argv[1:] if "=" in word)
    text = stdin if asked.keys() <= {"of", "status"} else HOLE
    if "of" not in asked or _is_a_stream(asked["of"]):
        return text
    shell.files[shell.path(asked["of"])] = bounded(text)
    return ""


def _base64(argv: list[str], stdin: str, shell: Shell) -> str:
    """Text behind a code that hides nothing."""
    given = taken_apart(argv[1:], "-b -w --break --input --wrap")
    if not given.has("-d", "-D", "--decode") or not given.flags <= _READS_CODE:
        return HOLE
    from base64 import b64decode

    names = [*given.operands, *given.values.get("--input", ())]
    letters = "".join(_held(names, stdin, shell).split())
    try:  # where one of them is no letter of the code, programs differ in what they print
        return b64decode(letters, validate=True).decode()
    except ValueError:
        return HOLE


def _rev(argv: list[str], stdin: str, shell: Shell) -> str:
    given = taken_apart(argv[1:])
    text = _held(given.operands, stdin, shell)
    if given.flags or isinstance(text, Listing) or HOLE in text or OUTER in text:
        return HOLE
    return "\n".join(line[::-1] for line in text.split("\n"))


def _hexadecimal(argv: list[str], stdin: str, shell: Shell) -> str:
    """What `xxd` reads back: its options are whole words, and these take none."""
    flags = {word for word in argv[1:] if word.startswith("-") and len(word) > 1}
    names = [word for word in argv[1:] if word not in flags]
    if flags not in _READS_PLAIN_HEX:
        return HOLE
    try:
        return bytes.fromhex(_held(names[:1], stdin, shell).strip()).decode()
    except ValueError:
        return HOLE


def _pwd(argv: list[str], stdin: str, shell: Shell) -> str:
    del argv, stdin
    return f"{shell.cwd}\n"


def _which(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin, shell
    name = argv[-1] if len(argv) > 1 else ""
    return either_of(name, (name, ""))


def _mktemp(argv: list[str], stdin: str, shell: Shell) -> str:
    del argv, stdin
    return f"{shell.temporary[0]}/{STAR}\n"


def _realpath(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin
    names = taken_apart(argv[1:], "--relative-to --relative-base").operands
    return "".join(f"{shell.path(name)}\n" for name in names) or f"{shell.cwd}\n"


def _git(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin
    if "--show-cdup" in argv:  # at the top there is no way up
        return either_of("", ("", f"{shell.root}/\n"))
    if "--show-toplevel" in argv:
        return f"{shell.root}\n"
    if any(word in argv for word in ("--git-dir", "--absolute-git-dir", "--git-common-dir")):
        return f"{shell.root}/.git\n"
    if any(word.startswith(("--abbrev-ref", "--symbolic", "--git-path")) for word in argv):
        return HOLE
    if _NAMES_COMMITS.intersection(argv[1:2]):
        said = {"--verify"} & {*argv} or argv[1] != "rev-parse" or all(map(_is_a_commit, argv[2:]))
        return _HASH if said and all(map(_names_commits, argv[2:])) else HOLE
    return _git_listed(argv, shell)


def _is_a_commit(word: str) -> bool:
    """Whether a word surely names one: `rev-parse` prints other words as they are."""
    return word[:1] == "-" or word.startswith(("HEAD", "@", "refs/"))


def _names_commits(word: str) -> bool:
    """Whether a word leaves what is printed a commit's name, or a number."""
    return word[:1] != "-" or word.partition("=")[0] in _ONLY_COMMITS


def _git_listed(argv: list[str], shell: Shell) -> str:
    if not GIT_LISTERS.intersection(argv[1:2]):
        return HOLE
    if argv[1] != "ls-files" and not any(map(_may_list, argv[2:])):
        return HOLE
    from drumline.team.shell import listings

    return listings.by_git(argv[1:], at_top=shell.path(".") == shell.root)


def _env(argv: list[str], stdin: str, shell: Shell) -> str:
    """What was there before nobody chose; what was set here is told."""
    del stdin
    named = [word for word in argv[1:] if word[:1] != "-"]
    told = [shell.value(name) for name in named if name in shell.exported]
    return "".join(f"{value}\n" for value in told if isinstance(value, str)) or OUTER


_PRINTERS: dict[str, Printer] = {
    "cat": _cat,
    "tee": _tee,
    "sponge": _sponge,
    "dd": _dd,
    "pwd": _pwd,
    "which": _which,
    "mktemp": _mktemp,
    "realpath": _realpath,
    "readlink": _realpath,
    "git": _git,
    "base64": _base64,
    "rev": _rev,
    "xxd": _hexadecimal,
    "printenv": _env,
}
