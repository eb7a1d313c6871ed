"""A process that has every hostile text judged and prints what each took, one line of JSON each.

What it took is told in units of a piece of work done beside it, so that neither the machine's speed nor
its other work counts. A text is judged in a child that may not use more than a second a size, or a gigabyte.
"""

import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from tests.hooks.hostile import HOSTILE, SIZES, Text
from tests.team.judging import command

SECOND, GIGABYTE = 1, 1 << 30
SURELY_FINE = 0.05  # seconds, on any machine
MARK = 30  # units: about 300 ms where the promise is 100, room for a machine that stutters


def unit() -> float:
    """How long a fixed piece of work takes here and now: about 10 ms."""
    began = time.thread_time()
    seen: dict[int, int] = {}
    for number in range(80_000):
        seen[number % 997] = seen.get(number % 991, 0) + 1
    return time.thread_time() - began


def units(text: str) -> float:
    began = time.thread_time()
    command(text)
    took = time.thread_time() - began
    return took / max(unit(), unit()) if took > SURELY_FINE else 0.0


def limited(made: Text, sizes: Sequence[int]) -> list[float | str]:
    """Units each size takes, up to the first that takes too long or has no ruling, and then why."""
    hearing, saying = os.pipe()
    child = os.fork()
    if child == 0:
        _judge(made, sizes, saying)
    os.close(saying)
    with open(hearing, encoding="utf-8") as file:  # noqa: PTH123 - a descriptor, not a path
        found: list[float | str] = [json.loads(line) for line in file]
    _, status = os.waitpid(child, 0)
    return [*found, "it did not end"] if status else found


def _judge(made: Text, sizes: Sequence[int], saying: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
    for size in sizes:
        text = made(size)
        signal.setitimer(signal.ITIMER_PROF, SECOND)  # nobody hears its signal: it ends this one
        try:
            found: float | str = units(text)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is not a ruling
            found = type(error).__name__
        os.write(saying, json.dumps(found).encode() + b"\n")
        if too_long(found):
            break
    os._exit(0)


def too_long(found: float | str) -> bool:
    return isinstance(found, str) or found > MARK


def worst(made: Text) -> float | str:
    """The most any size takes; the first size without a ruling in time ends the search."""
    found: list[float | str] = []
    while len(found) < len(SIZES):
        found += limited(made, SIZES[len(found) :])
        if too_long(found[-1]):
            if isinstance(found[-1], float):
                found[-1:] = limited(made, SIZES[len(found) - 1 : len(found)])
            if too_long(found[-1]):
                return found[-1]
    return max(each for each in found if isinstance(each, float))


if __name__ == "__main__":
    for warm in ("cat <<E\n$(x)\nE", "python -c 'x=1'", "git push", "rm $x"):
        command(warm)  # what is loaded once is loaded here
    gc.freeze()  # a child need not look through what it shares
    for name, made in HOSTILE.items():
        print(json.dumps([name, worst(made)]), flush=True)  # noqa: T201 - this is the answer
