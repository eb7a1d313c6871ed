"""What the tools that make a release do to history: each makes a commit, some push it."""

from __future__ import annotations

from drumline.team.shell.effect import GIT, git_did, known, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

DRY = ("--dry-run", "--noop", "--help", "--version")
PACKAGE_VALUES = (
    "--prefix -w --workspace -C --dir --cwd --filter -F -m --message --preid --new-version"
    " --tag-version-prefix --access --registry"
)
NEW_VERSION = ("--new-version", "--major", "--minor", "--patch", "--prerelease")
BUMP_VALUES = (
    "--config-file --current-version --new-version --serialize --parse --search --replace -m"
    " --message --tag-name --tag-message --commit-args"
)
CARGO_VALUES = "-p --package --exclude --manifest-path -c --config --registry -m --message"


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What a release tool does to history, and nothing of what else its program can do."""
    valued, tell = TOOLS[argv[0].rpartition("/")[2]]
    given = taken_apart(argv[1:], valued)
    if given.has(*DRY):
        return []
    done = [git_did(what, "", argv) for what in tell(given).split()]
    if done and (_skips_hooks(given) or (tell is _always and given.has("-n"))):
        done.append(git_did("hooks-skipped", "", argv))
    if tell is _package_version:
        done += _unknown_command(given) + _package_file(given, scene)
    return done


def last(given: Words, *names: str) -> str:
    """The last value of one of these options, or nothing, also where the line ends before it."""
    return next((text for name in names for text in given.values.get(name, [])[-1:]), "")


def _skips_hooks(given: Words) -> bool:
    arguments = last(given, "--commit-args").split()
    asked = given.has("--no-verify", "--no-commit-hooks")
    return asked or "--no-verify" in arguments or "-n" in arguments


def _package_version(given: Words) -> str:
    """npm, yarn and pnpm commit a new version, unless told not to."""
    return "commit" if _sets_version(given) and not _leaves_git(given) else ""


def _sets_version(given: Words) -> bool:
    verb, *words = given.operands or [""]
    asked = verb.startswith("ver") and "version".startswith(verb)  # npm takes its beginning too
    return asked and (bool(words) or given.has(*NEW_VERSION))


def _leaves_git(given: Words) -> bool:
    switched = given.values.get("--git-tag-version", [])
    off = given.has("--no-git-tag-version") and not given.has("--git-tag-version")
    return off or (bool(switched) and all(value == "false" for value in switched))


def _unknown_command(given: Words) -> list[Effect]:
    hidden = given.operands and not known(given.operands[0])
    return [undecided("which command of the package manager this is", GIT)] if hidden else []


def _package_file(given: Words, scene: Scene) -> list[Effect]:
    folder = last(given, "--prefix", "-C", "--dir", "--cwd")
    file = f"{folder}/package.json" if folder else "package.json"
    return [wrote(scene.path(file))] if _sets_version(given) else []


def _bump(given: Words) -> str:
    left = given.has("-n", "--list") or (given.has("--no-commit") and not given.has("--commit"))
    return "commit" if given.operands and not left else ""


def _bump_my(given: Words) -> str:
    return _bump(given) if given.operands[:1] == ["bump"] else ""


def _commitizen(given: Words) -> str:
    if given.has("--get-next", "--files-only", "--version-files-only"):
        return ""
    return "commit" if given.operands[:1] in (["bump"], ["commit"], ["c"]) else ""


def _always(given: Words) -> str:
    del given
    return "commit"


def _released(given: Words) -> str:
    if given.has("-d", "--print", "--print-tag", "--print-last-released", "--release-version"):
        return ""
    return "commit" if given.has("--no-push", "--no-git.push") else "commit push hub"


def _pushed(given: Words) -> str:
    return "commit" if given.has("--no-push") else "commit push"


def _lerna(given: Words) -> str:
    verb, *words = given.operands or [""]
    quiet = {"from-git", "from-package"} & set(words) or given.has("--no-git-tag-version")
    return _pushed(given) if verb in {"version", "publish"} and not quiet else ""


def _cargo(given: Words) -> str:
    words = [word for word in given.operands if not word.startswith("+")]
    if words[:1] != ["release"] or given.has("-n") or words[1:2] in (["changes"], ["config"]):
        return ""
    return _pushed(given) if given.has("-x", "--execute") else "commit"


TOOLS: dict[str, tuple[str, Callable[[Words], str]]] = {
    "npm": (PACKAGE_VALUES, _package_version),
    "yarn": (PACKAGE_VALUES, _package_version),
    "pnpm": (PACKAGE_VALUES, _package_version),
    "cargo": (CARGO_VALUES, _cargo),
    "lerna": ("--cwd --message -m --preid --registry", _lerna),
    "bump2version": (BUMP_VALUES, _bump),
    "bumpversion": (BUMP_VALUES, _bump),
    "bump-my-version": (BUMP_VALUES, _bump_my),
    "cz": ("--config -n --name", _commitizen),
    "standard-version": ("", _always),
    "commit-and-tag-version": ("", _always),
    "semantic-release": ("-c --config -b --branches -e --extends", _released),
    "release-it": ("-c --config -i --increment", _released),
    "np": ("", _pushed),
    "tbump": ("-C --cwd", _pushed),
}
