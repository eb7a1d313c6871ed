"""The rehearsal's server: a model on 127.0.0.1 that any number of real agent CLIs may ask.

    with Rehearsal(scenario) as rehearsal:
        run(cli, model_at=rehearsal.url("ada"))
    assert not rehearsal.failures()

The member is part of the address, so that one server plays a whole team.
"""

import secrets
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from threading import BoundedSemaphore, Condition, Event, Lock, Thread
from types import TracebackType
from typing import Any, NamedTuple, Self

from drumline.errors import BadInput
from drumline.runtimes.rehearsal.exchange import Answer, Asked
from drumline.runtimes.rehearsal.play import Failure, Play
from drumline.runtimes.rehearsal.wire import Stage, Wire
from drumline.team.scenario import Scenario
from drumline.team.scenario_rounds import Result
from drumline.team.text import is_name

MOST_RECORDS = 2_000
MOST_CONNECTIONS = 256
LONGEST_HANG = 600.0  # seconds
KEPT = 4_000  # characters of what was heard, and of each result
POLL = 0.02
NOTHING: Mapping[str, str] = {}


class Record(NamedTuple):
    """One request: who asked, what came in, and what was answered."""

    member: str
    session: str
    agent: str
    model: str
    depth: int
    heard: str
    results: tuple[Result, ...]
    offered: frozenset[str]
    status: int
    fault: str
    called: tuple[str, ...]
    effort: str = ""


class Rehearsal:
    """A scenario played on loopback, from `start` (or `with`) to `stop`."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        values: Mapping[str, str] = NOTHING,
        longest_hang: float = LONGEST_HANG,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`values` beat what we would put in the place of {task}, {branch} and the like.

        `tell` hears of every request.
        """
        self._tell = tell
        self._play = Play(scenario, secrets.token_hex(4), values)
        self.longest_hang = longest_hang
        self.stopping = Event()
        self._records: deque[Record] = deque(maxlen=MOST_RECORDS)
        self._requests = 0
        self._news = Condition()
        self._server: _Server | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> Self:
        """Begin to listen on a free port."""
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, args=(POLL,), daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End every answer that is still open, and the server; twice is once."""
        self.stopping.set()
        server, thread, self._server, self._thread = self._server, self._thread, None, None
        if server is not None and thread is not None:
            server.shutdown()
            server.hang_up()
            server.server_close()
            thread.join()

    def url(self, member: str) -> str:
        """Where a member's CLI finds its model."""
        if self._server is None:
            raise BadInput("the rehearsal has not started", next="enter it, or call start()")
        if not is_name(member):
            raise BadInput(f"{member[:80]!r} is not a member's name", next="name a member")
        return f"http://127.0.0.1:{self._server.server_port}/{member}"

    def requests(self) -> int:
        """How many requests came, those no longer kept included."""
        with self._news:
            return self._requests

    def wait(self, requests: int, seconds: float) -> bool:
        """Wait until so many requests came; whether they did."""
        with self._news:
            return self._news.wait_for(lambda: self._requests >= requests, seconds)

    def records(self) -> list[Record]:
        """The last requests, oldest first."""
        with self._news:
            return list(self._records)

    def failures(self) -> list[Failure]:
        """Every expectation of the scenario that did not come true."""
        return self._play.failures()

    def unplayed(self) -> list[str]:
        """The turns nobody came to."""
        return self._play.unplayed()

    def answer(self, asked: Asked) -> Answer:
        """What the model says now."""
        return self._play.answer(asked)

    def note(self, asked: Asked, answer: Answer, status: int) -> None:
        """Keep a request and its answer."""
        record = Record(
            *asked.speaker,
            asked.model,
            asked.depth,
            asked.heard[:KEPT],
            tuple(each._replace(text=each.text[:KEPT]) for each in asked.results.values()),
            asked.offered,
            status,
            answer.fault.kind if answer.fault else "",
            tuple(called.call.name for called in answer.calls),
            asked.effort,
        )
        with self._news:
            self._requests += 1
            self._records.append(record)
            self._news.notify_all()
            number = self._requests
        calls = f", calls {', '.join(record.called)}" if record.called else ""
        self._tell(f"{record.member} asked {number} times{calls}")


class _Server(ThreadingHTTPServer):
    """Takes connections, a bounded number at once, and knows them so that it can end them."""

    daemon_threads = True
    block_on_close = True
    request_queue_size = 128

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        self._open: set[socket] = set()
        self._guard = Lock()
        super().__init__(("127.0.0.1", 0), Wire)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._guard:
                self._open.discard(request)
            self._free.release()

    def hang_up(self) -> None:
        """Wake every thread that waits for a caller."""
        with self._guard:
            connections = list(self._open)
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that goes away is not news."""
