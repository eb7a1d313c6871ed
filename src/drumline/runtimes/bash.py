"""Run one command line with bash: bounded in time, heard while it speaks, gone when its caller is."""

from __future__ import annotations

import codecs
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Self

from drumline.team.request_result import READ_BACK, Ended

# It begins only when told, and is told only when its watch knows its group.
BEGIN = 'read -r _ && exec bash -c "$0" </dev/null'
# Its pipe closes when we end, however we end: then the whole group goes.
WATCH = 'read -r group || exit; cat >/dev/null; kill -s KILL -- "-$group"'
POLL = 0.05
GRACE = 5.0
LAST_WORDS = 1.0  # what left the group may hold the pipe for ever
CHUNK = 65_536


def run(text: str, folder: str, *, seconds: float, show: Callable[[str], object]) -> Ended:
    """Run a command line to its end, or to the end of its time; nothing of its group is left."""
    began = time.monotonic()
    with _Command(text, folder, show) as command:
        stopped = command.wait(began + seconds)
        if stopped:
            command.stop()
    took = time.monotonic() - began
    return Ended(command.code, took, command.output, stopped)


class _Command:
    """A shell in a process group of its own, and the watch that ends the group if we cannot."""

    def __init__(self, text: str, folder: str, show: Callable[[str], object]) -> None:
        self.output = ""
        self._show = show
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._watch = _start([WATCH], stdout=subprocess.DEVNULL)
        try:
            self._shell = _start([BEGIN, text], stdout=subprocess.PIPE, folder=folder)
        except OSError:
            _end(self._watch)
            raise
        self._listening = selectors.DefaultSelector()
        self._listening.register(_pipe(self._shell.stdout), selectors.EVENT_READ)

    def __enter__(self) -> Self:
        try:
            _tell(self._watch, f"{self._shell.pid}\n")
            _tell(self._shell, "\n")
            _pipe(self._shell.stdin).close()
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._signal(signal.SIGKILL)
        _end(self._watch)
        self._hear_out()
        self._listening.close()
        _end(self._shell)

    @property
    def code(self) -> int:
        """As a shell says it: 128 and more when a signal ended it."""
        code = self._shell.returncode
        if code is None:
            return 128 + signal.SIGKILL
        return code if code >= 0 else 128 - code

    def wait(self, until: float) -> str:
        """Hear it until it ends; why it must be stopped, if it must."""
        try:
            while self._shell.poll() is None:
                if time.monotonic() >= until:
                    return "stopped because its time was over"
                self._hear(POLL)
        except KeyboardInterrupt:
            return "stopped by hand"
        return ""

    def stop(self) -> None:
        """Ask the group to end, then make it."""
        self._signal(signal.SIGTERM)
        self.wait(time.monotonic() + GRACE)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._shell.pid, number)

    def _hear(self, seconds: float) -> bool:
        """Pass on what it says within a moment; false when it said nothing."""
        if not self._listening.get_map():
            with suppress(subprocess.TimeoutExpired):
                self._shell.wait(seconds)
            return False
        if not self._listening.select(seconds):
            return False
        stream = _pipe(self._shell.stdout)
        said = os.read(stream.fileno(), CHUNK)
        if not said:
            self._listening.unregister(stream)
        self._pass_on(self._decoder.decode(said, final=not said))
        return bool(said)

    def _hear_out(self) -> None:
        """What was said before the end and not heard yet."""
        until = time.monotonic() + LAST_WORDS
        while time.monotonic() < until and self._hear(0):
            pass

    def _pass_on(self, text: str) -> None:
        if text:
            self.output = (self.output + text)[-READ_BACK:]
            self._show(text)


def _start(words: list[str], *, stdout: int, folder: str | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - running what was asked for is the point
        ["/bin/sh", "-c", *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # Ctrl-C is for us, and its group is its own
    )


def _tell(process: subprocess.Popen[bytes], line: str) -> None:
    stream = _pipe(process.stdin)
    stream.write(line.encode())
    stream.flush()


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(PermissionError, subprocess.TimeoutExpired):  # it may have become root's
        process.kill()
        process.wait(GRACE)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 - it was asked for at the start
    return stream
