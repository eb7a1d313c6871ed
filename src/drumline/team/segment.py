"""The files of an audit trail: one that grows, and finished segments numbered for ever."""

CURRENT = "current.jsonl"
LOCK = "lock"  # whoever holds it may write; it keeps the highest number there ever was
LIMIT = 8 * 1024 * 1024
DIGITS = 8


def name_of(number: int) -> str:
    """The file of a finished segment."""
    return f"segment-{number:0{DIGITS}d}.jsonl"


def number_of(name: str) -> int:
    """Which segment a file is, from 1; 0 for any other file."""
    digits = name.removeprefix("segment-").removesuffix(".jsonl")
    if len(digits) != DIGITS or not (digits.isascii() and digits.isdecimal()):
        return 0
    return int(digits) if name == f"segment-{digits}.jsonl" else 0


def kept_number(text: bytes) -> int:
    """The highest number a lock file tells; 0 when it tells none."""
    digits = text[:DIGITS]
    return int(digits) if len(digits) == DIGITS and digits.isdigit() else 0
