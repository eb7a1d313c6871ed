"""The spool's folders: hooks drop events into `incoming`; one drainer claims, files and forgets them.

Whatever lies there is taken for hostile: links, pipes, folders, files without end, files of other users. A
claim is a rename into a folder that says when it was made; nothing is changed in place, and what is kept
is written anew.
"""

import errno
import json
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from drumline.control.draining import Claim
from drumline.team.rhythm import passed
from drumline.team.settled import LONGEST, LONGEST_HINT, Why, provider_of

INCOMING, PROCESSING, PROCESSED, INVALID = "incoming", "processing", "processed", "invalid"
STALE = timedelta(minutes=5)
UNTIDY, SELDOM = 1000, timedelta(minutes=10)  # after so much, or so long, it is put in order
SHARED = timedelta(seconds=10)  # how long claims are made in one folder
MOST_LISTED = 30_000  # names held at once, however many there are
MADE = "%Y%m%dT%H%M%S.%fZ"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encode = json.JSONEncoder(separators=(",", ":")).encode
_LIMIT = LONGEST + LONGEST_HINT
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_OURS = {errno.EACCES, errno.EPERM}


class Spool:
    """One spool, drained by one process at a time; `tidy` is its way to put itself in order.

    Claims are dated by the store, which all who drain share; files by the machine that keeps them.
    """

    def __init__(self, folder: str, tidy: Callable[[str], None]) -> None:
        self.folder, self._tidy = folder, tidy
        self._incoming = os.path.join(folder, INCOMING)
        self._listed: deque[str] = deque()
        self._stuck: set[str] = set()
        self._batch, self._begun = "", datetime.min.replace(tzinfo=UTC)
        self._new = 0
        self._tidied: datetime | None = None

    def pending(self, now: datetime) -> bool:
        """Whether there is something to claim, or a claim that nobody will finish."""
        if not _is_folder(self._incoming):
            self._listed.clear()  # it was one when it was listed
        elif self._listed or any(map(self._is_free, _entries(self._incoming))):
            return True
        return any(_is_stale(entry, now, STALE) for entry in _entries(self._at(PROCESSING)))

    def claim(self, most: int, now: datetime) -> list[Claim]:
        """The next files in the order they came: by their time, then by their name."""
        self.recover(now)
        self._new_batch(now)
        owners = {os.geteuid(), os.stat(self.folder).st_uid}
        claims: dict[str, Claim] = {}
        for name in self._names():
            place = os.path.join(self._batch, name)
            if name in claims or not self._moved(name, place):
                continue  # what comes again under its name meanwhile is of the next batch
            if (claim := _opened(name, place, owners)) is None:
                self._give_back(place, name)
                continue
            claims[name] = claim
            if len(claims) == most:
                break
        return list(claims.values())

    def keep(self, filed: Sequence[tuple[Claim, Mapping[str, Any]]]) -> None:
        """File what is kept of a batch, a line each, and let the events themselves go."""
        if filed:
            _write(self._at(PROCESSED, f"{filed[0][0].name}l"), [record for _, record in filed])
        for claim, _ in filed:
            self._let_go(claim)

    def quarantine(self, claim: Claim, why: Why) -> None:
        """File that something could not be read, why, and what it was; its words are not kept."""
        found = {"bytes": len(claim.raw), "sha256": sha256(claim.raw).hexdigest()}
        said = {"reason": why.value, "name": claim.name, **(found if claim.raw else {})}
        _write(self._at(INVALID, _safe(claim.name)), [said])
        self._let_go(claim)

    def release(self, claims: Sequence[Claim]) -> None:
        """Give back what was not taken in; what was is not there any more."""
        for claim in claims:
            self._give_back(claim.place, claim.name)
        self._end_batch()

    def tidy(self, now: datetime) -> None:
        """End what is finished, and let go of what is too old or too much."""
        self._end_batch()
        if self._new or passed(self._tidied, SELDOM, now):
            self._new, self._tidied = 0, now
            self._stuck.clear()
            self._tidy(self.folder)

    def recover(self, now: datetime, age: timedelta = STALE) -> int:
        """Give back the claims that nobody has finished for so long; how many."""
        back = 0
        for entry in _entries(self._at(PROCESSING)):
            if entry.path == self._batch or not _is_stale(entry, now, age):
                continue
            if entry.is_dir(follow_symlinks=False):
                back += sum(self._give_back(each.path, each.name) for each in _entries(entry.path))
                with suppress(OSError):
                    os.rmdir(entry.path)
            else:
                back += self._give_back(entry.path, entry.name)
        return back

    def _names(self) -> Iterator[str]:
        """What there is to claim; a long list is made once for many batches."""
        while self._listed:
            yield self._listed.popleft()
        self._listed.extend(self._in_order())
        while self._listed:
            yield self._listed.popleft()

    def _in_order(self) -> list[str]:
        free = filter(self._is_free, _entries(self._incoming))
        return [name for _, name in sorted(map(_arrival, free))[:MOST_LISTED]]

    def _is_free(self, entry: os.DirEntry[str]) -> bool:
        return entry.name not in self._stuck

    def _moved(self, name: str, place: str) -> bool:
        """Claim by a rename: of any number who try, one does."""
        try:
            os.rename(os.path.join(self._incoming, name), place)
        except FileNotFoundError:
            return False
        except OSError:
            self._stuck.add(name)  # a folder of somebody else's: it must not hold up the others
            return False
        return True

    def _give_back(self, place: str, name: str) -> bool:
        target = os.path.join(self._incoming, name)
        if os.path.lexists(target):
            return False
        with suppress(OSError):
            os.rename(place, target)
            return True
        return False

    def _let_go(self, claim: Claim) -> None:
        self._new += 1
        try:
            os.unlink(claim.place)
        except FileNotFoundError:
            pass
        except OSError:  # a folder
            with suppress(OSError):
                found = f"{_safe(claim.name)}.{os.urandom(4).hex()}.found"
                os.rename(claim.place, self._at(INVALID, found))

    def _new_batch(self, now: datetime) -> None:
        if self._new >= UNTIDY:
            self.tidy(now)
        if self._batch and not passed(self._begun, SHARED, now):
            return
        self._end_batch()
        self._begun = now
        self._batch = self._at(PROCESSING, f"{now.astimezone(UTC):{MADE}}-{os.getpid()}")
        places = (self._at(PROCESSING), self._batch, self._at(PROCESSED), self._at(INVALID))
        for folder in places:
            os.makedirs(folder, mode=0o700, exist_ok=True)

    def _end_batch(self) -> None:
        if self._batch:
            with suppress(OSError):
                os.rmdir(self._batch)
            self._batch = ""

    def _at(self, *names: str) -> str:
        return os.path.join(self.folder, *names)


