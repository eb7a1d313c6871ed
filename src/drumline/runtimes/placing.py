"""Put files of the user's tree into a checkout; runs confined to the checkout, since it follows links there."""

import json
import os
import shutil
import sys
from pathlib import Path

EXCLUDED = ".git/info/exclude"


def main(said: str) -> None:
    """Do what the words say, or say in one line why not."""
    plan = json.loads(said)
    tree, folder = Path(plan["tree"]), Path(plan["folder"])
    try:
        for path in plan["copy"]:
            _copy(tree / path, _ready(folder / path))
        for path in plan["link"]:
            _ready(folder / path).symlink_to(tree / path)
        _exclude(folder, [*plan["copy"], *plan["link"]])
    except (OSError, shutil.Error) as error:
        sys.exit(str(error))


def _ready(place: Path) -> Path:
    """A free place; what stands there was left by one who was cut short."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    elif os.path.lexists(place):
        place.unlink()
    return place


def _copy(source: Path, place: Path) -> None:
    """A copy with links as links; never what one leads to."""
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, place, symlinks=True)
    else:
        shutil.copy2(source, place, follow_symlinks=False)


def _exclude(folder: Path, paths: list[str]) -> None:
    """Let git ignore what was put there: nobody should commit it, and a pattern for a folder misses a link."""
    file = folder / EXCLUDED
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(f"/{path}\n" for path in paths), "utf-8")
