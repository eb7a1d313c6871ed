"""The patch text of Codex, or a unified diff: which files it names."""

from __future__ import annotations

_HEADS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:")
_DIFF_HEADS = ("--- ", "+++ ", "rename to ", "rename from ", "copy to ")


def patched_text(text: str) -> list[str]:
    """Every path a patch names; a head may stand indented, as in a here-document."""
    rows = [row.lstrip() for row in text.splitlines()]
    named = [row.partition(":")[2].strip() for row in rows if row.startswith(_HEADS)]
    return named or [path for row in rows if row.startswith(_DIFF_HEADS) for path in _in_diff(row)]


def _in_diff(row: str) -> list[str]:
    """The path of a diff's head, with and without the `a/` or `b/` before it."""
    start = next(head for head in _DIFF_HEADS if row.startswith(head))
    path = row[len(start) :].partition("\t")[0].strip().strip('"')
    if path in {"", "/dev/null"}:
        return []
    return [path, path.partition("/")[2]] if path.startswith(("a/", "b/")) else [path]