def prepare(folder: str) -> None:
    """Make a spool that hooks can drop into, and nobody else can read."""
    for name in ("", INCOMING, PROCESSING, PROCESSED, INVALID):
        Path(folder, name).mkdir(mode=0o700, exist_ok=True)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """What is in a folder; one that is no folder of its own is empty."""
    try:
        if _is_folder(folder):
            with os.scandir(folder) as found:
                yield from list(found)
    except OSError:
        return


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def is_own(found: os.stat_result) -> bool:
    """Whether a file has one name only: to close another's, the store's say, lets go of all our locks on it."""
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def nanoseconds(moment: datetime) -> int:
    """A moment as files count it: they may bear times that no calendar has."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


def _arrival(entry: os.DirEntry[str]) -> tuple[int, str]:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns, entry.name
    except OSError:
        return 0, entry.name


def _is_stale(entry: os.DirEntry[str], now: datetime, age: timedelta) -> bool:
    """Whether a claim was made so long ago, by the name of its folder or else by its time."""
    try:
        made = nanoseconds(
            datetime.strptime(entry.name.rpartition("-")[0], MADE).replace(tzinfo=UTC)
        )
    except ValueError:
        made = _arrival(entry)[0]
    return abs(nanoseconds(now) - made) >= age // timedelta(microseconds=1) * 1000  # clocks go back


def _opened(name: str, place: str, owners: set[int]) -> Claim | None:
    """A claimed file with what is in it; None where that cannot be told now.

    It is looked at before it is opened, in a folder of ours: whatever takes its place is read no further.
    """
    try:
        found = os.lstat(place)
        if why := _unfit(found, owners):
            return Claim(name, place, refused=why)
        handle = os.open(place, _READ)
    except OSError as error:
        return Claim(name, place, refused=Why.OWNER) if error.errno in _NOT_OURS else None
    try:
        return Claim(name, place, _all(handle, found.st_size))
    except OSError:
        return None
    finally:
        os.close(handle)


def _unfit(found: os.stat_result, owners: set[int]) -> Why | None:
    if not is_own(found):
        return Why.KIND
    if found.st_uid not in owners:
        return Why.OWNER
    return Why.OVERSIZE if found.st_size > _LIMIT else None


def _all(handle: int, size: int) -> bytes:
    raw = os.read(handle, size)
    while len(raw) < size and (more := os.read(handle, size - len(raw))):
        raw += more
    return raw


def _write(path: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Write records for people, a line each, over no others; what cannot be written is only not there."""
    text = b"".join(_encode(record).encode() + b"\n" for record in records)
    for place in (path, f"{path}.{os.urandom(8).hex()}"):
        try:
            handle = os.open(place, _WRITE, 0o600)
        except FileExistsError:
            continue
        except OSError:
            return
        with suppress(OSError):
            os.write(handle, text)
        os.close(handle)
        return


def _safe(name: str) -> str:
    """A name that is one of ours, whatever it was."""
    if provider_of(name) is not Why.NAME:
        return name
    return f"{sha256(os.fsencode(name)).hexdigest()[:32]}.json"
