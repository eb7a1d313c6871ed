"""A file before and after a change, as a unified diff: what people read before they say yes."""

from difflib import unified_diff


def difference(path: str, before: str, after: str) -> str:
    """What a change makes of a file; one that was empty is new."""
    old = f"a/{path}" if before else "/dev/null"
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(_lines(before), _lines(after), old, f"b/{path}")
    )


def _lines(text: str) -> list[str]:
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
