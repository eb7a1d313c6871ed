"""Programs that run another program: what they run is what counts."""

from __future__ import annotations

from drumline.team.shell.effect import (
    OUTER,
    changed_identity,
    endangered,
    wrote,
)
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.handing import PROGRAMS as HANDING
from drumline.team.shell.handing import given
from drumline.team.shell.options import taken_apart
from drumline.team.shell.prefixes import PREFIXES
from drumline.team.shell.starting import PROGRAMS as STARTING
from drumline.team.shell.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_LOG_TO_FILE = frozenset({"time", "gtime", "strace", "ltrace", "perf"})
_SHELLS = frozenset(
    "sh bash dash zsh ksh mksh ash fish rbash csh tcsh nu xonsh elvish osh yash rc posh lksh".split()
)


def effects(argv: Sequence[str], scene: Scene) -> Iterable[Effect] | None:
    """What the program inside does; None when this program runs no other."""
    name = argv[0].rpartition("/")[2]
    if name.startswith(("ld-linux", "ld-musl", "ld.so")):
        name = "ld.so"  # the loader starts the program it is given
    wrapper = _WRAPPERS.get(name) or HANDING.get(name) or STARTING.get(name)
    if wrapper is not None:
        return wrapper(argv[1:], scene)
    if name in _SHELLS:
        return _shell(argv[1:], scene)
    if name in PREFIXES:
        valued, skipped = PREFIXES[name]
        said = taken_apart(argv[1:], valued, stop=True)
        log = said.value("-o", "--output") if name in _LOG_TO_FILE else ""
        written = [wrote(scene.path(log))] if log else []
        return [*written, *scene.run(said.operands[skipped:])]
    return None


