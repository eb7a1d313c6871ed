"""The verbs of git that make or rewrite commits."""

from __future__ import annotations

from drumline.team.shell.effect import ANYTHING, HOLE, undecided
from drumline.team.shell.git_line import branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

STEPS = "--abort --quit --continue --skip --show-current-patch?"
STRATEGY = "-S|--gpg-sign? --cleanup= -X|--strategy-option="
PICKS = f"{STEPS} {STRATEGY} -m|--mainline= --strategy= --empty= -n|--no-commit"
DRY_COMMITS = ("dry-run", "short", "porcelain", "long")
FILTERS = (
    "setup",
    "env-filter",
    "tree-filter",
    "index-filter",
    "parent-filter",
    "msg-filter",
    "commit-filter",
    "tag-name-filter",
)

TOLD = {
    "commit-tree": "commit",
    "quiltimport": "commit",
    "cvsimport": "commit",
    "archimport": "commit",
    "citool": "commit",
    "gui": "commit",
    "cola": "commit",
    "absorb": "commit",
    "annex": "commit",
    "flow": "commit",
    "history": "commit ref",
    "replay": "commit ref",
}


def hooks_skipped(line: Line, options: Options) -> list[Effect]:
    return [line.did("hooks-skipped")] if options.has("no-verify") else []


def _commit(line: Line, options: Options) -> list[Effect]:
    if options.has(*DRY_COMMITS):
        return []
    return [line.did("commit"), *hooks_skipped(line, options)]


def _step(line: Line, options: Options) -> list[Effect] | None:
    """What goes on with or ends a half-done rebase, merge or pick, if the command does that."""
    if options.has("show-current-patch", "edit-todo"):
        return []
    if options.has("abort", "quit"):
        return [line.did("work-tree")]
    if options.has("continue", "skip"):
        return [line.did("commit"), *hooks_skipped(line, options)]
    return None


def _merge(line: Line, options: Options) -> list[Effect]:
    step = _step(line, options)
    if step is not None:
        return step
    done = "work-tree index" if options.has("squash") else "commit"
    return [*line.all(done), *hooks_skipped(line, options)]


def _rebase(line: Line, options: Options) -> list[Effect]:
    run = [effect for text in options.values("exec") for effect in line.script(text)]
    step = _step(line, options)
    if step is not None:
        return step + run
    named = options.rest[0 if options.has("root") else 1 :]
    effects = [line.did("commit", branch_of(named[0]) if named else "")]
    if options.has("update-refs"):
        effects.append(line.did("ref", HOLE))
    return [*effects, *hooks_skipped(line, options), *run]


def _pick(line: Line, options: Options) -> list[Effect]:
    step = _step(line, options)
    if step is not None:
        return step
    return line.all("work-tree index" if options.has("no-commit") else "commit")


def _am(line: Line, options: Options) -> list[Effect]:
    step = _step(line, options)
    return [line.did("commit"), *hooks_skipped(line, options)] if step is None else step


def _notes(line: Line, options: Options) -> list[Effect]:
    if options.action in {"", "list", "show", "get-ref"} or options.has("dry-run"):
        return []
    place = options.value("ref") or "commits"
    full = place if place.startswith("refs/") else f"refs/notes/{place.removeprefix('notes/')}"
    return [line.did("commit", full)]


def _filter_branch(line: Line, options: Options) -> list[Effect]:
    run = [effect for text in options.values(*FILTERS) for effect in line.script(text)]
    return [*line.all("commit discard"), *run]


def _filter_repo(line: Line, options: Options) -> list[Effect]:
    if options.has("analyze", "dry-run"):
        return []
    effects = line.all("commit discard")
    if any("-callback" in word for word in line.words):
        effects.append(undecided("git filter-repo runs Python from its words", ANYTHING))
    return effects


def _replace(line: Line, options: Options) -> list[Effect]:
    if options.has("list") or not (options.rest or options.has("convert-graft-file")):
        return []
    names = [line.did("ref", f"refs/replace/{word}") for word in options.rest[:1]]
    return names if options.has("delete") else [line.did("commit"), *names]


def _fast_import(line: Line, options: Options) -> list[Effect]:
    del options
    return [line.did("commit", HOLE), line.did("ref", HOLE)]


VERBS: dict[str, Verb] = {
    "commit": (
        (
            "-m|--message= -F|--file= -C|--reuse-message= -c|--reedit-message= --author= --date="
            " -t|--template= --cleanup= --fixup= --squash= --trailer= --pathspec-from-file="
            " -S|--gpg-sign? -u|--untracked-files? -U|--unified= --inter-hunk-context="
            " -n|--no-verify --dry-run --short --porcelain --long"
        ),
        _commit,
    ),
    "merge": (
        (
            f"{STEPS} {STRATEGY} -s|--strategy= -m|--message= -F|--file= --into-name= --log?"
            " --squash --no-verify"
        ),
        _merge,
    ),
    "rebase": (
        (
            f"{STEPS} {STRATEGY} -s|--strategy= --onto= -x|--exec= -C= --whitespace= --empty="
            " -r|--rebase-merges? --root --update-refs --edit-todo --no-verify"
        ),
        _rebase,
    ),
    "cherry-pick": (PICKS, _pick),
    "revert": (PICKS, _pick),
    "am": (
        (
            f"{STEPS} -S|--gpg-sign? -C= -p= --patch-format= --directory= --exclude= --include="
            " --whitespace= --resolvemsg= --empty= --quoted-cr= -n|--no-verify"
        ),
        _am,
    ),
    "notes": (
        (
            "--ref= -m|--message= -F|--file= -C|--reuse-message= -c|--reedit-message="
            " -s|--strategy= -n|--dry-run"
        ),
        _notes,
    ),
    "filter-branch": (
        " ".join(f"--{name}=" for name in FILTERS)
        + " --subdirectory-filter= -d= --original= --state-branch= -f|--force",
        _filter_branch,
    ),
    "filter-repo": ("--analyze --dry-run", _filter_repo),
    "replace": ("-f|--force -d|--delete -l|--list --format= --convert-graft-file", _replace),
    "fast-import": ("", _fast_import),
}
