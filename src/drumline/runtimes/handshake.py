"""Ask an MCP server whether it is there: `initialize` and `tools/list`, in so many seconds at most.

A script that runs inside a member's confinement, since what it starts is the repository's word and not
ours. What a server says is never believed to be well formed, and only a little of it is told.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import deque
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import IO, Any

VERSION = "2025-06-18"
LONGEST = 4 << 20  # bytes of one message
MOST_LINES = 1000
SHOWN = 200
COMPLAINTS = 5  # lines
WEB = ("http://", "https://")
TAKES = "application/json, text/event-stream"


class Unhealthy(Exception):
    """The server cannot be used; the message says why."""


def ask(file: str, seconds: float) -> dict[str, Any]:
    """How the server that a file describes is: `ok` and the number of its tools, or `why` not."""
    server = json.loads(Path(file).read_text("utf-8"))
    line: Line | Web | None = None

    def late(number: int, frame: FrameType | None) -> None:
        del number, frame
        heard = f"; it said {line.odd}" if line is not None and line.odd else ""
        raise Unhealthy(f"it did not answer within {seconds:g} s{heard}")

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        line = Web(server) if server["url"] else Line(server["start"])
        return {"ok": True, "tools": len(_tools(line))}
    except Unhealthy as unhealthy:
        return {"ok": False, "why": str(unhealthy)}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _tools(line: Line | Web) -> list[object]:
    client = {"name": "drumline", "version": "1"}
    began = line.asked(
        "initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
    )
    if not isinstance(began.get("protocolVersion"), str):
        raise Unhealthy(f"its answer to initialize is none: {_shown(began)}")
    line.told("notifications/initialized")
    able = began.get("capabilities")
    if not isinstance(able, dict) or "tools" not in able:
        return []
    found = line.asked("tools/list", {}).get("tools")
    if not isinstance(found, list):
        raise Unhealthy("its answer to tools/list has no list of tools")
    return found


class Line:
    """A server that was started, spoken to by lines."""

    def __init__(self, words: list[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)  # noqa: S603 - the caller's words
        self._number, self.odd = 0, ""
        self._complaints: deque[bytes] = deque(maxlen=COMPLAINTS)
        self._hearing = Thread(target=self._hear_complaints, daemon=True)
        self._hearing.start()

    def asked(self, method: str, words: dict[str, Any]) -> dict[str, Any]:
        """The result of a request; what else the server says meanwhile is passed over."""
        self._number += 1
        self._say({"id": self._number, "method": method, "params": words})
        for _ in range(MOST_LINES):
            raw = _stream(self._process.stdout).readline(LONGEST)
            if not raw:
                raise self._gone(method)
            message = _message(raw)
            if message is None:
                self.odd = (
                    f"something that is no message: {_shown(raw)}" if raw.strip() else self.odd
                )
            elif message.get("id") == self._number and "method" not in message:
                return _result(method, message)
        raise Unhealthy(f"it says much, and no answer to {method}")

    def told(self, method: str) -> None:
        self._say({"method": method})

    def _say(self, message: dict[str, Any]) -> None:
        stream = _stream(self._process.stdin)
        try:
            stream.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            stream.flush()
        except OSError as error:
            raise self._gone(str(message["method"])) from error

    def _gone(self, method: str) -> Unhealthy:
        code = self._process.wait()
        self._hearing.join()
        said = b" ".join(self._complaints) or self.odd.encode()
        more = f": {_shown(said)}" if said else ""
        return Unhealthy(f"it ended with {code} before it answered {method}{more}")

    def _hear_complaints(self) -> None:
        for line in iter(lambda: _stream(self._process.stderr).readline(LONGEST), b""):
            self._complaints.append(line.strip()[:SHOWN])


class Web:
    """A server at an address, spoken to by requests."""

    def __init__(self, server: dict[str, Any]) -> None:
        self._url = str(server["url"])
        if not self._url.startswith(WEB):
            raise Unhealthy("its address is none of the web")
        self._headers = {str(name): str(value) for name, value in server["headers"].items()}
        self._number, self.odd = 0, ""

    def asked(self, method: str, words: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        self._number += 1
        for raw in self._posted({"id": self._number, "method": method, "params": words}):
            message = _message(raw)
            if (
                message is not None
                and message.get("id") == self._number
                and "method" not in message
            ):
                return _result(method, message)
        raise Unhealthy(f"it gave no answer to {method}")

    def told(self, method: str) -> None:
        for _ in self._posted({"method": method}):
            pass

    def _posted(self, message: dict[str, Any]) -> Iterator[bytes]:
        """The messages that come back, whichever of its two forms the answer has."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        own = {"Content-Type": "application/json", "Accept": TAKES}
        request = Request(self._url, body, {**self._headers, **own}, method="POST")  # noqa: S310 - checked above
        try:
            with build_opener(Stay).open(request) as answer:
                if session := answer.headers.get("Mcp-Session-Id"):
                    self._headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": VERSION}
                yield from _events(answer) if _is_stream(answer) else [answer.read(LONGEST)]
        except HTTPError as error:
            raise Unhealthy(f"it answered {message['method']} with HTTP {error.code}") from error
        except (URLError, HTTPException, OSError, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise Unhealthy(f"it cannot be reached: {_shown(str(why))}") from error


class Stay(HTTPRedirectHandler):
    """Goes nowhere else: whoever is sent on would take its headers along."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _is_stream(answer: Any) -> bool:
    return str(answer.headers.get("Content-Type", "")).startswith("text/event-stream")


def _events(answer: IO[bytes]) -> Iterator[bytes]:
    """The data of each event of a stream, while it lasts."""
    for _ in range(MOST_LINES):
        line = answer.readline(LONGEST)
        if not line:
            return
        if line.startswith(b"data:"):
            yield line.removeprefix(b"data:")


def _message(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _result(method: str, message: dict[str, Any]) -> dict[str, Any]:
    found = message.get("result")
    if isinstance(found, dict):
        return found
    error = message.get("error")
    said = error.get("message") if isinstance(error, dict) else message
    raise Unhealthy(f"it refused {method}: {_shown(said)}")


def _shown(said: object) -> str:
    """A little of what a stranger said, on one line."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return repr(" ".join(text.split())[:SHOWN])


def _stream(found: IO[bytes] | None) -> IO[bytes]:
    if found is None:
        raise Unhealthy("it has no line to speak on")
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(ask(sys.argv[1], float(sys.argv[2]))) + "\n")
