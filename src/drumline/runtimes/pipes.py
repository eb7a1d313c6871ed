"""Pipes where git opens a file: it would wait for their other end for as long as it is let."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from drumline.errors import NotClean

READ_BY_GIT = frozenset({".gitignore", ".gitattributes", ".gitmodules"})  # wherever they are
MOST = 200_000  # files and folders looked at: what lies behind them meets a bound of time
NAMED = 20


def refuse_pipes(folder: Path, *, files_too: bool = False) -> None:
    """Refuse to let git read a checkout in which it would wait for ever, naming where.

    That is told of its .git folder, and on request of its files.
    """
    inside = _pipes(folder / ".git")
    found = [*inside, *(_pipes(folder, READ_BY_GIT) if files_too else ())]
    if found:
        names = tuple(os.path.relpath(path, folder) for path in found[:NAMED])
        shown = ", ".join(name if name.isprintable() else repr(name) for name in names)
        raise NotClean(
            str(folder), names, shown, "it cannot be read: git waits for ever where a pipe stands"
        )


def _pipes(folder: Path, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """The pipes below a folder, links to one with them; of some names only, where any are given."""
    ahead, left = [str(folder)], MOST
    while ahead and left > 0:
        with suppress(OSError), os.scandir(ahead.pop()) as entries:
            for entry in entries:
                left -= 1
                if entry.is_dir(follow_symlinks=False):
                    ahead.append(entry.path)
                elif not names or entry.name in names:
                    yield from _if_pipe(entry)


def _if_pipe(entry: os.DirEntry[str]) -> Iterator[str]:
    with suppress(OSError):
        if stat.S_ISFIFO(entry.stat().st_mode):
            yield entry.path
