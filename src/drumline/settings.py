"""What the operator chose: where the team lives and where its state is kept."""

import os
from dataclasses import dataclass
from pathlib import Path

from drumline.errors import Unknown

MANIFESTS = (".claude/team.yaml", "team.yaml")
STATE = ".drumline/state.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """A repository, its manifest and the URL of its store."""

    root: Path
    manifest: Path
    store: str


def find(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """The team this folder belongs to, looking upwards as git does."""
    start = Path(directory).resolve()
    found = Path(directory, manifest).resolve() if manifest else _upwards(start)
    if found is None or not found.is_file():
        raise Unknown(
            f"no team here: {found or start}",
            why=f"looked for {' and '.join(MANIFESTS)} in {start} and above"
            if found is None
            else "the manifest named does not exist",
            next="drumline init",
        )
    root = found.parent.parent if found.parent.name == ".claude" else found.parent
    return Settings(root, found, store or f"sqlite:///{root / STATE}")


def for_new_team(directory: str = ".", *, manifest: str = "", store: str = "") -> Settings:
    """Where a team's files go: the manifest named, else the top of the repository this folder is in."""
    start = Path(directory).resolve()
    root = _repository(start)
    there = (root / name for name in MANIFESTS if os.path.lexists(root / name))
    found = next(there, root / MANIFESTS[0])
    if manifest:
        found = Path(directory, manifest).resolve()
        root = found.parent.parent if found.parent.name == ".claude" else found.parent
    for folder in (start, root):
        if not folder.is_dir():
            raise Unknown(
                f"no such folder: {folder}", next="make it first, or name another with -C"
            )
    return Settings(root, found, store or f"sqlite:///{root / STATE}")


def _repository(start: Path) -> Path:
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    tops = (folder for folder in (start, *start.parents) if (folder / ".git").exists())
    top = next(tops, start)
    return start if str(top) == home else top


def _upwards(start: Path) -> Path | None:
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    for folder in (start, *start.parents):
        for name in MANIFESTS:
            if (folder / name).is_file() and not (str(folder) == home and folder != start):
                return folder / name
    return None
