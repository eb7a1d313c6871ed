"""What the operator chose: where the team lives and where its state is kept."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from drumline.errors import Unknown

MANIFESTS = (".claude/team.yaml", "team.yaml")
STATE = ".drumline/state.db"


class Settings(NamedTuple):
    """A repository, its manifest and the URL of its store."""

    root: str
    manifest: str
    store: str
    own_store: bool = True

    @property
    def fresh(self) -> bool:
        """Whether nothing is remembered here yet."""
        return self.own_store and not os.path.exists(os.path.join(self.root, STATE))


def find(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """The team this folder belongs to, looking upwards as git does."""
    start = os.path.realpath(directory)
    found = _named(directory, manifest) if manifest else _upwards(start)
    if found is None or not os.path.isfile(found):
        raise Unknown(
            f"no team here: {found or start}",
            why=f"looked for {' and '.join(MANIFESTS)} in {start} and above"
            if found is None
            else "the manifest named does not exist",
            next="drumline init",
        )
    return _at(_root_of(found), found, store)


def for_new_team(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """Where a team's files go: the manifest named, else the top of the repository this folder is in."""
    start = os.path.realpath(directory)
    root = _repository(start)
    there = [os.path.join(root, name) for name in MANIFESTS]
    found = next((path for path in there if os.path.lexists(path)), there[0])
    if manifest:
        found = _named(directory, manifest)
        root = _root_of(found)
    for folder in (start, root):
        if not os.path.isdir(folder):
            raise Unknown(
                f"no such folder: {folder}", next="make it first, or name another with -C"
            )
    return _at(root, found, store)


def _at(root: str, manifest: str, store: str) -> Settings:
    own = f"sqlite:///{os.path.join(root, STATE)}"
    return Settings(root, manifest, store or own, own_store=store in {"", own})


def _named(directory: str, manifest: str) -> str:
    return os.path.realpath(os.path.join(directory, manifest))


def _root_of(manifest: str) -> str:
    folder = os.path.dirname(manifest)
    return os.path.dirname(folder) if os.path.basename(folder) == ".claude" else folder


def _repository(start: str) -> str:
    tops = (folder for folder in _above(start) if os.path.exists(os.path.join(folder, ".git")))
    top = next(tops, start)
    return start if top == os.path.expanduser("~") else top


def _upwards(start: str) -> str | None:
    """The nearest manifest; one in the home folder counts only for those who stand there."""
    home = os.path.expanduser("~")
    for folder in _above(start):
        for name in MANIFESTS:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (folder == start or folder != home):
                return path
    return None


def _above(folder: str) -> Iterator[str]:
    """A folder and all that contain it."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder
