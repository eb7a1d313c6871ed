"""How a process inside a member's tree asks its runner: one line of JSON to a socket, one line back.

It uses what `socket` and `json` are made of: the two themselves cost every hook 18 ms of start-up.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

RULED_IN_TIME = 10  # seconds the runner has to rule; then it counts as gone
DONE_IN_TIME = 7200  # seconds for a command: handing in has its checks run, here and on the merge
ANSWERED_IN_TIME = 24 * 3600  # seconds for a subagent: its runner ends it with its starter's turn
SUBAGENT = "subagent"  # how the verbs about them begin
LONGEST_TOLD = 1_000_001  # bytes of stdin: one more than any command takes
LONGEST_TOKEN = 256
PIECE = 65536


class Unanswered(Exception):
    """Nobody answered, or only to say no; it says what, why and next."""

    def __init__(self, what: str, why: str, next: str) -> None:  # noqa: A002 - it is the word the reader sees
        super().__init__(what)
        self.what, self.why, self.next = what, why, next


def ask(
    address: str, question: dict[str, object], seconds: int = RULED_IN_TIME
) -> dict[str, object]:
    """The runner's answer to a question."""
    from drumline.hooks.values import read_value

    try:
        found = read_value(
            _exchanged(address, written({"token": _token(address), **question}), seconds)
        )
    except (OSError, ValueError, RecursionError) as error:
        raise gone() from error
    if not isinstance(found, dict):
        raise gone()
    if "error" in found:
        what, why, way_out = (str(found.get(name, "")) for name in ("error", "why", "next"))
        raise Unanswered(what, why, way_out)
    return found


def run(address: str, words: list[str]) -> tuple[int, str, str]:
    """A command given to the runner: its exit code, what it said, and what it said on stderr."""
    answer = ask(
        address,
        {"ask": "run", "words": words, "stdin": _told(words), "cwd": _folder()},
        _time_for(words[0] if words else ""),
    )
    code, out, err = (answer.get(name) for name in ("code", "out", "err"))
    if not (isinstance(code, int) and isinstance(out, str) and isinstance(err, str)):
        raise gone()
    return code, out, err


def tools(address: str) -> dict[str, object]:
    """Who offers tools through the runner, how to go about them, and the tools."""
    found = ask(address, {"ask": "tools"})
    if not {"server", "instructions", "tools"} <= found.keys():
        raise gone()
    return found


def call(address: str, name: str, arguments: object) -> tuple[object, bool]:
    """What one of those tools answers, and whether that is a refusal."""
    answer = ask(address, {"ask": "tool", "name": name, "arguments": arguments}, _time_for(name))
    is_error = answer.get("is_error")
    if "facts" not in answer or not isinstance(is_error, bool):
        raise gone()
    return answer["facts"], is_error


def _time_for(verb: str) -> int:
    return ANSWERED_IN_TIME if verb.startswith(SUBAGENT) else DONE_IN_TIME


def written(value: object) -> bytes:
    """A value as one line of JSON."""
    return _encoded(value).encode("utf-8", "surrogatepass") + b"\n"


def _encoded(value: object) -> str:
    try:
        from _json import encode_basestring, make_encoder

        parts = make_encoder({}, str, encode_basestring, None, ": ", ", ", False, False, True)  # noqa: FBT003 - the package's own order
        return "".join(parts(value, 0))
    except (ImportError, AttributeError, TypeError, SystemError):
        import json  # it knows other interpreters

        return json.dumps(value, ensure_ascii=False)


def _exchanged(address: str, line: bytes, seconds: int) -> bytes:
    from _socket import AF_UNIX, SO_RCVTIMEO, SO_SNDTIMEO, SOCK_STREAM, SOL_SOCKET, socket
    from _struct import pack

    talk = socket(AF_UNIX, SOCK_STREAM)
    try:
        # the kernel's own limits: with Python's, a doorway that is busy would look like none
        for limit in (SO_SNDTIMEO, SO_RCVTIMEO):
            talk.setsockopt(SOL_SOCKET, limit, pack("ll", seconds, 0))
        talk.connect(address)
        try:  # noqa: SIM105 - contextlib would cost every hook 3 ms
            talk.sendall(line)
        except (BrokenPipeError, ConnectionResetError):
            pass  # who stopped listening may have said why
        return _heard(talk)
    finally:
        talk.close()


def _heard(talk: socket) -> bytes:
    pieces = []
    while piece := talk.recv(PIECE):
        pieces.append(piece)
        if piece.endswith(b"\n"):
            break
    return b"".join(pieces)


def _token(address: str) -> str:
    """What only a member's own processes can read; without it the runner says no."""
    beside = os.path.join(os.path.dirname(address), "token")
    try:
        with open(os.environ.get("DRUMLINE_TOKEN_FILE") or beside, "rb") as file:
            return file.read(LONGEST_TOKEN).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _told(words: list[str]) -> str:
    """What stdin holds, where a word says that it is read."""
    if sys.stdin is None or not any(word == "-" or word.endswith("=-") for word in words):
        return ""
    return sys.stdin.buffer.read(LONGEST_TOLD).decode("utf-8", "surrogateescape")


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def gone() -> Unanswered:
    """Nobody answers, or nothing that could be meant."""
    return Unanswered(
        "nobody is there to answer",
        "the process that runs you does not answer",
        "stop here: you will be started again",
    )
