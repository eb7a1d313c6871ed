"""Run a command that can write, reach and see only what its confinement says, with all it starts."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from drumline.team.confinement import Confinement
from drumline.team.layer import Layer

SOURCE = Path(__file__).parents[2]
START = (
    "import sys; sys.path.append(sys.argv[1]);"
    " from drumline.runtimes.{module} import main; main(sys.argv[2:])"
)
PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


def launcher(
    confinement: Confinement,
    leash: Path | None = None,
    *,
    terminal: bool = False,
    namespace: bool = True,
) -> list[str]:
    """The words to put before a command so that it runs confined, and with a leash lives on it.

    leash      a FIFO made by `leash.hold`: when no holder is left, all that was started is killed
    terminal   stay in the session of the caller's terminal, which its keys then reach
    namespace  give it processes of its own where this machine can
    """
    if leash is None:
        return [*_start("confined"), *confinement.words(), "--"]
    tied = ["--session", "kept" if terminal else "own"]
    tied += ["--processes", "own" if namespace else "shared"]
    return [*on_leash(leash), *tied, *confinement.words(), "--"]


def on_leash(leash: Path) -> list[str]:
    """What the words of every launcher on this leash begin with."""
    return [*_start("leashed"), "--leash", str(leash)]


def confine(
    argv: Sequence[str], confinement: Confinement, variables: Mapping[str, str] | None = None
) -> int:
    """Run a command confined and wait for it: its exit code, 128 and more when a signal ended it."""
    child = subprocess.Popen(  # noqa: S603 - the words are the caller's command
        [*launcher(confinement), *argv],
        pass_fds=confinement.descriptors,
        env=None if variables is None else dict(variables),
    )
    with _signals_passed_on(child):
        while True:
            try:
                code = child.wait()
            except KeyboardInterrupt:  # the terminal told the command too: it decides
                continue
            return code if code >= 0 else 128 - code


def layers() -> tuple[Layer, ...]:
    """Which layers this machine gives, and what each means or why it is missing."""
    words = [*_start("confined"), "--layers"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603 - our own words
    found = (line.split("\t") for line in done.stdout.splitlines())
    return tuple(Layer(name, says, active=active == "1") for name, active, says in found)


def _start(module: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", START.format(module=module), str(SOURCE)]


@contextmanager
def _signals_passed_on(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """What would end us ends the command instead, and we follow; only a main thread can promise it."""
    try:
        before = {
            number: signal.signal(number, lambda heard, _: child.send_signal(heard))
            for number in PASSED_ON
        }
    except ValueError:
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
