"""Drumline on SQLite and on PostgreSQL, through the verbs its surfaces call."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from benchmarks.contest import TEXT, TITLE, Size, worker_name
from benchmarks.filling import TEAM, found_team, load_tasks
from benchmarks.place import Place
from drumline.control import board, mail, roster, views
from drumline.errors import NothingReady
from drumline.store.database import Database
from drumline.store.engine import Engine, WallClock
from drumline.store.postgres import Postgres
from drumline.store.sqlite import Sqlite
from drumline.team.actor import Actor, Role
from drumline.team.draft import Listed, NewTask
from drumline.team.task import Holder, Task

PAGE = 1000
LEASE = timedelta(minutes=15)


class DrumlineDesk:
    """One member's process with a connection of its own."""

    def __init__(self, engine: Engine, worker: int, workers: int) -> None:
        self.store = Database(engine, TEAM)
        self._actor = Actor(worker_name(worker), Role.TEAMMATE, 1)
        self._recipient = Actor(worker_name((worker + 1) % workers), Role.TEAMMATE, 1)
        self._lead = roster.person("bench")

    def add(self) -> None:
        self.store.do(board.add, self._lead, NewTask(title=TITLE))

    def add_many(self, count: int) -> None:
        drafts = [Listed(NewTask(title=TITLE)) for _ in range(count)]
        self.store.do(board.add_all, self._lead, drafts)

    def claim(self) -> Task | None:
        holder = Holder(member=self._actor.name, incarnation=1)
        try:
            return self.store.do(board.claim_next, self._actor, holder, lease=LEASE)
        except NothingReady:
            return None

    def complete(self, claim: Task) -> None:
        holder = Holder(member=self._actor.name, incarnation=1, fence=claim.fence)
        self.store.do(board.complete, self._actor, claim.id, holder)

    def list_all(self) -> int:
        found, last = 0, 0
        while page := self.store.ask(views.tasks, after=last, most=PAGE):
            found, last = found + len(page), int(page[-1].id)
            if len(page) < PAGE:
                break
        return found

    def send_and_ack(self) -> None:
        (message,) = self.store.do(mail.send, self._actor, [self._recipient.name], TEXT)
        self.store.do(mail.acknowledge, self._recipient, [message.id])

    def close(self) -> None:
        self.store.close()


@dataclass(frozen=True, slots=True)
class DrumlineSite:
    """A store, and how to get rid of it."""

    connect: Callable[[], Engine]
    workers: int
    clear: Callable[[], None]

    def sit(self, worker: int) -> DrumlineDesk:
        return DrumlineDesk(self.connect(), worker, self.workers)


class OnSqlite:
    """The default store: WAL, synchronous=NORMAL, writers queue at the gate unless told otherwise."""

    name = "SQLite"

    def __init__(self, place: Place, *, gate: bool = True) -> None:
        self._place = place
        self._gate = gate

    def fill(self, size: Size) -> DrumlineSite:
        folder = self._place.new_folder("sqlite")
        path = str(folder / "state.db")

        def connect() -> Engine:
            return Sqlite(path, WallClock(), gate=self._gate)

        _found(connect, size)
        return DrumlineSite(connect, size.workers, lambda: shutil.rmtree(folder))


class OnPostgres:
    """A schema of its own per board; every commit is durable."""

    name = "PostgreSQL"

    def __init__(self, place: Place) -> None:
        self._place = place

    def fill(self, size: Size) -> DrumlineSite:
        schema, url = self._place.new_schema()

        def connect() -> Engine:
            return Postgres(url)

        _found(connect, size)
        self._place.administer(*(f"ANALYZE {schema}.{table}" for table in ("tasks", "events")))
        return DrumlineSite(connect, size.workers, lambda: self._place.drop_schema(schema))


def _found(connect: Callable[[], Engine], size: Size) -> None:
    engine = connect()
    try:
        found_team(engine, size.workers)
        load_tasks(engine, size)
    finally:
        engine.close()  # no open connection may cross a fork
