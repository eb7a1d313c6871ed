"""When an idle member tries again to get at what calls it."""

from __future__ import annotations

SHORTEST, LONGEST = 2.0, 30.0  # seconds from a try that came to nothing to the next


class Tries:
    """Tries of one member, at moments that whoever asks tells.

    What calls it may be out of its reach, because of files or a constitution: then it tries more and more
    rarely, for a claim that finds nothing costs the store as much as one that does. A kind of call that
    begins meanwhile is answered at once; more of a kind that goes on calling is not told from it.
    """

    __slots__ = ("_again", "_pause", "_tried")

    def __init__(self) -> None:
        self._again, self._pause = 0.0, 0.0
        self._tried: frozenset[str] = frozenset()

    def came_to_something(self) -> None:
        self._pause = 0.0

    def came_to_nothing(self, calls: frozenset[str], now: float) -> None:
        """These called it, and there was nothing to be had."""
        self._pause = min(self._pause * 2 or SHORTEST, LONGEST)
        self._tried, self._again = calls, now + self._pause

    def heard(self, calls: frozenset[str], now: float) -> bool:
        """These call it now: whether it is time to try again."""
        new = calls - self._tried
        self._tried &= calls  # what calls anew is new
        return bool(new) or (bool(calls) and now >= self._again)
