"""The rounds of a plane: it keeps the team in step, while no plane of another host does."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from drumline.control import duties, loop, waking
from drumline.control.ports import Store
from drumline.team.duty import WAKING
from drumline.team.life import LEASE, RENEWAL
from drumline.team.rhythm import passed

BETWEEN = timedelta(seconds=5)  # two looks around, however much happens


class Rounds:
    """Goes round for one team."""

    def __init__(self, store: Store, holder: str, drive: Callable[[], None]) -> None:
        self._store, self._holder, self._drive = store, holder, drive
        self._asked: datetime | None = None
        self._looked: datetime | None = None
        self._mine = self._news = False

    def go(self, due: Collection[str], now: datetime, *, news: bool, runs: bool) -> None:
        """Look at whose time has come, and around when something happened or nobody did for a while.

        Runs go on when something happened to them, and now and then whatever happened.
        """
        self._news = self._news or news
        if not self._has_duty(now):
            return
        if "wakes" in due:
            loop.settle_due(self._store)
        around = self._is_time(now)
        if runs or around:
            self._drive()
        if around:
            loop.look_around(self._store)
            self._looked, self._news = now, False

    def end(self) -> None:
        """Leave it to another plane."""
        if self._mine:
            self._store.do(duties.let_go, WAKING, self._holder)

    def _is_time(self, now: datetime) -> bool:
        usual = self._store.ask(waking.rhythm).look_around
        return passed(self._looked, min(usual, BETWEEN) if self._news else usual, now)

    def _has_duty(self, now: datetime) -> bool:
        """Whether it is for this plane to go round; asked of the store now and then."""
        if passed(self._asked, RENEWAL, now):
            self._asked = now
            self._mine = self._store.do(duties.hold, WAKING, self._holder, LEASE)
        return self._mine
