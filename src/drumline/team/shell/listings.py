"""Programs that print the names of files: a line for every place these may lie, as far as it is known.

What lies below a folder has any name, and a folder above it that nobody wrote: that is a HOLE behind
what is written. A program that is handed such a line works below that folder and nowhere else. An
option that is not in the tables here may change what is printed: then nobody can tell.
"""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR, Names
from drumline.team.shell.find import PROGRAMS, RUNS, Asked, below, wild
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.options import Words


class _Known:
    """The options by which a program prints no more and no less than names, and its letters for a zero."""

    __slots__ = ("plain", "valued", "zero")

    def __init__(self, plain: str, valued: str = "", zero: str = "") -> None:
        self.valued = valued
        self.zero = frozenset(zero.split())
        self.plain = self.zero | frozenset(f"{plain} {valued}".split())

    def taken(self, words: Sequence[str]) -> Words | None:
        """The words taken apart; None where one of them is not known."""
        given = taken_apart(words, self.valued)
        odd = (flag for flag in given.flags - self.plain if not flag[1:].isdigit())
        return None if any(odd) else given

    def printed(self, places: Iterable[str], given: Words) -> str:
        return _lines(places, zero=bool(given.flags & self.zero))


def _lines(places: Iterable[str], *, zero: bool) -> Names:
    return Names("".join(f"{place}\0" if zero else f"{place}\n" for place in places))


def _find(argv: Sequence[str], stdin: str) -> str:
    del stdin
    asked = Asked(argv[1:])
    if asked.tests & (RUNS | {"-printf", "-ls"}):
        return HOLE
    itself = [] if asked.names else asked.roots
    return _lines([*itself, *asked.places()], zero="-print0" in asked.tests)


def _inside(names: Iterable[str]) -> list[str]:
    """Files of these names, and all below folders of these names."""
    return [place for name in names for place in (name, *below(name))]


def _search(argv: Sequence[str], stdin: str) -> str:
    """`grep -l` and its kin; without a file they are filters."""
    name = argv[0].rpartition("/")[2]
    lists, known = _SEARCHERS[name]
    given = known.taken(argv[1:])
    if given is None or not given.has(*lists):
        return _filtered(argv, stdin)
    names = given.operands if given.has("-e", "-f", "--files") else given.operands[1:]
    if not names and name in _GREPS and not given.has("-r", "-R", "--recursive"):
        return HOLE
    return known.printed(_inside(names or ["."]), given)


def _filtered(argv: Sequence[str], stdin: str) -> str:
    """Some of the names that come in, in some order."""
    known, operands = _FILTERS[argv[0].rpartition("/")[2]]
    given = known.taken(argv[1:])
    wanted = operands - bool(given and given.has("-e"))
    if given is None or not isinstance(stdin, Names) or len(given.operands) > max(wanted, 0):
        return HOLE
    return stdin


def _ended_otherwise(argv: Sequence[str], stdin: str) -> str:
    """`tr` as it stands before `xargs -0`, and behind `-print0`."""
    for ends, other in (("\n", "\0"), ("\0", "\n")):
        if isinstance(stdin, Names) and tuple(argv[1:]) == (_LETTER[ends], _LETTER[other]):
            return Names(stdin.replace(ends, other))
    return HOLE


_LETTER = {"\n": "\\n", "\0": "\\0"}


def _ls(argv: Sequence[str], stdin: str) -> str:
    del stdin
    given = _LS.taken(argv[1:])
    if given is None:
        return HOLE
    hidden = given.has("-a", "-A", "-f", "--all", "--almost-all")
    folders = not given.operands or hidden or not all(map(_looks_like_files, given.operands))
    inside = folders and not given.has("-d", "--directory")
    return _LS.printed([*given.operands, *([HOLE if hidden else STAR] if inside else [])], given)


def _looks_like_files(name: str) -> bool:
    """Whether `ls` shows them by name, and not what is in them: `*.py`, but not `*`."""
    last = name.rpartition("/")[2]
    return STAR in last and "." in last.strip(".")


def _fd(argv: Sequence[str], stdin: str) -> str:
    del stdin
    given = _FD.taken(argv[1:])
    return HOLE if given is None else _FD.printed(_inside(fd_roots(given)), given)


def fd_words(words: Sequence[str]) -> Words:
    return taken_apart(words, _FD.valued + " --base-directory -C")


def fd_roots(given: Words) -> list[str]:
    """The folders that `fd` looks through."""
    named = [*given.operands[1:], *given.values.get("--search-path", ())]
    start = given.value("--base-directory", "-C")
    return [f"{start}/{root}" if start else root for root in named or ["."]]


def by_git(words: Sequence[str]) -> str | None:
    """The files that git names; None where it prints something else."""
    verb = words[0] if words else ""
    known = _GIT.get(verb)
    given = known.taken(words[1:]) if known else None
    if known is None or given is None:
        return None
    if verb != "ls-files" and not given.has("-l", "--files-with-matches", "--name-only"):
        return None
    apart = words.index("--") + 1 if "--" in words else len(words)
    return known.printed(_pathspecs(given.operands if verb == "ls-files" else words[apart:]), given)


