"""Scanning changes before they are kept, by the rules of the team."""

from collections.abc import Iterable
from typing import Protocol

from drumline.team.registry import Registry
from drumline.team.scan import Hit, Protected


class Changes(Protocol):
    """Something about to be kept: what is staged, what a branch brings, or files as they are."""

    def hits(self, protected: Protected) -> Iterable[Hit]:
        """The secrets and protected files in it."""


def scan(reader: Changes, rules: Registry) -> list[Hit]:
    """Every secret and protected file, by file and line; the files are those the rules protect."""
    settings = rules["settings"]
    protected = Protected(settings["protected_files"], settings["unprotected_files"])
    return sorted(set(reader.hits(protected)), key=lambda hit: hit.order())
