"""The verbs of git that change the index or the files checked out here."""

from __future__ import annotations

from drumline.team.shell.effect import STAR, TREE, undecided, wrote
from drumline.team.shell.git_line import HERE, branch_of, named_path, names_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

LINES = "-U|--unified= --inter-hunk-context="
PATHS = "--pathspec-from-file= --pathspec-file-nul"
ONLY_PATHS = ("patch", "ours", "theirs", "pathspec-from-file")
LOOKS_AT_PATCH = ("check", "stat", "numstat", "summary", "build-fake-ancestor")

TOLD = {
    "update-index": "index",
    "merge-one-file": "work-tree",
    "mergetool": "work-tree",
    "secret": "work-tree",
    "crypt": "work-tree",
}


def discarded(line: Line, options: Options, *names: str) -> list[Effect]:
    return [line.did("discard")] if options.has(*names) else []


def _checkout(line: Line, options: Options) -> list[Effect]:
    made = options.value("b", "B", "orphan") or _tracked(options)
    if made:
        effects = [line.did("work-tree", made), line.did("ref", made)]
        return effects + discarded(line, options, "force")
    if options.after or len(options.operands) > 1 or options.has(*ONLY_PATHS):
        return line.all("work-tree discard")
    if names_path(options.action):
        return line.all("work-tree discard")
    effects = [line.did("work-tree", branch_of(options.action))]
    return effects + discarded(line, options, "force")


def _switch(line: Line, options: Options) -> list[Effect]:
    made = options.value("create", "force-create", "orphan") or _tracked(options)
    effects = [line.did("work-tree", made or branch_of(options.action))]
    if made:
        effects.append(line.did("ref", made))
    return effects + discarded(line, options, "force", "discard-changes")


def _tracked(options: Options) -> str:
    """The branch that `--track origin/x` makes."""
    if not options.has("track") or not options.rest:
        return ""
    return options.rest[0].removeprefix("refs/").removeprefix("remotes/").partition("/")[2]


def _restore(line: Line, options: Options) -> list[Effect]:
    effects = [line.did("index")] if options.has("staged") else []
    if options.has("worktree") or not effects:
        effects += line.all("work-tree discard")
    return effects


def _reset(line: Line, options: Options) -> list[Effect]:
    moved = _moves_branch(options)
    effects = [line.did("ref")] if moved else []
    if options.has("hard", "merge", "keep"):
        return [*line.all("work-tree discard"), *effects]
    if options.has("soft"):
        return effects
    return [*effects, line.did("index")]


def _moves_branch(options: Options) -> bool:
    if options.after or options.has("patch", "pathspec-from-file"):
        return False
    if len(options.operands) != 1 or options.action in HERE:
        return False
    # STAR alone is all files here, or one name that another command printed
    return options.action == STAR or not names_path(options.action)


def _clean(line: Line, options: Options) -> list[Effect]:
    # without -f too: clean.requireForce may be off
    return [] if options.has("dry-run") else line.all("work-tree discard")


def _stash(line: Line, options: Options) -> list[Effect]:
    action, named = options.action, options.operands[1:]
    if action in {"list", "show"}:
        return [wrote(line.path(path)) for path in options.values("output")]
    if action in {"drop", "clear"}:
        return line.all("work-tree discard")
    if action == "branch" and named:
        return [line.did("work-tree", named[0]), line.did("ref", named[0])]
    return line.all(
        {"create": "object", "store": "ref:refs/stash", "export": "object"}.get(action, "work-tree")
    )


def _apply(line: Line, options: Options) -> list[Effect]:
    if options.has(*LOOKS_AT_PATCH) and not options.has("apply"):
        return [wrote(line.path(path)) for path in options.values("build-fake-ancestor")]
    if options.has("cached"):
        return [line.did("index")]
    folder = "/" if options.has("unsafe-paths") else line.work_tree or line.folder
    doubt = undecided("a patch may name any file", TREE, folder)
    return [line.did("work-tree"), *([line.did("index")] if options.has("index") else []), doubt]


