"""Work in a thread of its own: it may wait for long, and keeps neither the loop nor other work waiting."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_a_thread(work: Callable[[], T], name: str) -> T:
    """What work returns, done in a thread that keeps nobody from ending, however long it takes."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # who gives up waiting must not make the answer an error

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
            done.set_exception(error)

    Thread(target=run, daemon=True, name=name).start()
    return await asyncio.wrap_future(done)
