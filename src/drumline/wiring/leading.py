"""A lead that a person drives: its guard follows the run, as that of a lead with a runner does."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from drumline.control import policy
from drumline.wiring.guards import policy_files
from drumline.wiring.standing_manifest import StandingManifest

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings


log = logging.getLogger(__name__)


class LeadByHand:
    """Where a lead stands that works itself and has no runner; written only when that changes."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._manifest = StandingManifest(settings)
        self._said: dict[str, Any] | None = None

    def stand(self) -> None:
        """Write where it stands now; a lead that may not work stands as it was compiled."""
        manifest = self._manifest.known()
        entry = manifest.member(manifest.lead) if manifest is not None else None
        files = policy_files(self._settings)
        name = files.published()
        if manifest is None or entry is None or not manifest.settings.lead_works or not name:
            return
        now = self._store.ask(policy.moment)
        if entry.name in now.running:
            self._said = None  # its runner tells
            return
        profiles = policy.profiles_for(files, [entry])
        facts = {**policy.by_hand(manifest, entry, now, profiles), "policy": name}
        if facts != self._said:
            try:
                files.place(entry.name, facts)
            except OSError:  # a full disk ends no plane: the next look tries again
                log.warning("where %s stands could not be written", entry.name, exc_info=True)
                return
            self._said = facts
