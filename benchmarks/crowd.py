"""A crowd: scripted members by the hundred, really run by a plane and its runners.

They only read, so that none needs a checkout: what is left is what a member itself costs.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from benchmarks.place import Place
from drumline.control import board, duties, lives, roster
from drumline.control.ports import Store, Transaction
from drumline.runtimes.plane import process_of
from drumline.settings import Settings, find
from drumline.team.draft import NewTask
from drumline.team.duty import plane_of
from drumline.team.life import LifeState
from drumline.team.manifest import schema
from drumline.team.task import TaskState
from drumline.wiring import open_store
from drumline.wiring.machine import host
from tests.running import ANSWER, Team, team, until

PATIENCE = 600.0
TICKS = os.sysconf("SC_CLK_TCK")
KILOBYTE = 1024
READ = "play.yaml"
READS = "tools: [Read], owns: []"
WRITES = "tools: [Read, Write, Edit, Bash], owns: ['**']"
PLAY = f"""\
scenario: reads
members:
  any:
    - again: true
      steps:
        - tool: {{name: Read, input: {{file_path: {READ}}}}}
""" + ANSWER.format(files="[]")


class Memory(NamedTuple):
    """Bytes that processes occupy: each page for everyone who has it, and each page once."""

    resident: float
    shared_once: float


class Worked(NamedTuple):
    """What so many tasks took: seconds on the clock, and of the processor."""

    tasks: int
    seconds: float
    processor: float

    @property
    def per_second(self) -> float:
        return self.tasks / self.seconds

    @property
    def each(self) -> float:
        return self.processor / self.tasks


@dataclass(frozen=True, slots=True)
class Crowd:
    """One team of members that read, in a repository of its own."""

    team: Team
    doors: Path
    members: int

    @property
    def settings(self) -> Settings:
        return find(str(self.team.root))

    def start(self) -> None:
        self.team.run("member", "start", "--all")

    def idle(self, store: Store) -> bool:
        """Whether everyone lives and has nothing to do."""
        found = store.ask(lives.living)
        return sum(life.state is LifeState.IDLE for life in found) == self.members

    def add(self, store: Store, tasks: int) -> None:
        store.do(_add_all, tasks)

    def done(self, store: Store) -> int:
        count, _ = store.ask(lambda tx: tx.tasks.count()).get(TaskState.COMPLETED, (0, 0))
        return count

    def runners(self, store: Store) -> set[int]:
        return {life.process.pid for life in store.ask(lives.living)}

    def plane(self, store: Store) -> int:
        name = plane_of(host())
        return next(
            process_of(duty.holder)[0] for duty in store.ask(duties.held) if duty.name == name
        )


class Crowds:
    """Members on one machine, in as many teams as a manifest's longest list of them makes necessary."""

    def __init__(self, crowds: list[tuple[Crowd, Store]]) -> None:
        self._crowds = crowds
        self.members = sum(crowd.members for crowd, _ in crowds)
        self.teams = len(crowds)

    def idle(self) -> float:
        """Start all and wait until nobody has anything to do; the seconds it took."""
        began = monotonic()
        for crowd, _ in self._crowds:
            crowd.start()
        until(lambda: all(crowd.idle(store) for crowd, store in self._crowds), PATIENCE)
        return monotonic() - began

    def of_runners(self) -> Memory:
        return _memory(pid for crowd, store in self._crowds for pid in crowd.runners(store))

    def of_planes(self) -> Memory:
        return _memory(crowd.plane(store) for crowd, store in self._crowds)

    def processor(self) -> float:
        """Seconds of the processor until now: planes, runners, and every process these have ended."""
        found = [
            pid
            for crowd, store in self._crowds
            for pid in (crowd.plane(store), *crowd.runners(store))
        ]
        return sum(map(_spent, found))

    def of_planes_processor(self) -> float:
        """The same of the planes alone."""
        return sum(_spent(crowd.plane(store)) for crowd, store in self._crowds)

    def work(self, tasks: int) -> Worked:
        """Have tasks done, each with one tool call, by whoever is first."""
        before, began = self.processor(), monotonic()
        shares = _shares(tasks, -(-tasks // self.teams))
        for (crowd, store), share in zip(self._crowds, shares, strict=True):
            crowd.add(store, share)
        until(lambda: self._done() == tasks, PATIENCE)
        seconds = monotonic() - began
        until(lambda: all(crowd.idle(store) for crowd, store in self._crowds), PATIENCE)
        return Worked(tasks, seconds, self.processor() - before)

    def _done(self) -> int:
        return sum(crowd.done(store) for crowd, store in self._crowds)


@contextmanager
def crowds(place: Place, members: int, *, together: int) -> Iterator[Crowds]:
    """So many members, `together` in a process; nothing of them is left afterwards."""
    with ExitStack() as opened:
        found = []
        for share in _shares(members, most_members()):
            each = opened.enter_context(crowd(place, share, together=together))
            store = open_store(each.settings)
            opened.callback(store.close)
            found.append((each, store))
        yield Crowds(found)


@contextmanager
def crowd(place: Place, members: int, *, together: int, may: str = READS) -> Iterator[Crowd]:
    """A team whose members are not started yet; down again afterwards."""
    doors = place.new_folder("d")
    settings = f"settings: {{max-parallel: {members}, scripted-per-process: {together}}}\n"
    entries = "".join(
        f"  - {{name: m{number}, role: Reads, runtime: scripted, scenario: {READ}, {may}}}\n"
        for number in range(members)
    )
    with team(place.new_folder("crowd"), doors, entries, PLAY, settings) as found:
        yield Crowd(found, doors, members)
    until(lambda: not found.processes())  # a plane is the last to go


def most_members() -> int:
    """How many members a manifest may have."""
    return int(schema()["properties"]["members"]["maxItems"])


def _shares(total: int, most: int) -> list[int]:
    return [min(most, total - at) for at in range(0, total, most)]


def _add_all(tx: Transaction, tasks: int) -> None:
    """All in one transaction: what is measured is the work, not its coming."""
    for number in range(tasks):
        board.add(tx, roster.person("bench"), NewTask(title=f"Read, for the {number}th time"))


def _memory(processes: Iterator[int]) -> Memory:
    found = [Path(f"/proc/{pid}/smaps_rollup").read_text("ascii") for pid in processes]
    resident, once = (sum(_kilobytes(text, name) for text in found) for name in ("Rss:", "Pss:"))
    return Memory(resident * KILOBYTE, once * KILOBYTE)


def _kilobytes(text: str, name: str) -> int:
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(name))


def _spent(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / TICKS  # its own and its children's, user and system
