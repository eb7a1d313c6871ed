"""The verbs of git that make, move or remove whole checkouts: repositories, worktrees, submodules."""

from __future__ import annotations

from drumline.team.shell.effect import undecided, wrote
from drumline.team.shell.git_exchange import far_programs
from drumline.team.shell.git_line import branch_of, setting_of
from drumline.team.shell.git_options import options_of
from drumline.team.shell.git_settings import once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

SUBMODULES = {
    "": "",
    "status": "",
    "summary": "",
    "add": "config:submodule work-tree",
    "init": "config:submodule",
    "sync": "config:submodule",
    "set-url": "config:submodule",
    "set-branch": "config:submodule",
    "deinit": "config:submodule work-tree",
    "update": "fetch work-tree",
}


def _made(path: str, folder: str) -> Effect:
    """A new repository: from now on commits in its folder are kept there."""
    effect = wrote(path, tree=True)
    effect.place = folder
    return effect


def _clone(line: Line, options: Options) -> list[Effect]:
    folder = line.path(_clone_target(options))
    effects = [_made(folder, folder)]
    effects += [wrote(line.path(path), tree=True) for path in options.values("separate-git-dir")]
    effects += far_programs(line, options)
    if options.value("template") or line.setting("init.templatedir"):
        effects.append(undecided("a template may bring hooks that run at once"))
    return effects + once(line, map(setting_of, options.values("config")))


def _clone_target(options: Options) -> str:
    """The folder named, or the one git makes of the address."""
    source, *named = options.rest or [""]
    if named:
        return named[0]
    address = source.rstrip("/").removesuffix("/.git").removesuffix(".git").removesuffix(".bundle")
    name = address.replace(":", "/").rpartition("/")[2]
    return f"./{name}.git" if options.has("bare", "mirror") else f"./{name}"


def _init(line: Line, options: Options) -> list[Effect]:
    folder = line.path(options.rest[0] if options.rest else ".")
    bare = options.has("bare") or "--bare" in line.argv
    made = [folder if bare else f"{folder}/.git"]
    made += [line.path(path) for path in options.values("separate-git-dir")]
    return [_made(path, folder) for path in made]


def _worktree(line: Line, options: Options) -> list[Effect]:
    action, words = options.action, options.rest[1:]
    if action in {"", "list"} or (action == "prune" and options.has("dry-run")):
        return []
    if action == "add" and words:
        return _added(line, options, words)
    effects = [line.did("work-tree")]
    if action == "move" and len(words) > 1:
        effects.append(wrote(line.path(words[0]), "delete", tree=True))
        effects.append(wrote(line.path(words[1]), tree=True))
    elif action == "remove" and words:
        effects += [line.did("discard")] if options.has("force") else []
        effects.append(wrote(line.path(words[0]), "delete", tree=True))
    return effects


def _added(line: Line, options: Options, words: list[str]) -> list[Effect]:
    """A checkout of its own, on a branch of its own."""
    folder, made = line.path(words[0]), _worktree_branch(options, words)
    there = line.did("work-tree", made or branch_of((words[1:] or [""])[0]), folder)
    there.tree = True
    new = [line.did("ref", made)] if made else []
    return [there, wrote(folder, tree=True), *new]


def _worktree_branch(options: Options, words: list[str]) -> str:
    """The branch made with a worktree: named, or after the folder when nothing is checked out."""
    if options.has("b", "B"):
        return options.value("b", "B")
    if options.has("detach") or len(words) > 1:
        return ""
    return words[0].rstrip("/").rpartition("/")[2]


def _submodule(line: Line, options: Options) -> list[Effect]:
    if options.action == "foreach":
        start = line.words.index("foreach") + 1
        command = options_of(line.words[start:], "-q --recursive", permuted=False)
        return line.script(command.rest[0]) if len(command.rest) == 1 else line.run(command.rest)
    effects = line.all(SUBMODULES.get(options.action, "work-tree"))
    if options.action == "update" and options.has("init"):
        effects.append(line.did("config", "submodule"))
    if options.action in {"update", "deinit"} and options.has("force"):
        effects.append(line.did("discard"))
    return effects


VERBS: dict[str, Verb] = {
    "clone": (
        (
            "-b|--branch= -o|--origin= --depth= -j|--jobs= --reference= --reference-if-able="
            " --template= -u|--upload-pack= --separate-git-dir= -c|--config= --shallow-since="
            " --shallow-exclude= --filter= --bundle-uri= --server-option= --revision= --ref-format="
            " --recurse-submodules? --recursive? --bare --mirror"
        ),
        _clone,
    ),
    "init": (
        (
            "--template= --object-format= --ref-format= -b|--initial-branch= --shared?"
            " --separate-git-dir= --bare"
        ),
        _init,
    ),
    "worktree": ("-b= -B= --reason= --expire= -f|--force -d|--detach -n|--dry-run", _worktree),
    "submodule": (
        (
            "-b|--branch= --name= --reference= --depth= -j|--jobs= -n|--summary-limit= --filter="
            " -f|--force --init"
        ),
        _submodule,
    ),
}
VERBS["init-db"] = VERBS["init"]
