"""One process's part of a race: do one thing again and again, and say how it went."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from benchmarks.contest import Contestant, Desk, Size
from benchmarks.race import Start, race


@dataclass(slots=True)
class Lap:
    """How often one process succeeded, how long until the last time, and how long it waited."""

    times: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    refused: float = 0.0  # how long it took to learn that nothing is left
    won: list[str] = field(default_factory=list)


def lap(act: Callable[[], Any], start: Start, *, most: float, seconds: float) -> Lap:
    """Act until nothing is left, enough was done or time is up; only successes count."""
    done = Lap()
    began = start()
    now = time.monotonic()
    while done.times < most and now < began + seconds:
        answer = act()
        after = time.monotonic()
        if answer is None:
            done.refused = after - now
            break
        done.longest = max(done.longest, after - now)
        done.times += 1
        done.seconds = after - began
        done.won.append(str(getattr(answer, "id", answer)))
        now = after
    return done


def claiming(desk: Desk, held: list[Any]) -> Callable[[], Any]:
    """Take one task and keep it in hand."""

    def act() -> Any:
        taken = desk.claim()
        if taken is not None:
            held.append(taken)
        return taken

    return act


def cycling(desk: Desk) -> Callable[[], Any]:
    """Take one task and complete it."""

    def act() -> Any:
        taken = desk.claim()
        if taken is not None:
            desk.complete(taken)
        return taken

    return act


@dataclass(frozen=True, slots=True)
class Drained:
    """What all processes made of a board together."""

    laps: tuple[Lap, ...]

    @property
    def distinct(self) -> int:
        return len({name for each in self.laps for name in each.won})

    @property
    def twice(self) -> int:
        """Tasks that were handed out more than once."""
        return sum(each.times for each in self.laps) - self.distinct

    @property
    def per_second(self) -> float:
        return self.distinct / max(each.seconds for each in self.laps)

    @property
    def worst_wait(self) -> float:
        return max(each.longest for each in self.laps)

    @property
    def worst_refusal(self) -> float:
        return max(each.refused for each in self.laps)

    @property
    def unevenness(self) -> float:
        return max(each.times for each in self.laps) / max(1, min(each.times for each in self.laps))


def drain(
    contestant: Contestant, size: Size, *, cycles: bool, seconds: float = inf, warm: int = 0
) -> Drained:
    """Let all workers empty a fresh board; `warm` cycles of each are not on the clock."""
    site = contestant.fill(Size(size.done, size.pending + warm * size.workers, size.workers))

    def work(worker: int, start: Start) -> Lap:
        desk = site.sit(worker)
        for _ in range(warm):
            cycling(desk)()
        act = cycling(desk) if cycles else claiming(desk, [])
        done = lap(act, start, most=inf, seconds=seconds)
        desk.close()
        return done

    try:
        return Drained(tuple(race(work, size.workers)))
    finally:
        site.clear()
