"""Programs that print the names of files: a name for every place these may lie, as far as it is known.

What lies below a folder has any name, and a folder above it that nobody wrote: that is a HOLE behind
what is written. A program that is handed such a name works below that folder and nowhere else. An
option that is not in the tables here may change what is printed: then nobody can tell.
"""

from __future__ import annotations

from drumline.team.shell import fd
from drumline.team.shell.effect import HOLE, STAR
from drumline.team.shell.find import PROGRAMS, Search, below, wild
from drumline.team.shell.find_expression import RUNS
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import Listing
from drumline.team.shell.text import ansi_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.options import Words

_MOST_NAMES = 256
_HERE = (f"./{HOLE}", STAR)  # whatever lies here, with a folder before it or without
_LETTER = {"\n": "\\n", "\0": "\\0"}
_GLOBS = ("-g", "--glob", "--iglob", "--include")


class _Options:
    """The options by which a program prints no more and no less than names, and its letters for a zero."""

    __slots__ = ("plain", "valued", "zero")

    def __init__(self, plain: str, valued: str = "", zero: str = "") -> None:
        self.valued = valued
        self.zero = frozenset(zero.split())
        self.plain = self.zero | frozenset(f"{plain} {valued}".split())

    def taken(self, words: Sequence[str], *, stop: bool = False) -> Words | None:
        """The words taken apart; None where one of them is not known."""
        given = taken_apart(words, self.valued, stop=stop)
        numbers = {flag for flag in given.flags if flag[1:].isdigit()}  # `head -5`
        return given if given.flags <= self.plain | numbers else None

    def printed(self, names: Iterable[str], given: Words) -> str:
        return _listed(names, zero=bool(given.flags & self.zero))


def _listed(names: Iterable[str], *, zero: bool) -> str:
    told = list(dict.fromkeys(names))
    if len(told) > _MOST_NAMES:
        return HOLE
    return Listing("".join(f"{name}\0" if zero else f"{name}\n" for name in told))


def _find(argv: Sequence[str], stdin: str) -> str:
    del stdin
    search = Search(argv[1:])
    if search.tests & (RUNS | {"-printf", "-ls"}):
        return HOLE
    return _listed(search.places(), zero="-print0" in search.tests)


def _inside(names: Iterable[str]) -> list[str]:
    """Files of these names, and all below folders of these names."""
    return [place for name in names for place in (name, *below(name))]


def _search(argv: Sequence[str], stdin: str) -> str:
    """`grep -l` and its kin; without a file they are filters."""
    name = argv[0].rpartition("/")[2]
    lists, options = _SEARCHERS[name]
    given = options.taken(argv[1:])
    if given is None or not given.has(*lists):
        return _filtered(argv, stdin)
    roots = given.operands if given.has("-e", "-f", "--files") else given.operands[1:]
    if not roots and name in _GREPS and not given.has("-r", "-R", "--recursive"):
        return HOLE
    globs = [glob for option in _GLOBS for glob in given.values.get(option, ()) if _is_name(glob)]
    return options.printed(
        [*(_inside(roots) or _HERE), *_files_named(roots or ["."], globs)], given
    )


def _is_name(glob: str) -> bool:
    """Whether a glob asks for a name, and for one alone."""
    return not any(sign in glob for sign in "!/{")


def _files_named(roots: Sequence[str], names: Sequence[str]) -> list[str]:
    """Files of these names below these folders; one that lies right here is printed without its folder."""
    if len(roots) * len(names) > _MOST_NAMES:
        return [HOLE]
    here = [wild(name) for name in names] if "." in roots else []
    return [*here, *(place for root in roots for place in below(root, names) if names)]


def _filtered(argv: Sequence[str], stdin: str) -> str:
    """Some of the names that come in, in some order."""
    options, operands = _FILTERS[argv[0].rpartition("/")[2]]
    given = options.taken(argv[1:])
    wanted = operands - bool(given and given.has("-e"))
    if given is None or not isinstance(stdin, Listing) or len(given.operands) > max(wanted, 0):
        return HOLE
    return stdin


