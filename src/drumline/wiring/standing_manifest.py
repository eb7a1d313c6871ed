"""The manifest that planes and runners go by: as its file says now, or said last while it cannot be read."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from drumline.errors import Refused
from drumline.wiring import manifest_of

if TYPE_CHECKING:
    from drumline.settings import Settings
    from drumline.team.manifest import Manifest


class StandingManifest:
    """Read anew only when its file changed; what it said of `living` stands when they are no longer in it.

    Whether those go on is for the store to say.
    """

    def __init__(self, settings: Settings, living: Collection[str] = ()) -> None:
        self._settings, self._living = settings, living
        self._read: tuple[tuple[int, int, int], Manifest] | None = None

    def now(self) -> Manifest:
        if self._read is None:
            self._read = (_seen(self._settings), manifest_of(self._settings))
        last = self._read[1]
        with suppress(Refused, OSError):
            if (seen := _seen(self._settings)) != self._read[0]:
                new = manifest_of(self._settings)
                gone = {*self._living} - {each.name for each in new.members}
                kept = [each for each in last.members if each.name in gone]
                self._read = (seen, replace(new, members=(*new.members, *kept)))
        return self._read[1]

    def known(self) -> Manifest | None:
        """The same; none where it could never be read: `team check` tells what is wrong."""
        with suppress(Refused, OSError):
            return self.now()
        return None


def _seen(settings: Settings) -> tuple[int, int, int]:
    """What tells one state of the manifest's file from another."""
    found = os.stat(settings.ruling_manifest)
    return found.st_ino, found.st_mtime_ns, found.st_size
