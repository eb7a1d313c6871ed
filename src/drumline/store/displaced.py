"""What a memory file displaced: kept for a while, and looked at again, so that no late write is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from drumline.store.exchanging import KEPT
from drumline.store.saving import read_now, stamp_of
from drumline.team.rebasing import Passage, missing, taken_out
from drumline.team.settling import Late, Made, Unsettled

WHILE = 600.0  # seconds in which an editor may come back to what it had open
MOST = 40  # versions of a file that are watched, if it changes often
LEAST = 2.0  # seconds for which each of them is: whoever found it by its name has opened it then
LEDGER = "watched.json"
PLACED, WHOLE = "placed", "whole"
OLD, BEFORE = ".old", ".before"
ENDLESS = 1 << 40  # bytes: a version is as long as it is


class Version(NamedTuple):
    """A version that the file displaced, what is late in it, and whether it is watched no longer."""

    old: Path
    late: Late | None
    over: bool


class Displaced:
    """What one memory file displaced of late, and what was written into it, in folders of our own.

    For each write there is what stood in the file's place (`.old`, which an editor may still have open)
    and what we took it for (`.before`): where the two differ, somebody wrote unseen. `folder` is on the
    file system of the file.
    """

    def __init__(self, folder: Path, now: Callable[[], float], name: str) -> None:
        self._folder, self._now, self._name, self._number = folder, now, name, 0
        self._versions: list[Version] = []

    def is_quiet(self) -> bool:
        """Whether nothing was written here of late."""
        try:
            there = os.listdir(self._folder)  # noqa: PTH208 - names are all that is wanted
        except (FileNotFoundError, NotADirectoryError):
            return True
        return not any(name == LEDGER or name.endswith(OLD) for name in there)

    def known(self) -> tuple[str, str]:
        """How the file looked, and what it said, when we knew it last."""
        return _text(self._folder / PLACED), _text(self._folder / WHOLE)

    def know(self, stamp: str, text: str) -> None:
        _write(self._folder / WHOLE, text, lasting=False)
        _write(self._folder / PLACED, stamp, lasting=False)

    def unsettled(self) -> Unsettled:
        """What may have to be brought into the file."""
        self._versions = self._looked()
        rows, gone = self._ledger()
        late = tuple(each.late for each in self._versions if each.late is not None)
        watched = tuple(_passage(row) for row in rows)
        return Unsettled(late, watched, gone=frozenset(gone), last=self.known()[1])

    def settle(self) -> None:
        """What was late is in the file now: only what is written from here on is late."""
        self._keep(*self._ledger())  # what is old is watched no longer
        for old, late, over in self._versions:
            if over:
                self.forget(old)
            elif late is not None:
                _write(old.with_suffix(BEFORE), late.settled())

    def staged(self, before: str, new: str, target: Path) -> tuple[Path, str]:
        """The new text, whole and on disk, under a name that means: if it is found, it may be wanted."""
        self._number += 1
        staged = self._folder / f"{self._name}-{self._number}{OLD}"
        _write(staged.with_suffix(BEFORE), before)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        _write(staged, new, mode=mode)
        return staged, stamp_of(staged.stat())

    def took(self, staged: Path | None, found: str) -> None:
        """What stood in the file's place was seen, and is taken in."""
        if staged is not None:
            _write(staged.with_suffix(BEFORE), found)

    def forget(self, staged: Path) -> None:
        for each in (staged, staged.with_suffix(BEFORE)):
            each.unlink(missing_ok=True)

    def watch(self, made: Made) -> None:
        """Watch over what comes in, and no longer over what a text that is going into place has not."""
        rows, gone = self._ledger()
        now = self._now()
        fresh = {_key(each): {**each._asdict(), "at": now} for each in made.came}
        every = {_key(_passage(row)): row for row in rows} | fresh
        out = {_key(each) for each in missing(map(_passage, every.values()), made.new)}
        kept = [row for key, row in every.items() if key not in out]
        said = {_passage(row).id for row in kept}
        gone |= dict.fromkeys(taken_out(made.settled, made.new), now)
        self._keep(kept, {own: at for own, at in gone.items() if own not in said})

    @contextmanager
    def watching(self, made: Made) -> Iterator[None]:
        """The same while a text goes into place; one that is refused leaves no trace."""
        before = self._ledger()
        self.watch(made)
        try:
            yield
        except OSError:
            self._keep(*before)
            raise

    def _looked(self) -> list[Version]:
        self._tidy()
        there = sorted(self._folder.glob(f"*{OLD}"), key=lambda each: each.stat().st_ctime)
        return [self._version(old, len(there) - at) for at, old in enumerate(there)]

    def _tidy(self) -> None:
        """Put right what somebody left who was killed: half a file, or a version under its first name."""
        for each in list(self._folder.iterdir()):
            old = each.with_suffix(OLD)
            if each.suffix == KEPT and not old.exists():
                each.rename(old)
            elif each.suffix == KEPT or (each.suffix == OLD and each.name.startswith(".")):
                each.unlink()

    def _version(self, old: Path, rank: int) -> Version:
        age = abs(self._now() - old.stat().st_ctime)
        over = age > WHILE or (rank > MOST and age > LEAST)
        before, now = _text(old.with_suffix(BEFORE)), _text(old)
        if now == before and not over:
            return Version(old, None, over=False)
        found = read_now(old, cap=ENDLESS)
        said, over = _words(found.raw), over and not found.open
        ended = found.open is not None or said.endswith("\n") or not before.endswith("\n")
        late = Late(before, said, over or (ended and not found.half))
        return Version(old, late if said != before else None, over)

    def _keep(self, rows: Sequence[dict[str, Any]], gone: dict[str, float]) -> None:
        said = json.dumps({"rows": rows, "gone": gone}) if rows or gone else ""
        if not said:
            (self._folder / LEDGER).unlink(missing_ok=True)
        elif said != _text(self._folder / LEDGER):
            _write(self._folder / LEDGER, said)

    def _ledger(self) -> tuple[list[dict[str, Any]], dict[str, float]]:
        """What came in of late, and what we took out."""
        try:
            found = json.loads((self._folder / LEDGER).read_bytes())
        except (OSError, ValueError):
            return [], {}
        now = self._now()  # what it has not come to yet was written while the clock was wrong
        rows = [row for row in found["rows"] if abs(now - row["at"]) <= WHILE]
        return rows, {own: at for own, at in found["gone"].items() if abs(now - at) <= WHILE}


def _passage(row: dict[str, Any]) -> Passage:
    return Passage(**{name: row[name] for name in Passage._fields})


def _key(passage: Passage) -> str:
    return passage.id or passage.says


def _text(path: Path) -> str:
    try:
        return _words(path.read_bytes())
    except FileNotFoundError:
        return ""


def _words(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _write(path: Path, text: str, *, mode: int = 0o600, lasting: bool = True) -> None:
    """A whole file on disk: found under its name only when it is complete."""
    half = path.with_name(f".{path.name}")
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        os.fchmod(file.fileno(), mode)
        if lasting:
            file.flush()
            os.fsync(file.fileno())
    half.rename(path)
