"""A home for one subagent: its starter's login, and nothing else that either could leave for the other."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from drumline.runtimes.beside import clear

LOGIN = (".credentials.json", ".claude.json", "auth.json", "config.toml")  # of the CLIs we know
LONGEST = 1_000_000  # bytes
_SAFE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def furnish_lodging(starter: Path, home: Path, temporary: Path) -> None:
    """Make both folders anew; what an earlier subagent left there is gone."""
    for folder in (home, temporary):
        clear(folder)
        folder.mkdir(mode=0o700, parents=True)
    for name in LOGIN:
        with suppress(OSError):  # who has no login there needs none
            _lend(starter / name, home / name)


def _lend(kept: Path, copy: Path) -> None:
    """Copy a file of the starter's; a link or pipe that it planted is nobody's login."""
    with os.fdopen(os.open(kept, _SAFE), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 or found.st_size > LONGEST:
            return
        made = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(made, "wb") as written:
            written.write(file.read(LONGEST))
