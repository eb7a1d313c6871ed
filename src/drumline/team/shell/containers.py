"""Containers that are given folders of this machine, and ssh to this very machine.

A path inside a container means the folder mounted there; every other path is the container's own.
"""

from __future__ import annotations

from drumline.team.shell.effect import known
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

_RUN_VALUED = (
    "-v --volume --mount -w --workdir -e --env --env-file --name --entrypoint -u --user -p --publish"
    " --network --net -h --hostname -m --memory --cpus -l --label --platform --pull --add-host"
    " --cap-add --cap-drop --device --dns --ulimit --restart --shm-size --tmpfs --gpus --ipc --pid"
    " --security-opt --userns --log-driver --log-opt --volumes-from --cpuset-cpus --runtime -a"
)
_SSH_VALUED = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B"
_HERE = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "ip6-localhost"})  # noqa: S104 - names to judge by
_INSIDE = "/tmp/.inside-a-container"  # noqa: S108 - where nothing of ours is
_STARTS = frozenset(" \t\n'\"=:;(|&<>`")


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What is done to this machine's files from inside a container, or by ssh to itself."""
    name = argv[0].rpartition("/")[2]
    return list(_ssh(argv[1:], scene) if name == "ssh" else _container(argv[1:], scene))


def _ssh(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, _SSH_VALUED, stop=True)
    host, *text = said.operands or [""]
    if host.removeprefix("ssh://").rpartition("@")[2].partition(":")[0] not in _HERE or not text:
        return ()
    return scene.run(["sh", "-c", " ".join(text)], scene.home)


def _container(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "-H --host -c --context --config -l --log-level", stop=True).operands
    said = said[1:] if said[:1] == ["container"] else said
    if said[:1] not in (["run"], ["create"]):
        return ()
    given = taken_apart(said[1:], _RUN_VALUED, stop=True)
    mounts = _mounts(given, scene)
    image, *command = given.operands or [""]
    entry = given.value("--entrypoint") or _entry(image)
    inner = [entry, *command] if entry else command
    if not mounts or not inner or not known(inner[0]):
        return ()  # an image with a program of its own is given files
    folder = _placed(given.value("-w", "--workdir") or "/", mounts)
    return scene.run([_translated(word, mounts) for word in inner], folder)


def _entry(image: str) -> str:
    """The program of an image that is named for it: alpine/git runs git."""
    name = image.rpartition("/")[2].partition(":")[0]
    return name if name == "git" else ""


def _mounts(given: Words, scene: Scene) -> dict[str, str]:
    """Where a folder of ours stands inside, and which it is; a volume by name is none of ours."""
    pairs = [
        value.split(":") for name in ("-v", "--volume") for value in given.values.get(name, [])
    ]
    found = {pair[1]: pair[0] for pair in pairs if len(pair) > 1}
    for value in given.values.get("--mount", []):
        said = dict(part.partition("=")[::2] for part in value.split(","))
        target = said.get("target") or said.get("dst") or said.get("destination") or ""
        found[target] = said.get("source") or said.get("src") or ""
    ours = {target: source for target, source in found.items() if target and _is_path(source)}
    return {target.rstrip("/") or "/": scene.path(source) for target, source in ours.items()}


def _is_path(source: str) -> bool:
    return source.startswith((".", "/", "~")) or not source.isascii()


def _placed(path: str, mounts: dict[str, str]) -> str:
    """A path inside as the path it is here."""
    fitting = [one for one in mounts if f"{path}/".startswith(f"{one.rstrip('/')}/")]
    if not fitting:
        return path if path.startswith("/dev/") else f"{_INSIDE}{path}"
    target = max(fitting, key=len)
    rest = path[len(target.rstrip("/")) :]
    return f"{mounts[target].rstrip('/')}{rest}" or "/"


def _translated(text: str, mounts: dict[str, str]) -> str:
    """A word or a script with its absolute paths as they are here."""
    out: list[str] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] == "/" and (at == 0 or text[at - 1] in _STARTS):
            while end < len(text) and text[end] not in _STARTS:
                end += 1
            out.append(_placed(text[at:end].rstrip(")"), mounts) + ")" * text[at:end].count(")"))
        else:
            out.append(text[at])
        at = end
    return "".join(out)
