"""Code blocks in Markdown: what stands between two fences is shown as it is, and is no heading."""

import re
from collections.abc import Iterable, Iterator

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)


def fenced(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a code block; its fences do."""
    mark = ""
    for line in lines:
        found = _FENCE.match(line)
        if mark:
            yield line, True
            if found and found[1].startswith(mark) and not found[2].strip():
                mark = ""
        else:
            mark = found[1] if found and not (found[1][0] == "`" and "`" in found[2]) else ""
            yield line, bool(mark)


def unclosed(text: str) -> bool:
    """Whether a code block of a text never ends."""
    *_, (_, inside) = fenced([*text.split("\n"), ""])
    return inside
