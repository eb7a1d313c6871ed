"""Settled turns: what 64 hooks at once lose on their way into the spool, and how fast it is drained."""

import json
import os
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from uuid import uuid4

from benchmarks import dd_writer
from benchmarks.report import Bench, Verdict, rate
from drumline.control.attribution import Grounds
from drumline.control.draining import Desk, Drainer
from drumline.control.registration import Registration, register
from drumline.hooks import __file__ as hooks
from drumline.store import spool_order
from drumline.store.database import Database
from drumline.store.engine import WallClock
from drumline.store.migrations import migrate
from drumline.store.spool import Spool, prepare
from drumline.store.sqlite import Sqlite
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, Charter
from drumline.team.settled import LONGEST

NAME = "spooling"
WRITERS = 64
LEAST, MOST = 512, 300 * 1024
OURS = str(Path(str(hooks)).with_name("turn_settled.sh"))
MEMBERS = ("ada", "brook", "cleo")
DRAINS = 5


def run(bench: Bench) -> None:
    count = bench.pick(10_000, 640)
    title = f"{count:,} events of 0.5 to 300 KiB in 1 to 8 pieces, {WRITERS} hooks at once"
    bench.report.heading(NAME, title)
    theirs = bench.place.new_folder("writer") / "turn-settled-hook.sh"
    theirs.write_text(dd_writer.SCRIPT)
    events = list(_events(count))
    rows = [
        _written(bench, name, script, events)
        for name, script in (("ours", OURS), ("one dd", str(theirs)))
    ]
    head = ("writer", "whole", "refused as too long", "cut", "lost", "s")
    bench.report.table(
        head,
        [
            [name, *map(str, row.values())]
            for name, row in zip(("ours", "one dd"), rows, strict=True)
        ],
    )
    bench.report.keep(NAME, ours=rows[0], one_dd=rows[1])
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="events that the hook lost or cut",
            ratio=rows[0]["cut"] + rows[0]["lost"],
            target=0,
            at_least=False,
            detail=f"one dd: {rows[1]['cut'] + rows[1]['lost']:.0f} of {count:,}",
        )
    )
    _drain(bench)


def _events(count: int) -> list[bytes]:
    """Events of any size, each with words of its own."""
    chance = Random(11)
    return [_event(number, chance.randint(LEAST, MOST)) for number in range(count)]


def _event(number: int, size: int) -> bytes:
    said = {
        "session_id": str(uuid4()),
        "transcript_path": f"/home/kim/.claude/projects/-repo/{uuid4()}.jsonl",
        "cwd": "/repo",
        "prompt_id": f"p{number}",
        "hook_event_name": "Stop",
        "last_assistant_message": "",
    }
    said["last_assistant_message"] = "x" * max(0, size - len(json.dumps(said)))
    return json.dumps(said).encode()


def _written(bench: Bench, name: str, script: str, events: list[bytes]) -> dict[str, float]:
    """What became of events that a writer was given."""
    spool = bench.place.new_folder(f"spool-{name.replace(' ', '-')}")
    prepare(str(spool))
    began = time.monotonic()
    with ThreadPoolExecutor(WRITERS) as writers:
        codes = Counter(writers.map(partial(_told, script, str(spool)), enumerate(events)))
    took = time.monotonic() - began
    if set(codes) != {0}:
        raise AssertionError(f"a hook failed: {codes}")
    kept = Counter(sha256(path.read_bytes()).digest() for path in (spool / "incoming").iterdir())
    fitting = [sha256(event).digest() for event in events if len(event) <= LONGEST]
    whole = sum(digest in kept for digest in fitting)
    notes = sum(path.name.startswith("oversize-") for path in (spool / "incoming").iterdir())
    cut = kept.total() - whole - notes
    return {
        "whole": whole,
        "refused": notes,
        "cut": cut,
        "lost": len(events) - kept.total(),
        "seconds": round(took),
    }


def _told(script: str, spool: str, given: tuple[int, bytes]) -> int:
    """One hook, given one event in pieces."""
    number, event = given
    with subprocess.Popen(
        ["/bin/sh", script, spool, "claude"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as hook:
        if hook.stdin is None:
            raise AssertionError("it was asked for")
        step = len(event) // (1 + number % 8) + 1
        try:
            for at in range(0, len(event), step):
                os.write(hook.stdin.fileno(), event[at : at + step])
        except BrokenPipeError:
            pass  # it read what it wanted
        hook.stdin.close()
        return hook.wait()


def _drain(bench: Bench) -> None:
    """How many events of the usual size are drained in a second: the median, as machines are not steady."""
    count = bench.pick(20_000, 2_000)
    bench.report.line(f"draining {count:,} events of 1 KiB into SQLite, {DRAINS} times")
    runs = [
        _drained(bench.place.new_folder(f"drained-{number}"), count) for number in range(DRAINS)
    ]
    by_clock, by_processor = (median(rates) for rates in zip(*runs, strict=True))
    told = ", ".join(rate(each) for each, _ in sorted(runs))
    bench.report.keep(
        NAME, drained_per_second=by_clock, drained_per_cpu_second=by_processor, drains=runs
    )
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="thousand events drained in a second of the clock",
            ratio=by_clock / 1000,
            target=5,
            detail=f"{told}; {rate(by_processor)} in a second of the processor",
        )
    )


def _drained(folder: Path, count: int) -> tuple[float, float]:
    """How many events were drained in a second of the clock, and of the processor."""
    prepare(str(folder / "spool"))
    for number in range(count):
        name = f"20260101T120000Z-{number}-{uuid4()}.claude.json"
        hint = f'\n{{"drumline":{{"team":"atlas","member":"{MEMBERS[number % 3]}","life":""}}}}\n'
        (folder / "spool" / "incoming" / name).write_bytes(_event(number, 1024) + hint.encode())
    draining = _drainer(folder)
    began, used, taken = time.perf_counter(), time.process_time(), 0
    while True:
        done = draining.batch()
        taken += sum(done.counts.values())
        if not done.full:
            break
    took, used = time.perf_counter() - began, time.process_time() - used
    if taken != count:
        raise AssertionError(f"{taken} of {count} were drained")
    return taken / took, taken / used


def _drainer(folder: Path) -> Drainer:
    store = Database(Sqlite(str(folder / "state.db"), WallClock()), "atlas")
    migrate(store.engine)
    said = Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=(*map(Member, MEMBERS), Member(HUMAN, lead=True, runtime=HUMAN)),
        home="bench",
        place="bench",
        digest="-",
    )
    store.do(register, said)
    spool = Spool(str(folder / "spool"), lambda place: spool_order.tidy(place, WallClock().now()))
    desk = Desk("spool:bench", "bench:1/1", Grounds(), lambda _: True)
    return Drainer(store, spool, desk)
