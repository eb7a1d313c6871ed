"""A spool kept in order: what is too old or too much goes, what came to nothing can come again."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from drumline.control.draining import BATCH
from drumline.store.regular import NotReadable, read_regular
from drumline.store.spool import nanoseconds
from drumline.store.spool_files import INCOMING, INVALID, PROCESSED, PROCESSING, is_own
from drumline.team.settled import SETTLED, Why, provider_of

KEPT = {
    PROCESSED: (1000, timedelta(hours=24)),
    INVALID: (100, timedelta(hours=72)),
}
UNFINISHED = ".turn-"
ORPHANED = timedelta(hours=1)  # no hook writes for so long
LONGEST_RECORD = 100_000  # bytes: two paths of 4,096 letters, of which each may take 12


class Contents(NamedTuple):
    """How much is where in a spool, and why what could not be read was not."""

    incoming: int
    processing: int
    processed: int
    invalid: int
    unfinished: int
    refused: dict[str, int]


def tidy(folder: str, now: datetime) -> None:
    """Keep the newest records for their time, and end what hooks began and never finished."""
    for name, (most, age) in KEPT.items():
        _keep_newest(Path(folder, name), most, now - age)
    for path in _newest_first(Path(folder)):
        if path.name.startswith(UNFINISHED) and _written(path) <= nanoseconds(now - ORPHANED):
            _remove(path)


def contents(folder: str) -> Contents:
    """What is in a spool now."""
    place = Path(folder)
    reasons = Counter(
        str(said.get("reason", "")) for path in _paths(place / INVALID) for said in _records(path)
    )
    return Contents(
        incoming=len(_paths(place / INCOMING)),
        processing=sum(len(_paths(each)) for each in _paths(place / PROCESSING)),
        processed=sum(len(_lines(path)) for path in _paths(place / PROCESSED)),
        invalid=len(_paths(place / INVALID)),
        unfinished=sum(path.name.startswith(UNFINISHED) for path in _paths(place)),
        refused=dict(reasons),
    )


def bring_back(folder: str, why: Why) -> int:
    """Put what was filed for a reason among what comes in, to be looked at again; how many."""
    back = 0
    for path in _paths(Path(folder, PROCESSED)):
        records = list(_records(path))
        found = [said for said in records if said.get("reason") == why]
        back += sum(_put(Path(folder), said) for said in found)
        if found:
            _rewrite(path, [said for said in records if said.get("reason") != why])
    return back


def _keep_newest(folder: Path, most: int, since: datetime) -> None:
    """Remove what was written before, and what is more than so many records."""
    kept = 0
    for path in _newest_first(folder):
        kept += max(1, len(_lines(path)))
        if kept > most or _written(path) <= nanoseconds(since):
            _remove(path)


def _put(folder: Path, said: dict[str, Any]) -> bool:
    """One record as a file that comes in, under the name it once came under."""
    facts = said.get(SETTLED)
    name = str(facts.get("arrival", "")) if isinstance(facts, dict) else ""
    if isinstance(provider_of(name), Why) or os.path.lexists(folder / INCOMING / name):
        return False
    _write_whole(folder / INCOMING / name, [said])
    return True


def _rewrite(path: Path, records: list[dict[str, Any]]) -> None:
    if records:
        _write_whole(path, records)
    else:
        path.unlink()


def _write_whole(path: Path, records: list[dict[str, Any]]) -> None:
    """Write a file into one of the folders, whole or not at all, and through no link."""
    unfinished = path.parent.parent / f"{UNFINISHED}{os.urandom(8).hex()}"
    with unfinished.open("x", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o600)
        file.writelines(json.dumps(each) + "\n" for each in records)
    unfinished.rename(path)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for line in _lines(path):
        with suppress(ValueError, RecursionError):
            said = json.loads(line)
            if isinstance(said, dict):
                yield said


def _lines(path: Path) -> list[bytes]:
    """The records of a file that is ours: of no other, and of none that is too long to be one."""
    most = BATCH * LONGEST_RECORD
    try:
        if not is_own(path.lstat()):
            return []
        found = read_regular(path, cap=most)
    except (OSError, NotReadable):
        return []
    return found.splitlines() if len(found) <= most else []


def _newest_first(folder: Path) -> list[Path]:
    return sorted(_paths(folder), key=_written, reverse=True)


def _written(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return nanoseconds(datetime.min.replace(tzinfo=UTC))


def _paths(folder: Path) -> list[Path]:
    try:
        return [] if folder.is_symlink() else list(folder.iterdir())
    except OSError:
        return []


def _remove(path: Path) -> None:
    with suppress(OSError, RecursionError):  # a folder can be deeper than Python goes
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
