"""Programs that start another one behind options of a shape of their own."""

from __future__ import annotations

from drumline.team.shell.effect import wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene


def _hyperfine(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    run = "-p -c -s -C --prepare --conclude --cleanup --setup --reference"
    said = taken_apart(
        words,
        f"{run} -w -m -M -r -L -P -D -S -n -u --warmup --min-runs --max-runs --runs --export-json"
        " --export-csv --export-markdown --export-asciidoc --export-orgmode --shell --style"
        " --command-name --time-unit --parameter-scan --parameter-list --input --output --sort",
    )
    texts = [text for option in run.split() for text in said.values.get(option, ())]
    return [effect for text in (*said.operands, *texts) for effect in scene.script(text)]


def _entr(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    said = taken_apart(words, "", stop=True)
    return scene.script(" ".join(said.operands)) if said.has("-s") else scene.run(said.operands)


def _setarch(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """An architecture may stand before the options, and a shell runs where nothing is named."""
    named = words[:1] if words and not words[0].startswith("-") else []
    return scene.run(taken_apart(words[len(named) :], "", stop=True).operands)


def _dtach(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """A mode, a socket, options, then the program; `abduco` has the same shape."""
    said = taken_apart(words, "-A -a -c -n -N -e -r -p", stop=True)
    return scene.run(said.operands)


def _start_stop(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    valued = "-x -a -p -n -u -g -r -d -N -P -I -k -s -c -R -O --exec --startas --pidfile --name --user --group"
    said = taken_apart(
        words, f"{valued} --chroot --chdir --nicelevel --umask --chuid --signal --output"
    )
    program = said.value("-a", "--startas") or said.value("-x", "--exec")
    starts = said.has("-S", "--start") and program
    return scene.run([program, *said.operands]) if starts else ()


def _chokidar(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    text = taken_apart(words, "-c -d -t -i --command --debounce --throttle --ignore").value(
        "-c", "--command"
    )
    return scene.script(text) if text else ()


def _runcon(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """With no option a whole context stands before the program."""
    said = taken_apart(words, "-t -u -r -l --type --user --role --range", stop=True)
    return scene.run(said.operands if said.flags else said.operands[1:])


def _perf(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """`perf stat` and its kin start a program behind options of their own."""
    verb = taken_apart(words, "", stop=True).operands
    said = taken_apart(verb[1:], _PERF_VALUED, stop=True)
    log = said.value("-o", "--output")
    return [*([wrote(scene.path(log))] if log else []), *scene.run(said.operands)]


_PERF_VALUED = (
    "-e -o -p -F -C -G -t -u -c -D -I -r -x -m -j -N -W -k -M --event --output --freq --cpu --pid --tid"
    " --call-graph --delay --interval-print --repeat --field-sep --cgroup --uid --count --mmap-pages"
    " --branch-filter --filter --metrics --max-size --switch-output"
)


def _inside(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """toolbox, distrobox: a box that shares our home; the program stands behind `run` or `--`."""
    if "--" in words:
        return scene.run(words[list(words).index("--") + 1 :])
    said = taken_apart(words, "-c -d -r --container --distro --release", stop=True).operands
    inner = taken_apart(said[1:], "-c -d -r --container --distro --release", stop=True).operands
    return scene.run(inner) if said[:1] == ["run"] else ()


PROGRAMS: dict[str, Callable[[Sequence[str], Scene], Iterable[Effect]]] = {
    "hyperfine": _hyperfine,
    "entr": _entr,
    "perf": _perf,
    "setarch": _setarch,
    "dtach": _dtach,
    "abduco": _dtach,
    "start-stop-daemon": _start_stop,
    "chokidar": _chokidar,
    "runcon": _runcon,
    "toolbox": _inside,
    "distrobox": _inside,
}
