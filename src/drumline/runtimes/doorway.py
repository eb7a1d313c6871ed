"""The doorway of one member's life: how whatever runs inside its process tree reaches its runner.

    async with Doorway(folder, guard, verbs, Watch(is_inside, refused)):
        ...  # folder/socket answers whoever knows folder/token and runs inside

One JSON object a line in, one a line out; a connection may ask as often as it likes, but each line must
come whole and in time. Whoever is outside, or knows no token, is refused, counted and reported.
"""

import asyncio
import os
import secrets
import socket
import stat
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from drumline.errors import BadInput, Conflict
from drumline.runtimes.answering import Answering, refusal
from drumline.runtimes.lines import PIECE, Allowance, Line, Unheard
from drumline.runtimes.runtime import Guard, Verbs

SOCKET, TOKEN = "socket", "token"
LONGEST_ADDRESS = 107  # bytes: the kernel keeps 108, with a zero at the end
TOKEN_BYTES = 32
WAITING = 256  # connections the kernel keeps for us until we look
PEER = struct.Struct("3i")  # process, user, group
TOLD_EACH = 10  # refusals of a kind that are told one by one; then 100, 1000 and so on
PARTING = 10.0  # seconds for what still runs when the doorway closes


class Watch(NamedTuple):
    """Who is inside, and who wants to know of those who are not."""

    is_inside: Callable[[int], bool]
    refused: Callable[[str], None]


class Limits(NamedTuple):
    """What talkers may use up: connections, bytes of a line and of all lines, seconds for a line."""

    connections: int = 256
    line: int = 64 * 1024 * 1024
    lines: int = 256 * 1024 * 1024
    patience: float = 10.0


USUAL = Limits()


class Doorway:
    """Answers at one member's socket, from `start` (or `async with`) to `close`."""

    def __init__(
        self, folder: Path, guard: Guard, verbs: Verbs, watch: Watch, limits: Limits = USUAL
    ) -> None:
        self._folder, self._watch, self._limits = folder, watch, limits
        self._answering = Answering(guard, verbs, self._tell)
        self._allowance = Allowance(limits.line, limits.lines)
        self._reports = ThreadPoolExecutor(1, "doorway-reports")
        self._open: dict[Line, asyncio.Task[None] | None] = {}
        self._server: asyncio.Server | None = None
        self._token, self._closed = b"", False
        self.refusals: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def socket(self) -> Path:
        """What DRUMLINE_SOCKET is set to inside."""
        return self._folder / SOCKET

    @property
    def token_file(self) -> Path:
        """What DRUMLINE_TOKEN_FILE is set to inside."""
        return self._folder / TOKEN

    @property
    def connections(self) -> int:
        """How many talk now, or keep us waiting."""
        return len(self._open)

    async def start(self) -> Self:
        """Begin to answer; refused where the folder is open to others, too long, or in use."""
        _require_private(self._folder)
        _require_short(self.socket)
        listening = _bound(self.socket)
        try:
            self._token = _kept_token(self.token_file)
            self._server = await asyncio.start_unix_server(
                self._met, sock=listening, limit=PIECE, backlog=WAITING
            )
        except BaseException:
            listening.close()
            raise
        return self

    async def close(self) -> None:
        """Hang up, let what runs come to its end, and take socket and token away; twice is once."""
        server, self._server = self._server, None
        if server is None:
            return
        self._closed = True
        server.close()
        for path in (self.socket, self.token_file):
            path.unlink(missing_ok=True)
        talks = [task for task in self._open.values() if task is not None]
        for line in list(self._open):
            line.abort()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING):
                await asyncio.to_thread(self._answering.finish)
                await asyncio.to_thread(self._reports.shutdown)

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(reader, writer, self._allowance, self._limits.patience)
        self._open[line] = asyncio.current_task()
        try:
            why = self._why_not(line, _peer(writer))
            await (self._refuse(line, why) if why else self._talk(line))
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # whoever went away, or never came to the point, is no news
        finally:
            self._open.pop(line, None)
            line.abort()

    def _why_not(self, line: Line, process: int) -> str:
        """Why whoever comes is not let in; empty where it is."""
        if self._closed:
            return "the doorway was closed"
        if not self._has_room_for(line):
            return "too many asked at once"
        if self._inside(process):
            return ""
        there = os.path.exists(f"/proc/{process}")  # noqa: PTH110 - no file, but a question
        whose = "outside the member's own tree" if there else "that is gone"
        return f"a process {whose} asked"

    def _has_room_for(self, line: Line) -> bool:
        """Whether one more may talk: who has waited with its words for longest makes room."""
        if len(self._open) <= self._limits.connections:
            return True
        silent = next((each for each in self._open if each.waits and each is not line), None)
        if silent is not None:
            self._open.pop(silent)
            silent.abort()
        return silent is not None

    def _inside(self, process: int) -> bool:
        try:
            return process > 0 and self._watch.is_inside(process)
        except Exception:  # noqa: BLE001 - who cannot be placed is outside
            return False

    async def _talk(self, line: Line) -> None:
        try:
            while (asked := await line.hear()) is not None:
                if not self._knows_token(asked):
                    await self._refuse(line, "a wrong token was given")
                    return
                answer = await self._answering.to(asked)
                try:
                    await line.say(answer)
                except OSError:
                    await self._answering.unsaid(answer)
                    raise
        except Unheard as fault:
            await self._refuse(line, str(fault))

    def _knows_token(self, asked: Mapping[str, Any]) -> bool:
        given = asked.get("token")
        words = given.encode("utf-8", "replace") if isinstance(given, str) else b""
        return secrets.compare_digest(words, self._token)

    async def _refuse(self, line: Line, why: str) -> None:
        self._tell(why)
        await line.say(refusal("your runner does not answer this", why=why))

    def _tell(self, why: str) -> None:
        """Count, and report: the first of a kind each, then ever fewer, so that nobody is flooded."""
        self.refusals[why] += 1
        count = self.refusals[why]
        if count <= TOLD_EACH or str(count).strip("0") == "1":
            words = why if count == 1 else f"{why} ({count} times)"
            with suppress(RuntimeError):  # the doorway is closed: nobody listens any more
                self._reports.submit(self._watch.refused, words)


