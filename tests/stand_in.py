"""`python -I -S stand_in.py DOOR WORDS` in place of `python -m drumline WORDS`, for who can only start programs.

The command is forked off a process that has read its modules, and has what this one was given: its
folder, its variables and its streams, which this one lets go of. Its end is this one's end, and this
one's end is its end. Only what is built in is read here: the rest would cost as much as it saves.
"""

import _signal  # type: ignore[import-not-found]
import _socket
import marshal
import os
import sys

SIZE_OF_A_NUMBER = 4
HANDED_ON = (_signal.SIGTERM, _signal.SIGINT)


def main(door: str, words: list[str]) -> None:
    """End as the command ends."""
    asked = {"module": "drumline.__main__", "words": words, "cwd": os.getcwd()}  # noqa: PTH109 - pathlib is a start of its own
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.connect(bytes.fromhex(door))
    handed = b"".join(
        each.to_bytes(SIZE_OF_A_NUMBER, sys.byteorder)
        for each in (0, 1, 2, os.pidfd_open(os.getpid()))
    )
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handed)]
    told = marshal.dumps({**asked, "environ": dict(os.environ)})
    line.sendall(told[line.sendmsg([told], rights) :])
    line.shutdown(_socket.SHUT_WR)
    child = _heard_of(line)
    for number in HANDED_ON:
        _signal.signal(number, lambda number, _: os.kill(child, number))
    os.closerange(0, 3)  # whoever waits for the end of a stream waits for the command alone
    _end(_heard_of(line))


def _heard_of(line: _socket.socket) -> int:
    told = b""
    while not told.endswith(b"\n"):
        part = line.recv(1)
        if not part:
            os._exit(70)
        told += part
    return int(told)


def _end(code: int) -> None:
    if code < 0:
        _signal.signal(-code, _signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
