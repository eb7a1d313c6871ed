"""A team's rules on disk: its own file in the repository, the compiled ones where hooks read them."""

import json
import os
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drumline.store.manifests import read_file
from drumline.store.profiles import agents
from drumline.team.constraint import not_json
from drumline.team.document import Reading
from drumline.team.sheet import Sheet

OWN = "drumline/policy.json"


class Policies:
    """The rules of one repository."""

    def __init__(self, root: str, state: str) -> None:
        self._root, self._state = Path(root), Path(state)

    @property
    def own_file(self) -> str:
        return OWN

    def own(self) -> Reading | None:
        """The team's own registry, or None where it has none."""
        path = self._root / OWN
        if not os.path.lexists(path):
            return None
        reading = read_file(path)
        wrong = not_json(path.read_text("utf-8", "replace")) if reading.root is not None else None
        return reading if wrong is None else Reading(None, (wrong,))

    def agents(self) -> list[Sheet]:
        """The agent profiles of the repository."""
        return agents(self._root)

    def publish(self, name: str, policy: Mapping[str, Any]) -> None:
        """Write a compiled policy under its name, then make it the current one."""
        self._write("policy", f"{name}.json", json.dumps(policy, ensure_ascii=False))
        self._write("policy", "current", name)

    def published(self) -> str:
        """The name of the compiled policy that is in force; empty before there is one."""
        try:
            return (self._state / "policy" / "current").read_text("utf-8").strip()
        except FileNotFoundError:
            return ""

    def place(self, member: str, standing: Mapping[str, Any]) -> None:
        """Write where a member stands."""
        self._write("standing", f"{member}.json", json.dumps(standing, ensure_ascii=False))

    def _write(self, folder: str, name: str, text: str) -> None:
        """Whole or not at all: a hook may be reading at this moment."""
        place = self._state / folder
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = place / f".{name}.{os.getpid()}.{os.urandom(4).hex()}"
        with unfinished.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(0o600)
        unfinished.replace(place / name)


def libraries() -> list[str]:
    """Where this interpreter keeps the packages the grammar comes in."""
    return [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]


def repository_of(folder: str) -> str:
    """The repository a folder is in, else the folder itself."""
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - links stay as they are written
    for each in (place, *place.parents):
        if os.path.lexists(each / ".git"):
            return str(each)
    return str(place)
