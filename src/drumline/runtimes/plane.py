"""The plane: the one process of a host that looks after a team's members there.

It keeps nothing in its head that matters: each pass is decided from the store and from which processes
are alive, so that another plane goes on where a killed one stopped. Members outlive it.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from types import FrameType
from typing import NamedTuple, Protocol

from drumline.control import claims, duties, lives, passes
from drumline.control.ports import Store
from drumline.errors import Conflict
from drumline.runtimes import processes, sweep
from drumline.runtimes.offshoot import Child
from drumline.runtimes.outlook import Outlook
from drumline.runtimes.rounds import Rounds
from drumline.runtimes.sweep import Proc
from drumline.team.duty import WAKING, plane_of
from drumline.team.life import LEASE, RENEWAL, Life, Process, WhyEnded, is_behind
from drumline.team.rhythm import passed
from drumline.team.staffing import NO_PAST, Begin, End, House, Past, Wait

PACE = 1.0  # seconds between passes when nothing happens
SWEEPING = timedelta(seconds=30)  # between looks at everything that runs here
LINGERING = timedelta(seconds=3)  # what a process may take to end after its life
BIRTH = timedelta(seconds=30)  # what a started process has to begin its life
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

Starter = Callable[[Sequence[str]], Child]
Grouped = Callable[[Sequence[str]], list[list[str]]]
Beside = Callable[[str], AbstractContextManager[object]]


def holder_here(host: str, door: str) -> str:
    """This process, as it holds a duty: with its place, where a copy of the store could name it too."""
    own = os.getpid()
    return f"{host}:{own}/{processes.started(own)}" + (f"/{door}" if door else "")


def process_of(holder: str) -> tuple[int, str]:
    """The process that holds a duty: its number and when it began."""
    number, _, rest = holder.rpartition(":")[2].partition("/")
    return (int(number) if number.isdecimal() else 0), rest.partition("/")[0]


def is_up(holder: str, host: str) -> bool:
    """Whether the process that holds a duty is there; of another host nobody can tell."""
    return not holder.startswith(f"{host}:") or processes.is_alive(*process_of(holder))


class Drive(Protocol):
    """Whatever drives a team's runs."""

    def __call__(self) -> None: ...

    def end(self) -> None: ...


class Works(NamedTuple):
    """How a plane starts members: who shares a process, the process itself, its mark, and for how many is room.

    drain  takes in what hooks left, where it is time to, and tells whether there is more
    drive  brings the team's runs as far as they go now, and ends what goes on beside that
    is_there  tells whether the store is still where it was opened
    door  the folder of doors by which it knows a process of its own place; empty where all are its own
    """

    grouped: Grouped
    start: Starter
    mark: str
    room: Callable[[], int]
    drain: Callable[[], bool]
    drive: Drive
    door: str = ""
    is_there: Callable[[], bool] = lambda: True

    def is_own(self, process: Process) -> bool:
        return is_behind(process, self.door)


