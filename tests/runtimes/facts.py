"""Waiting for facts about processes: a number in a file, a process that is gone."""

import os
import time
from pathlib import Path

PATIENCE = 20.0
LOOK = 0.01


def written(path: Path) -> int:
    """The process number a file holds, once a whole line of it is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(LOOK)
    raise AssertionError(f"{path} was not written")


def gone(process: int) -> None:
    """Wait until a process is no more; one that only waits to be buried counts as gone."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if _ended(process):
            return
        time.sleep(LOOK)
    raise AssertionError(f"process {process} is still there")


def _ended(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True
