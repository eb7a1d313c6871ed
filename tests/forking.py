"""Our commands, and what tests kill, as processes of their own, forked off one that has read their modules already.

A command reads two to five hundred modules before it does anything, and a team's test gives dozens of them.
There are two such processes: what few commands need is as large as all the rest, and every fork pays for it again.
"""

import atexit
import gc
import importlib
import marshal
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from io import FileIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple, NoReturn

from drumline.errors import StoreTrouble

ROOT = Path(__file__).parents[1]
STAND_IN = str(Path(__file__).with_name("stand_in.py"))
COMMANDS = "drumline.__main__"
STREAMS = 3
A_PART = 1 << 16
READ_BEFORE = ("team", "control", "store", "wiring", "runtimes", "surfaces.cli", "surfaces.web")
NOT_READ = ("rehearsal", "demonstration")  # few commands need them
READ_WHEN_NEEDED = ("ruamel.yaml", "uvicorn.protocols.http.h11_impl", "uvicorn.lifespan.off")
AGENTS = ("claude_agent_sdk",)  # not everywhere to be had
LARGE = (*AGENTS, "mcp", "psycopg")
READ_FOR = {"mcp": "drumline.surfaces.mcp.server"}  # by the first of its words
CLAUDE = b"runtime: claude"


class Door(NamedTuple):
    """Where commands are asked for, and the process that forks them."""

    name: bytes
    process: int


Doors = dict[bool, Door]  # whether what is large is read there too
_found: Doors = {}  # each once somebody needs it


