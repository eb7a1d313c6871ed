"""What the operator chose: where the team lives and where its state is kept."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from drumline.errors import Unknown

MANIFESTS = (".claude/team.yaml", "team.yaml")
STATE = ".drumline/state.db"
HOME = ".drumline/home"


class Settings(NamedTuple):
    """A repository, its manifest and the URL of its store."""

    root: str
    manifest: str
    store: str
    state_root: str
    own_store: bool = True
    main_manifest: str = ""

    @property
    def ruling_manifest(self) -> str:
        """The manifest the team is taken from: the main tree's, whatever branch a worktree is on."""
        return self.main_manifest or self.manifest

    @property
    def fresh(self) -> bool:
        """Whether nothing is remembered here yet."""
        return self.own_store and not os.path.exists(os.path.join(self.state_root, STATE))


def find(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """The team this folder belongs to, looking upwards as git does."""
    start = _here(directory)
    _refuse_missing(start)
    found = _named(directory, manifest) if manifest else _upwards(start)
    if found is None or not os.path.isfile(found):
        raise Unknown(
            f"no team here: {found or start}",
            why=f"looked for {' and '.join(MANIFESTS)} in {start} and above"
            if found is None
            else "the manifest named does not exist",
            next="drumline init",
        )
    settings = _at(_root_of(found), found, store)
    return settings if manifest else settings._replace(main_manifest=_in_main_tree(settings))


def find_left(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """The team of this folder, of whose manifest only the place is left: what it keeps is still here."""
    found = for_new_team(directory, manifest=manifest, store=store)
    if not os.path.exists(os.path.join(found.state_root, HOME)):
        raise Unknown(f"no team was ever here: {found.root}", next="drumline init")
    return found


def for_new_team(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """Where a team's files go: the manifest named, else the top of the repository this folder is in."""
    start = _here(directory)
    root = _repository(start)
    there = [os.path.join(root, name) for name in MANIFESTS]
    found = next((path for path in there if os.path.lexists(path)), there[0])
    if manifest:
        found = _named(directory, manifest)
        root = _root_of(found)
    for folder in (start, root):
        _refuse_missing(folder)
    return _at(root, found, store)


def _at(root: str, manifest: str, store: str) -> Settings:
    state_root = _main_tree(root)
    own = f"sqlite:///{os.path.join(state_root, STATE)}"
    return Settings(root, manifest, store or own, state_root, own_store=store in {"", own})


def _main_tree(root: str) -> str:
    """The repository a git worktree belongs to: all its trees share one board."""
    try:
        with open(os.path.join(root, ".git"), encoding="utf-8") as file:
            found = re.fullmatch(r"gitdir: (.+)/\.git/worktrees/[^/]+\s*", file.read(5000))
    except (OSError, UnicodeDecodeError):
        return root
    return found[1] if found and os.path.isdir(found[1]) else root


def _in_main_tree(settings: Settings) -> str:
    """The main tree's own manifest; empty where this is the main tree, or it has none."""
    if settings.root == settings.state_root:
        return ""
    there = (os.path.join(settings.state_root, name) for name in MANIFESTS)
    return next(filter(os.path.isfile, there), "")


def _here(directory: str) -> str:
    try:
        return os.path.realpath(directory)
    except FileNotFoundError:
        raise Unknown(
            "this folder is gone",
            why="somebody removed it, or moved it elsewhere",
            next="change to one that exists",
        ) from None


def _refuse_missing(folder: str) -> None:
    """Refuse to act where nothing is: a slip of the pen would reach the team of a folder above."""
    if not os.path.isdir(folder):
        raise Unknown(
            f"no such folder: {folder}",
            why="a command acts on the team of the folder it is given, or of one above it",
            next="make it first, or name another with -C",
        )


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
