"""A hook that is asked one event after another, for who has many questions: `python -I -S guard_series.py`.

Each line on stdin is an event in base64, an environment and a state folder; each line of the answer
tells the exit code and what was said, again in base64. Modules that rules name stay from one event to the
next: who asks names the same libraries each time.
"""

import base64
import json
import os
import signal
import sys


def answered(event: bytes, environment: dict[str, str], state: str) -> tuple[int, bytes]:
    """The hook's own `main` on one event, its input and output being files."""
    from drumline.hooks.answer import main

    given, said = os.memfd_create("given"), os.memfd_create("said")
    os.write(given, event)
    os.lseek(given, 0, os.SEEK_SET)
    os.dup2(given, 0)
    os.dup2(said, 1)
    os.environ.clear()
    os.environ.update(environment)
    code = main([state])
    signal.setitimer(signal.ITIMER_PROF, 0)  # its time is for this event alone
    length = os.lseek(said, 0, os.SEEK_END)
    found = os.pread(said, length, 0)
    for file in (given, said):
        os.close(file)
    return code, found


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    asking, telling = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    for line in asking:
        row = json.loads(line)
        code, said = answered(base64.b64decode(row[0]), row[1], row[2])
        telling.write(json.dumps([code, base64.b64encode(said).decode()]) + "\n")
        telling.flush()
