"""What a started program costs the processor: its own time and that of all it starts."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Start:
    """A program to run to its end on one input."""

    command: Sequence[str]
    given: bytes
    folder: Path
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended, what it said, and the processor's seconds it took."""

    code: int
    said: bytes
    seconds: float


def ran(start: Start) -> Ended:
    """Run it and wait; no clock is asked, so that others on the machine hardly count."""
    child = subprocess.Popen(
        start.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=start.folder,
        env=start.environment,
    )
    if child.stdin is None or child.stdout is None:
        raise AssertionError("both were asked for")
    with child.stdin as giving:
        giving.write(start.given)
    with child.stdout as hearing:
        said = hearing.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)  # it must not wait for what is gone
    return Ended(child.returncode, said, used.ru_utime + used.ru_stime)
