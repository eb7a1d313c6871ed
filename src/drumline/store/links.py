"""Where a path of a repository really leads."""

import errno
from pathlib import Path

from drumline.errors import Conflict


def inside(root: Path, path: str) -> Path:
    """Where a file really is; a link may lead neither to itself nor out of the repository."""
    top = root.resolve()
    if _circles(top / path):
        raise Conflict(f"{path} leads to itself", next="remove the link, then do this again")
    real = (top / path).resolve()
    if not real.is_relative_to(top):
        raise Conflict(
            f"{path} leads out of the repository, to {real}",
            why="a link there points elsewhere; nothing outside is written",
            next="replace the link by a folder, then do this again",
        )
    return real


def _circles(path: Path) -> bool:
    """Whether links lead round in a circle; to resolve such a path fails only before Python 3.13."""
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False
