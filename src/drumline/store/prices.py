"""A team's own prices on disk."""

import os
from pathlib import Path

from drumline.store.manifests import read_file
from drumline.team.document import Reading

OWN = "drumline/prices.json"


class Prices:
    """The prices of one repository."""

    def __init__(self, root: str) -> None:
        self._path = Path(root) / OWN

    @property
    def own_file(self) -> str:
        return OWN

    def own(self) -> Reading | None:
        """The team's own table, or None where it has none."""
        return read_file(self._path) if os.path.lexists(self._path) else None
