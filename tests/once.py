"""What takes long and is the same for every test is made once, whichever of the test processes needs it first."""

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from traceback import format_exc
from typing import Any

import pytest


def once(places: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> Any:
    """What `make` gave, as JSON keeps it, in a folder that is there until all tests are over."""
    own = places.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer, failed = shared / f"{name}.json", shared / f"{name}.failed"
        if failed.exists():
            pytest.fail(f"it was made for another test before, and failed:\n{failed.read_text()}")
        if not answer.exists():
            try:
                made = json.dumps(make(Path(mkdtemp(prefix=f"{name}-", dir=shared))))
            except BaseException:
                failed.write_text(format_exc())
                raise
            answer.write_text(made)
    return json.loads(answer.read_text())
