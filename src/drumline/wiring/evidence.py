"""What an impact analysis is held against on this machine: the checkout of whoever gives it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from drumline.control.protocol import Looked
    from drumline.settings import Settings


def looked_into(settings: Settings, member: str, level: int, analysis: str) -> Looked:
    """Which of the files an analysis names are there, and what was changed before it was given."""
    from drumline.team import impact

    return _looked(settings, member, impact.read(level, analysis)["files"])


def changed_by(settings: Settings, member: str) -> tuple[str, ...]:
    """What is uncommitted in a member's checkout."""
    return _looked(settings, member, ()).changed


def _looked(settings: Settings, member: str, named: Sequence[str]) -> Looked:
    from drumline.runtimes.proving import looked

    place = Houses(settings).checkout(member)
    own = place.is_dir()
    return looked(place if own else Path(settings.root), named, own=own)