def _shell(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """A shell given text, a file, or whatever comes in."""
    at, text_next, from_input = 0, False, False
    while at < len(words) and words[at][:1] in {"-", "+"}:
        word = words[at]
        at += 1
        if word in {"--", "-"}:
            break
        if not word.startswith("--"):
            text_next = text_next or "c" in word
            from_input = from_input or "s" in word
            at += sum(letter in "oO" for letter in word[1:])
        elif word in {"--rcfile", "--init-file"}:
            at += 1
        elif word.startswith(("--command=", "--commands=")):  # as some shells spell -c
            return given(word.partition("=")[2], scene)
        else:
            text_next = text_next or word in {"--command", "--commands"}
    rest = words[at:]
    if text_next and rest:
        return given(rest[0], scene, rest[1:])
    if rest and not from_input:
        return _script_file(rest[0], scene)
    return _from_input(rest, scene)


def _from_input(arguments: Sequence[str], scene: Scene) -> Iterable[Effect]:
    if not scene.stdin or scene.stdin == OUTER:
        return ()
    return given(scene.stdin, scene, ["bash", *arguments])


def _script_file(name: str, scene: Scene) -> Iterable[Effect]:
    path = name if name.startswith("/dev/fd/") else scene.path(name)
    text = scene.kept(path)
    if text is not None:
        return given(text, scene)
    if path in {"/dev/stdin", "/dev/fd/0"}:
        return given(scene.stdin or "", scene)
    return [did_read(path)]


def _env(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Variables changed, perhaps another folder, then a program."""
    found: list[Effect] = []
    given: dict[str, str] = {}
    folder, rest = "", list(words)
    for letter, value in _env_options(rest):
        if letter == "S":
            text = " ".join(["env", value.replace("\\_", " "), *map(quoted, rest)])
            return [*found, *scene.script(text)]
        if letter == "i":
            found.append(changed_identity("all variables (env -i)"))
        found += _identity(value) if letter == "u" else []
        folder = value if letter == "C" else folder
    while rest and "=" in rest[0]:
        name, _, given[name] = rest.pop(0).partition("=")
    return [*found, *(scene.run(rest, folder, given) if rest else ())]


_ENV_VALUED = "uCSaP"
_ENV_LONG = {
    "ignore-environment": "i",
    "unset": "u",
    "chdir": "C",
    "split-string": "S",
    "argv0": "a",
}


def _env_options(rest: list[str]) -> Iterator[tuple[str, str]]:
    """Take the options off env's words: each by its letter, bundled or not, with its value."""
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word == "--":
            return
        if word.startswith("--"):
            name, sign, value = word[2:].partition("=")
            letter = next((_ENV_LONG[long] for long in _ENV_LONG if long.startswith(name)), "")
            takes = letter and letter in _ENV_VALUED and not sign and rest
            yield letter, rest.pop(0) if takes else value
            continue
        for at, letter in enumerate(word[1:] or "i", 2):
            if letter in _ENV_VALUED:
                yield letter, word[at:] or (rest.pop(0) if rest else "")
                break
            yield letter, ""


def _identity(name: str) -> list[Effect]:
    if name.startswith(("DRUMLINE_", "LOA_")):
        return [changed_identity(name)]
    return []


def _sudo(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(
        words,
        "-u -g -h -p -C -T -r -t -D -R -U --user --group --chdir --chroot --host --prompt --role --type "
        "--other-user --close-from --command-timeout",
        stop=True,
    )
    inner = list(said.operands)
    while inner and "=" in inner[0] and not inner[0].startswith("/"):
        inner = inner[1:]
    if said.has("-e", "--edit"):
        return [wrote(scene.path(name)) for name in inner]
    harm = [endangered("sudo rm", " ".join(inner))] if _is_rm(inner) else []
    return [*harm, *scene.run(inner)]


def _is_rm(words: Sequence[str]) -> bool:
    asks = {"--help", "--version"} & set(words)
    return bool(words) and words[0].rpartition("/")[2] == "rm" and not asks


def _su(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-c -s -g -G -u -w --command --shell --user")
    text = said.value("-c", "--command")
    fresh = [changed_identity("all variables (a login)")] if said.has("-l", "--login") else []
    fresh = fresh or ([changed_identity("all variables (a login)")] if "-" in words else [])
    if text:
        return [*fresh, *scene.script(text)]
    return [*fresh, *scene.run(said.operands)] if said.has("-u", "--user") else fresh


def _text(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """watch: the words are shell text."""
    said = taken_apart(words, "-n -d? -q --interval -w -m -M -r -p -L --warmup --runs", stop=True)
    return scene.script(" ".join(said.operands))


def _capsh(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """What stands behind `--` or `==` is for a shell."""
    for at, word in enumerate(words):
        if word in {"--", "=="}:
            return _shell(words[at + 1 :], scene)
    return ()


def _script(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-c -E -I -O -B -T -m -o --command")
    found = [wrote(scene.path(name)) for name in said.operands[:1] or ["typescript"]]
    text = said.value("-c", "--command")
    return [*found, *(scene.script(text) if text else ())]


def _flock(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-w -E --timeout --wait --conflict-exit-code", stop=True)
    rest = said.operands[1:]
    if rest[:1] in (["-c"], ["--command"]):
        return scene.script(" ".join(rest[1:]))
    return scene.run(rest)


def _ssh(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """On another machine our paths mean nothing, but git and the tracker are the same."""
    said = taken_apart(
        words, "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", stop=True
    )
    found = [
        effect
        for option in said.values.get("-o", [])
        if option.lower().startswith(("proxycommand=", "localcommand="))
        for effect in scene.script(option.partition("=")[2])
    ]
    text = " ".join(said.operands[1:])
    return [*found, *scene.elsewhere(text)] if text else found


def _tmux(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-L -S -f -c -T -s -n -t -x -y -F -e -p -l", stop=True)
    verb, rest = said.operands[:1], said.operands[1:]
    inner = taken_apart(rest, "-c -e -F -n -s -t -x -y -l -p", stop=True).operands
    if verb and verb[0] in {
        "new-session",
        "new",
        "new-window",
        "neww",
        "split-window",
        "splitw",
        "run-shell",
        "run",
    }:
        return scene.script(" ".join(inner)) if inner else ()
    if verb and verb[0] in {"send-keys", "send"}:
        return scene.script(" ".join(word for word in inner if word not in {"Enter", "C-m"}))
    return ()


def _screen(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-c -e -h -p -r -R -s -S -t -T -x -X", stop=True)
    return scene.run(said.operands) if said.operands else ()


def _at(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-f -q -t")
    name = said.value("-f")
    if name:
        return _script_file(name, scene)
    return given(scene.stdin, scene) if scene.stdin else ()


def _socat(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """An address may be a program."""
    texts = [
        word.partition(":")[2].partition(",")[0]
        for word in words
        if word.upper().startswith(("EXEC:", "SYSTEM:", "SHELL:"))
    ]
    return [effect for text in texts for effect in scene.script(text)]


def _gdb(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Debuggers run shell commands, and the program they are given after --args."""
    found: list[Effect] = []
    for at, word in enumerate(words):
        text = (
            words[at + 1] if word in {"-ex", "-eval-command", "-o"} and at + 1 < len(words) else ""
        )
        if text.startswith(("shell ", "!", "platform shell ")):
            found += scene.script(text.removeprefix("platform ").removeprefix("shell ").lstrip("!"))
        if word == "--args":
            return [*found, *scene.run(words[at + 1 :])]
    return found


def _man(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    text = taken_apart(words, "-P -H --pager --html").value("-P", "--pager", "-H", "--html")
    return scene.script(text) if text else ()


def _container(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Inside a container files are its own, but a database there is a database."""
    inner = [at for at, word in enumerate(words) if word in _CLIENTS]
    return scene.harm_by(words[inner[0] :]) if inner and {"exec", "run"} & set(words) else ()


_CLIENTS = frozenset({"psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh", "sh", "bash"})


def _crontab(words: Sequence[str], scene: Scene) -> Iterable[Effect]:  # noqa: ARG001 - a row of the table
    return () if "-l" in words else [endangered("changes scheduled jobs", "crontab")]


def _sandbox(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Sandboxes have options of many shapes: each word may be where the program begins."""
    plain = [
        at for at, word in enumerate(words) if word[:1] not in {"-", "/", "."} or "bin/" in word
    ]
    return [effect for at in plain[:8] for effect in scene.run(words[at:])]


def _busybox(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    return scene.run(words)


_WRAPPERS: dict[str, Callable[[Sequence[str], Scene], Iterable[Effect]]] = {
    "env": _env,
    "genv": _env,
    "sudo": _sudo,
    "su": _su,
    "runuser": _su,
    "watch": _text,
    "capsh": _capsh,
    "script": _script,
    "flock": _flock,
    "ssh": _ssh,
    "tmux": _tmux,
    "screen": _screen,
    "at": _at,
    "batch": _at,
    "crontab": _crontab,
    "busybox": _busybox,
    "socat": _socat,
    "gdb": _gdb,
    "lldb": _gdb,
    "man": _man,
    "docker": _container,
    "podman": _container,
    "kubectl": _container,
    "docker-compose": _container,
    "nerdctl": _container,
    "bwrap": _sandbox,
    "firejail": _sandbox,
    "nsjail": _sandbox,
}
