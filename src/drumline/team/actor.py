"""Who is acting: a person, the lead, or a teammate in one of its lives."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    PERSON = "person"
    LEAD = "lead"
    TEAMMATE = "teammate"


@dataclass(frozen=True, slots=True)
class Actor:
    """A name, what it may be, and for a member which of its lives."""

    name: str
    role: Role
    incarnation: int | None = None

    def __str__(self) -> str:
        return f"person:{self.name}" if self.role is Role.PERSON else self.name
