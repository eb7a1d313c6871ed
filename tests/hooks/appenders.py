"""A process that forks many which append to one trail; run bare, as a hook is: `python -I -S`.

It prints how many lines were refused in all. With a line length, it instead appends until it is killed
and prints each line's number once the line is in.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from drumline.hooks import trail


def line(worker: int, number: int, length: int = 60) -> str:
    return f'{{"worker":{worker},"number":{number},"pad":"{"x" * length}"}}\n'


def append_all(folder: str, worker: int, count: int, limit: int) -> int:
    return sum(
        not trail.append(folder, line(worker, number), limit=limit) for number in range(count)
    )


def fork(folder: str, workers: int, count: int, limit: int) -> None:
    gate, start = os.pipe()
    children = []
    for worker in range(workers):
        child = os.fork()
        if child == 0:
            os.close(start)
            os.read(gate, 1)
            refused = append_all(folder, worker, count, limit)
            os._exit(min(refused, 255))
        children.append(child)
    begun = time.monotonic()
    os.close(start)
    refused = sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    print(refused, workers * count / (time.monotonic() - begun))  # noqa: T201 - this is the answer


def run_on(folder: str, worker: int, length: int) -> None:
    number = 0
    while True:
        if trail.append(folder, line(worker, number, length), limit=2**40):
            os.write(1, b"%d\n" % number)
            number += 1


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[2:]]
    if len(words) == 3:
        fork(sys.argv[1], words[0], words[1], words[2])
    else:
        run_on(sys.argv[1], words[0], words[1])
