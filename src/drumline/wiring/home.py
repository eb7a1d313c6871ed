"""Which repository this is: the name it keeps for itself, where it stands, and whether it is a copy."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from drumline.errors import Conflict, StoreTrouble
from drumline.settings import Settings

if TYPE_CHECKING:
    from drumline.control.ports import Store

TEAMS = "teams"
LONGEST_PATH = 4096
_HOME = re.compile(r"[0-9a-f]{16}")


def home_of(settings: Settings) -> str:
    """Which repository this is, wherever it stands and wherever its store is."""
    folder = state_folder(settings)
    found = _kept_once(folder, "home", os.urandom(8).hex())
    if not _HOME.fullmatch(found):
        raise StoreTrouble(
            f"{os.path.join(folder, 'home')} does not name a repository",
            why="it holds 16 hexadecimal digits, or is not there",
            next="delete it, then: drumline init --join",
        )
    return found


def team_of(store: Store) -> str:
    """The team a store was opened for."""
    return store.ask(lambda tx: tx.team)


def mark_of(settings: Settings, team: str) -> str:
    """What begins the mark of every life of a team here: of this very folder, moved or not, and no copy.

    A copy has the same name, and its processes are not ours to end.
    """
    return f"{_folder_mark(settings)}/{team}"


def door_name(settings: Settings, team: str) -> str:
    """The folder a team's doors are in: short, since a socket's name may have 107 bytes only."""
    from hashlib import sha256

    return sha256(mark_of(settings, team).encode()).hexdigest()[:8]


def _folder_mark(settings: Settings) -> str:
    found = os.stat(state_folder(settings))
    return f"{home_of(settings)}-{found.st_dev:x}-{found.st_ino:x}"


def place_of(settings: Settings) -> str:
    """Where this repository stands, as others are told it."""
    place = f"{os.uname().nodename}:{settings.state_root}"
    return place.encode(errors="backslashreplace").decode()


def has_moved(settings: Settings, place: str) -> bool:
    """Whether this repository was last seen in another folder of this host."""
    return place != place_of(settings) and place.startswith(f"{os.uname().nodename}:")


def refuse_copy(settings: Settings, place: str) -> None:
    """Two repositories of one name would undo each other's manifests; a store of its own is no matter."""
    if settings.own_store or not has_moved(settings, place):
        return
    folder = place.partition(":")[2]
    ours, theirs = (os.path.join(at, ".drumline", "home") for at in (settings.state_root, folder))
    if _same_words(ours, theirs):
        raise Conflict(
            f"{settings.state_root} is a copy of {folder}, which is on this store",
            why="each repository on a store has a name of its own",
            next=f"delete {ours}, then: drumline init --join",
        )


def note_manifest(settings: Settings, team: str) -> None:
    """Remember by which manifest a team is known here: the manifest may name another one day."""
    folder, said = os.path.join(state_folder(settings), TEAMS), _manifest_here(settings)
    if is_of_this_manifest(settings, team):
        return
    os.makedirs(folder, mode=0o700, exist_ok=True)
    unfinished = os.path.join(folder, f".{os.urandom(4).hex()}")
    with open(unfinished, "x", encoding="utf-8", errors="surrogateescape") as file:
        file.write(said)
    os.replace(unfinished, os.path.join(folder, team))


def is_of_this_manifest(settings: Settings, team: str) -> bool:
    """Whether a team was last registered by this very manifest, whatever it says now."""
    try:
        path = os.path.join(settings.state_root, ".drumline", TEAMS, team)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(LONGEST_PATH) == _manifest_here(settings)
    except OSError:
        return False


def _manifest_here(settings: Settings) -> str:
    """Where the manifest is, wherever its repository is moved to."""
    return os.path.relpath(settings.ruling_manifest, settings.state_root)


def state_folder(settings: Settings) -> str:
    """The folder for what moves, which git never sees."""
    folder = os.path.join(settings.state_root, ".drumline")
    _kept_once(folder, ".gitignore", "*\n")
    return folder


def _same_words(ours: str, theirs: str) -> bool:
    """Whether two files, not one seen from two sides, say the same."""
    try:
        with open(ours, "rb") as one, open(theirs, "rb") as other:
            return one.read(64) == other.read(64) and not os.path.samefile(ours, theirs)
    except OSError:
        return False


def _kept_once(folder: str, name: str, text: str) -> str:
    """What a small file says, written whole by whoever needs it first."""
    path = os.path.join(folder, name)
    try:
        if not os.path.exists(path):
            _write_whole(folder, path, text)
        with open(path, encoding="utf-8") as file:
            return file.read(64)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreTrouble(
            f"{path} cannot be kept", why=str(error), next="make the folder writable for yourself"
        ) from error


def _write_whole(folder: str, path: str, text: str) -> None:
    """Nobody reads half of it, and whoever was faster is not overwritten."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    unfinished = f"{path}.{os.urandom(4).hex()}"
    with open(unfinished, "x", encoding="utf-8") as file:
        file.write(text)
    with suppress(FileExistsError):
        os.link(unfinished, path)
    os.unlink(unfinished)
