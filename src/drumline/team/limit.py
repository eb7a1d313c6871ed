"""A usage limit: an account that may not be used until it resets."""

from datetime import datetime
from typing import NamedTuple

from drumline.errors import AccountPaused


class Limit(NamedTuple):
    """An account, until when it is paused, and what the runtime said."""

    account: str
    until: datetime
    why: str
    since: datetime

    def holds(self, now: datetime) -> bool:
        return now < self.until

    def refuse(self, who: str, now: datetime) -> None:
        """Refuse a turn on an account that has not been reset yet."""
        if self.holds(now):
            raise AccountPaused(
                f"{who} waits: the account {self.account} is paused"
                f" until {self.until:%Y-%m-%d %H:%M} UTC",
                why=self.why,
                next="wait for that time; nobody on this account is stuck",
            )
