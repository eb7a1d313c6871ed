"""Programs that run another program: what they run is what counts."""

from __future__ import annotations

from drumline.team.shell.effect import (
    HOLE,
    MARKS,
    changed_identity,
    endangered,
    undecided,
    wrote,
)
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

# options that take a value, then how many words stand before the program
_PREFIXES: dict[str, tuple[str, int]] = {
    "nohup": ("", 0),
    "setsid": ("", 0),
    "time": ("-f -o --format --output", 0),
    "gtime": ("-f -o", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p -P -u", 0),
    "chrt": ("-T -P -D", 1),
    "taskset": ("-p", 1),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k", 1),
    "doas": ("-u -C", 0),
    "pkexec": ("--user", 0),
    "gosu": ("", 1),
    "su-exec": ("", 1),
    "chroot": ("--userspec --groups", 1),
    "fakeroot": ("-l -s -i", 0),
    "strace": ("-o -e -p -s -E -u -a -I -O -P -S", 0),
    "ltrace": ("-o -e -p -s -u -n", 0),
    "valgrind": ("", 0),
    "unbuffer": ("", 0),
    "rlwrap": ("-f -H -P -S", 0),
    "xvfb-run": ("-s -n -e -f -p --server-args --server-num", 0),
    "dbus-run-session": ("--config-file", 0),
    "caffeinate": ("-t -w", 0),
    "numactl": ("-m -N -C -i", 0),
    "prlimit": ("-p -o", 0),
    "cgexec": ("-g", 0),
    "setpriv": ("--reuid --regid --groups", 0),
    "systemd-run": ("-p -u -t -M -H --unit --property --slice --uid --gid --setenv", 0),
    "systemd-inhibit": ("--what --who --why --mode", 0),
    "firejail": ("", 0),
    "proot": ("-r -b -w", 0),
    "unshare": ("-S -G -R -w --root --wd --map-user --map-group", 0),
    "nsenter": ("-t -S -G --target", 0),
    "bwrap": ("", 0),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "tini": ("-p -e", 0),
    "dumb-init": ("-r", 0),
    "faketime": ("", 1),
    "entr": ("", 0),
    "torsocks": ("", 0),
    "proxychains": ("-f", 0),
    "exec": ("-a", 0),
    "ccache": ("", 0),
    "sem": ("-j --id", 0),
    "chpst": ("-u -U -b -/ -e -m -d", 0),
    "cpulimit": ("-l -p -e", 0),
    "run-one": ("", 0),
    "ts": ("", 0),
    "perf": ("-e -o -p -F -C", 1),
    "lsof": ("", 99),
}
_SHELLS = frozenset("sh bash dash zsh ksh mksh ash fish rbash csh tcsh".split())


def effects(argv: Sequence[str], scene: Scene) -> Iterable[Effect] | None:
    """What the program inside does; None when this program runs no other."""
    name = argv[0].rpartition("/")[2]
    wrapper = _WRAPPERS.get(name)
    if wrapper is not None:
        return wrapper(argv[1:], scene)
    if name in _SHELLS:
        return _shell(argv[1:], scene)
    if name in _PREFIXES:
        valued, skipped = _PREFIXES[name]
        words = taken_apart(argv[1:], valued, stop=True).operands[skipped:]
        return scene.run([word for word in words if word] if name == "busybox" else words)
    return None


def _shell(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """A shell given text, a file, or whatever comes in."""
    at, text_next, from_input = 0, False, False
    while at < len(words) and words[at][:1] in {"-", "+"} and len(words[at]) > 1:
        word = words[at]
        at += 1
        if word == "--":
            break
        if not word.startswith("--"):
            text_next = text_next or "c" in word
            from_input = from_input or "s" in word
            at += sum(letter in "oO" for letter in word[1:])
        elif word in {"--rcfile", "--init-file"}:
            at += 1
    rest = words[at:]
    if text_next and rest:
        return _given(rest[0], scene)
    if rest and not from_input:
        return _script_file(rest[0], scene)
    return _given(scene.stdin, scene) if scene.stdin else ()


def _given(text: str, scene: Scene) -> Iterable[Effect]:
    if text.strip(MARKS + " \n") == "" and text.strip():
        return [undecided("a shell is given commands that cannot be told")]
    return scene.script(text)


def _script_file(name: str, scene: Scene) -> Iterable[Effect]:
    path = name if name.startswith("/dev/fd/") else scene.path(name)
    text = scene.kept(path)
    if text is not None:
        return _given(text, scene)
    if path in {"/dev/stdin", "/dev/fd/0"}:
        return _given(scene.stdin or "", scene)
    return [did_read(path)]


def _env(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """`env`: variables changed, then a program."""
    found: list[Effect] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in {"-u", "--unset"} and at < len(words):
            found += _identity(words[at])
            at += 1
        elif word.startswith(("-u", "--unset=")) and len(word) > 2:  # noqa: PLR2004 - the name is attached
            found += _identity(word.removeprefix("--unset=").removeprefix("-u"))
        elif word in {"-i", "-", "--ignore-environment"}:
            found.append(changed_identity("all variables (env -i)"))
        elif word in {"-S", "--split-string"} and at < len(words):
            return [*found, *scene.script(" ".join(words[at:]))]
        elif word.startswith(("-S", "--split-string=")):
            text = word.removeprefix("--split-string=").removeprefix("-S")
            return [*found, *scene.script(" ".join([text, *words[at:]]))]
        elif word in {"-C", "--chdir"}:
            at += 1
        elif "=" in word and not word.startswith("-"):
            found += _identity(word.partition("=")[0])
        elif not word.startswith("-"):
            return [*found, *scene.run(words[at - 1 :])]
    return found


def _identity(name: str) -> list[Effect]:
    if name.startswith(("DRUMLINE_", "LOA_")):
        return [changed_identity(name)]
    return []


def _sudo(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-u -g -h -p -C -T -r -t -D -R -U --user --group --chdir", stop=True)
    inner = [word for word in given.operands]
    while inner and "=" in inner[0] and not inner[0].startswith("/"):
        inner = inner[1:]
    if given.has("-e", "--edit"):
        return [wrote(scene.path(name)) for name in inner]
    harm = [endangered("sudo rm", " ".join(inner))] if _is_rm(inner) else []
    return [*harm, *scene.run(inner)]


def _is_rm(words: Sequence[str]) -> bool:
    asks = {"--help", "--version"} & set(words)
    return bool(words) and words[0].rpartition("/")[2] == "rm" and not asks


def _su(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-c -s -g -G -u -w --command --shell --user")
    text = given.value("-c", "--command")
    if text:
        return scene.script(text)
    return scene.run(given.operands) if given.has("-u", "--user") else ()


def _text(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """watch, hyperfine: the words are shell text."""
    given = taken_apart(words, "-n -d -q --interval -w -m -M -r -p -L --warmup --runs", stop=True)
    return scene.script(" ".join(given.operands))


def _hyperfine(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(
        words, "-w -m -M -r -p -c -s -i -L -P -S -n --warmup --runs --prepare --export-json --shell"
    )
    return [effect for text in given.operands for effect in scene.script(text)]


def _script(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-c -E -I -O -B -T -m -o --command")
    found = [wrote(scene.path(name)) for name in given.operands[:1] or ["typescript"]]
    text = given.value("-c", "--command")
    return [*found, *(scene.script(text) if text else ())]


def _flock(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-w -E --timeout --wait --conflict-exit-code", stop=True)
    rest = given.operands[1:]
    if rest[:1] in (["-c"], ["--command"]):
        return scene.script(" ".join(rest[1:]))
    return scene.run(rest)


def _ssh(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """On another machine our paths mean nothing, but git and the tracker are the same."""
    given = taken_apart(
        words, "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", stop=True
    )
    found = [
        effect
        for option in given.values.get("-o", [])
        if option.lower().startswith(("proxycommand=", "localcommand="))
        for effect in scene.script(option.partition("=")[2])
    ]
    text = " ".join(given.operands[1:])
    return [*found, *scene.elsewhere(text)] if text else found


def _tmux(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-L -S -f -c -T -s -n -t -x -y -F -e -p -l", stop=True)
    verb, rest = given.operands[:1], given.operands[1:]
    inner = taken_apart(rest, "-c -e -F -n -s -t -x -y -l -p", stop=True).operands
    if verb and verb[0] in {"new-session", "new", "new-window", "neww", "split-window", "splitw", "run-shell", "run"}:
        return scene.script(" ".join(inner)) if inner else ()
    if verb and verb[0] in {"send-keys", "send"}:
        return scene.script(" ".join(word for word in inner if word not in {"Enter", "C-m"}))
    return ()


def _screen(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-c -e -h -p -r -R -s -S -t -T -x -X", stop=True)
    return scene.run(given.operands) if given.operands else ()


def _at(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(words, "-f -q -t")
    name = given.value("-f")
    if name:
        return _script_file(name, scene)
    return _given(scene.stdin, scene) if scene.stdin else ()


def _xargs(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """The program inside is given what comes in, as far as that is known."""
    given = taken_apart(
        words,
        "-a -d -E -I -L -n -P -s -R -J --arg-file --delimiter --max-args --max-procs --max-lines "
        "--replace --max-chars",
        stop=True,
    )
    if given.value("-a", "--arg-file"):
        items = [HOLE]
    else:
        items = scene.stdin.split() if scene.stdin and HOLE not in scene.stdin else [HOLE]
    inner = given.operands or ["echo"]
    mark = given.value("-I", "--replace", "-J") or ("{}" if given.has("-i", "--replace") else "")
    found: list[Effect] = []
    if mark:
        for item in items[:16]:
            found += scene.run([word.replace(mark, item) for word in inner])
        return found
    return scene.run([*inner, *items])


def _parallel(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    given = taken_apart(
        words,
        "-j -a -S -N -n -L -C -d -I -P --jobs --arg-file --sshlogin --delay --timeout --retries "
        "--joblog --results --colsep --workdir --tmpdir --max-args",
        stop=True,
    )
    inner, sources = _before(given.operands, (":::", "::::", ":::+"))
    items = sources if sources and ":::" in given.operands else [HOLE]
    if scene.stdin and HOLE not in scene.stdin and not sources:
        items = scene.stdin.split("\n")
    text = " ".join(inner)
    found: list[Effect] = []
    for item in [item for item in items if item][:16]:
        if not inner:
            found += _given(item, scene)
        else:
            found += scene.script(text.replace("{}", item) if "{}" in text else f"{text} {item}")
    return found


def _before(words: Sequence[str], marks: tuple[str, ...]) -> tuple[list[str], list[str]]:
    for at, word in enumerate(words):
        if word in marks:
            return list(words[:at]), [each for each in words[at + 1 :] if each not in marks]
    return list(words), []


def _find(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """find and fd: each file found may be handed to a program, or deleted."""
    roots: list[str] = []
    for word in words:
        if word[:1] in {"-", "(", "!", ")"} and word not in {"-L", "-H", "-P"}:
            break
        if word not in {"-L", "-H", "-P"}:
            roots.append(word)
    names = [words[at + 1] for at, word in enumerate(words[:-1]) if word in {"-name", "-iname"}]
    return [
        effect
        for root in roots or ["."]
        for effect in _found(words, _reach(root, names, scene), scene.path(root), scene)
    ]


def _reach(root: str, names: Sequence[str], scene: Scene) -> str:
    """What a file found below here may be called."""
    ending = names[0].replace("*", HOLE).replace("?", HOLE) if len(names) == 1 else HOLE
    return f"{scene.path(root)}/{HOLE}{ending}" if names else f"{scene.path(root)}/{HOLE}"


def _found(words: Sequence[str], path: str, root: str, scene: Scene) -> Iterable[Effect]:
    found: list[Effect] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in {"-exec", "-execdir", "-ok", "-okdir"}:
            end = next((i for i in range(at, len(words)) if words[i] in {";", "+"}), len(words))
            found += scene.run([each.replace("{}", path) for each in words[at:end]])
            at = end
        elif word == "-delete":
            whole = not any(test in words for test in ("-name", "-iname", "-path", "-regex"))
            found.append(wrote(root if whole else path, "delete", tree=whole))
        elif word in {"-fprint", "-fprint0", "-fls", "-fprintf"} and at < len(words):
            found.append(wrote(scene.path(words[at])))
    return found


def _fd(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    for at, word in enumerate(words):
        if word in {"-x", "-X", "--exec", "--exec-batch"}:
            path = f"{scene.cwd}/{HOLE}"
            inner = [each.replace("{}", path) for each in words[at + 1 :] if each != ";"]
            return scene.run(inner if path in " ".join(inner) else [*inner, path])
    return ()


def _crontab(words: Sequence[str], scene: Scene) -> Iterable[Effect]:  # noqa: ARG001 - a row of the table
    return () if "-l" in words else [endangered("changes scheduled jobs", "crontab")]


def _busybox(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    return scene.run(words)


_WRAPPERS: dict[str, Callable[[Sequence[str], Scene], Iterable[Effect]]] = {
    "env": _env,
    "genv": _env,
    "sudo": _sudo,
    "su": _su,
    "runuser": _su,
    "watch": _text,
    "hyperfine": _hyperfine,
    "script": _script,
    "flock": _flock,
    "ssh": _ssh,
    "tmux": _tmux,
    "screen": _screen,
    "at": _at,
    "batch": _at,
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "crontab": _crontab,
    "busybox": _busybox,
}