def _tr(argv: Sequence[str], stdin: str) -> str:
    """As it stands before `xargs -0`, and behind `-print0`."""
    if not isinstance(stdin, Listing):
        return HOLE
    for ends, other in (("\n", "\0"), ("\0", "\n")):
        if tuple(argv[1:]) == (_LETTER[ends], _LETTER[other]):
            return Listing(stdin.replace(ends, other))
    return HOLE


def _xargs(argv: Sequence[str], stdin: str) -> str:
    """What a search prints that is handed the names which come in: some of them."""
    given = _XARGS.taken(argv[1:], stop=True)
    if given is None or not isinstance(stdin, Listing) or not given.operands:
        return HOLE
    ends, mark = ansi_c(given.value("-d", "--delimiter")), given.value("-I")
    program, *words = given.operands
    if program.rpartition("/")[2] not in _SEARCHERS or ends not in {"", "\n", "\0"}:
        return HOLE
    names = stdin.names()
    if not mark:
        # without a pattern of its own it takes the first name for one, and any may be the first
        return _search([program, *words, *names, *names[:1]], "")
    if any(mark in word and word != mark for word in words):
        return HOLE  # the names are parts of others
    handed = [each for word in words for each in (names if word == mark else [word])]
    return _search([program, *handed], "")


def _ls(argv: Sequence[str], stdin: str) -> str:
    """What is in a folder is printed without it."""
    del stdin
    given = _LS.taken(argv[1:])
    if given is None:
        return HOLE
    inside = [] if given.has("-d", "--directory") else [STAR]
    if inside and given.has("-a", "-A", "-f", "--all", "--almost-all"):
        inside.append(f".{STAR}")
    return _LS.printed([*given.operands, *inside] or ["."], given)


def _fd(argv: Sequence[str], stdin: str) -> str:
    del stdin
    given = _FD.taken(argv[1:])
    if given is None:
        return HOLE
    roots, names = fd.roots(given), fd.names(given)
    if names:
        return _FD.printed(_files_named(roots, names), given)
    return _FD.printed(_HERE if roots == ["."] else _inside(roots), given)


def by_git(words: Sequence[str], *, at_top: bool) -> str:
    """The files that git names; HOLE where it prints something else."""
    verb, *rest = words
    options = _GIT[verb]
    given = options.taken(rest)
    if given is None:
        return HOLE
    if verb == "ls-files":
        return options.printed(_pathspecs(given.operands), given)
    if not given.has("-l", "--files-with-matches", "--name-only"):
        return HOLE
    if verb == "diff":  # its names begin at the top of the repository, wherever it is asked
        if any(word[:1] in {"/", "~"} or ".." in word.split("/") for word in rest):
            return HOLE  # two files anywhere, which are named as they are given
        paths = rest[rest.index("--") + 1 :] if at_top and "--" in rest else ()
        return options.printed(_pathspecs(paths), given)
    return options.printed(_pathspecs(given.operands[not given.has("-e", "-f") :]), given)


def _pathspecs(names: Sequence[str]) -> Sequence[str]:
    """Files and folders as git is asked for them; its wildcards cross folders."""
    if any(name.startswith(":") for name in names):
        return [HOLE]
    return [place for name in names for place in _pathspec(wild(name, HOLE))] or _HERE


def _pathspec(name: str) -> list[str]:
    if name.startswith(HOLE):
        rest = name.lstrip(HOLE)
        return [f"./{name}", *([] if "." in rest else [STAR + rest])]
    if HOLE in name.partition("/")[0]:
        return [f"./{name}", name.replace(HOLE, STAR)]
    return [name, *below(name)]


