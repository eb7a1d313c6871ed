"""A process for one turn that prints JSON lines: heard, spoken to, and gone afterwards with all it started.

What it prints is bounded and never believed to be well formed: a line that is no object is passed over.
Its end counts, not the end of its output, which something it started may hold open.
"""

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from drumline.errors import Conflict, Unknown
from drumline.runtimes.sweep import MARK, sweep

LONGEST_LINE = 16 * 1024 * 1024
AT_ONCE = 64 * 1024
HELD_BACK = 1024 * 1024  # bytes that may wait to be read before the process waits too
MOST_UNREAD = 16 * 1024 * 1024  # bytes we keep for a process that does not read
TAIL = 4_000
SHOWN = 200
MOST_ODD = 20  # lines that are told; a flood of them is not
SILENCE = 0.5  # seconds after its end in which somebody else still may write for it
LINGERING = 5.0  # seconds it may go on when it has nothing more to say
POLITE = ((signal.SIGINT, 5.0), (signal.SIGTERM, 2.0))  # seconds each is given to help

log = logging.getLogger(__name__)


def refuse_unasked(member: str, *, busy: bool, over: bool) -> None:
    """Refuse a turn beside another, or after the end of its conversation."""
    if busy or over:
        raise Conflict(
            f"{member} cannot be asked now",
            why="its conversation is over" if over else "a turn is running",
            next="begin another conversation" if over else "wait for its end",
        )


class Launch(NamedTuple):
    """A process to start: its words, its whole environment, its folder."""

    argv: Sequence[str]
    variables: Mapping[str, str]
    folder: Path