def _add(line: Line, options: Options) -> list[Effect]:
    return [] if options.has("dry-run") else [line.did("index")]


def _rm(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return []
    if options.has("cached"):
        return [line.did("index")]
    below = options.has("r")
    gone = [wrote(named_path(line, word), "delete", tree=below) for word in options.rest]
    return [line.did("work-tree"), *discarded(line, options, "force"), *gone]


def _mv(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return []
    *sources, target = options.rest or [""]
    into = len(sources) > 1 or target.endswith("/")
    effects = [line.did("work-tree")]
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        folder = "." not in name  # a name without an ending is rather a folder
        effects.append(wrote(line.path(source), "delete", tree=folder))
        effects.append(wrote(line.path(f"{target}/{name}" if into else target), tree=folder))
    return effects


def _read_tree(line: Line, options: Options) -> list[Effect]:
    if options.has("dry-run"):
        return []
    effects = [wrote(line.path(path)) for path in options.values("index-output")]
    if not options.has("u"):
        return [line.did("index"), *effects]
    return [line.did("work-tree"), *discarded(line, options, "reset"), *effects]


def _checkout_index(line: Line, options: Options) -> list[Effect]:
    where = [wrote(line.path(prefix), tree=True) for prefix in options.values("prefix")]
    return [line.did("work-tree"), *discarded(line, options, "force"), *where]


def _sparse(line: Line, options: Options) -> list[Effect]:
    quiet = options.action in {"", "list", "check-rules"}
    return [] if quiet else [line.did("work-tree")]


def _bisect(line: Line, options: Options) -> list[Effect]:
    if options.action in {"", "log", "view", "visualize", "terms", "help"}:
        return []
    run = line.run(line.words[1:]) if line.words[0] == "run" else []
    return [line.did("work-tree"), *run]


def _rerere(line: Line, options: Options) -> list[Effect]:
    quiet = options.action in {"status", "diff", "remaining"}
    return [] if quiet else [line.did("work-tree")]


VERBS: dict[str, Verb] = {
    "checkout": (
        (
            f"-b= -B= --orphan= -t|--track? -f|--force -m|--merge --conflict= -p|--patch"
            f" -2|--ours -3|--theirs --recurse-submodules? {LINES} {PATHS}"
        ),
        _checkout,
    ),
    "switch": (
        (
            "-c|--create= -C|--force-create= --orphan= -t|--track? -f|--force --discard-changes"
            " -m|--merge --conflict= --recurse-submodules?"
        ),
        _switch,
    ),
    "restore": (
        (
            f"-s|--source= -S|--staged -W|--worktree -p|--patch --conflict= --recurse-submodules?"
            f" {LINES} {PATHS}"
        ),
        _restore,
    ),
    "reset": (
        f"--soft --mixed --hard --merge --keep -p|--patch --recurse-submodules? {LINES} {PATHS}",
        _reset,
    ),
    "clean": ("-e|--exclude= -n|--dry-run -f|--force", _clean),
    "stash": (f"-m|--message= --output= {LINES} {PATHS}", _stash),
    "apply": (
        (
            "--exclude= --include= -p= --build-fake-ancestor= -C= --whitespace= --directory="
            " --check --stat --numstat --summary --apply --cached --index --unsafe-paths"
        ),
        _apply,
    ),
    "add": (f"-n|--dry-run --chmod= {LINES} {PATHS}", _add),
    "stage": (f"-n|--dry-run --chmod= {LINES} {PATHS}", _add),
    "rm": (f"-f|--force -n|--dry-run -r --cached {PATHS}", _rm),
    "mv": ("-f|--force -n|--dry-run", _mv),
    "read-tree": (
        (
            "--index-output= --prefix= --exclude-per-directory= -u --reset -n|--dry-run"
            " --recurse-submodules?"
        ),
        _read_tree,
    ),
    "checkout-index": ("--prefix= --stage= -f|--force", _checkout_index),
    "sparse-checkout": ("", _sparse),
    "bisect": ("", _bisect),
    "rerere": ("", _rerere),
}
