"""Draining: what hooks left in the spool is taken in, in batches, by one process at a time.

Killed anywhere, nothing is lost and nothing counts twice: a file is claimed by a rename, remembered by its
id in one transaction, and only then filed. What a dead drainer had claimed comes back, by its age at the latest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from drumline.control import duties
from drumline.control.intake import forget, take_in
from drumline.errors import StoreTrouble
from drumline.team.rhythm import passed
from drumline.team.settled import Filed, SettledTurn, Why, kept

if TYPE_CHECKING:
    from drumline.control.attribution import Grounds
    from drumline.control.ports import Store

BATCH = 50
PACE = timedelta(seconds=10)
SELDOM = timedelta(minutes=10)
LEASE = timedelta(seconds=60)


class Claim(NamedTuple):
    """A file that is ours to take in: the name it came under, where it is now, and what it tells.

    Of one that tells of no turn, `found` says what it was.
    """

    name: str
    place: str
    told: SettledTurn | Why
    found: Mapping[str, Any]


class Spool(Protocol):
    """Where hooks leave events."""

    def pending(self, now: datetime) -> bool: ...
    def claim(self, most: int, now: datetime) -> Sequence[Claim]: ...
    def keep(self, filed: Sequence[tuple[Claim, Mapping[str, Any]]]) -> None: ...
    def quarantine(self, claim: Claim, why: Why) -> None: ...
    def release(self, claims: Sequence[Claim]) -> None: ...
    def tidy(self, now: datetime) -> None: ...


class Desk(NamedTuple):
    """Who drains: by which duty, as whom, where members live, and how to tell that a holder is dead."""

    duty: str
    holder: str
    grounds: Grounds
    is_up: Callable[[str], bool]


class Drained(NamedTuple):
    """What came of a batch; `full` when there may be more at once, `elsewhere` when another drains."""

    counts: Mapping[Why, int]
    full: bool = False
    elsewhere: str = ""


class Drainer:
    """Takes in what is in one spool."""

    def __init__(self, store: Store, spool: Spool, desk: Desk) -> None:
        self._store, self._spool, self._desk = store, spool, desk
        self._looked: datetime | None = None
        self._held_since: datetime | None = None
        self._forgot: datetime | None = None

    def look(self) -> bool:
        """Drain a batch where it is time for one; whether there may be more at once."""
        now = self._now()
        if not passed(self._looked, PACE, now):
            return False
        done = self.batch()
        self._looked = None if done.full else now
        return done.full

    def batch(self) -> Drained:
        """Take one batch in; while another process drains, nothing."""
        now = self._now()
        if not self._spool.pending(now):
            return self._rested(Drained({}), now)
        if other := self._taken_by_another(now):
            self.leave_off()
            return Drained({}, elsewhere=other)
        claims = self._spool.claim(BATCH, now)
        try:
            done = Drained(self._taken(claims), full=len(claims) >= BATCH)
        except BaseException:
            self._spool.release(claims)
            raise
        return done if done.full else self._rested(done, now)

    def leave_off(self) -> None:
        """Give back at once what was claimed ahead, in the middle of a line."""
        self._spool.release([])

    def _taken(self, claims: Sequence[Claim]) -> Mapping[Why, int]:
        """Take claims in and file them; what became of how many."""
        turns = [claim.told for claim in claims if isinstance(claim.told, SettledTurn)]
        unread = Counter(claim.told for claim in claims if isinstance(claim.told, Why))
        filed = iter(self._remembered(turns, unread))
        counts, records = Counter(unread), []
        for claim in claims:
            if isinstance(claim.told, Why):
                self._spool.quarantine(claim, claim.told)
                continue
            found = next(filed)
            counts[found.why] += 1
            if found.why is Why.REFUSED:
                self._spool.quarantine(claim, found.why)
            else:
                records.append((claim, kept(claim.told, found)))
        self._spool.keep(records)
        return counts

    def _remembered(self, turns: Sequence[SettledTurn], unread: Mapping[Why, int]) -> list[Filed]:
        """What the store made of these turns; one that it cannot take keeps no other from it."""
        try:
            return self._store.do(take_in, turns, unread, self._desk.grounds)
        except StoreTrouble:
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong with one of them, the others go on
            found = list(self._one_by_one(turns))
        refused = sum(each.why is Why.REFUSED for each in found)
        self._store.do(take_in, [], {**unread, Why.REFUSED: refused}, self._desk.grounds)
        return found

    def _one_by_one(self, turns: Sequence[SettledTurn]) -> Iterator[Filed]:
        for turn in turns:
            try:
                yield from self._store.do(take_in, [turn], {}, self._desk.grounds)
            except StoreTrouble:
                raise
            except Exception:  # noqa: BLE001 - as above
                yield Filed(turn.id, turn.arrival, Why.REFUSED)

    def _taken_by_another(self, now: datetime) -> str:
        """Who else has the duty; empty once it is ours."""
        if not passed(self._held_since, LEASE / 2, now):
            return ""
        if self._hold() or (self._let_dead_one_go() and self._hold()):
            self._held_since = now
            return ""
        held = self._store.ask(duties.held)
        return next((each.holder for each in held if each.name == self._desk.duty), "another")

    def _hold(self) -> bool:
        return self._store.do(duties.hold, self._desk.duty, self._desk.holder, LEASE)

    def _let_dead_one_go(self) -> bool:
        """End the duty of a drainer that was killed, before its lease would."""
        for each in self._store.ask(duties.held):
            if each.name == self._desk.duty and not self._desk.is_up(each.holder):
                return self._store.do(duties.let_go, each.name, each.holder)
        return False

    def _rested(self, done: Drained, now: datetime) -> Drained:
        """Put the spool in order and let others have a turn."""
        self._spool.tidy(now)
        self._forget(now)
        if self._held_since is not None:
            self._held_since = None
            self._store.do(duties.let_go, self._desk.duty, self._desk.holder)
        return done

    def _forget(self, now: datetime) -> None:
        """Now and then, let go of some of what is remembered of turns long ago."""
        if passed(self._forgot, SELDOM, now):
            self._forgot = None if self._store.do(forget) else now

    def _now(self) -> datetime:
        return self._store.ask(lambda tx: tx.now())
