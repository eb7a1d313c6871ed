"""The server itself: one socket on loopback, until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING

import uvicorn

from drumline import wiring
from drumline.errors import Conflict
from drumline.surfaces.web.app import Outlook, app
from drumline.surfaces.web.connections import MOST, Connection
from drumline.surfaces.web.streams import Streams
from drumline.team.settings import LOOPBACK
from drumline.wiring import planes

if TYPE_CHECKING:
    import threading

    from starlette.types import ASGIApp

    from drumline.settings import Settings
    from drumline.wiring.endpoints import Notice

LONGEST_HEAD = 16 * 1024  # bytes of a request
PARTING = 1  # second for answers under way
TICK = 1.0  # seconds, as the date of an answer tells


def serve(settings: Settings, port: int, notice: Notice, stopping: threading.Event) -> None:
    """Answer on loopback until stopped, from stores that no other thread waits on."""
    with (
        listening(port) as line,
        closing(wiring.open_store(settings, reading=True)) as store,
        closing(wiring.open_store(settings, reading=True)) as watched,
    ):
        outlook = Outlook(
            store,
            wiring.exists_in(settings),
            partial(wiring.unshared, settings),
            partial(planes.house, settings),
        )
        streams = Streams(store, watched)
        answering = app(outlook, streams, notice.new_token())
        notice.found_at(f"http://{LOOPBACK}:{line.getsockname()[1]}")
        asyncio.run(answer(answering, streams, line, stopping))


def listening(port: int) -> socket.socket:
    """A socket that only this host reaches."""
    try:
        return socket.create_server((LOOPBACK, port), backlog=MOST)
    except OSError as error:
        raise Conflict(
            f"{LOOPBACK}:{port} cannot be listened on",
            why=error.strerror or str(error),
            next="choose another port in the manifest, settings.endpoint, then start the plane anew",
        ) from error


class Server(uvicorn.Server):
    """One that is told to stop: it need not look ten times a second, for which an idle plane would pay most."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        self.should_exit = True
        self._stopped.set()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):  # which sets the date that answers bear
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), TICK)


async def answer(
    answering: ASGIApp, streams: Streams, line: socket.socket, stopping: threading.Event
) -> None:
    """Answer whoever comes to a socket, until stopped: streams then end at once."""
    server = Server(
        uvicorn.Config(
            answering,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="critical",  # neither what strangers send nor a cut stream is news; failures we tell
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=MOST,
            h11_max_incomplete_event_size=LONGEST_HEAD,
            timeout_graceful_shutdown=PARTING,
        )
    )

    async def stop() -> None:
        await asyncio.to_thread(stopping.wait)
        streams.end()
        server.stop()

    ending = asyncio.create_task(stop())
    try:
        await server.serve(sockets=[line])
    finally:
        stopping.set()
        await ending