def command(words: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> tuple[int, str, str]:
    """What `drumline WORDS` leaves behind when it is given in a folder: its code, what it says, and its talk."""
    asked = {"module": COMMANDS, "words": [*words], "cwd": str(cwd)}
    with TemporaryFile() as out, TemporaryFile() as err, FileIO(os.devnull) as nothing:
        streams = [each.fileno() for each in (nothing, out, err)]
        with _asked({**asked, "environ": dict(environ)}, streams) as line:
            _heard_of(line)
            return _heard_of(line), _text(out), _text(err)


def stand_in(*words: str) -> list[str]:
    """A program to start where `python -m drumline WORDS` would be: the same, but no child of who starts it."""
    name = door(large=_is_read_for(words)).name.hex()
    return [os.path.realpath(sys.executable), "-I", "-S", STAND_IN, name, *words]


class Forked:
    """What `python -m MODULE WORDS` would be: a process of its own, whose code is what it ended with."""

    def __init__(self, module: str, words: Sequence[str]) -> None:
        theirs, ours = os.pipe(), os.pipe()
        self.stdin, self.stdout = os.fdopen(theirs[1], "wb"), os.fdopen(ours[0], "rb")
        asked = {"module": module, "words": [*words], "cwd": str(ROOT), "environ": dict(os.environ)}
        self._line = _asked(asked, [theirs[0], ours[1], STREAMS - 1])
        os.close(theirs[0])
        os.close(ours[1])
        self.pid = _heard_of(self._line)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Say and hear nothing more, and wait for its end."""
        self.stdin.close()
        self.stdout.close()
        with self._line:
            return _heard_of(self._line)


def _asked(asked: dict[str, Any], streams: Sequence[int]) -> socket.socket:
    """The line on which a process that was asked for is told of: its number, then its code."""
    name = door(large=_is_large(asked)).name
    line = socket.socket(socket.AF_UNIX)
    line.connect(name)
    socket.send_fds(line, [marshal.dumps(asked)], streams)
    line.shutdown(socket.SHUT_WR)
    return line


def _heard_of(line: socket.socket) -> int:
    told = b""
    while not told.endswith(b"\n"):
        part = line.recv(1)  # not a word more: the next is heard later
        assert part, "whoever forks commands has ended"
        told += part
    return int(told)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _is_large(asked: Mapping[str, Any]) -> bool:
    """Whether it may read what is large: it goes to PostgreSQL, or its manifest names Claude Code."""
    said = (*asked["words"], *asked["environ"].values())
    return (
        asked["module"] != COMMANDS  # what tests kill, on both engines
        or _is_read_for(asked["words"])
        or any("postgresql:" in each for each in said)
        or _has_claude(Path(asked["cwd"], ".claude", "team.yaml"))
    )


def _is_read_for(words: Sequence[str]) -> bool:
    return any(word in READ_FOR for word in words[:1])


def _has_claude(manifest: Path) -> bool:
    try:
        return manifest.is_file() and CLAUDE in manifest.read_bytes()
    except OSError:  # some are spoilt on purpose
        return False


def door(*, large: bool = False) -> Door:
    """The door; whoever answers there ends with the process that asked first where it is."""
    if large not in _found:
        _found[large] = _opened("" if large else ",".join(LARGE))
    return _found[large]


def doors() -> Doors:
    """Both, for who is to ask there too."""
    return {large: door(large=large) for large in (False, True)}


def go_to(doors: Mapping[bool, Sequence[Any]]) -> None:
    """Ask for commands where another process does: each that reads their modules takes five seconds."""
    _found.update({large: Door(*each) for large, each in doors.items()})


def _opened(unread: str) -> Door:
    opened = socket.socket(socket.AF_UNIX)
    opened.bind("")  # a name that no folder holds
    opened.listen()
    words = [sys.executable, "-P", __file__, str(opened.fileno()), unread]
    environ = {name: value for name, value in os.environ.items() if "DRUMLINE" not in name}
    held = subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=[opened.fileno()], env=environ)
    atexit.register(held.communicate)
    with opened:
        return Door(opened.getsockname(), held.pid)


def serve(door: socket.socket, unread: Sequence[str]) -> None:
    """Fork a process for each command that is asked for, until nobody holds our standard input."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(door, selectors.EVENT_READ)
        waiting.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is door:
                    _begin(door.accept()[0], waiting, unread)
                else:
                    waiting.unregister(key.fileobj)
                    os.close(key.fd)
                    key.data()


@cache
def _read_modules(unread: Sequence[str]) -> None:
    """When the first command is asked for: some test processes never do."""
    for name in unread:
        sys.modules[name] = None  # type: ignore[assignment]  # what stands on one of these is read by who needs it
    for folder in READ_BEFORE:
        package = importlib.import_module(f"drumline.{folder}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(part in found.name for part in NOT_READ):
                _read(found.name, unread or AGENTS)
    for name in READ_WHEN_NEEDED:
        importlib.import_module(name)
    for name in unread:
        del sys.modules[name]
    gc.freeze()  # a child need not look through what it shares


def _read(name: str, spared: Sequence[str]) -> None:
    """Read a module of ours, unless it stands on what is not to be had here."""
    try:
        importlib.import_module(name)
    except (ModuleNotFoundError, StoreTrouble) as error:
        missing = getattr(error.__cause__ or error, "name", None)
        if not missing or missing.partition(".")[0] not in spared:
            raise


def _begin(line: socket.socket, waiting: selectors.BaseSelector, unread: Sequence[str]) -> None:
    asked, streams = _heard(line)
    _read_modules(unread)
    for name in (asked["module"], *(() if unread else map(READ_FOR.get, asked["words"][:1]))):
        if name:
            importlib.import_module(name)  # here, so that the next one finds it read
    child = os.fork()
    if not child:
        _be(asked, streams[:STREAMS])
    ended = os.pidfd_open(child)
    waiting.register(ended, selectors.EVENT_READ, partial(_tell, child, line))
    for stands_in in streams[STREAMS:]:
        end = partial(_end, os.pidfd_open(child))
        waiting.register(stands_in, selectors.EVENT_READ, end)
    _say(line, child)
    for each in streams[:STREAMS]:
        os.close(each)


def _end(child: int) -> None:
    """Whoever stands in for a command has ended, and so does the command."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(child, signal.SIGKILL)
    os.close(child)


def _heard(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    most = STREAMS + 1  # and whoever stands in for it
    part, streams, _, _ = socket.recv_fds(line, A_PART, most)
    asked = part
    while part:
        part = line.recv(A_PART)
        asked += part
    return marshal.loads(asked), list(streams)  # noqa: S302 - our own tests say it


def _be(asked: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """The process itself, which never comes back."""
    for number, each in enumerate(streams):
        os.dup2(each, number)
    os.closerange(STREAMS, max(streams) + 64)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environ"])
    sys.argv = ["drumline", *asked["words"]]
    code = 0
    sys.stdin, sys.stdout, sys.stderr = (_stream(each) for each in range(STREAMS))
    try:
        sys.modules[asked["module"]].main()
    except SystemExit as stop:
        code = int(stop.code or 0)
    sys.stdout.flush()
    os._exit(code)  # taking a thousand modules apart costs more than the command


def _stream(number: int) -> Any:
    mode, buffering = ("w" if number else "r"), (1 if number == STREAMS - 1 else -1)
    return open(number, mode, buffering, closefd=False)


def _tell(child: int, line: socket.socket) -> None:
    _, status = os.waitpid(child, 0)
    with line:
        _say(line, os.waitstatus_to_exitcode(status))


def _say(line: socket.socket, number: int) -> None:
    with suppress(BrokenPipeError):  # a test that failed no longer listens
        line.sendall(f"{number}\n".encode())


if __name__ == "__main__":
    sys.path.append(str(ROOT))
    serve(socket.socket(fileno=int(sys.argv[1])), tuple(filter(None, sys.argv[2].split(","))))
