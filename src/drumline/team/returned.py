"""What a member hands back to whoever started it: short words whole, long ones by reference."""

from typing import NamedTuple

from drumline.team.quoting import inline

RETURN_CAP = 30_000


class Returned(NamedTuple):
    """What enters the caller's context, and what must go to a file instead."""

    text: str
    overflow: str = ""


def kept(text: str, cap: int = RETURN_CAP) -> Returned:
    """The text itself up to the cap; a longer one is overflow as a whole, never a torn half."""
    return Returned(text) if len(text) <= cap else Returned("", text)


def beginning(overflow: str, why: str, cap: int = RETURN_CAP) -> str:
    """What stands for overflow that can be written nowhere: how it begins, and that there was more."""
    said = f"{len(overflow):,} characters were returned, and cannot be kept: {why}; they begin:\n"
    return said + overflow[: max(0, cap - len(said))]


def reference(path: str, overflow: str) -> str:
    """The line that stands for overflow once the caller has written it to `path`."""
    return f"{len(overflow):,} characters were returned; all of them are in {inline(path)}"
