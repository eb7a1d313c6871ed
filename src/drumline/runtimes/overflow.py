"""Words that are too long for whoever reads them go to a file in the reader's own folder."""

import os
from pathlib import Path
from secrets import token_hex

from drumline.team.returned import beginning, kept, reference


def entering(text: str, folder: Path) -> tuple[str, str]:
    """What enters the reader's context, and the file that holds all of it where that is only a reference.

    What can be kept nowhere, on a full disk say, was paid for all the same: as much of it as may enters.
    """
    found = kept(text)
    if not found.overflow:
        return found.text, ""
    try:
        path = _written(folder, found.overflow)
    except OSError as error:
        return beginning(found.overflow, error.strerror or "no reason"), ""
    return reference(path, found.overflow), path


def _written(folder: Path, text: str) -> str:
    """A new file; the folder is the reader's, so a link that waits there is never followed."""
    name = f"returned-{token_hex(8)}.md"
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        made = os.open(name, how, 0o600, dir_fd=place)
        with os.fdopen(made, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    finally:
        os.close(place)
    return str(folder / name)
