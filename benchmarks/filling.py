"""Rows by the thousand that tell the truth: every one has the event that made it.

They go in through `Engine.load`, the way a backup is restored; `drumline store check` has nothing
to say about the result, and `prove_truthful` asks it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.contest import TEXT, TITLE, Size, worker_name
from drumline.control import registration
from drumline.store.database import Database
from drumline.store.engine import Engine, Row
from drumline.store.migrations import migrate
from drumline.store.upkeep import Caretaker
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, Charter

TEAM = "atlas"
LEAD = "person:bench"
BEGAN = 1_750_000_000_000_000
TOGETHER = 4  # a message has so many recipients, an acknowledgement covers so many messages
CHUNK = 40_000
FREE_IDS = 10_000  # below are the numbers of messages really sent before the load
_encode = json.JSONEncoder(separators=(",", ":")).encode


def found_team(engine: Engine, workers: int) -> Database:
    """An empty store with a team of that many workers and a human lead."""
    migrate(engine)
    store = Database(engine, TEAM)
    members = [Member(name=worker_name(worker)) for worker in range(workers)]
    members.append(Member(name=HUMAN, lead=True, runtime=HUMAN))
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=tuple(members),
        home="bench:/",
        place="bench:/",
        digest="-",
    )
    store.do(registration.register, said)
    return store


def load_tasks(engine: Engine, size: Size) -> None:
    """A board of tasks added one by one, the first of them completed."""
    total = size.done + size.pending
    if not total:
        return
    rows = [_task_row(number, size.done) for number in range(1, total + 1)]
    _load(engine, "tasks", rows)
    _load(engine, "counters", [_counter(total)])
    _load(engine, "events", _task_events(rows))


def load_messages(engine: Engine, total: int, workers: int) -> None:
    """Mail between workers: three of four messages acknowledged, the last of four still waits."""
    last = FREE_IDS + total
    for first in range(FREE_IDS + 1, last + 1, CHUNK):
        numbers = range(first, min(first + CHUNK, last + 1))
        rows = [_message_row(number, workers) for number in numbers]
        _load(engine, "messages", rows)
        _load(engine, "message_texts", map(_text_row, rows))
        _load(engine, "events", _message_events(rows))


def prove_truthful(engine: Engine) -> None:
    """Stop the run if the loaded rows and their events disagree."""
    if complaints := list(Caretaker(engine).check()):
        raise RuntimeError(f"the benchmark's own rows are wrong: {complaints[:3]}")


def _load(engine: Engine, table: str, rows: Sequence[Row] | Iterator[Row]) -> None:
    engine.begin(writing=True)
    try:
        engine.load(table, iter(rows))
        engine.commit()
    except BaseException:
        engine.rollback()
        raise


def _task_row(number: int, done: int) -> Row:
    return {
        "team": TEAM,
        "number": number,
        "title": TITLE,
        "state": "completed" if number <= done else "pending",
        "priority": 0,
        "profile": "",
        "files": "[]",
        "outputs": "[]",
        "tracker": "",
        "run": "",
        "permanent": 0,
        "waits": 0,
        "waited_by": 0,
        "owner": None,
        "incarnation": None,
        "fence": 1 if number <= done else 0,
        "claimed_at": None,
        "lease_until": None,
        "created_at": BEGAN + number,
        "updated_at": BEGAN + number,
    }


def _counter(value: int) -> Row:
    return {"team": TEAM, "name": "task", "value": value}


def _task_events(rows: Sequence[Row]) -> Iterator[Row]:
    for row in rows:
        new = {**row, "state": "pending", "fence": 0}
        number = row["number"]
        changes = [["counters", _counter(number)], ["tasks", new]]
        yield _event(LEAD, "task.added", f"T-{number}", changes)
    for row in rows:
        if row["state"] == "completed":
            yield _event(worker_name(0), "task.completed", f"T-{row['number']}", [["tasks", row]])


def _message_row(number: int, workers: int) -> Row:
    acked = BEGAN + number if number % TOGETHER else None
    group = number // TOGETHER
    return {
        "id": number,
        "team": TEAM,
        "sender": worker_name(group % workers),
        "recipient": worker_name((group + 1 + number % TOGETHER) % workers),
        "kind": "note",
        "sent_at": BEGAN + number,
        "delivered_at": acked,
        "read_at": acked,
        "acked_at": acked,
    }


def _text_row(row: Row) -> Row:
    return {"id": row["id"], "team": TEAM, "body": TEXT}


def _message_events(rows: Sequence[Row]) -> Iterator[Row]:
    unmarked = {"delivered_at": None, "read_at": None, "acked_at": None}
    for first in range(0, len(rows), TOGETHER):
        group = rows[first : first + TOGETHER]
        names = [f"M-{row['id']}" for row in group]
        sent = [pair for row in group for pair in _sent(row, unmarked)]
        yield _event(group[0]["sender"], "mail.sent", ",".join(names), sent)
        acked = [["messages", row] for row in group if row["acked_at"]]
        yield _event(group[0]["recipient"], "mail.acked", ",".join(names), acked)


def _sent(row: Row, unmarked: Row) -> tuple[list[Any], list[Any]]:
    return ["messages", {**row, **unmarked}], ["message_texts", _text_row(row)]


def _event(actor: str, verb: str, subject: str, changes: list[Any]) -> Row:
    return {
        "team": TEAM,
        "at": BEGAN,
        "actor": actor,
        "verb": verb,
        "subject": subject,
        "changes": _encode(changes),
    }
