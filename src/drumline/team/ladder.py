"""The ladder: what is done about work that failed, from trying again to asking a person."""

from enum import StrEnum

RETRIES, RESPAWNS = 1, 3


class Rung(StrEnum):
    """The steps, lowest first; each is kept as `L{n}|reason`."""

    RETRY = "retry"
    NUDGE = "nudge"
    RESPAWN = "respawn"
    RESTRUCTURE = "restructure"
    PERSON = "person"

    @property
    def level(self) -> int:
        return list(Rung).index(self)

    def record(self, reason: str) -> str:
        return f"L{self.level}|{reason}"


def rung(failures: int, together: int = 0) -> Rung:
    """What to do about a task that failed after so many failures before; `together` are at the same rung.

    A retry that fails too is not tried a second time: another life takes the work up. Where several are
    in need of that at once the fault lies in the plan.
    """
    if failures < RETRIES:
        return Rung.RETRY
    if failures < RETRIES + RESPAWNS:
        return Rung.RESTRUCTURE if together > 1 else Rung.RESPAWN
    return Rung.PERSON
