"""Task runners: what a recipe does cannot be seen, only what its name says it does."""

from __future__ import annotations

from drumline.team.shell import launchers
from drumline.team.shell.effect import GIT, MARKS, OUTER, git_did, read, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_TELLING = ("push", "commit")
_SEPARATORS = str.maketrans("-_:./@", "      ")
_MAKE = frozenset("make gmake bmake pmake mingw32-make remake".split())
_MAKE_VALUED = (
    "-C -f -I -j -l -o -W -O --directory --file --makefile --include-dir --jobs --load-average"
    " --old-file --assume-old --what-if --new-file --assume-new --eval -E"
)
# options with a value; the operands that are no options are all targets
_RUNNERS: dict[str, str] = {
    "ninja": "-C -f -j -k -l -t -w -d",
    "just": "-f -d --justfile --working-directory --shell --shell-arg --dotenv-path --color -C",
    "task": "-d -t -C --dir --taskfile --concurrency --output --interval",
    "go-task": "-d -t -C --dir --taskfile",
    "rake": "-f -C -I -R -r -j -W --rakefile --directory --require --jobs",
    "invoke": "-c -r -T -f --collection --search-root --config",
    "inv": "-c -r -T -f --collection --search-root --config",
    "fab": "-c -r -H -i -f --collection --hosts",
    "poe": "-C -e --directory --executor",
    "nox": "-s -e -f -p -k -t --session --sessions --noxfile --python --extra-pythons",
    "tox": "-e -c -f --conf --workdir --root --override -x",
    "doit": "-f -d -n --file --dir",
    "mage": "-d -w -f -compile -t",
    "gradle": "-p -b -c -I -x -P -D --project-dir --build-file --init-script --console",
    "gradlew": "-p -b -c -I -x -P -D --project-dir --build-file",
    "mvn": "-f -pl -s -P -D -T --file --projects",
    "mvnw": "-f -pl -s -P -D -T --file",
    "ant": "-f -buildfile -file -D -lib -l -logfile -propertyfile",
    "sbt": "-D -J",
    "bazel": "",
    "grunt": "--gruntfile -b --base",
    "gulp": "-f --gulpfile --cwd",
    "scons": "-C -f -j -Y",
    "waf": "",
    "meson": "-C",
    "lefthook": "",
    "turbo": "--filter -F --cwd",
    "nx": "",
    "lerna": "--scope --ignore",
    "wireit": "",
}
_PACKAGE_TOOLS = frozenset("npm yarn pnpm bun composer deno".split())
_PACKAGE_VALUED = (
    "--prefix -C --dir --cwd -w --workspace --filter -F --userconfig -d --working-dir --loglevel"
)
_RUN_VERBS = frozenset("run run-script rum urn task".split())
_TASK_LAUNCHERS = frozenset("pdm hatch rye pixi devbox poetry pipenv uv".split())
_BARE_SCRIPTS = frozenset({"yarn", "pnpm", "bun", "composer"})
_NO_SCRIPTS = frozenset(
    "install add remove ci init update upgrade outdated audit list ls why info view publish pack login"
    " link unlink config cache global create import version self-update dedupe prune rebuild set"
    " plugin workspace workspaces store patch approve-builds licenses require dump-autoload validate"
    " show test fmt lint check compile cache doc i uninstall rm up fund help".split()
)
PROGRAMS = _MAKE | frozenset(_RUNNERS) | _PACKAGE_TOOLS | launchers.PROGRAMS


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What a task runner does: what the words of its targets say, or the program it starts."""
    name = argv[0].rpartition("/")[2]
    inner = launchers.inner_of(name, argv[1:])
    if inner is not None:
        named = inner.argv[:1] if name in _TASK_LAUNCHERS else ()
        return [*launchers.effects(inner, scene), *told_by(named, argv)]
    if name in _MAKE:
        return _make(argv, scene)
    if name in _PACKAGE_TOOLS:
        return _package_tool(name, argv, scene)
    if name in _RUNNERS:
        return _runner(name, argv, scene)
    return _subcommand(name, argv)


def told_by(targets: Sequence[str], argv: Sequence[str]) -> list[Effect]:
    """What targets do whose names say so."""
    found: list[Effect] = []
    for target in targets:
        if target and OUTER not in target and not target.strip(MARKS):
            found.append(undecided("which recipe runs cannot be told", GIT))
        parts = target.lower().translate(_SEPARATORS).split()
        found += [git_did(word, words=argv) for word in _TELLING if _says(parts, word)]
    return found


def _says(parts: Sequence[str], word: str) -> bool:
    """Whether a name says it does this; `pre-commit` only checks before someone does."""
    return any(
        part == word and (not place or parts[place - 1] not in {"pre", "post"})
        for place, part in enumerate(parts)
    )


def _make(argv: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(argv[1:], _MAKE_VALUED)
    found: list[Effect] = []
    if given.has("--eval", "-E"):
        found.append(undecided("make is given rules that cannot be told"))
    for option in ("-f", "--file", "--makefile"):
        for name in given.values.get(option, []):
            found += _makefile(name, scene)
    targets = [word for word in given.operands if "=" not in word]
    if any(_sets_shell(word) for word in given.operands):
        found.append(undecided("make is given a shell that cannot be told"))
    numbers = {value for option in ("-j", "-l") for value in given.values.get(option, [])}
    targets += [value for value in numbers if value and not value.replace(".", "").isdigit()]
    return found + told_by(targets, argv)


def _makefile(name: str, scene: Scene) -> list[Effect]:
    from_input = name in {"-", "/dev/stdin"}
    path = name if name.startswith("/dev/") else scene.path(name)
    text = scene.stdin if from_input else scene.kept(path)
    if not text:
        return [] if from_input else [read(path)]
    if any(mark in text for mark in MARKS):
        return [undecided("make is given rules that cannot be told")]
    recipe = [line.lstrip("\t@-+") for line in text.splitlines() if line.startswith("\t")]
    return [effect for line in recipe for effect in scene.script(line)]


def _sets_shell(word: str) -> bool:
    name = word.partition("=")[0].rstrip(":+?!")
    return "=" in word and name in {"SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKEFILES"}


def _runner(name: str, argv: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(_without_settings(argv[1:]), _RUNNERS[name])
    found: list[Effect] = []
    if name == "just" and given.has("--shell"):
        found.append(undecided("a recipe is given a shell that cannot be told"))
    if name == "rake" and given.has("-e"):
        found.append(undecided("a recipe is given code that cannot be told"))
    chosen = [
        value for option in ("-s", "-e", "--session") for value in given.values.get(option, [])
    ]
    if name in {"mvn", "mvnw"} and any(word.startswith("release:") for word in given.operands):
        found += [git_did("commit", words=argv), git_did("push", words=argv)]
    if name == "ant":
        found += [wrote(scene.path(log)) for log in given.values.get("-logfile", [])]
    targets = [word for word in given.operands if "=" not in word]
    if name in {"nox", "tox"}:
        targets += [each for value in chosen for each in value.split(",")]
    return found + told_by(targets, argv)


def _without_settings(words: Sequence[str]) -> list[str]:
    """The words without `--set name value`, the one option that takes two of them."""
    kept = list(words)
    while "--set" in kept:
        place = kept.index("--set")
        del kept[place : place + 3]
    return kept


def _package_tool(name: str, argv: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(argv[1:], _PACKAGE_VALUED, stop=True)
    verb, *rest = given.operands or [""]
    if verb in {"install", "i", "add", "ci"}:
        folder = taken_apart(argv[1:], _PACKAGE_VALUED).value("--prefix", "-C", "--dir", "--cwd")
        return [wrote(scene.path(folder))] if folder else []
    if verb == "version" and rest and not given.has("--no-git-tag-version"):
        return [] if "--no-git-tag-version" in rest else [git_did("commit", words=argv)]
    if verb in _RUN_VERBS or (name == "yarn" and verb == "workspace"):
        script = taken_apart(rest, _PACKAGE_VALUED, stop=True).operands
        return told_by(script[1:2] if verb == "workspace" else script[:1], argv)
    if name in _BARE_SCRIPTS and verb not in _NO_SCRIPTS:
        return told_by([verb], argv)
    return []


def _subcommand(name: str, argv: Sequence[str]) -> list[Effect]:
    """`cargo make push`, `cargo xtask push`, `mix push`: the target follows a word of its own."""
    rest = list(argv[1:])
    if name == "cargo" and rest[:1] in (["make"], ["xtask"]):
        return told_by(
            taken_apart(rest[1:], "-p -t -e --profile --env", stop=True).operands[:1], argv
        )
    if name == "mise" and rest[:1] in (["run"], ["r"]):
        return told_by(taken_apart(rest[1:], "-C --cd -j", stop=True).operands[:1], argv)
    return told_by(rest[:1], argv) if name == "mix" else []
