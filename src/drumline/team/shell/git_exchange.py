"""The verbs of git that speak with other repositories."""

from __future__ import annotations

from drumline.team.shell.effect import GIT, HOLE, undecided, wrote
from drumline.team.shell.git_history import hooks_skipped
from drumline.team.shell.git_line import HERE, TAGS, branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

FAR_PROGRAM = "--upload-pack= --receive-pack= --exec="
FETCHES = (
    f"{FAR_PROGRAM} --depth= --deepen= --shallow-since= --shallow-exclude= --negotiation-tip="
    " --refmap= --recurse-submodules? --recurse-submodules-default= --submodule-prefix="
    " -o|--server-option= --filter= --dry-run --multiple"
)
PUSHES = (
    f"{FAR_PROGRAM} -f|--force --force-with-lease? --force-if-includes -n|--dry-run --no-verify"
    " --mirror -d|--delete --prune --all --branches --tags --follow-tags --repo= --remote="
    " -o|--push-option= --signed? --recurse-submodules="
)

TOLD = {
    "cvsexportcommit": "push",
    "review": "push",
    "send-email": "hub",
    "imap-send": "hub",
    "receive-pack": f"ref:{HOLE}",
    "fetch-pack": "fetch",
    "backfill": "fetch",
}

# what a verb of many parts does by its first word; "*" is any word that is not listed
PARTS = {
    "subtree": {
        "pull": "fetch commit",
        "add": "fetch commit",
        "merge": "commit",
        "split": "commit",
        "*": "",
    },
    "svn": {
        "log": "",
        "info": "",
        "blame": "",
        "find-rev": "",
        "show-ignore": "",
        "show-externals": "",
        "proplist": "",
        "propget": "",
        "fetch": "fetch",
        "rebase": "fetch commit",
        "clone": "fetch work-tree",
        "init": "config:svn-remote",
        "reset": "ref",
        "gc": "object",
        "": "",
        "*": "push",
    },
    "p4": {
        "submit": "push",
        "sync": "fetch ref",
        "clone": "fetch work-tree",
        "rebase": "fetch commit",
        "*": "",
    },
    "lfs": {
        "fetch": "fetch",
        "pull": "fetch work-tree",
        "checkout": "work-tree",
        "push": "push",
        "install": "config:lfs",
        "uninstall": "config:lfs",
        "update": "config:lfs",
        "lock": "hub",
        "unlock": "hub",
        "prune": "object",
        "dedup": "object",
        "migrate": "commit discard",
        "*": "",
    },
}


def far_programs(line: Line, options: Options) -> list[Effect]:
    """The programs a command names for the far end, which run here when that end is a folder."""
    named = options.values("upload-pack", "receive-pack", "exec")
    named += [word.removeprefix("ext::") for word in options.rest if word.startswith("ext::")]
    return [effect for text in named for effect in line.script(text)]


def _push(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return far_programs(line, options)
    specs = _refspecs(options.rest[1:])
    wide = _wide(options)
    targets = [_target(spec) for spec in specs] + wide or [""]
    effects = [line.did("push", ref) for ref in targets]
    effects += [line.did("force-push", ref) for ref in _forced(line, options, specs)]
    if options.rest[:1] == ["."]:
        effects += [line.did("ref", ref) for ref in targets]
    if options.open or any(spec.startswith(HOLE) for spec in specs):
        effects.append(undecided("what git push sends cannot be told", GIT))
    return [*effects, *hooks_skipped(line, options), *far_programs(line, options)]


def _wide(options: Options) -> list[str]:
    """The refs that are pushed without being named."""
    if options.has("all", "branches", "mirror"):
        return [HOLE]
    return [f"{TAGS}{HOLE}"] if options.has("tags") else []


def _forced(line: Line, options: Options, specs: list[str]) -> list[str]:
    """The far branches a push may rewrite or remove; the current one is an empty name."""
    if options.has("mirror", "prune") or _remote_is_set_to_force(line):
        return [HOLE]
    if options.has("force", "force-with-lease", "delete"):
        return [_target(spec) for spec in specs] or _wide(options) or [""]
    return [_target(spec) for spec in specs if spec[:1] in {"+", ":"} and spec != ":"]


def _remote_is_set_to_force(line: Line) -> bool:
    return any(
        key.startswith("remote.") and key.endswith((".push", ".mirror")) for key, _ in line.settings
    )


def _refspecs(words: list[str]) -> list[str]:
    """What is to be moved, with `tag NAME` written as the refspec it is short for."""
    specs: list[str] = []
    rest = iter(words)
    for word in rest:
        name = next(rest, "") if word == "tag" else ""
        specs.append(f"{TAGS}{name}:{TAGS}{name}" if name else word)
    return [spec for spec in specs if not spec.startswith("^")]


def _target(spec: str) -> str:
    """The branch a refspec writes to: an empty name is the current one."""
    source, _, target = spec.removeprefix("+").partition(":")
    ref = target or source
    if spec in {":", "+:"}:
        return HOLE
    return "" if ref in HERE else branch_of(ref)


def _fetch(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return far_programs(line, options)
    return [line.did("fetch"), *_fetched_refs(line, options), *far_programs(line, options)]


def _fetched_refs(line: Line, options: Options) -> list[Effect]:
    named = [] if options.has("multiple") else _refspecs(options.rest[1:])
    local = [spec.partition(":")[2] for spec in [*named, *options.values("refmap")]]
    return [line.did("ref", branch_of(ref)) for ref in local if ref]


def _pull(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return far_programs(line, options)
    return [*_fetch(line, options), line.did("commit"), *hooks_skipped(line, options)]


def _ls_remote(line: Line, options: Options) -> list[Effect]:
    return far_programs(line, options)


def _part(line: Line, options: Options) -> list[Effect]:
    parts = PARTS[line.verb]
    return line.all(parts.get(options.action, parts["*"]))


def _subtree(line: Line, options: Options) -> list[Effect]:
    if options.action == "push":
        specs = options.rest[2:] or [""]
        effects = [line.did("push", _target(spec)) for spec in specs]
        forced = [spec for spec in specs if spec.startswith("+")]
        return effects + [line.did("force-push", _target(spec)) for spec in forced]
    made = [line.did("ref", branch_of(name)) for name in options.values("branch")]
    return _part(line, options) + made


def _lfs(line: Line, options: Options) -> list[Effect]:
    named = options.rest[1:]
    if options.action in {"track", "untrack"} and named and not options.has("dry-run"):
        return [wrote(line.path(".gitattributes"))]
    if options.action == "migrate" and named[:1] == ["info"]:
        return []
    return _part(line, options)


VERBS: dict[str, Verb] = {
    "push": (PUSHES, _push),
    "send-pack": (PUSHES, _push),
    "http-push": (PUSHES, _push),
    "fetch": (f"{FETCHES} -j|--jobs=", _fetch),
    "pull": (
        (
            f"{FETCHES} -j|--jobs? -s|--strategy= -X|--strategy-option= -S|--gpg-sign? --cleanup="
            " -r|--rebase? --log? --signoff? --no-verify"
        ),
        _pull,
    ),
    "ls-remote": (f"{FAR_PROGRAM} -o|--server-option= --sort=", _ls_remote),
    "subtree": ("-P|--prefix= -m|--message= --annotate= --onto= -b|--branch=", _subtree),
    "svn": ("", _part),
    "p4": ("", _part),
    "lfs": ("-d|--dry-run -I|--include= -X|--exclude=", _lfs),
}
