"""What can be wrong with an SQLite file, in our words, and the way out."""

from __future__ import annotations

import sqlite3
from typing import Protocol

from drumline.errors import StoreBusy, StoreTrouble
from drumline.store.engine import not_text


class Opened(Protocol):
    """A file that is open, how long one waits for it, and whether a statement is on its way."""

    path: str
    patience: float
    at_work: bool


class Translating:
    """Says a file's trouble in our words; a plain class, since every statement passes through it."""

    def __init__(self, engine: Opened) -> None:
        self._engine = engine

    def __enter__(self) -> None:
        self._engine.at_work = True

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        self._engine.at_work = False
        if error is None:
            return
        path = self._engine.path
        if isinstance(error, sqlite3.Error):
            if "locked" in str(error) or "busy" in str(error):
                raise busy(path, self._engine.patience, str(error)) from error
            raise StoreTrouble(
                f"the store {path} cannot be used", why=str(error), next=_remedy(error, path)
            ) from error
        if isinstance(error, UnicodeError):
            raise not_text() from error
        if isinstance(error, OSError):
            raise StoreTrouble(
                f"the store {path} cannot be opened",
                why=error.strerror or str(error),
                next="check the folder's owner and free space, or name another store: --store sqlite:///PATH",
            ) from error


def _remedy(error: sqlite3.Error, path: str) -> str:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return f"nothing was changed: free some space where {path} is, or see to its disk; then do it again"
    return "name another store, or restore a backup: drumline store restore FILE --store URL"


def busy(path: str, patience: float, why: str) -> StoreBusy:
    return StoreBusy(
        f"the store {path} is busy",
        why=f"waited {patience:.0f} s: {why}",
        next=f"look for a stopped process that has it open: fuser {path}.gate",
    )


def emptied(path: str) -> StoreTrouble:
    return StoreTrouble(
        f"the store {path} is empty",
        why="it was in use before: something has emptied the file",
        next=_anew(path),
    )


def gone(path: str) -> StoreTrouble:
    return StoreTrouble(
        f"the store {path} is gone",
        why="it was in use before: something has removed or moved the file, or its folder cannot be entered",
        next=f"put it back; or {_anew(path)}",
    )


def _anew(path: str) -> str:
    """What a person does who gives a store up: no command takes away what may be the last of it."""
    from shlex import quote  # noqa: PLC0415 - every command would pay for it

    left = " ".join(quote(f"{path}{part}") for part in ("", "-wal", "-shm", ".gate"))
    store = quote(f"sqlite:///{path}")
    return f"give it up: rm -f {left}; then restore a backup: drumline store restore FILE --store {store}"


def replaced(path: str) -> StoreTrouble:
    return StoreTrouble(
        f"the store {path} is another file now",
        why="it was replaced while this process had it open: what is known of the old one need not hold there",
        next="start this again, to go on with the new one",
    )


def torn(path: str) -> StoreTrouble:
    return StoreTrouble(
        f"the store {path} cannot be used in this process",
        why="it was forked in the midst of a transaction, which is still its parent's",
        next="fork between two verbs, or start the process anew",
    )
