"""The launcher: a process that confines itself and becomes the command it was given.

What the machine promises is applied whole or nothing is started; what it cannot promise is said.
No thread is in this process, and it loads as little as it can: every confined start pays for it.
"""

# ruff: noqa: PTH110, PTH112  # pathlib costs every start 10 ms

from __future__ import annotations

import os
import sys

from drumline.runtimes import holes, kernel, landlock, namespace, privileges, seccomp, streams
from drumline.team import layer
from drumline.team.confinement import read
from drumline.team.layer import Layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import NoReturn

    from drumline.team.confinement import Confinement

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx")
NOT_CONFINED, NOT_STARTED, NOT_FOUND = 125, 126, 127  # as env, timeout and nohup say it
BROKEN_PIPE, FILE_TOO_LARGE, BY_DEFAULT = 13, 25, 0


def exec_confined(
    argv: Sequence[str], confinement: Confinement, say: Callable[[str], object]
) -> NoReturn:
    """Become a command that is confined; `say` hears what is not active. Single-threaded callers only.

    Raises OSError, and starts nothing, when a layer this machine has cannot be applied.
    """
    active = said(layers_here(), say)
    streams.close_all_but(confinement.descriptors)
    places = planned(confinement, active, say)
    if layer.MOUNTS in active:
        holes.enter(places)
    exec_mounted(argv, confinement, active)


def exec_mounted(argv: Sequence[str], confinement: Confinement, active: set[str]) -> NoReturn:
    """The same where the mounts are as they should be: powers go before rules, since they undo mounts."""
    devices = list(DEVICES)
    if layer.MOUNTS in active:
        devices += [path for path, *_ in holes.OWN_DEVICES]
    if layer.PRIVILEGES in active:
        privileges.drop()
    if layer.LANDLOCK in active:
        opened = [*_opened(confinement.writable, devices), *streams.written()]
        landlock.restrict(opened, confinement.ports, landlock.abi())
    if layer.CALLS in active:
        seccomp.refuse(confinement.ports)
    _become(argv, confinement.environment.left(os.environ))


def main(words: Sequence[str]) -> NoReturn:
    """The launcher: say the layers, or become the command behind `--`."""
    if words == ["--layers"]:
        for each in layers_with_processes():
            sys.stdout.write(f"{each.name}\t{each.active:d}\t{each.says}\n")
        sys.exit(0)
    split = words.index("--")
    try:
        exec_confined(words[split + 1 :], read(words[:split]), tell)
    except OSError as error:
        refuse(words[split + 1], str(error))


def refuse(name: str, why: str, then: str = "drumline confine --explain") -> NoReturn:
    """End, since a command cannot be started as it should be."""
    tell(f"refused: {name} was not started")
    tell(f"why: {why}")
    tell(f"next: {then}")
    sys.exit(NOT_CONFINED)


def tell(line: str) -> None:
    """Say something to whoever started us."""
    sys.stderr.write(f"drumline: {line}\n")
    sys.stderr.flush()


def said(found: Sequence[Layer], say: Callable[[str], object]) -> set[str]:
    """The names of the active layers; each missing one is said."""
    for absent in layer.missing(found):
        say(f"not active: {absent.name}: {absent.says}")
    return {each.name for each in found if each.active}


def planned(
    confinement: Confinement, active: set[str], say: Callable[[str], object]
) -> dict[str, str]:
    """What is to be mounted where; what cannot be is said."""
    there = list(_holes_there(confinement.holes, active, say))
    covered = list(_hidden_there(confinement.hidden, active, say))
    shown = [path for path in confinement.shown if os.path.lexists(path)]
    return holes.plan(confinement.writable, there, covered, shown)


def layers_with_processes() -> list[Layer]:
    """All layers: where none is missing, one trial of mounts and processes together shows it."""
    if not namespace.absent(holes.seal_a_sample):
        return [*layers_here(no_mounts=""), _processes("")]
    return [*layers_here(), _processes(namespace.absent())]


def layers_hoped() -> list[Layer]:
    """The same without a trial, for who makes mounts and processes anyway: those may turn out missing."""
    why_not = kernel.foreign()
    return [*layers_here(no_mounts=why_not), _processes(why_not)]


def _processes(why_not: str) -> Layer:
    means = "on a leash, nothing it starts outlives it, and it sees no process but its own"
    return Layer(layer.PROCESSES, why_not or means, active=not why_not)


def layers_here(no_mounts: str | None = None) -> list[Layer]:
    """What this very process could apply to itself; why there are no mounts may be known already."""
    no_landlock, no_filter = landlock.absent(), seccomp.absent()
    no_mounts = holes.absent() if no_mounts is None else no_mounts
    version = 0 if no_landlock else landlock.abi()

    def since(first: int, name: str, means: str) -> Layer:
        why = no_landlock or f"Landlock ABI {version}, it begins with {first}"
        return Layer(name, means if version >= first else why, active=version >= first)

    def given(name: str, why_not: str, means: str) -> Layer:
        return Layer(name, why_not or means, active=not why_not)

    stuck = "" if version >= landlock.MOVING else ", and no moves between folders"
    ports = since(landlock.PORTS, layer.PORTS, "TCP only with listed ports, and no way round")
    if ports.active and no_filter:
        ports = Layer(layer.PORTS, f"other protocols go round it: {no_filter}", active=False)
    return [
        since(1, layer.LANDLOCK, f"ABI {version}: writes only below the writable roots{stuck}"),
        since(landlock.TRUNCATING, layer.TRUNCATION, "nothing else can be emptied"),
        since(landlock.SCOPES, layer.SCOPES, "no signal and no abstract socket leads outside"),
        ports,
        given(layer.MOUNTS, no_mounts, "roots less holes: nothing else can be changed in any way"),
        given(layer.CALLS, no_filter, "no typing into terminals, no limits for other processes"),
        given(layer.PRIVILEGES, kernel.foreign(), "none can be gained, root's are given up"),
    ]


def _holes_there(
    named: Sequence[str], active: set[str], say: Callable[[str], object]
) -> Iterator[str]:
    """The holes that can be protected; each other one is said."""
    for hole in named:
        if not os.path.lexists(hole):
            say(f"not protected: {hole}: it does not exist, and may be made inside")
        elif layer.MOUNTS not in active:
            say(f"not protected: {hole}: a hole needs the layer of mounts")
        else:
            yield hole


def _hidden_there(
    named: Sequence[str], active: set[str], say: Callable[[str], object]
) -> Iterator[str]:
    """The folders that can be hidden; each other one is said."""
    for folder in named:
        if not os.path.isdir(folder):
            say(f"not hidden: {folder}: there is no such folder")
        elif layer.MOUNTS not in active:
            say(f"not hidden: {folder}: what is hidden needs the layer of mounts")
        else:
            yield folder


def _opened(writable: Sequence[str], devices: Sequence[str]) -> Iterator[int]:
    """Descriptors for what may be written; a device may be missing or a link, a root may not."""
    for path in writable:
        yield kernel.open_place(path)
    for path in devices:
        if os.path.exists(path):
            yield os.open(path, os.O_PATH | os.O_CLOEXEC)


def _become(argv: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    for number in (BROKEN_PIPE, FILE_TOO_LARGE):  # ignored by Python, and inherited otherwise
        kernel.function("signal", number, BY_DEFAULT)
    try:
        os.execvpe(argv[0], list(argv), dict(variables))  # noqa: S606 - no shell is the point
    except OSError as error:
        tell(f"refused: {argv[0]}: {error.strerror}")
        sys.exit(NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_STARTED)