class Spoken:
    """A process of our own that is listened to, from `begun` to `gone`."""

    def __init__(self, transport: asyncio.SubprocessTransport, ears: "_Ears", mark: str) -> None:
        self._transport, self._ears, self._mark = transport, ears, mark
        self.sent, self.listens, self._odd = 0, True, 0

    @classmethod
    async def begun(cls, launch: Launch) -> "Spoken":
        """The process, started in a session of its own; refused where it cannot be."""
        loop = asyncio.get_running_loop()
        mark = "/".join(filter(None, (launch.variables.get(MARK), token_hex(8))))
        try:
            transport, ears = await loop.subprocess_exec(
                _Ears,
                *launch.argv,
                cwd=launch.folder,
                env={**launch.variables, MARK: mark},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Unknown(
                f"{launch.argv[0]} cannot be started",
                why=str(error),
                next="see that its program and the member's folder are there",
            ) from error
        return cls(transport, ears, mark)

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def errors(self) -> str:
        """The last of what it complained about."""
        return bytes(self._ears.complained).decode("utf-8", "replace").strip()

    def say(self, words: bytes) -> bool:
        """Write to its input; false where that is closed, or full of what it has not read."""
        pipe = self._transport.get_pipe_transport(0)
        if pipe is None or pipe.is_closing() or not isinstance(pipe, asyncio.WriteTransport):
            return False
        if pipe.get_write_buffer_size() > MOST_UNREAD:
            self.listens = False
            return False
        pipe.write(words)
        return True

    def hush(self) -> None:
        """Nothing more will be said."""
        pipe = self._transport.get_pipe_transport(0)
        if pipe is not None:
            pipe.close()

    async def objects(self) -> AsyncIterator[dict[str, Any]]:
        """Every JSON object it prints on a line of its own, until it is over."""
        async for line in self._lines():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict):
                yield found
            elif line.strip() and self._odd < MOST_ODD:
                self._odd += 1
                log.warning("a line that is no object: %r", line[:SHOWN])

    async def stop(self) -> None:
        """Ask it to end, then insist; over when this returns."""
        for number, seconds in POLITE:
            self._signal(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ears.exited.wait(), seconds)
                return
        await self.gone()

    async def over(self) -> int:
        """Let it come to its own end when it has nothing more to say, but not for long; its exit code."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ears.exited.wait(), LINGERING)
        return await self.gone()

    async def gone(self) -> int:
        """End it and all it started; its exit code, negative when a signal ended it."""
        if not self._ears.exited.is_set():
            _signal_group(self.pid, signal.SIGKILL)
        try:
            await self._ears.exited.wait()
            await asyncio.to_thread(sweep, self._mark)
        finally:
            self._let_go()
            await asyncio.sleep(0)  # pipes close at the loop's next turn, which may be its last
        return self._transport.get_returncode() or 0

    def _let_go(self) -> None:
        """Close its pipes, also one whose words nobody reads any more."""
        pipe = self._transport.get_pipe_transport(0)
        if isinstance(pipe, asyncio.WriteTransport) and pipe.get_write_buffer_size():
            pipe.abort()
        self._transport.close()

    def _signal(self, number: int) -> None:
        if not self._ears.exited.is_set():  # its number may be another's by now
            self.sent = self.sent or number
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)  # a launcher passes it on; a group would hear it twice

    async def _lines(self) -> AsyncIterator[bytes]:
        """What it prints, line by line; one that is too long is left out and said."""
        kept, whole = bytearray(), True
        while piece := await self._ears.read():
            first, *others = piece.split(b"\n")
            kept += first
            for each in others:
                if whole:
                    yield bytes(kept)
                kept, whole = bytearray(each), True
            if len(kept) > LONGEST_LINE:
                log.warning("a line of more than %d bytes: %r", LONGEST_LINE, kept[:SHOWN])
                kept, whole = bytearray(), False
        if whole and kept:
            yield bytes(kept)


async def with_pauses(
    objects: AsyncIterator[dict[str, Any]], seconds: float
) -> AsyncGenerator[dict[str, Any] | None, None]:
    """The same objects, and None whenever so much time has passed without one."""
    coming = asyncio.ensure_future(anext(objects, None))
    try:
        while True:
            done, _ = await asyncio.wait({coming}, timeout=seconds)
            if not done:
                yield None
                continue
            found = coming.result()
            if found is None:
                return
            coming = asyncio.ensure_future(anext(objects, None))
            yield found
    finally:
        coming.cancel()
        await asyncio.wait({coming})


class _Ears(asyncio.SubprocessProtocol):
    """Takes what a process prints, no faster than it is read, and notices its end."""

    def __init__(self) -> None:
        self.exited = asyncio.Event()
        self.complained = bytearray()
        self._reader = asyncio.StreamReader(HELD_BACK)
        self._unread, self._closed = 0, False
        self._pid = 0

    async def read(self) -> bytes:
        """The next of its output; empty once that is over."""
        piece = await self._reader.read(AT_ONCE)
        self._unread -= len(piece)
        return piece

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.SubprocessTransport):
            self._pid = transport.get_pid()
            printed = transport.get_pipe_transport(1)
            if printed is not None:
                self._reader.set_transport(printed)

    def hear(self, fd: int, data: bytes) -> None:
        """Keep what it prints until it is read, and the last of what it complains about."""
        if fd == 1 and not self._closed:
            self._unread += len(data)
            self._reader.feed_data(data)
        elif fd != 1:
            self.complained = (self.complained + data)[-TAIL:]

    pipe_data_received = hear  # as asyncio calls it

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - the parent's words
        if fd == 1:
            self._close()

    def process_exited(self) -> None:
        """Its group ends with it, and its output soon after, whoever holds that open."""
        _signal_group(self._pid, signal.SIGKILL)
        self.exited.set()
        self._close_when_silent()

    def _close_when_silent(self, before: int = -1) -> None:
        if self._closed:
            return
        if self._unread == before == 0:
            self._close()
        else:
            loop = asyncio.get_running_loop()
            loop.call_later(SILENCE, self._close_when_silent, self._unread)

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self._reader.feed_eof()


def _signal_group(leader: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
