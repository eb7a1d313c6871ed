"""Run a process within bounds: so long, so much output, and nothing of it left afterwards.

What a launcher holds is ended by that launcher, wherever it stands among the words: it alone knows what
left its group. All else is the process's own group.
"""

import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from drumline.runtimes import leash

OUT, ERR = "out", "err"
GLANCE = 0.05  # seconds between two looks at a process that says nothing
CHUNK = 65_536
LAST_WORDS = 32  # chunks: more than a pipe holds, less than one who left the group could say
LINGERING = 10.0  # seconds a launcher has to end what it holds, before it is killed with the group
LATE, TOO_MUCH = "its time was over", "it said too much"
GIVEN_UP = "nobody waits for it any more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A process to run: its words, folder, whole environment and bounds.

    most  bytes of output; a process that says more is ended, unless only its `tail` is kept
    tail  keep the end of what it says, output and errors as one
    given_up  tells whether anybody still waits for it
    """

    argv: Sequence[str]
    folder: Path
    environ: Mapping[str, str]
    seconds: float
    said: bytes = b""
    most: int = 64 << 20
    tail: bool = False
    given_up: Callable[[], bool] = lambda: False


class Done(NamedTuple):
    """How a process ended: 128 and more when a signal did it; `cut` says which bound it met."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    cut: str


@dataclass(slots=True)
class _Heard:
    """What a process has said so far."""

    most: int
    tail: bool
    parts: dict[str, bytearray] = field(
        default_factory=lambda: {OUT: bytearray(), ERR: bytearray()}
    )

    def add(self, stream: str, chunk: bytes) -> bool:
        """Keep it; false when that is too much."""
        kept = self.parts[stream]
        if self.tail or len(kept) <= self.most:
            kept += chunk
        if self.tail and len(kept) > self.most:
            del kept[: len(kept) - self.most]
        return len(kept) <= self.most


def run(command: Command) -> Done:
    """Run a process to its end or to its bounds; nothing of it outlives the answer."""
    began = time.monotonic()
    heard = _Heard(command.most, command.tail)
    with leash.of_one_run() as line:
        words = line.put_into(command.argv)
        process = _start(command, words)
        try:
            cut = _hear(process, heard, began + command.seconds, command.given_up)
        finally:
            line.cut()
            if words != [*command.argv]:
                _let_end(process, heard)
            _end_group(process)
            _hear_out(process, heard)
            code = process.wait()
            for stream in _streams(process).values():
                stream.close()
    took = time.monotonic() - began
    parts = heard.parts
    return Done(code if code >= 0 else 128 - code, bytes(parts[OUT]), bytes(parts[ERR]), took, cut)


def _start(command: Command, words: list[str]) -> subprocess.Popen[bytes]:
    with tempfile.TemporaryFile() as stdin:
        stdin.write(command.said)
        stdin.seek(0)
        return subprocess.Popen(  # noqa: S603 - the caller's words, no shell
            words,
            cwd=command.folder,
            env=dict(command.environ),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if command.tail else subprocess.PIPE,
            start_new_session=True,
        )


def _hear(
    process: subprocess.Popen[bytes], heard: _Heard, until: float, given_up: Callable[[], bool]
) -> str:
    """Listen until it ends; which bound it met, if any."""
    with selectors.DefaultSelector() as listening:
        for name, stream in _streams(process).items():
            listening.register(stream, selectors.EVENT_READ, name)
        pause = GLANCE / 100
        while not _over(process):
            left = until - time.monotonic()
            if left <= 0 or given_up():
                return LATE if left <= 0 else GIVEN_UP
            if not listening.get_map():
                time.sleep(min(left, pause))
                pause = min(2 * pause, GLANCE)
            for key, _ in listening.select(min(left, GLANCE)) if listening.get_map() else ():
                chunk = os.read(key.fd, CHUNK)
                if not chunk:
                    listening.unregister(key.fileobj)
                elif not heard.add(key.data, chunk):
                    return TOO_MUCH
    return ""


def _let_end(process: subprocess.Popen[bytes], heard: _Heard) -> None:
    """Wait until the launchers have ended what they held: each keeps our streams open until then."""
    until = time.monotonic() + LINGERING
    with selectors.DefaultSelector() as listening:
        for name, stream in _streams(process).items():
            listening.register(stream, selectors.EVENT_READ, name)
        while listening.get_map() and (left := until - time.monotonic()) > 0:
            for key, _ in listening.select(left):
                chunk = os.read(key.fd, CHUNK)
                heard.add(key.data, chunk)
                if not chunk:
                    listening.unregister(key.fileobj)
    while not _over(process) and time.monotonic() < until:
        time.sleep(GLANCE / 10)  # its last stream is closed: it is about to end


def _hear_out(process: subprocess.Popen[bytes], heard: _Heard) -> None:
    """What was said before the end; one who left the group may hold the pipe for ever."""
    for name, stream in _streams(process).items():
        os.set_blocking(stream.fileno(), False)
        with suppress(BlockingIOError):
            for _ in range(LAST_WORDS):
                chunk = os.read(stream.fileno(), CHUNK)
                if not chunk or not heard.add(name, chunk):
                    break


def _over(process: subprocess.Popen[bytes]) -> bool:
    """Whether it ended, asked without burying it: its group keeps its name until then."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _streams(process: subprocess.Popen[bytes]) -> dict[str, IO[bytes]]:
    named = {OUT: process.stdout, ERR: process.stderr}
    return {name: stream for name, stream in named.items() if stream is not None}
