"""Archives: what packing writes, and where unpacking puts files nobody has named."""

from __future__ import annotations

from drumline.team.shell.effect import TREE, Effect, undecided, wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.scene import Scene

_TAR = (
    "-f -C -X -T -I -b -g -L -N -V -H -K --file --directory --exclude --exclude-from --files-from "
    "--use-compress-program --to-command --checkpoint-action --strip-components --transform "
    "--rsh-command --info-script --owner --group --mode --checkpoint?"
)
_TAR_PLAIN = "--extract --get --create --append --update --delete --to-stdout --remove-files"


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    program = PROGRAMS.get(argv[0].rpartition("/")[2])
    return program(argv[1:], scene) if program is not None else []


def _unpacked(folder: str, scene: Scene) -> list[Effect]:
    path = scene.path(folder)
    return [wrote(path, "into"), undecided("what an archive holds cannot be told", TREE, path)]


def _tar(words: Sequence[str], scene: Scene) -> list[Effect]:
    if words and not words[0].startswith("-"):
        words = [f"-{words[0]}", *words[1:]]  # the old form: tar xzf FILE
    given = taken_apart(words, _TAR, plain=_TAR_PLAIN)
    run = [
        text.removeprefix("exec=")
        for name in (
            "-I",
            "--use-compress-program",
            "--to-command",
            "--checkpoint-action",
            "--info-script",
        )
        for text in given.values.get(name, [])
    ]
    found = [effect for text in run for effect in scene.script(text)]
    if given.has("-x", "--extract", "--get"):
        if given.has("-O", "--to-stdout"):
            return found
        return found + _unpacked(given.value("-C", "--directory") or ".", scene)
    if given.has("-c", "--create", "-r", "-u", "--append", "--update", "--delete"):
        name = given.value("-f", "--file")
        found += [wrote(scene.path(name))] if name not in {"", "-"} else []
        found += [Effect("read", scene.path(each), tree=True) for each in given.operands]
        if given.has("--remove-files"):
            found += [wrote(scene.path(each), "delete", tree=True) for each in given.operands]
    return found


def _unzip(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-d -x -P")
    if given.has("-l", "-t", "-p", "-c", "-v", "-z", "-Z"):
        return []
    return _unpacked(given.value("-d") or ".", scene)


def _zip(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-x -i -P -b -t -n")
    found = [wrote(scene.path(name)) for name in given.operands[:1] if name != "-"]
    found += [Effect("read", scene.path(name), tree=True) for name in given.operands[1:]]
    if given.has("-m"):
        found += [wrote(scene.path(name), "delete", tree=True) for name in given.operands[1:]]
    return found


def _seven(words: Sequence[str], scene: Scene) -> list[Effect]:
    names = [word for word in words if not word.startswith("-")]
    folder = next((word[2:] for word in words if word.startswith("-o")), ".")
    if names[:1] in (["x"], ["e"]):
        return _unpacked(folder, scene)
    return [wrote(scene.path(name)) for name in names[1:2]] if names[:1] == ["a"] else []


def _cpio(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "-D -F -O -I -R --directory --file", plain="--extract --pass-through --list"
    )
    if given.has("-i", "--extract", "-p", "--pass-through") and not given.has("-t", "--list"):
        return _unpacked(given.value("-D", "--directory") or (given.operands or ["."])[-1], scene)
    return []


def _ar(words: Sequence[str], scene: Scene) -> list[Effect]:
    if words[:1] and "x" in words[0]:
        return _unpacked(".", scene)
    return [wrote(scene.path(name)) for name in words[1:2]]


PROGRAMS: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "tar": _tar,
    "bsdtar": _tar,
    "gtar": _tar,
    "unzip": _unzip,
    "zip": _zip,
    "7z": _seven,
    "7za": _seven,
    "cpio": _cpio,
    "ar": _ar,
}
