"""Who is acting: a person, the lead, or a teammate in one of its lives."""

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    PERSON = "person"
    LEAD = "lead"
    TEAMMATE = "teammate"


class Actor(NamedTuple):
    """A name, what it may be, for a member which of its lives, and who spoke for it."""

    name: str
    role: Role
    incarnation: int | None = None
    by: str = ""

    def __str__(self) -> str:
        name = f"person:{self.name}" if self.role is Role.PERSON else self.name
        return f"{name} by {self.by}" if self.by else name
