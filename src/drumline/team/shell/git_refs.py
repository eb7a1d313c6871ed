"""The verbs of git that make, move or remove refs, and those that keep the list of remotes."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE
from drumline.team.shell.git_line import HERE, TAGS, branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

LISTS = ("list", "contains", "no-contains", "merged", "no-merged", "points-at")
LISTING = (
    "-l|--list --contains --no-contains --merged --no-merged --points-at= --sort= --format="
    " --color? --column? --abbrev?"
)
REMOTES = {
    "": "",
    "show": "",
    "get-url": "",
    "update": "fetch",
    "prune": "fetch",
}


def _branch(line: Line, options: Options) -> list[Effect]:
    names = [branch_of(word) for word in options.rest]
    if options.has("delete", "D"):
        return _deleted_branches(line, options, names)
    if options.has("set-upstream-to", "unset-upstream", "edit-description"):
        return [line.did("config", "branch")]
    if options.has("move", "M"):
        both = names if len(names) > 1 else ["", *names]
        return [line.did("ref", name) for name in both]
    if options.has("copy", "C"):
        return [line.did("ref", name) for name in names[-1:]]
    if options.has("show-current", *LISTS):
        return []
    return [line.did("ref", name) for name in names[:1]]


def _deleted_branches(line: Line, options: Options, names: list[str]) -> list[Effect]:
    whole = [f"refs/remotes/{name}" for name in names] if options.has("remotes") else names
    effects = [line.did("ref", name) for name in whole]
    if options.has("D", "force"):
        effects += [line.did("discard", name) for name in whole]
    return effects


def _tag(line: Line, options: Options) -> list[Effect]:
    names = [TAGS + word.removeprefix(TAGS) for word in options.rest]
    if options.has("delete"):
        return [line.did("ref", name) for name in names]
    if options.has("verify", "n", *LISTS):
        return []
    return [line.did("ref", name) for name in names[:1]]


def _update_ref(line: Line, options: Options) -> list[Effect]:
    if options.has("stdin"):
        return [line.did("ref", HOLE), line.did("discard", HOLE)]
    name = "" if options.action in HERE else branch_of(options.action)
    effects = [line.did("ref", name)]
    return [*effects, line.did("discard", name)] if options.has("delete") else effects


def _symbolic_ref(line: Line, options: Options) -> list[Effect]:
    if options.has("delete") or len(options.rest) <= 1:
        return [line.did("ref", branch_of(options.action))] if options.has("delete") else []
    name, target = options.rest[:2]
    if name in HERE:  # the branch stood on changes, and no file does
        return [line.did("work-tree", branch_of(target)), line.did("ref", branch_of(target))]
    return [line.did("ref", branch_of(name)), line.did("ref", branch_of(target))]


def _remote(line: Line, options: Options) -> list[Effect]:
    if options.action == "set-head":
        return [line.did("ref", f"refs/remotes/{name}/HEAD") for name in options.rest[1:2]]
    if options.action == "prune" and options.has("dry-run"):
        return []
    changes = "config:remote-added" if options.action == "add" else "config:remote"
    effects = line.all(REMOTES.get(options.action, changes))
    if options.action == "add" and options.has("fetch"):
        effects.append(line.did("fetch"))
    return effects


def _reflog(line: Line, options: Options) -> list[Effect]:
    if options.action in {"expire", "delete"} and not options.has("dry-run"):
        return [line.did("discard")]
    if options.action in {"write", "drop"}:
        return [line.did("discard" if options.action == "drop" else "ref")]
    return []


def _refs(line: Line, options: Options) -> list[Effect]:
    quiet = options.action in {"", "list", "exists", "verify"}
    return [] if quiet else [line.did("ref", HOLE)]


VERBS: dict[str, Verb] = {
    "branch": (
        (
            f"{LISTING} -u|--set-upstream-to= --unset-upstream --edit-description -d|--delete -D"
            " -m|--move -M -c|--copy -C -f|--force -t|--track? -r|--remotes --show-current"
        ),
        _branch,
    ),
    "tag": (
        (
            f"{LISTING} -n? -m|--message= -F|--file= -u|--local-user= --cleanup= --trailer="
            " -d|--delete -v|--verify -f|--force"
        ),
        _tag,
    ),
    "update-ref": ("-m= -d|--delete --stdin", _update_ref),
    "symbolic-ref": ("-m= -d|--delete", _symbolic_ref),
    "remote": ("-t|--track= -m|--master= --mirror? -f|--fetch -n|--dry-run", _remote),
    "reflog": ("--expire= --expire-unreachable= -n|--dry-run", _reflog),
    "refs": ("", _refs),
}
