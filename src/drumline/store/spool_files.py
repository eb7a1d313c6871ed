"""What is done with the files of a spool, a batch at a time: by its drainer, or by the drainer's hand.

Whatever lies there is taken for hostile: links, pipes, folders, files without end, files of other users. A
claim is a rename into a folder of its batch; nothing is changed in place, and what is kept is written anew.
"""

import errno
import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from drumline.team.settled import (
    LONGEST,
    LONGEST_HINT,
    SettledTurn,
    Why,
    provider_of,
    settled_turn,
)

INCOMING, PROCESSING, PROCESSED, INVALID = "incoming", "processing", "processed", "invalid"
STUCK = "stuck"  # of a name: it cannot be claimed

_encode = json.JSONEncoder(separators=(",", ":")).encode
_LIMIT = LONGEST + LONGEST_HINT
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_OURS = {errno.EACCES, errno.EPERM}


class Taken(NamedTuple):
    """A name that was to be claimed: the turn its file tells of, or why there is none and what it was."""

    name: str
    turn: SettledTurn | None
    why_not: str = ""
    found: Mapping[str, Any] = {}


class Done(NamedTuple):
    """A batch that was taken in: what is kept of it, where its events are, and in which folders."""

    records: Sequence[Mapping[str, Any]] = ()
    places: Sequence[str] = ()
    folders: Sequence[str] = ()


def new_folder(spool: str, folder: str) -> None:
    """Make a folder for claims, and whatever else is missing."""
    for name in (PROCESSING, PROCESSED, INVALID):
        os.makedirs(os.path.join(spool, name), mode=0o700, exist_ok=True)
    os.mkdir(folder, 0o700)


def take(incoming: str, folder: str, name: str, owners: Collection[int]) -> Taken | None:
    """Claim a file by a rename, of any number who try one does, and read it; None where that cannot be now.

    It is looked at before it is opened, in a folder of ours: whatever takes its place is read no further.
    """
    place = os.path.join(folder, name)
    try:
        os.rename(os.path.join(incoming, name), place)
    except FileNotFoundError:
        return None
    except OSError:
        return Taken(name, None, STUCK)  # a folder of somebody else's: it holds up no others
    try:
        found = os.lstat(place)
        if why := _unfit(found, owners):
            return Taken(name, None, why.value)
        return _told(name, _read(place, found.st_size))
    except OSError as error:
        if error.errno in _NOT_OURS:
            return Taken(name, None, Why.OWNER.value)
        give_back(place, incoming)
        return None


def clear_away(spool: str, done: Done) -> None:
    """File what is kept of a batch, a line each, and let the events themselves go."""
    if done.records:
        first = os.path.basename(done.places[0])
        write(os.path.join(spool, PROCESSED, f"{first}l"), done.records)
    for place in done.places:
        let_go(spool, place)
    for folder in done.folders:
        with suppress(OSError):
            os.rmdir(folder)


def let_go(spool: str, place: str) -> None:
    """Remove what was claimed; a folder goes where people find it."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        pass
    except OSError:
        with suppress(OSError):
            found = f"{safe(os.path.basename(place))}.{os.urandom(4).hex()}.found"
            os.rename(place, os.path.join(spool, INVALID, found))


def give_back(place: str, incoming: str) -> bool:
    """Put what was claimed back in its line, unless its name was taken meanwhile."""
    target = os.path.join(incoming, os.path.basename(place))
    if not is_folder(incoming) or os.path.lexists(target):
        return False
    with suppress(OSError):
        os.rename(place, target)
        return True
    return False


def give_all_back(folder: str, incoming: str) -> int:
    """Put everything that was claimed into a folder back; how much."""
    back = sum(give_back(entry.path, incoming) for entry in entries(folder))
    with suppress(OSError):
        os.rmdir(folder)
    return back


def write(path: str, records: Sequence[Mapping[str, Any]]) -> None:
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
        with suppress(OSError):
            os.close(handle)
        return


def entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """What is in a folder; one that is no folder of its own is empty."""
    try:
        if is_folder(folder):
            with os.scandir(folder) as found:
                yield from list(found)
    except OSError:
        return


def is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def is_own(found: os.stat_result) -> bool:
    """Whether a file has one name only: to close another's, the store's say, lets go of all our locks on it."""
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def safe(name: str) -> str:
    """A name that is one of ours, whatever it was."""
    if provider_of(name) is not Why.NAME:
        return name
    return f"{sha256(os.fsencode(name)).hexdigest()[:32]}.json"


def described(place: str) -> dict[str, Any]:
    """What was claimed and read before, for people: its words are not kept."""
    with suppress(OSError):
        return _description(_read(place, _LIMIT))
    return {}


def _description(raw: bytes) -> dict[str, Any]:
    return {"bytes": len(raw), "sha256": sha256(raw).hexdigest()} if raw else {}


def _told(name: str, raw: bytes) -> Taken:
    """What a file tells, or what it was."""
    provider = provider_of(name)
    turn = provider if isinstance(provider, Why) else settled_turn(provider, name, raw)
    if not isinstance(turn, Why):
        return Taken(name, turn)
    return Taken(name, None, turn.value, _description(raw))


def _unfit(found: os.stat_result, owners: Collection[int]) -> Why | None:
    if not is_own(found):
        return Why.KIND
    if found.st_uid not in owners:
        return Why.OWNER
    return Why.OVERSIZE if found.st_size > _LIMIT else None


def _read(place: str, size: int) -> bytes:
    handle = os.open(place, _READ)
    try:
        raw = os.read(handle, size)
        while len(raw) < size and (more := os.read(handle, size - len(raw))):
            raw += more
        return raw
    finally:
        os.close(handle)
