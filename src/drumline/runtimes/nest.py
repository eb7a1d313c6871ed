"""The nest of a plane: a process with one thread, which forks runners off for it.

A plane answers hooks and people in threads of its own, and so cannot fork. Its nest reads what runners are made
of when the first is wanted, and they share it. It ends with its plane; runners outlive both. A nest that is
killed costs a plane only time: it starts runners anew instead.
"""

import gc
import json
import os
import selectors
import signal
import socket
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from drumline.runtimes import streams
from drumline.runtimes.offshoot import Child, Offshoot, fork_quietly, rename, take_over

PATIENCE = 20.0  # seconds: the first runner waits until all is read
LONGEST = 1 << 17  # bytes that the names of members take
Begin = Callable[[Sequence[str]], Child]


class Nest:
    """Begins runners; made while its maker has no other thread."""

    def __init__(self, begin: Begin, ready: Callable[[], None], name: str) -> None:
        self._begin = begin
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(PATIENCE)
        self._process = fork_quietly()
        if not self._process:
            _live(theirs, begin, ready, name)
        theirs.close()

    def begin(self, members: Sequence[str]) -> Child:
        """A runner for members that share it, by whatever way there is."""
        return self._forked(members) or self._begin(members)

    def _forked(self, members: Sequence[str]) -> Child | None:
        try:
            self._line.send(json.dumps(list(members)).encode())
            told, held, _, _ = socket.recv_fds(self._line, LONGEST, 1, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            told, held = b"", []
        if held:
            return Offshoot(int(told), held[0])
        self.close()  # what it says too late would be taken for the next answer
        return None

    def close(self) -> None:
        """End the nest, also one that is stopped or hangs: there is nothing it could lose."""
        if self._line.fileno() >= 0:
            self._line.close()
            os.kill(self._process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self._process, 0)


def _live(line: socket.socket, begin: Begin, ready: Callable[[], None], name: str) -> NoReturn:
    """Begin who is asked for, until nobody is left who could ask."""
    try:
        os.setsid()  # who stops a plane with Ctrl-C means it alone
        streams.close_all_but((line.fileno(),))
        take_over(os.environ.copy())  # the next line may write over where it lies
        rename([name])
        asked = line.recv(LONGEST)
        ready()
        gc.freeze()  # a child need not look through what it shares
        with selectors.DefaultSelector() as waiting:
            waiting.register(line, selectors.EVENT_READ)
            while asked:
                _tell(line, waiting, begin(json.loads(asked)))
                asked = _next(line, waiting)
    except BaseException:  # noqa: BLE001 - said where its plane's log is; the plane goes on without it
        traceback.print_exc()
    finally:
        os._exit(0)


def _tell(line: socket.socket, waiting: selectors.DefaultSelector, child: Child) -> None:
    assert isinstance(child, Offshoot)  # noqa: S101 - there is one thread here
    waiting.register(child.held, selectors.EVENT_READ, child)
    socket.send_fds(line, [str(child.pid).encode()], [child.held])


def _next(line: socket.socket, waiting: selectors.DefaultSelector) -> bytes:
    """What is asked for next; until then, who has ended is buried."""
    while True:
        for key, _ in waiting.select():
            if key.data is None:
                return line.recv(LONGEST)
            waiting.unregister(key.fd)
            key.data.wait()