_GREP_PLAIN = "-i -v -w -x -s -E -F -G -P -a -I -h --ignore-case --invert-match --extended-regexp --fixed-strings"
_GREP = _Options(
    f"{_GREP_PLAIN} -l -L -r -R -H -n --files-with-matches --files-without-match --recursive "
    "--word-regexp --line-regexp --perl-regexp --no-messages --text --color",
    "-e -f -m -A -B -C -D -d --max-count --include --exclude --exclude-dir --exclude-from",
    "-Z --null",
)
_RG = _Options(
    "-l -i -S -s -w -x -v -F -P -U -a -u -L -n -N -H -I -. --files --files-with-matches --files-without-match "
    "--hidden --no-ignore --no-ignore-vcs --follow --ignore-case --smart-case --case-sensitive --no-messages "
    "--fixed-strings --word-regexp --line-regexp --invert-match --pcre2 --multiline --text --no-config",
    "-e -f -g -t -T -m -A -B -C -j -d -E --glob --iglob --type --type-not --sort --sortr --max-depth "
    "--threads --max-count --max-filesize --color",
    "-0 --null",
)
_AG = _Options("-l -L -i -w -v -Q -s --files-with-matches --nocolor", "-A -B -C -m")
_LS = _Options(
    "-1 -a -A -d -t -r -S -X -U -c -u -v -f -h -B -H -L -k --all --almost-all --directory --reverse "
    "--group-directories-first --color",
    "-I -w --ignore --hide --width --sort --time",
)
_FD = _Options(fd.PLAIN, fd.VALUED, fd.ZERO)
_GIT = {
    "ls-files": _Options(
        "-c -d -o -m -i -k --cached --deleted --others --modified --ignored --exclude-standard --directory "
        "--no-empty-directory --error-unmatch --deduplicate --recurse-submodules",
        "-x -X --exclude --exclude-from --exclude-per-directory",
        "-z",
    ),
    "grep": _Options(
        f"{_GREP_PLAIN} -l -H -n -r --name-only --files-with-matches --recursive --cached --untracked "
        "--word-regexp --perl-regexp --text",
        "-e -f -m --max-depth --threads --max-count",
        "-z --null",
    ),
    "diff": _Options(
        "--name-only --cached --staged --relative --merge-base --no-renames --find-renames --diff-filter",
        zero="-z",
    ),
}
_XARGS = _Options(
    "-r -t -x -0 --no-run-if-empty --verbose --exit --null",
    "-n -P -L -s -d -I --max-args --max-procs --max-lines --max-chars --delimiter",
)
_GREPS = frozenset("grep egrep fgrep".split())
_SEARCHERS: dict[str, tuple[tuple[str, ...], _Options]] = {
    **dict.fromkeys(_GREPS, (("-l", "-L", "--files-with-matches", "--files-without-match"), _GREP)),
    "rg": (("-l", "--files", "--files-with-matches", "--files-without-match"), _RG),
    **dict.fromkeys(("ag", "ack"), (("-l", "-L", "--files-with-matches"), _AG)),
}
_LINES = _Options(f"{_GREP_PLAIN} --word-regexp --line-regexp --text", "-e -m -A -B -C")
_FILTERS: dict[str, tuple[_Options, int]] = {  # and how many of its words are no files
    "sort": (
        _Options(
            "-u -r -n -f -d -b -g -h -V -R -M -i -s -z --unique --reverse --numeric-sort --version-sort --stable",
            "-k -t -S -T --key --field-separator",
        ),
        0,
    ),
    "uniq": (_Options("-i -u -d -z --unique --repeated", "-f -s -w"), 0),
    "head": (_Options("-q -z --quiet", "-n --lines"), 0),
    "tail": (_Options("-q -z --quiet", "-n --lines"), 0),
    "shuf": (_Options("-z", "-n --head-count"), 0),
    "tac": (_Options(""), 0),
    **dict.fromkeys(_GREPS, (_LINES, 1)),
    "rg": (_Options("-v -i -F -P -w -x -S -s -N -a", "-e -m -A -B -C"), 1),
    **dict.fromkeys(("ag", "ack"), (_Options("-v -i -w -Q -s", "-A -B -C -m"), 1)),
}

PRINTERS: dict[str, Callable[[Sequence[str], str], str]] = {
    **dict.fromkeys(PROGRAMS, _find),
    **dict.fromkeys(fd.PROGRAMS, _fd),
    **dict.fromkeys(_SEARCHERS, _search),
    **dict.fromkeys(_FILTERS.keys() - _SEARCHERS.keys(), _filtered),
    "ls": _ls,
    "tr": _tr,
    "xargs": _xargs,
}
