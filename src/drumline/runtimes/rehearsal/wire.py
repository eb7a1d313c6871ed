"""HTTP as the CLIs speak it: one request, one answer, streamed event by event or whole."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from select import POLLIN, poll
from socket import MSG_PEEK
from threading import Event
from time import monotonic
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from drumline.runtimes.rehearsal import anthropic, responses
from drumline.runtimes.rehearsal.exchange import Answer, Asked, Unreadable
from drumline.team.text import is_name

LONGEST_BODY = 64 * 1024 * 1024
READ_AT_ONCE = 64 * 1024
LONGEST_READ = 60.0  # seconds a body may take to arrive
IDLE = 120.0  # seconds a connection may say nothing
LOOK = 0.1  # seconds between two looks whether the caller is still there
OK, BAD_REQUEST, NOT_FOUND, TOO_SLOW = 200, 400, 404, 408
NO_LENGTH, TOO_LONG, WRONG_FORM, OVERLOADED = 411, 413, 415, 529
CUT, ERROR_IN_STREAM, HANG = "cut_stream", "error_in_stream", "hang"
ON_PURPOSE = "the rehearsal answers so on purpose"

Json = dict[str, Any]


class Shape(NamedTuple):
    """One way to ask a model: how its questions are read and its answers written."""

    asked: Callable[[Mapping[str, Any], Mapping[str, str], str], Asked]
    stream: Callable[[Answer, Asked], Iterator[Json]]
    whole: Callable[[Answer, Asked], Json]
    error: Callable[[int, str], Json]
    broken_off: Callable[[Answer, Asked], Json]
    status: Callable[[int], int]


MESSAGES = Shape(
    anthropic.asked,
    anthropic.stream,
    anthropic.whole,
    anthropic.error,
    lambda _answer, _asked: anthropic.error(OVERLOADED, ON_PURPOSE),
    lambda status: status,
)
RESPONSES = Shape(
    responses.asked,
    responses.stream,
    responses.whole,
    responses.error,
    lambda answer, asked: responses.failed(answer, asked, ON_PURPOSE),
    responses.wire_status,
)


class Stage(Protocol):
    """What a connection needs of its rehearsal."""

    stopping: Event
    longest_hang: float

    def answer(self, asked: Asked) -> Answer: ...
    def note(self, asked: Asked, answer: Answer, status: int) -> None: ...


class _NotTaken(Exception):
    """The request is not read any further."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class Wire(BaseHTTPRequestHandler):
    """One connection of a CLI."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE
    disable_nagle_algorithm = True

    @property
    def stage(self) -> Stage:
        found: Stage = self.server.stage  # type: ignore[attr-defined]
        return found

    def do_HEAD(self) -> None:
        """A caller looks whether anybody is there."""
        self.send_response(OK)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        """A caller looks for models: any name will do, so none is listed."""
        if self._place()[1].endswith("/models"):
            self._send(OK, {"object": "list", "data": [], "models": []})
        else:
            self._send(NOT_FOUND, anthropic.error(NOT_FOUND, "only a model lives here"))

    def do_POST(self) -> None:
        """A question for the model."""
        member, path = self._place()
        shape = RESPONSES if path.endswith("/responses") else MESSAGES
        try:
            body = self._body()
            if path.endswith("/count_tokens"):
                self._send(OK, anthropic.tokens(body))
            elif path.endswith(("/messages", "/responses")) and is_name(member):
                self._speak(shape, shape.asked(body, self._headers(), member))
            else:
                self._send(NOT_FOUND, shape.error(NOT_FOUND, "no member plays at this address"))
        except Unreadable as error:
            self._send(BAD_REQUEST, shape.error(BAD_REQUEST, str(error)))
        except _NotTaken as error:
            self.close_connection = True  # what is left of its body would be taken for a request
            self._send(error.status, shape.error(error.status, str(error)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's word
        """Stay silent: the records say what was asked."""

    def _place(self) -> tuple[str, str]:
        """The member an address belongs to, and what is asked of it."""
        member, _, path = urlsplit(self.path).path.lstrip("/").partition("/")
        return member, f"/{path}"

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _body(self) -> Json:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise _NotTaken(NO_LENGTH, "say how long the body is")
        if int(length) > LONGEST_BODY:
            raise _NotTaken(TOO_LONG, f"a body has at most {LONGEST_BODY:,} bytes")
        if self.headers.get("Content-Encoding", "identity") != "identity":
            raise _NotTaken(WRONG_FORM, "send the body as it is")
        raw = b"".join(self._read(int(length)))
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise Unreadable("the body is not JSON") from error
        if not isinstance(body, dict):
            raise Unreadable("the body is not an object")
        return body

    def _read(self, left: int) -> Iterator[bytes]:
        late = monotonic() + LONGEST_READ
        while left:
            if monotonic() > late:
                raise _NotTaken(TOO_SLOW, "the body came too slowly")
            part = self.rfile.read1(min(left, READ_AT_ONCE))
            if not part:
                raise _NotTaken(BAD_REQUEST, "the body ended too early")
            left -= len(part)
            yield part

    def _speak(self, shape: Shape, asked: Asked) -> None:
        """Answer as the scenario says, or go wrong as it says."""
        answer = self.stage.answer(asked)
        fault = answer.fault
        status = shape.status(fault.status) if fault else OK
        self.stage.note(asked, answer, status)
        hangs = fault is not None and fault.kind == HANG
        self._pause(self.stage.longest_hang if hangs else answer.wait)
        if hangs or self.stage.stopping.is_set():
            self.close_connection = True
        elif fault is not None and status != OK:
            again = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
            self._send(status, shape.error(status, ON_PURPOSE), again)
        elif asked.streamed:
            self._stream(shape, asked, answer)
        else:
            self._whole(shape, asked, answer)

    def _whole(self, shape: Shape, asked: Asked, answer: Answer) -> None:
        kind = answer.fault.kind if answer.fault else ""
        if kind in {CUT, ERROR_IN_STREAM}:
            self.close_connection = True
            self._start(OK, "application/json", {"Content-Length": "1000"})
            self.wfile.write(b"{")
        else:
            self._send(OK, shape.whole(answer, asked))

    def _stream(self, shape: Shape, asked: Asked, answer: Answer) -> None:
        events: Iterable[Json] = shape.stream(answer, asked)
        kind = answer.fault.kind if answer.fault else ""
        if kind in {CUT, ERROR_IN_STREAM}:
            told = list(events)
            events = told[: max(1, len(told) // 2)]
        if kind == ERROR_IN_STREAM:
            events = [*events, shape.broken_off(answer, asked)]
        self._start(OK, "text/event-stream", {"Transfer-Encoding": "chunked"})
        for event in events:
            self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        if kind == CUT:
            self.close_connection = True
        else:
            self._chunk(b"")

    def _chunk(self, part: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def _send(self, status: int, value: Json, more: Mapping[str, str] | None = None) -> None:
        raw = json.dumps(value).encode()
        length = {"Content-Length": str(len(raw))}
        self._start(status, "application/json", {**length, **(more or {})})
        self.wfile.write(raw)

    def _start(self, status: int, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _pause(self, seconds: float) -> None:
        """Wait, but not for a caller that has gone and not past the rehearsal's end."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and not self._is_gone():
            if self.stage.stopping.wait(min(left, LOOK)):
                return

    def _is_gone(self) -> bool:
        """Whether the caller has hung up; it has nothing to say before it is answered."""
        look = poll()
        look.register(self.connection, POLLIN)
        try:
            return bool(look.poll(0)) and not self.connection.recv(1, MSG_PEEK)
        except OSError:
            return True
