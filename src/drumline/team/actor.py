"""Who is acting: a person, the lead, or a teammate in one of its lives."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    PERSON = "person"
    LEAD = "lead"
    TEAMMATE = "teammate"


@dataclass(frozen=True, slots=True)
class Actor:
    """A name, what it may be, for a member which of its lives, and who spoke for it."""

    name: str
    role: Role
    incarnation: int | None = None
    by: str = ""

    def __str__(self) -> str:
        name = f"person:{self.name}" if self.role is Role.PERSON else self.name
        return f"{name} by {self.by}" if self.by else name
