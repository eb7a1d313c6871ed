"""A bare process in which the guard answers many events, one after another: `python -I -S`.

Each line on stdin is an event in base64, an environment and a state folder; each line of the answer
tells the exit code and what was said, again in base64.
"""

import base64
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from drumline.hooks import answer


def answered(event: bytes, environment: dict[str, str], state: str) -> tuple[int, bytes]:
    """The guard's own `main` on one event, its input and output being files."""
    given, said = os.memfd_create("given"), os.memfd_create("said")
    os.write(given, event)
    os.lseek(given, 0, os.SEEK_SET)
    os.dup2(given, 0)
    os.dup2(said, 1)
    os.environ.clear()
    os.environ.update(environment)
    code = answer.main([state])
    length = os.lseek(said, 0, os.SEEK_END)
    found = os.pread(said, length, 0)
    for file in (given, said):
        os.close(file)
    return code, found


if __name__ == "__main__":
    asking, telling = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    for line in asking:
        row = json.loads(line)
        code, said = answered(base64.b64decode(row[0]), row[1], row[2])
        telling.write(json.dumps([code, base64.b64encode(said).decode()]) + "\n")
        telling.flush()
