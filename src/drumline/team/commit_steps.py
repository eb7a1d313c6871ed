"""What one git command does to what the next commit holds."""

from __future__ import annotations

from drumline.team.shell import git_history, git_refs, git_tree
from drumline.team.shell.git_line import HERE
from drumline.team.shell.git_options import one_of, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from drumline.team.shell.git_line import Line
    from drumline.team.shell.git_options import Options

    Tell = Callable[[Options], "Act | None"]

WHOLE = ":/"  # git's name for everything in a repository
UPSTREAM = "@{upstream}"

_ADDS = "-u|--update -A|--all -f|--force -p|--patch -i|--interactive -e|--edit --refresh"
_COMMITS = "-a|--all -i|--include -o|--only --amend -p|--patch --interactive"
_OF_THE_INDEX = one_of("commit-tree citool gui cola absorb")  # commit what is staged, whatever said


class Act:
    """One step towards a commit.

    kind    paths                          refs                          flags
    take    enter from the work tree                                     new ignored
    drop    are again as last committed
    start   as drop, if refs is no commit  what the next commit follows  index
    switch                                 what is stood on from now on
    bring                                  what is merged or picked      merge pick revert
    patch   hold patches
    record  only these, if any                                           all include amend
    say     nothing is kept but a message
    unseen  enter by their object alone
    """

    __slots__ = (
        "drawn",
        "flags",
        "folder",
        "gone",
        "kind",
        "made",
        "message",
        "paths",
        "refs",
        "told",
    )

    def __init__(
        self,
        kind: str,
        paths: Iterable[str] = (),
        refs: Iterable[str] = (),
        flags: Iterable[str] = (),
        message: str = "",
    ) -> None:
        self.kind, self.paths, self.refs = kind, tuple(paths), tuple(map(_full, refs))
        self.flags, self.message = frozenset(flags), message
        self.folder = ""
        self.made: Mapping[str, str] = {}  # files the same command wrote before, as far as known
        self.gone: frozenset[str] = frozenset()  # files it replaced or deleted before
        self.drawn: Mapping[str, frozenset[str]] = {}  # files it wrote, and what it wrote them from
        self.told: tuple[str, ...] = ()  # files that hold a message; `-` is what comes in

    def __repr__(self) -> str:
        words = (*sorted(self.flags), *self.refs, *self.paths)
        return f"<{' '.join((self.kind, *words))} in {self.folder}>"


def act_of(line: Line) -> Act | None:
    """What the command does on the way to a commit, if anything."""
    if line.verb in _OF_THE_INDEX:
        found: Act | None = Act("record")
    elif line.verb in _TOLD:
        form, tell = _TOLD[line.verb]
        found = tell(options_of(line.words, form))
    else:
        found = None
    if found is not None:
        found.folder = line.work_tree or line.folder
    return found


def _full(ref: str) -> str:
    return "@{-1}" if ref == "-" else ref


def _commit(options: Options) -> Act | None:
    if options.has(*git_history.DRY_COMMITS):
        return None
    flags = [name for name in ("all", "include", "amend") if options.has(name)]
    if options.has("patch", "interactive"):
        flags.append("all")
    paths = [WHOLE] if options.has("pathspec-from-file") else options.rest
    return _saying(Act("record", paths, flags=flags), options)


def _saying(act: Act, options: Options) -> Act:
    act.message = "\n\n".join(options.values("message"))
    act.told = tuple(options.values("file"))
    return act


def _say(options: Options) -> Act | None:
    return _saying(Act("say"), options) if options.has("message", "file") else None


def _add(options: Options) -> Act | None:
    if options.has("dry-run", "refresh"):
        return None
    tracked = options.has("update", "patch", "edit")
    flags = [] if tracked else ["new", *(["ignored"] if options.has("force") else [])]
    whole = options.has("all", "update", "patch", "interactive", "edit", "pathspec-from-file")
    paths = options.rest or ([WHOLE] if whole else [])
    return Act("take", paths, flags=flags) if paths else None


def _update_index(options: Options) -> Act | None:
    if options.has("cacheinfo", "index-info"):
        return Act("unseen")
    return Act("take", options.rest, flags=["new", "ignored"]) if options.rest else None


def _rm(options: Options) -> Act | None:
    return None if options.has("dry-run") else Act("drop", options.rest)


def _restore(options: Options) -> Act | None:
    known = options.has("staged") and not options.has("source")
    return Act("drop", options.rest) if known else None


def _reset(options: Options) -> Act | None:
    soft = options.has("soft")
    named, paths = options.operands[:1], [*options.operands[1:], *options.after]
    if not named or named[0] in HERE:
        return None if soft else Act("drop", paths or [WHOLE])
    if paths:
        return Act("drop", [*named, *paths])
    return Act("start", named, named, ["index"] if soft else [])


def _switch(options: Options) -> Act | None:
    if options.after or options.has(*git_tree.ONLY_PATHS):
        return None
    return Act("switch", refs=options.rest[:1]) if options.rest else None


def _step(options: Options) -> Act | None:
    return Act("record") if options.has("continue", "skip") else None


def _ends_or_goes_on(options: Options) -> bool:
    return options.has("abort", "quit", "continue", "skip", "show-current-patch", "edit-todo")


def _merge(options: Options) -> Act | None:
    if _ends_or_goes_on(options):
        return _step(options)
    message = "\n\n".join(options.values("message"))
    return Act("bring", (), options.rest or [UPSTREAM], ["merge"], message)


def _rebase(options: Options) -> Act | None:
    if _ends_or_goes_on(options):
        return _step(options)
    onto = options.values("onto")[-1:] or options.rest[:1]
    if options.has("root") and not options.has("onto"):
        return None
    return Act("bring", refs=onto or [UPSTREAM], flags=["merge"])


def _pick(options: Options) -> Act | None:
    return _step(options) or Act("bring", refs=options.rest, flags=["pick"])


def _revert(options: Options) -> Act | None:
    return _step(options) or Act("bring", refs=options.rest, flags=["revert"])


def _patch(options: Options) -> Act | None:
    if _ends_or_goes_on(options):
        return _step(options)
    only_looks = options.has(*git_tree.LOOKS_AT_PATCH) and not options.has("apply")
    return None if only_looks else Act("patch", options.rest)


_MADE, _CHANGED = git_history.VERBS, git_tree.VERBS
_TOLD: dict[str, tuple[str, Tell]] = {
    "commit": (f"{_MADE['commit'][0]} {_COMMITS}", _commit),
    "add": (f"{_CHANGED['add'][0]} {_ADDS}", _add),
    "stage": (f"{_CHANGED['add'][0]} {_ADDS}", _add),
    "update-index": ("--chmod= --cacheinfo= --index-version= --index-info", _update_index),
    "notes": (_MADE["notes"][0], _say),
    "tag": (git_refs.VERBS["tag"][0], _say),
    "rm": (_CHANGED["rm"][0], _rm),
    "restore": (_CHANGED["restore"][0], _restore),
    "reset": (_CHANGED["reset"][0], _reset),
    "switch": (_CHANGED["switch"][0], _switch),
    "checkout": (_CHANGED["checkout"][0], _switch),
    "merge": (_MADE["merge"][0], _merge),
    "rebase": (_MADE["rebase"][0], _rebase),
    "cherry-pick": (_MADE["cherry-pick"][0], _pick),
    "revert": (_MADE["revert"][0], _revert),
    "am": (_MADE["am"][0], _patch),
    "apply": (_CHANGED["apply"][0], _patch),
}