def _pathspecs(names: Sequence[str]) -> list[str]:
    """Files and folders as git is asked for them; its wildcards cross folders."""
    if any(name.startswith(":") for name in names):
        return [HOLE]
    patterns = [wild(name, HOLE) for name in names]
    return _inside([f"./{name}" if name.startswith(HOLE) else name for name in patterns or ["."]])


_GREP_PLAIN = "-i -v -w -x -s -E -F -G -P -a -I -h --ignore-case --invert-match --extended-regexp --fixed-strings"
_GREP = _Known(
    f"{_GREP_PLAIN} -l -L -r -R -H -n --files-with-matches --files-without-match --recursive "
    "--word-regexp --line-regexp --perl-regexp --no-messages --text",
    "-e -f -m -A -B -C -D -d --max-count --include --exclude --exclude-dir --exclude-from --color",
    "-Z --null",
)
_RG = _Known(
    "-l -i -S -s -w -x -v -F -P -U -a -u -L -n -N -H -I -. --files --files-with-matches --files-without-match "
    "--hidden --no-ignore --no-ignore-vcs --follow --ignore-case --smart-case --case-sensitive --no-messages "
    "--fixed-strings --word-regexp --line-regexp --invert-match --pcre2 --multiline --text --no-config",
    "-e -f -g -t -T -m -A -B -C -j -d -E --glob --iglob --type --type-not --sort --sortr --max-depth "
    "--threads --max-count --max-filesize --color",
    "-0 --null",
)
_AG = _Known("-l -L -i -w -v -Q -s --files-with-matches --nocolor", "-A -B -C -m")
_LS = _Known(
    "-1 -a -A -d -t -r -S -X -U -c -u -v -f -h -B -H -L -k --all --almost-all --directory --reverse "
    "--group-directories-first",
    "-I -w --ignore --hide --width --sort --time --color",
)
_FD = _Known(
    "-H -I -u -s -i -g -F -a -L -p -1 --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --glob "
    "--fixed-strings --absolute-path --follow --full-path --no-ignore-vcs --strip-cwd-prefix --prune --regex",
    "-e -t -E -d -S -c -j -o --extension --type --exclude --max-depth --min-depth --exact-depth --size --color "
    "--threads --changed-within --changed-before --owner --max-results --search-path",
    "-0 --print0",
)
_GIT = {
    "ls-files": _Known(
        "-c -d -o -m -i -k --cached --deleted --others --modified --ignored --exclude-standard --directory "
        "--no-empty-directory --error-unmatch --deduplicate --recurse-submodules",
        "-x -X --exclude --exclude-from --exclude-per-directory",
        "-z",
    ),
    "grep": _Known(
        f"{_GREP_PLAIN} -l -H -n -r --name-only --files-with-matches --recursive --cached --untracked "
        "--word-regexp --perl-regexp --text",
        "-e -f -m --max-depth --threads --max-count",
        "-z --null",
    ),
    "diff": _Known(
        "--name-only --cached --staged --relative --merge-base --no-renames --find-renames --diff-filter",
        zero="-z",
    ),
}
_GREPS = frozenset("grep egrep fgrep".split())
_SEARCHERS: dict[str, tuple[tuple[str, ...], _Known]] = {
    **dict.fromkeys(_GREPS, (("-l", "-L", "--files-with-matches", "--files-without-match"), _GREP)),
    "rg": (("-l", "--files", "--files-with-matches", "--files-without-match"), _RG),
    **dict.fromkeys(("ag", "ack"), (("-l", "-L", "--files-with-matches"), _AG)),
}
_LINES = _Known(f"{_GREP_PLAIN} --word-regexp --line-regexp --text", "-e -m -A -B -C")
_FILTERS: dict[str, tuple[_Known, int]] = {  # and how many of its words are no files
    "sort": (
        _Known(
            "-u -r -n -f -d -b -g -h -V -R -M -i -s -z --unique --reverse --numeric-sort --version-sort --stable",
            "-k -t -S -T --key --field-separator",
        ),
        0,
    ),
    "uniq": (_Known("-i -u -d -z --unique --repeated", "-f -s -w"), 0),
    "head": (_Known("-q -z --quiet", "-n --lines"), 0),
    "tail": (_Known("-q -z --quiet", "-n --lines"), 0),
    "shuf": (_Known("-z", "-n --head-count"), 0),
    "tac": (_Known(""), 0),
    **dict.fromkeys(_GREPS, (_LINES, 1)),
    "rg": (_Known("-v -i -F -P -w -x -S -s -N -a", "-e -m -A -B -C"), 1),
    **dict.fromkeys(("ag", "ack"), (_Known("-v -i -w -Q -s", "-A -B -C -m"), 1)),
}

PRINTERS: dict[str, Callable[[Sequence[str], str], str]] = {
    **dict.fromkeys(PROGRAMS, _find),
    **dict.fromkeys(("fd", "fdfind"), _fd),
    **dict.fromkeys(_SEARCHERS, _search),
    **dict.fromkeys(_FILTERS.keys() - _SEARCHERS.keys(), _filtered),
    "ls": _ls,
    "tr": _ended_otherwise,
}
