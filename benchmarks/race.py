"""Processes that start together: each with its own connections, only the race is on the clock."""

import gc
import multiprocessing
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
Start = Callable[[], float]

LEAD_TIME = 0.03  # everyone has left the barrier by then, also 32 processes on two cores
_FORK = multiprocessing.get_context("fork")


def race(work: Callable[[int, Start], T], workers: int) -> list[T]:
    """Run `work` in that many processes; each call of `start` lines all of them up again."""
    starts_at = _FORK.Value("d", 0.0, lock=False)

    def agree() -> None:
        starts_at.value = time.monotonic() + LEAD_TIME

    barrier = _FORK.Barrier(workers, action=agree)

    def start() -> float:
        barrier.wait()
        moment: float = starts_at.value
        time.sleep(max(0.0, moment - time.monotonic()))
        return moment

    def run(worker: int, answers: Connection) -> None:
        gc.freeze()  # what a fork inherits is nobody's garbage: looking through it would copy it
        try:
            answers.send((work(worker, start), ""))
        except BaseException:  # noqa: BLE001 - the parent raises it again
            barrier.abort()
            answers.send((None, traceback.format_exc()))

    return _collect(run, workers)


def _collect(run: Callable[[int, Connection], None], workers: int) -> list[Any]:
    runners = []
    try:
        for worker in range(workers):
            ours, theirs = _FORK.Pipe(duplex=False)
            process = _FORK.Process(target=run, args=(worker, theirs), daemon=True)
            process.start()
            theirs.close()  # a worker that is killed is then seen as the end of its pipe
            runners.append((process, ours))
        found = [ours.recv() for _, ours in runners]
        for process, _ in runners:
            process.join()
    finally:
        for process, ours in runners:
            process.kill()
            process.join()
            ours.close()
    troubles = [trouble for _, trouble in found if trouble]
    if troubles:
        raise RuntimeError(min(troubles, key=lambda text: "BrokenBarrier" in text))
    return [answer for answer, _ in found]
