"""The demo's course: set up, let the processes compete while the plot runs, read what came of it."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from drumline import settings, wiring
from drumline.control import views
from drumline.control.ports import Store, Transaction
from drumline.errors import StoreTrouble
from drumline.surfaces.cli.demonstration import sample
from drumline.surfaces.cli.demonstration.crew import Crew
from drumline.surfaces.cli.demonstration.outcome import Outcome
from drumline.surfaces.cli.demonstration.plot import Plot
from drumline.surfaces.cli.demonstration.story import Ledger, Line, told, whole_log

TICK = 0.1
LONGEST = 120.0
PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What there is before the first claim."""

    root: Path
    waves: list[list[str]]
    processes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """How things stand: the store's own status, and which processes there are."""

    status: views.Status
    processes: Mapping[str, int]
    working: set[str]
    killed: set[str]
    seconds: float
    lease: float


class View(Protocol):
    """Whoever shows it."""

    def open(self, opening: Opening) -> None: ...
    def tell(self, line: Line) -> None: ...
    def draw(self, scene: Scene) -> None: ...


@dataclass(slots=True)
class Run:
    """One run on one scratch repository."""

    here: settings.Settings
    store: Store
    crew: Crew
    pace: sample.Pace
    view: View
    since: datetime
    ledger: Ledger = field(default_factory=Ledger)
    _cursor: str = ""

    def watch(self, plot: Plot) -> float:
        """Look again and again until the board and the plot are done; the seconds it took."""
        began = time.monotonic()
        steps, more = plot.steps(self.ledger), True
        while more or self.crew.working():
            self._look(time.monotonic() - began)
            more = next(steps, "over") != "over"
            self.store.changed(TICK)
        self._look(time.monotonic() - began)
        return time.monotonic() - began

    def _look(self, seconds: float) -> None:
        if seconds > LONGEST:
            raise StoreTrouble(
                f"the demo did not end within {LONGEST:.0f} s",
                why="its workers came to no end",
                next=f"see what they said: {self.crew.log}",
            )
        self._read_on()
        status = self.store.ask(views.status, exists=wiring.exists_in(self.here))
        self.view.draw(
            Scene(
                status=status,
                processes=self.crew.processes,
                working=self.crew.working(),
                killed=self.crew.killed(),
                seconds=seconds,
                lease=self.pace.lease,
            )
        )

    def _read_on(self) -> None:
        events, self._cursor = self.store.ask(views.events, cursor=self._cursor, most=PAGE)
        for event in events:
            self.ledger.count(event)
        for line in told(events, self.since):
            self.view.tell(line)

    def tell(self, line: Line) -> None:
        """Show what is not in the log, after all that came before it."""
        self._read_on()
        self.view.tell(line)


def perform(root: Path, seed: int, pace_name: str, view: View) -> Outcome:
    """The whole demo in a new scratch repository."""
    here = sample.write_manifest(root)
    store = wiring.open_store(here)
    sample.fill_board(store, wiring.operator())
    waves = [[str(task.id) for task in wave] for wave in store.ask(views.waves_of)]
    since, pace = store.ask(_now), sample.PACES[pace_name]
    with Crew(root, seed, pace_name) as crew:
        view.open(Opening(root=root, waves=waves, processes=crew.processes))
        run = Run(here, store, crew, pace, view, since)
        plot = Plot(store, crew, root, seed, pace, since, run.tell)
        seconds = run.watch(plot)
    outcome = Outcome(
        root=root,
        seed=seed,
        ledger=whole_log(store),
        problems=_problems(here.store),
        killing=plot.killing,
        attempts=crew.attempts,
        processes=crew.started,
        killed=len(crew.killed()),
        files=sum(wiring.exists_in(here)(f"{sample.FOLDER}/{job.file}") for job in sample.JOBS),
        seconds=seconds,
    )
    store.close()
    return outcome


def _now(tx: Transaction) -> datetime:
    return tx.now()


def _problems(url: str) -> list[str]:
    with closing(wiring.open_upkeep(url, create=False)) as upkeep:
        return list(upkeep.check())
