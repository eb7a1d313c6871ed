"""Code blocks in Markdown: what stands between two fences is shown as it is, and is no heading."""

import re
from collections.abc import Iterable, Iterator

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)


def fenced(lines: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each line, and at which one its code block begins, from 1; 0 outside of code. Fences belong to theirs."""
    mark, begun = "", 0
    for at, line in enumerate(lines, 1):
        found = _FENCE.match(line)
        if mark:
            yield line, begun
            if found and found[1].startswith(mark) and not found[2].strip():
                mark = ""
        else:
            mark = found[1] if found and not (found[1][0] == "`" and "`" in found[2]) else ""
            begun = at if mark else 0
            yield line, begun


def unclosed(text: str) -> int:
    """The line, from 1, at which a code block begins that never ends; 0 where there is none."""
    *_, (_, begun) = fenced([*text.split("\n"), ""])
    return begun
