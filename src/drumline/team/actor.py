"""Who is acting: a person, the lead, a teammate in one of its lives, or the runner that judged its work."""

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    PERSON = "person"
    LEAD = "lead"
    TEAMMATE = "teammate"
    RUNNER = "runner"  # it saw the work itself, so no constitution keeps it from saying what became of it


class Actor(NamedTuple):
    """A name, what it may be, for a member which of its lives, and who spoke for it."""

    name: str
    role: Role
    incarnation: int | None = None
    by: str = ""

    def __str__(self) -> str:
        name = f"person:{self.name}" if self.role is Role.PERSON else self.name
        return f"{name} by {self.by}" if self.by else name