def _peer(writer: asyncio.StreamWriter) -> int:
    """The process that connected, as the kernel knows it; 0 where it is in nobody's sight."""
    connection = writer.get_extra_info("socket")
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
    return int(PEER.unpack(found)[0])


def _require_private(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise BadInput(
            f"{folder} cannot hold a doorway",
            why="it must be a folder of our own that nobody else may enter",
            next="make a new one with mode 0700",
        )


def _require_short(address: Path) -> None:
    length = len(os.fsencode(address))
    if length > LONGEST_ADDRESS:
        raise BadInput(
            f"{address} is too long for a socket: {length} bytes",
            why=f"the system takes {LONGEST_ADDRESS} at most",
            next="choose a shorter folder, such as one under /tmp or XDG_RUNTIME_DIR",
        )


def _bound(address: Path) -> socket.socket:
    """A socket at this address; what a killed runner left there is taken away."""
    if address.exists() and _answers(address):
        raise Conflict(
            f"{address} is answered by another process",
            why="a life has one doorway",
            next="give each life a folder of its own",
        )
    address.unlink(missing_ok=True)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        found.bind(os.fspath(address))
        address.chmod(0o600)
        found.setblocking(False)  # noqa: FBT003 - the socket's own word
    except BaseException:
        found.close()
        raise
    return found


def _answers(address: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(1)
        try:
            line.connect(os.fspath(address))
        except TimeoutError:
            return True
        except OSError:
            return False
    return True


def _kept_token(path: Path) -> bytes:
    """A new token, in a file that only we may read."""
    path.unlink(missing_ok=True)
    token = secrets.token_hex(TOKEN_BYTES)
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(made, "w", encoding="ascii") as file:
        file.write(token)
    return token.encode("ascii")
