"""The spool's folders: hooks drop events into `incoming`; one drainer claims, files and forgets them.

Every batch is claimed into a folder of its own that says when. In a long line, a hand claims the next one
while this one is at the store.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from drumline.control.draining import Claim
from drumline.store.spool_files import (
    INCOMING,
    INVALID,
    PROCESSED,
    PROCESSING,
    STUCK,
    Done,
    Taken,
    clear_away,
    described,
    entries,
    give_all_back,
    give_back,
    is_folder,
    let_go,
    new_folder,
    safe,
    take,
    write,
)
from drumline.store.spool_hand import Errand, Hand, HandLost
from drumline.team.rhythm import passed
from drumline.team.settled import Why

STALE = timedelta(minutes=5)
UNTIDY, SELDOM = 1000, timedelta(minutes=10)  # after so much, or so long, it is put in order
LONG = 1000  # names in line that are worth a hand
MOST_LISTED = 30_000  # names held at once, however many there are
MADE = "%Y%m%dT%H%M%S.%fZ"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Spool:
    """One spool, drained by one process at a time; `tidy` is its way to put itself in order.

    Claims are dated by the store, which all who drain share; files by the machine that keeps them.
    """

    def __init__(self, folder: str, tidy: Callable[[str], None]) -> None:
        self.folder, self._tidy = folder, tidy
        self._incoming = os.path.join(folder, INCOMING)
        self._listed: deque[str] = deque()
        self._stuck: set[str] = set()
        self._folders: list[str] = []  # of the claims that are out
        self._hand: Hand | None = None
        self._unhandy = False
        self._new = 0
        self._tidied: datetime | None = None

    def pending(self, now: datetime) -> bool:
        """Whether there is something to claim, or a claim that nobody will finish."""
        if not is_folder(self._incoming):  # it was one when it was listed
            self._listed.clear()
            self._put_hand_down()
        elif self._hand or self._listed or any(map(self._is_free, entries(self._incoming))):
            return True
        return any(_is_stale(entry, now, STALE) for entry in entries(self._at(PROCESSING)))

    def claim(self, most: int, now: datetime) -> list[Claim]:
        """The next files in the order they came: by their time, then by their name."""
        if self._new >= UNTIDY:
            self._put_in_order(now)
        self.recover(now)
        claims: dict[str, Claim] = {}
        try:
            self._claim(claims, most, now)
        except BaseException:
            self.release(list(claims.values()))
            raise
        return list(claims.values())

    def keep(self, filed: Sequence[tuple[Claim, Mapping[str, Any]]]) -> None:
        """File what is kept of a batch, a line each, and let the events themselves go."""
        records, places = [record for _, record in filed], [claim.place for claim, _ in filed]
        done, self._folders = Done(records, places, self._folders), []
        self._new += len(filed)
        if self._hand:
            self._hand.leave(done)
        else:
            clear_away(self.folder, done)

    def quarantine(self, claim: Claim, why: Why) -> None:
        """File that something could not be read, why, and what it was; its words are not kept."""
        found = claim.found if isinstance(claim.told, Why) else described(claim.place)
        said = {"reason": why.value, "name": claim.name, **found}
        write(self._at(INVALID, safe(claim.name)), [said])
        let_go(self.folder, claim.place)
        self._new += 1

    def release(self, claims: Sequence[Claim]) -> None:
        """Give back what was not taken in, to be listed anew; what was is not there any more."""
        self._listed.clear()
        for claim in claims:
            give_back(claim.place, self._incoming)
        self._put_hand_down()
        done, self._folders = Done(folders=self._folders), []
        clear_away(self.folder, done)

    def tidy(self, now: datetime) -> None:
        """End what is finished, and let go of what is too old or too much."""
        self._put_hand_down()
        self._unhandy = False
        if self._new or passed(self._tidied, SELDOM, now):
            self._put_in_order(now)

    def recover(self, now: datetime, age: timedelta = STALE) -> int:
        """Give back the claims that nobody has finished for so long; how many."""
        ours = (*self._folders, *(self._hand.folders if self._hand else ()))
        back = 0
        for entry in entries(self._at(PROCESSING)):
            if entry.path in ours or not _is_stale(entry, now, age):
                continue
            if entry.is_dir(follow_symlinks=False):
                back += give_all_back(entry.path, self._incoming)
            else:
                back += give_back(entry.path, self._incoming)
        return back

    def _names(self) -> Iterator[str]:
        """What there is to claim; a long list is made once for many batches."""
        while self._listed:
            yield self._listed.popleft()
        self._listed.extend(self._in_order())
        while self._listed:
            yield self._listed.popleft()

    def _in_order(self) -> list[str]:
        free = filter(self._is_free, entries(self._incoming))
        return [name for _, name in sorted(map(_arrival, free))[:MOST_LISTED]]

    def _is_free(self, entry: os.DirEntry[str]) -> bool:
        return entry.name not in self._stuck

    def _claim(self, claims: dict[str, Claim], most: int, now: datetime) -> None:
        """Claim so many in all, or what there is, and have a hand claim the next."""
        owners = (os.geteuid(), os.stat(self.folder).st_uid)
        for folder, found in self._brought():
            self._add(claims, folder, found)
        if len(claims) < most:
            folder = self._new_folder(now)
            for name in self._names():
                if name in claims:
                    continue  # what comes again under its name meanwhile is of the next batch
                if taken := take(self._incoming, folder, name, owners):
                    self._add(claims, folder, taken)
                if len(claims) == most:
                    break
        self._send_hand(Errand(self.folder, self._named(now), self._folders, (), owners), most)

    def _add(self, claims: dict[str, Claim], folder: str, taken: Taken) -> None:
        name, turn, why_not, found = taken
        if why_not == STUCK:
            self._stuck.add(name)
        else:
            claims[name] = Claim(name, os.path.join(folder, name), turn or Why(why_not), found)

    def _brought(self) -> Iterator[tuple[str, Taken]]:
        """What the hand has claimed meanwhile."""
        if self._hand is None:
            return
        try:
            folder, found = self._hand.brought()
        except HandLost:
            self._lose_hand()
            return
        self._folders.append(folder)
        for taken in found:
            yield folder, taken

    def _send_hand(self, errand: Errand, most: int) -> None:
        """Have the next batch claimed meanwhile, where the line is long or a hand is out already."""
        if self._hand is None and (self._unhandy or len(self._listed) < LONG):
            return
        names = [self._listed.popleft() for _ in range(min(most, len(self._listed)))]
        try:
            self._hand = self._hand or Hand(self.folder)
            self._hand.send(errand._replace(names=names))
        except HandLost:
            self._lose_hand()

    def _lose_hand(self) -> None:
        """Go on without a hand until there is a rest: one that ends by itself may do so again."""
        self._unhandy = True
        self._listed.clear()
        self._put_hand_down()

    def _put_hand_down(self) -> None:
        hand, self._hand = self._hand, None
        if hand:
            hand.let_go()

    def _put_in_order(self, now: datetime) -> None:
        self._new, self._tidied = 0, now
        self._stuck.clear()
        self._tidy(self.folder)

    def _new_folder(self, now: datetime) -> str:
        folder = self._named(now)
        new_folder(self.folder, folder)
        self._folders.append(folder)
        return folder

    def _named(self, now: datetime) -> str:
        """Where to claim a batch: by its name, others know how old a claim is."""
        return self._at(PROCESSING, f"{now.astimezone(UTC):{MADE}}-{os.urandom(6).hex()}")

    def _at(self, *names: str) -> str:
        return os.path.join(self.folder, *names)


def prepare(folder: str) -> None:
    """Make a spool that hooks can drop into, and nobody else can read."""
    for name in ("", INCOMING, PROCESSING, PROCESSED, INVALID):
        Path(folder, name).mkdir(mode=0o700, exist_ok=True)


def nanoseconds(moment: datetime) -> int:
    """A moment as files count it: they may bear times that no calendar has."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


def _arrival(entry: os.DirEntry[str]) -> tuple[int, str]:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns, entry.name
    except OSError:
        return 0, entry.name


def _is_stale(entry: os.DirEntry[str], now: datetime, age: timedelta) -> bool:
    """Whether a claim was made so long ago, by the name of its folder or else by its time."""
    try:
        made = nanoseconds(
            datetime.strptime(entry.name.rpartition("-")[0], MADE).replace(tzinfo=UTC)
        )
    except ValueError:
        made = _arrival(entry)[0]
    return abs(nanoseconds(now) - made) >= age // timedelta(microseconds=1) * 1000  # clocks go back
