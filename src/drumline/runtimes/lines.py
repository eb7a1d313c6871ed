"""Lines of JSON over a connection to somebody who may be hostile: bounded in length, number and time."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

PIECE = 64 * 1024
LONG = 1024 * 1024  # bytes: longer lines are read one after the other


class Unheard(Exception):
    """A line that was not understood; the reason is meant for both sides."""


class Allowance:
    """How much may be held of one line, and of all lines together; long ones are read one at a time."""

    def __init__(self, line: int, together: int) -> None:
        self._line, self._together = line, together
        self._held = 0
        self._reading = asyncio.Lock()

    def take(self, length: int, before: int) -> None:
        """Hold so much more of a line of which `before` is held already."""
        if before + length > self._line:
            raise Unheard(f"a line was longer than {self._line:,} bytes")
        if self._held + length > self._together:
            raise Unheard("more was said at once than can be held")
        self._held += length

    def give_back(self, length: int) -> None:
        self._held -= length

    async def read(self, raw: bytes) -> Any:
        """The value of a line."""
        if len(raw) <= LONG:
            return json.loads(raw)
        async with self._reading:
            return await asyncio.to_thread(json.loads, raw)


class Line:
    """One connection: hears an object a line, and says one."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        allowance: Allowance,
        patience: float,
    ) -> None:
        self._reader, self._writer = reader, writer
        self._allowance, self._patience = allowance, patience
        writer.transport.set_write_buffer_limits(0)  # said means the kernel has all of it
        self._rest = b""
        self.waits = True  # for words: such a line may be cut to make room

    async def hear(self) -> Mapping[str, Any] | None:
        """The next object; None once the other side has hung up."""
        self.waits = True
        held = bytearray()
        try:
            async with asyncio.timeout(self._patience):
                whole = await self._whole_line(held)
            self.waits = False
            return await self._understood(bytes(held)) if whole else None
        finally:
            self._allowance.give_back(len(held))

    async def _whole_line(self, held: bytearray) -> bool:
        """Whether a line came to its end; what came of it is put into `held`."""
        piece, self._rest = self._rest, b""
        while True:
            words, end, rest = piece.partition(b"\n")
            self._allowance.take(len(words), len(held))
            held += words
            if end:
                self._rest = rest
                return True
            piece = await self._reader.read(PIECE)
            if not piece:
                return False

    async def _understood(self, raw: bytes) -> Mapping[str, Any]:
        try:
            found = await self._allowance.read(raw)
        except (ValueError, RecursionError, MemoryError) as error:
            raise Unheard(f"a line was no JSON: {type(error).__name__}") from error
        if not isinstance(found, dict):
            raise Unheard("a line was no JSON object")
        return found

    async def say(self, answer: Mapping[str, Any]) -> None:
        """Answer; who does not listen in time is left."""
        text = json.dumps(answer, ensure_ascii=False)
        self._writer.write(text.encode("utf-8", "surrogatepass") + b"\n")
        async with asyncio.timeout(self._patience):
            await self._writer.drain()

    def abort(self) -> None:
        """Hang up at once, whatever was not yet heard or said."""
        self._writer.transport.abort()
