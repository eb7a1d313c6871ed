"""Where the files of runs are, and how they are written: whole, and for their owner alone."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from drumline.wiring.home import state_folder

if TYPE_CHECKING:
    from drumline.settings import Settings

RUNS = "runs"


def run_folder(settings: Settings, name: str) -> str:
    """Where a run's files are."""
    return os.path.join(state_folder(settings), RUNS, name)


def write(settings: Settings, name: str, path: str, text: str) -> str:
    """Write a file of a run; nobody reads half of it, and what says the same already is left alone."""
    top = run_folder(settings, name)
    place = os.path.join(top, path)
    if _says(place, text):
        return place
    _folders(os.path.dirname(os.path.dirname(top)), os.path.dirname(place))
    unfinished = f"{place}.{os.urandom(4).hex()}"
    made = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(made, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(unfinished, place)
    except BaseException:
        os.unlink(unfinished)  # whoever drives a run tries again and again
        raise
    return place


def _says(place: str, text: str) -> bool:
    try:
        with open(place, encoding="utf-8", newline="") as file:
            return file.read() == text
    except (OSError, UnicodeDecodeError):
        return False


def _folders(top: str, folder: str) -> None:
    """Make every folder on the way, each for its owner alone."""
    if folder != top:
        _folders(top, os.path.dirname(folder))
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
