"""A process that has every hostile text judged and prints what each took, one line of JSON each.

What it took is told in units of a piece of work done beside it, so that neither the machine's speed nor
its other work counts. A text is judged in a child that may not use more than a second or a gigabyte.
"""

import json
import os
import resource
import sys
import time
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


def limited(text: str) -> float | str:
    """Units a text takes, or why it has no ruling."""
    hearing, saying = os.pipe()
    child = os.fork()
    if child == 0:
        _judge(text, saying)
    os.close(saying)
    with open(hearing, encoding="utf-8") as file:  # noqa: PTH123 - a descriptor, not a path
        said = file.read()
    os.waitpid(child, 0)
    found: float | str = json.loads(said) if said else "it did not end"
    return found


def _judge(text: str, saying: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECOND, SECOND))
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
    try:
        found: float | str = units(text)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is not a ruling
        found = type(error).__name__
    os.write(saying, json.dumps(found).encode())
    os._exit(0)


def worst(made: Text) -> float | str:
    """The most any size takes; the first size without a ruling in time ends the search."""
    most = 0.0
    for size in SIZES:
        found = limited(made(size))
        if isinstance(found, float) and found > MARK:
            found = limited(made(size))
        if isinstance(found, str) or found > MARK:
            return found
        most = max(most, found)
    return most


if __name__ == "__main__":
    for warm in ("cat <<E\n$(x)\nE", "python -c 'x=1'", "git push", "rm $x"):
        command(warm)  # what is loaded once is loaded here
    for name, made in HOSTILE.items():
        print(json.dumps([name, worst(made)]), flush=True)  # noqa: T201 - this is the answer
