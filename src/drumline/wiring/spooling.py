"""What settled turns are made of here: the hooks at both ends of a turn, the spool, and who drains it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from drumline.wiring.home import home_of, state_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.control.attribution import Grounds
    from drumline.control.draining import Drainer
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.store.spool import Spool
    from drumline.store.spool_order import Contents
    from drumline.team.checkup import Line
    from drumline.team.settled import Why

HOOKS, SPOOL, SCRIPT = "hooks", "spool", "turn_settled.sh"
BATCHES = 20  # between two passes
SHELL = "/bin/sh"
# a Python whose script is gone leaves with 2, which would take somebody's prompt away
IF_ANYBODY_ANSWERS = (
    '{ if [ -r "$1" ] && [ -r "$2/plane" ]; then "$0" -I -S "$@"; else cat >/dev/null; fi; }'
    " 2>/dev/null; exit 0"
)
IF_THERE = (
    '[ -r "$0" ] && /bin/sh "$0" "$@" >/dev/null 2>&1; exit 0'  # gone or broken, no turn minds
)


def listeners(
    settings: Settings, runtime: str, warn: Callable[[str], None]
) -> dict[str, Sequence[str]]:
    """The hooks at both ends of a turn; where the second cannot be installed a session goes without it."""
    return {**_at_start(settings, runtime), **_at_end(settings, runtime, warn)}


def _at_start(settings: Settings, runtime: str) -> dict[str, Sequence[str]]:
    """The hook that brings along with a prompt what waits for its member."""
    import sys

    from drumline.hooks import turn_start

    words = [sys.executable, str(turn_start.__file__), state_folder(settings), runtime]
    return {turn_start.EVENT: [SHELL, "-c", IF_ANYBODY_ANSWERS, *words]}


def _at_end(
    settings: Settings, runtime: str, warn: Callable[[str], None]
) -> dict[str, Sequence[str]]:
    """The hook that tells the end of a turn, installed."""
    from drumline.store.spool import prepare

    spool = os.path.join(state_folder(settings), SPOOL)
    try:
        script = _install(settings)
        prepare(spool)
    except OSError as error:
        warn(f"the end of a turn will not be told: {error.filename}: {error.strerror}")
        return {}
    return {"Stop": [SHELL, "-c", IF_THERE, script, spool, runtime]}


def examined(settings: Settings) -> Line:
    """Whether the hook, where it was installed, can do its work."""
    from drumline.team.checkup import ok, warning

    what = "turn hook"
    script, folder = script_path(settings), os.path.dirname(os.path.dirname(script_path(settings)))
    if not os.path.lexists(folder):
        return ok(what, "not installed: drumline policy settings installs it")
    fix = "make .drumline writable for yourself, then: drumline policy settings"
    if _read(script) != _ours():
        return warning(what, f"{script} is not there as it must be", fix)
    incoming = os.path.join(os.path.dirname(folder), SPOOL, "incoming")
    if not os.path.isdir(incoming) or not os.access(incoming, os.W_OK | os.X_OK):
        return warning(what, f"nothing can be put into {incoming}", fix)
    return ok(what, f"installed: {script}")


def script_path(settings: Settings) -> str:
    """Where this version's script is kept: an upgrade has a folder of its own, and leaves the others."""
    from hashlib import sha256

    version = sha256(_ours()).hexdigest()[:12]
    return os.path.join(settings.state_root, ".drumline", HOOKS, version, SCRIPT)


def open_spool(settings: Settings) -> Spool:
    """This repository's spool on this machine."""
    from drumline.store.engine import WallClock
    from drumline.store.spool import Spool
    from drumline.store.spool_order import tidy

    clock, folder = WallClock(), os.path.join(state_folder(settings), SPOOL)
    return Spool(folder, lambda place: tidy(place, clock.now()))


def contents(settings: Settings) -> Contents:
    """What is in the spool now."""
    from drumline.store import spool_order

    return spool_order.contents(open_spool(settings).folder)


def give_back(settings: Settings, store: Store) -> int:
    """Put back what was claimed and not finished, however short ago; how many."""
    from datetime import timedelta

    return open_spool(settings).recover(store.ask(lambda tx: tx.now()), timedelta(0))


def bring_back(settings: Settings, why: Why) -> int:
    """Put what was filed for a reason back; how many."""
    from drumline.store import spool_order

    return spool_order.bring_back(open_spool(settings).folder, why)


def drains(settings: Settings, store: Store) -> Callable[[], bool]:
    """A plane's way to drain, between its passes; a spool in trouble is told in its log and stops no pass."""
    import sys

    draining, told = drainer(settings, store), [""]

    def drain() -> bool:
        try:
            return all(draining.look() for _ in range(BATCHES))
        except OSError as error:
            if str(error) != told[0]:
                told[0] = str(error)
                print(f"the spool cannot be drained: {error}", file=sys.stderr)  # noqa: T201 - its log
            return False

    return drain


def drainer(settings: Settings, store: Store) -> Drainer:
    """Who takes in what is in the spool; of all processes of this machine one at a time does."""
    from drumline.control.draining import Desk, Drainer
    from drumline.runtimes.plane import holder_here
    from drumline.team.duty import spool_of
    from drumline.wiring.machine import host, is_up

    duty = spool_of(home_of(settings))
    desk = Desk(duty, holder_here(host(), ""), grounds(settings), is_up)
    return Drainer(store, open_spool(settings), desk)


def grounds(settings: Settings) -> Grounds:
    """Where members that run on this machine keep what is their own."""
    from drumline.control.attribution import Grounds

    state = os.path.realpath(state_folder(settings))
    return Grounds(os.path.join(state, "homes"), os.path.join(state, "checkouts"))


def _install(settings: Settings) -> str:
    """Put this version's script in its place, whole or not at all."""
    path = script_path(settings)
    if _read(path) == _ours():
        return path
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    unfinished = f"{path}.{os.urandom(4).hex()}"
    with open(unfinished, "xb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(_ours())
    os.replace(unfinished, path)
    return path


def _ours() -> bytes:
    from drumline import hooks

    with open(os.path.join(os.path.dirname(hooks.__file__), SCRIPT), "rb") as file:
        return file.read()


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(100_000)
    except OSError:
        return None
