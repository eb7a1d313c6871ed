"""The event log as server-sent events: each stream goes on from its own place, one look wakes them all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from drumline.control import views
from drumline.errors import Conflict, StoreTrouble
from drumline.surfaces.facts import written
from drumline.surfaces.web.porter import refused

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from drumline.control.ports import Store
    from drumline.team.journal import Event

LOOK = 0.2  # seconds a look takes at most, so that an end need not wait for it
AT_ONCE = 100  # events read in one go
RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"


class Limits(NamedTuple):
    """How many streams there may be, after how many seconds each looks by itself or says that it lives.

    Whoever is told that something was written may come before it can be read, and must look again.
    """

    streams: int = 16
    pace: float = 1.0
    heartbeat: float = 15.0


USUAL = Limits()


class Streams:
    """All open streams; `watched` is theirs alone, since whoever waits for changes holds a store."""

    def __init__(self, store: Store, watched: Store, limits: Limits = USUAL) -> None:
        self._store, self._watched, self._limits = store, watched, limits
        self._open, self._ended = 0, False
        self._news = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None

    @property
    def full(self) -> bool:
        return self._open >= self._limits.streams

    def end(self) -> None:
        """End every stream, now."""
        self._ended = True
        self._news.set()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """A stream that counts for as long as this is entered."""
        self._open += 1
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._open -= 1

    async def follow(self, found: list[Event], place: str) -> AsyncIterator[bytes]:
        """What was found, then what happens after that place; ends with the plane, or with its store."""
        clock = asyncio.get_running_loop().time
        said = clock()
        yield RETRY
        with suppress(StoreTrouble):  # whoever listens comes back, and then hears what is wrong
            while not self._ended:
                for event in found:
                    yield _message(event)
                    said = clock()
                if clock() - said >= self._limits.heartbeat:
                    yield HEARTBEAT
                    said = clock()
                news = self._news  # taken first: what is written while we read is news
                found, place = await run_in_threadpool(
                    self._store.ask, views.events, cursor=place, most=AT_ONCE
                )
                if not found:
                    await _heard(news, self._limits.pace)

    async def _look(self) -> None:
        """Tell everyone once something is written, for as long as anyone listens."""
        with suppress(StoreTrouble):  # without it streams look by themselves
            while self._open and not self._ended:
                if await run_in_threadpool(self._watched.changed, LOOK):
                    heard, self._news = self._news, asyncio.Event()
                    heard.set()


class EventStream(StreamingResponse):
    """One stream, or a refusal where there are too many already."""

    media_type = "text/event-stream"

    def __init__(self, streams: Streams, found: list[Event], place: str) -> None:
        super().__init__(streams.follow(found, place))
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._streams.full:
            await refused(_too_many(), 503, {"retry-after": "5"})(scope, receive, send)
            return
        with self._streams.one_more():
            await super().__call__(scope, receive, send)


async def _heard(news: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await news.wait()


def _message(event: Event) -> bytes:
    words = f"id: {event.cursor}\ndata: {written(views.event_facts(event))}\n\n"
    return words.encode("utf-8", "replace")


def _too_many() -> Conflict:
    return Conflict(
        "there are too many event streams", why="each costs a look", next="close another one first"
    )
