"""Programs that hand lines or files to another program: xargs, parallel, find and fd."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

MOST = 64  # of the lines handed over, as many are looked at one by one


def given(text: str, scene: Scene, arguments: Sequence[str] = ()) -> Iterable[Effect]:
    """What a shell does with this text; nobody can tell when nothing of it is known."""
    if text.strip(MARKS + " \n") == "" and text.strip():
        return [undecided("a shell is given commands that cannot be told")]
    return scene.script(text, arguments)


def _xargs(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """The program inside is given what comes in, as far as that is known."""
    found_words = taken_apart(
        words,
        "-a -d -E -I -L -n -P -s -R -J --arg-file --delimiter --max-args --max-procs --max-lines "
        "--replace --max-chars",
        stop=True,
    )
    named = found_words.value("-a", "--arg-file")
    found: list[Effect] = [did_read(scene.path(named))] if named else []
    given_in = scene.stdin if scene.stdin and not named else HOLE
    items = [HOLE] if HOLE in given_in else given_in.split()
    inner = found_words.operands or ["echo"]
    mark = found_words.value("-I", "--replace", "-J")
    if not mark and found_words.has("-i", "--replace"):
        mark = "{}"
    if not mark:
        return [*found, *scene.run([*inner, *items])]
    for item in _looked_at(items):
        found += scene.run([word.replace(mark, item) for word in inner])
    return found


def _looked_at(items: Sequence[str]) -> Sequence[str]:
    """As many as are worth following one by one; of the rest nothing is known."""
    return items if len(items) <= MOST else [*items[:MOST], HOLE]


def _parallel(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    found_words = taken_apart(
        words,
        "-j -a -S -N -n -L -C -d -I -P --jobs --arg-file --sshlogin --delay --timeout --retries "
        "--joblog --results --colsep --workdir --tmpdir --max-args",
        stop=True,
    )
    inner, sources = _before(found_words.operands, (":::", "::::", ":::+"))
    items = sources if sources and ":::" in found_words.operands else [HOLE]
    if scene.stdin and HOLE not in scene.stdin and not sources:
        items = scene.stdin.split("\n")
    text = " ".join(inner)
    found: list[Effect] = []
    for item in _looked_at([item for item in items if item]):
        if not inner:
            found += given(item, scene)
        else:
            found += scene.script(text.replace("{}", item) if "{}" in text else f"{text} {item}")
    return found


def _before(words: Sequence[str], marks: tuple[str, ...]) -> tuple[list[str], list[str]]:
    for at, word in enumerate(words):
        if word in marks:
            return list(words[:at]), [each for each in words[at + 1 :] if each not in marks]
    return list(words), []


def _find(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program, or deleted."""
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
    above = scene.path(root).rstrip("/")
    if len(names) == 1 and not any(letter in names[0] for letter in "*?["):
        return f"{above}/{HOLE}/{names[0]}"
    ending = names[0].replace("*", HOLE).replace("?", HOLE) if len(names) == 1 else HOLE
    return f"{above}/{HOLE}{ending}" if names else f"{above}/{HOLE}"


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
            gone = wrote(root if whole else path, "delete", tree=whole)
            gone.words = ("recursive", "forced") if whole else ("recursive",)
            found.append(gone)
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


PROGRAMS: dict[str, Callable[[Sequence[str], Scene], Iterable[Effect]]] = {
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
}
