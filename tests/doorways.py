"""Words that tests speak about doorways: a member's process tree, and a runner that answers it."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from drumline.runtimes.doorway import USUAL, Doorway, Limits, Watch

PATIENCE = 30.0
LOOK = 0.01
READY = ["sh", "-c", 'read -r go; exec "$@"', "sh"]  # begins once its number is known
PYTHON = os.path.realpath(sys.executable)


class Tree:
    """The processes of one member: those started here, and all below them."""

    def __init__(self) -> None:
        self._roots: set[int] = set()

    def __contains__(self, process: object) -> bool:
        at = process if isinstance(process, int) else 0
        while at > 1 and at not in self._roots:
            at = _parent(at)
        return at in self._roots

    def adopt(self, process: int) -> None:
        self._roots.add(process)

    def disown(self, process: int) -> None:
        self._roots.discard(process)

    def run(self, *argv: str, told: bytes = b"", **variables: str) -> Any:
        """A process of the member's: exit code and what it said, as text."""
        with subprocess.Popen(
            [*READY, *argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.defpath, "HOME": "/home/u", **variables},
        ) as process:
            self.adopt(process.pid)
            out, err = process.communicate(b"go\n" + told, timeout=PATIENCE)
        return subprocess.CompletedProcess(argv, process.returncode, out.decode(), err.decode())


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


class Rulings:
    """A guard that allows all but what it is told to refuse, and remembers what it was asked."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.asked: list[Any] = []
        self.noted: list[Any] = []

    def before(self, event):
        self.asked.append(event)
        command = event.get("tool_input", {}).get("command", "")
        decision = "deny" if self.refuses and self.refuses in command else "allow"
        words = {"constraint": "C-X-1", "what": command, "why": "so it is", "next": "go on"}
        return {"decision": decision, **words}

    def after(self, event):
        self.noted.append(event)


@contextmanager
def opened(door: Callable[[], Doorway]) -> Iterator[Doorway]:
    """A doorway that answers in a thread of its own, as in a runner."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    made = door()
    try:
        asyncio.run_coroutine_threadsafe(made.start(), loop).result(PATIENCE)
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(made.close(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def watched(tree: Tree, told: list[str]) -> Watch:
    return Watch(tree.__contains__, told.append)


def short(**limits: Any) -> Limits:
    return USUAL._replace(**limits)


def connected(door: Doorway) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(str(door.socket))  # before the timeout: with one, a full queue is an error
    line.settimeout(PATIENCE)
    return line


def asked(door: Doorway, **question: Any) -> Any:
    """The answer to one question, with the right token unless another is given."""
    whole = {"token": door.token_file.read_text(), **question}
    with connected(door) as line:
        return said(line, json.dumps(whole).encode() + b"\n")


def said(line: socket.socket, words: bytes) -> Any:
    """Say something, and hear one line; None where the other side hangs up instead."""
    with suppress(BrokenPipeError, ConnectionResetError):
        line.sendall(words)
    try:
        heard = line.makefile("rb").readline()
    except ConnectionResetError:
        return None
    return json.loads(heard) if heard else None


def until(fact: Callable[[], Any]) -> Any:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := fact():
            return found
        time.sleep(LOOK)
    raise AssertionError("it did not become so")
