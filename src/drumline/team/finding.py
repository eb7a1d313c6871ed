"""What a check has to say: how grave, about which line, in one sentence."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One remark about one line of one file."""

    level: Level
    file: str
    line: int = 1
    field: str = ""
    message: str
