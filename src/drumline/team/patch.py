"""The patch text of Codex: which files it names."""

from __future__ import annotations

_HEADS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:")


def patched_text(text: str) -> list[str]:
    """Every path a patch names; a head may stand indented, as in a here-document."""
    return [
        line.partition(":")[2].strip()
        for line in map(str.lstrip, text.splitlines())
        if line.startswith(_HEADS)
    ]
