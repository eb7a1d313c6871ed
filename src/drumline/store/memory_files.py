"""A repository's memory on disk: which files there are, how they look, and what they say at one moment."""

import os
import stat
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from time import time_ns

from drumline.control.ports_recall import Source
from drumline.store.regular import NotReadable, read_regular

FOLDERS = ("memory", ".claude/rules")
SUFFIX = ".md"
FORM = 2  # how pieces and words are made: another number reads everything again
LONGEST = 8_000_000
MOST = 10_000
SETTLED = 2_000_000_000  # nanoseconds after which a change would show in a file's time


class MemoryFiles:
    """The memory files below a repository's root; links are not followed."""

    def __init__(self, root: str) -> None:
        self._root = Path(root)

    def stamps(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for path, facts in self._listed():
            found[path] = _stamp(facts, time_ns())
            if len(found) == MOST:
                break
        return found

    def read(self, path: str) -> tuple[Source, str] | None:
        place = self._root / path
        try:
            facts = place.lstat()
            seen = time_ns()  # a later write changes the file's time, or is too near to tell
            raw = read_regular(place, cap=LONGEST)[:LONGEST]
        except (OSError, NotReadable):
            return None
        digest = f"{FORM}-{sha256(raw).hexdigest()}"
        return Source(path, _stamp(facts, seen), digest), raw.decode("utf-8", "replace")

    def _listed(self) -> Iterator[tuple[str, os.stat_result]]:
        for folder in FOLDERS:
            if (self._root / folder).is_symlink():
                continue
            for inner, folders, names in os.walk(self._root / folder):
                folders.sort()
                for place in (Path(inner, name) for name in sorted(names)):
                    path = place.relative_to(self._root).as_posix()
                    if place.suffix == SUFFIX and (facts := _regular(place, path)):
                        yield path, facts


def _regular(place: Path, path: str) -> os.stat_result | None:
    """How a file looks, if it is one and has a path that a store can keep."""
    try:
        facts = place.lstat()
        path.encode()
    except (OSError, UnicodeEncodeError):
        return None
    return facts if stat.S_ISREG(facts.st_mode) else None


def _stamp(facts: os.stat_result, now: int) -> str:
    """What changes when a file does; nothing while a change would leave it the same."""
    if now - facts.st_mtime_ns < SETTLED:
        return ""
    return f"{FORM}-{facts.st_ino}-{facts.st_size}-{facts.st_mtime_ns}-{facts.st_ctime_ns}"
