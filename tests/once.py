"""What takes long and is the same for every test is made once, whichever of the test processes needs it first."""

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest


def once(places: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> Any:
    """What `make` gave, as JSON keeps it, in a folder that is there until all tests are over."""
    own = places.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = shared / f"{name}.json"
        if not answer.exists():
            folder = mkdtemp(
                prefix=f"{name}-", dir=shared
            )  # a new one for who tries after a failure
            made = json.dumps(make(Path(folder)))
            answer.write_text(made)
    return json.loads(answer.read_text())