class Plane:
    """One host's plane of one team."""

    def __init__(self, store: Store, host: str, works: "Works") -> None:
        self._store, self._host = store, host
        self._works, self._nursery = works, Nursery(works.start)
        self._holder = holder_here(host, works.door)
        self._renewed: datetime | None = None
        self._swept: datetime | None = None
        self._look_at: datetime | None = None
        self._seen: dict[str, Life] = {}
        self._processes: set[tuple[int, str]] = set()  # of those seen: many may share one
        self._leaving: dict[str, tuple[Life, datetime]] = {}
        self._stopping = False

    def run(self, beside: Beside) -> None:
        """Look after members until told to stop, another plane has taken over, or the store was removed.

        What is `beside` runs only while the duty is this plane's, and is told who holds it.
        """
        if not (self._hold() or (self._let_dead_one_go() and self._hold())):
            raise Conflict(
                f"a plane looks after this team on {self._host} already",
                why="each host has one",
                next="drumline member list   # or: drumline down",
            )
        outlook = Outlook(self._store)
        rounds = Rounds(self._store, self._holder, self._works.drive)
        with self._told_to_stop():
            try:
                with beside(self._holder):
                    while not self._stopping and self._works.is_there() and self._renew():
                        if not self._pass(outlook, rounds):
                            outlook.wait(PACE, lambda: self._stopping)
            finally:
                self._nursery.end({life.member for life in self._store.ask(lives.living)})
                self._works.drive.end()
                rounds.end()
                self._store.do(duties.let_go, plane_of(self._host), self._holder)

    def _hold(self) -> bool:
        return self._store.do(duties.hold, plane_of(self._host), self._holder, LEASE)

    def _let_dead_one_go(self) -> bool:
        """End the duties of a plane of this host that was killed, long before their leases would."""
        dead = [
            duty
            for duty in self._store.ask(duties.held)
            if duty.name in {plane_of(self._host), WAKING} and not is_up(duty.holder, self._host)
        ]
        for duty in dead:
            self._store.do(duties.let_go, duty.name, duty.holder)
        return bool(dead)

    def _pass(self, outlook: Outlook, rounds: Rounds) -> bool:
        """See whether there is anything to do, which costs little; then do it. True when there is more."""
        more = self._works.drain()
        outlook.read()
        due, now = self._store.ask(lambda tx: (tx.due(), tx.now()))
        if outlook.staff() or due - {"wakes"} or self._is_time(now):
            self.look_after()
        rounds.go(due, now, news=outlook.team(), runs=outlook.runs())
        return more

    def _is_time(self, now: datetime) -> bool:
        """Whether a look is called for that no event does: a process is gone, or somebody has waited."""
        late = self._look_at is None or not now < self._look_at <= now + SWEEPING
        alive = all(processes.is_alive(*each) for each in self._processes)
        return late or bool(self._leaving) or not alive

    def look_after(self) -> None:
        """One pass: what is dead is ended, what is wanted begins, what is left over is swept."""
        due = self._store.ask(lambda tx: tx.due())
        ended = self._store.do(lives.ended_leases) if "leases" in due else []
        self._end_processes(ended)
        living = self._store.ask(lives.living)
        gone = self._buried([life for life in living if life.process.host == self._host])
        ended += gone
        if "claims" in due:
            self._store.do(claims.take_back_expired)
        living = [life for life in living if life not in gone] if gone else living
        self._see_off([life for life in living if life.process.host == self._host])
        self._nursery.settle({life.member for life in living}, self._now())
        self._staff(living)
        for life in ended:
            sweep.sweep(f"{self._works.mark}/{life.name}")
        self._sweep_strays()

    def _see_off(self, living: Sequence[Life]) -> None:
        """End processes that go on after somebody ended their lives; most end by themselves."""
        now, here = self._now(), {life.name: life for life in living}
        for name in self._seen.keys() - here.keys():
            self._leaving.setdefault(name, (self._seen[name], now))
        self._seen, shared = here, {life.process.pid for life in here.values()}
        self._processes = {(life.process.pid, life.process.pid_start) for life in living}
        for name, (life, since) in list(self._leaving.items()):
            process = life.process
            if process.pid in shared or not processes.is_alive(process.pid, process.pid_start):
                del self._leaving[name]
            elif passed(since, LINGERING, now):
                self._end_processes([life])
                sweep.sweep(f"{self._works.mark}/{life.name}")

    def _sweep_strays(self) -> None:
        """End what lives that are over left behind, whoever ended them."""
        if not passed(self._swept, SWEEPING, self._now()):
            return
        self._swept = self._now()
        found = sweep.marked(self._works.mark)  # first, so that none just begun is taken for dead
        if self._strays(found, self._seen.values()):
            sweep.end(self._strays(found, self._here()))

    def _strays(self, found: Mapping[Proc, str], living: Iterable[Life]) -> list[Proc]:
        """Whose marks are of none of these lives."""
        own = tuple(f"{self._works.mark}/{life.name}/" for life in living)
        return [each for each, mark in found.items() if not f"{mark}/".startswith(own)]

    def _renew(self) -> bool:
        """Keep the duty; false once another has it."""
        now = self._now()
        if not passed(self._renewed, RENEWAL, now):
            return True
        self._renewed = now
        return self._store.do(duties.renew, plane_of(self._host), self._holder, LEASE)

    def _now(self) -> datetime:
        return self._store.ask(lambda tx: tx.now())

    def _here(self) -> list[Life]:
        return [life for life in self._store.ask(lives.living) if life.process.host == self._host]

    def _end_processes(self, ended: Sequence[Life]) -> None:
        """End the processes of these lives that still run here; others may live in the same process."""
        here = [life.process for life in ended if life.process.host == self._host]
        living = {life.process.pid for life in self._here()} if here else set()
        for process in here:
            if process.pid not in living and self._works.is_own(process):
                processes.end(process.pid, process.pid_start)

    def _buried(self, here: Sequence[Life]) -> list[Life]:
        """End the lives whose process is gone, long before their leases would."""
        shared = {(life.process.pid, life.process.pid_start) for life in here}
        alive = {each for each in shared if processes.is_alive(*each)}  # many lives may share one
        gone = [life for life in here if (life.process.pid, life.process.pid_start) not in alive]
        for life in gone:
            self._store.do(lives.end, life, WhyEnded.CRASHED)
        return gone

    def _staff(self, living: Sequence[Life]) -> None:
        now = self._now()
        leaving = {life.member for life, _ in self._leaving.values()}
        house = House(self._host, self._works.room(), self._nursery.busy(now) | leaving)
        begun, self._look_at = [], now + SWEEPING
        for move in self._store.ask(passes.staffing, house, living):
            match move:
                case Begin(member):
                    begun.append(member)
                case Wait(until=until):
                    self._look_at = min(self._look_at, until or self._look_at)
                case End(life):
                    self._store.do(
                        lives.end, life, WhyEnded.STOPPED, "it did not end when asked to"
                    )
                    self._end_processes([life])
                    sweep.sweep(f"{self._works.mark}/{life.name}")
        for group in self._works.grouped(begun):
            self._nursery.begin(group, now)
        self._look_at = min([self._look_at, *self._nursery.next_looks(now)])

    @contextmanager
    def _told_to_stop(self) -> Iterator[None]:
        def stop(_number: int, _frame: FrameType | None) -> None:
            self._stopping = True

        before = {number: signal.signal(number, stop) for number in ENDING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Nursery:
    """Processes that were started and have not begun a life yet."""

    def __init__(self, start: Starter) -> None:
        self._start = start
        self._born: dict[str, tuple[Child, datetime]] = {}
        self._failed: dict[str, Past] = {}
        self._grown: list[Child] = []

    def begin(self, members: Sequence[str], now: datetime) -> None:
        """Start a process for members that share it."""
        child = self._start(members)
        self._born |= dict.fromkeys(members, (child, now))

    def end(self, living: set[str]) -> None:
        """End whoever has not begun to live: nobody would look after it."""
        grown = [*self._grown, *(self._born[name][0] for name in living & self._born.keys())]
        for child, _ in self._born.values():
            if child not in grown and child.poll() is None:
                child.kill()
                child.wait()

    def busy(self, now: datetime) -> frozenset[str]:
        """Who is being started, or failed to start a moment ago."""
        resting = {
            member
            for member, past in self._failed.items()
            if past.last is not None and now < past.last + past.pause()
        }
        return frozenset(self._born.keys() | resting)

    def next_looks(self, now: datetime) -> Iterator[datetime]:
        """When to look next at who is being started, or failed to start."""
        if self._born:
            yield now
        yield from (
            past.last + past.pause()
            for past in self._failed.values()
            if past.last is not None and now < past.last + past.pause()
        )

    def settle(self, living: set[str], now: datetime) -> None:
        """Let go of who lives; who ended without a life, or never began one, has failed."""
        self._grown = grown = [child for child in self._grown if child.poll() is None]
        for member, (child, since) in sorted(
            self._born.items(), key=lambda each: each[0] not in living
        ):  # the living first: their process is not killed for one who never began in it
            if member in living:
                self._failed.pop(member, None)
            elif child.poll() is not None or now - since >= BIRTH:
                if child not in grown:  # others may live in the process it never began in
                    child.kill()
                    child.wait()
                self._failed[member] = Past(self._failed.get(member, NO_PAST).crashes + 1, now)
            else:
                continue
            del self._born[member]
            self._grown.append(child)
