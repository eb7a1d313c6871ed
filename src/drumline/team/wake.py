"""A wake: a member is to be looked at, and when."""

from datetime import datetime
from typing import NamedTuple


class Wake(NamedTuple):
    """That something happened to a member, never what: whoever looks reads how things are."""

    member: str
    due_at: datetime
    why: str
