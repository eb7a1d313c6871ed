"""How long it takes to build a board of 1,000 tasks, as a person or an agent does it: by commands.

ClawTeam's command makes one task a process. Thirty of them are timed on a board that is empty, half built and all
but built, and a thousand are reckoned from their mean: running them all would take longer than all other subjects.
"""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.clawteam_files import TEAM, ClawTeam
from benchmarks.contest import TITLE, Contestant, Site, Size
from benchmarks.drumline_board import OnPostgres, OnSqlite
from benchmarks.growth import seconds
from benchmarks.race import Start, race
from benchmarks.report import Bench, Verdict, middle

NAME = "building"
TASKS = 1000
SCRIPTS = Path(sys.executable).parent
PLAN = "".join(f"{json.dumps({'title': TITLE})}\n" for _ in range(TASKS))
AT_ONCE = "drumline task add --from, 1,000 lines"
ONE_BY_ONE = "drumline task add, 1,000 times (reckoned)"
THEIRS = "clawteam task create, 1,000 times (reckoned)"
LAUNCH = "clawteam launch of a template with 1,000 tasks, stopped before its agents start"
TEMPLATE = (
    '[template]\nname = "bench"\n[template.leader]\nname = "w00"\n'
    + f'[[template.tasks]]\nsubject = "{TITLE}"\n' * TASKS
)


@dataclass(frozen=True, slots=True)
class Shell:
    """A folder that is the home of whoever types there, and nothing of ours in its environment."""

    folder: Path
    beside: Mapping[str, str]

    def call(self, *words: str, code: int = 0) -> None:
        environment = {"PATH": f"{SCRIPTS}:/usr/bin:/bin", "HOME": str(self.folder), **self.beside}
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode != code:
            raise RuntimeError(f"{words[:3]} ended with {done.returncode}: {done.stderr!r}")


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"Building a board of {TASKS:,} tasks: whole commands, seconds")
    spent = _by_commands(bench)
    for name, took in spent.items():
        bench.report.line(f"{took:10,.3f}  {name}")
    bench.report.keep(NAME, by_commands=spent)
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"a board of {TASKS:,} tasks by commands: ClawTeam's {TASKS:,} (reckoned) against one",
            ratio=spent[THEIRS] / spent[AT_ONCE],
            target=50,
            detail=f"{spent[THEIRS]:,.0f} s : {spent[AT_ONCE]:.2f} s",
        )
    )
    for name, other in ((ONE_BY_ONE, THEIRS), (AT_ONCE, LAUNCH)):
        ratio = spent[other] / spent[name]
        bench.report.line(f"not judged: {ratio:.2g} x, {other} : {name}")
    _in_process(bench)


def _by_commands(bench: Bench) -> dict[str, float]:
    """Seconds for a thousand tasks; each way takes its turn, so that a slow moment is everyone's."""
    spent: dict[str, list[float]] = {AT_ONCE: [], THEIRS: [], ONE_BY_ONE: [], LAUNCH: []}
    for there in (0, TASKS // 2, TASKS - 30):
        theirs, ours = _clawteam(bench, there), _drumline(bench, there)
        for turn in range(bench.pick(31, 11)):
            took = {
                THEIRS: seconds(partial(theirs.call, "clawteam", "task", "create", TEAM, TITLE)),
                ONE_BY_ONE: seconds(partial(ours.call, "drumline", "task", "add", TITLE)),
            }
            if turn % 10 == 1:
                took |= _as_a_whole(bench)
            if turn:  # the first turn writes the bytecode
                for name, each in took.items():
                    spent[name].append(each)
    mean = {name: sum(several) / len(several) for name, several in spent.items()}
    return {name: each * (TASKS if "reckoned" in name else 1) for name, each in mean.items()}


def _as_a_whole(bench: Bench) -> dict[str, float]:
    """Seconds for all tasks by one command on an empty board; theirs makes a team and starts it, if it can."""
    ours, theirs = _drumline(bench, 0), _clawteam(bench, 0)
    launch = ("clawteam", "launch", "bench", "--team", "other", "--backend", "none")
    found = {
        AT_ONCE: seconds(partial(ours.call, *_adding("plan.jsonl"))),
        LAUNCH: seconds(partial(theirs.call, *launch, code=1)),
    }
    _prove_built(theirs.folder / "data" / "tasks" / "other")
    return found


def _clawteam(bench: Bench, there: int) -> Shell:
    """A team of ClawTeam's with so many tasks, and a template with all of them."""
    folder = ClawTeam(bench.place).fill(Size(0, there, 1)).folder
    templates = folder / ".clawteam" / "templates"
    templates.mkdir(parents=True)
    (templates / "bench.toml").write_text(TEMPLATE, encoding="utf-8")
    beside = {"CLAWTEAM_DATA_DIR": str(folder / "data"), "CLAWTEAM_TRANSPORT": "file"}
    return Shell(folder, beside)


def _drumline(bench: Bench, there: int) -> Shell:
    """A team of ours with so many tasks, whose store is founded, and a plan with all of them."""
    shell = Shell(bench.place.new_folder("repository"), {})
    shell.call("git", "init", "-q")
    shell.call("drumline", "init", "--yes", "--name", TEAM)
    (shell.folder / "plan.jsonl").write_text(PLAN, encoding="utf-8")
    (shell.folder / "before.jsonl").write_text(
        "".join(PLAN.splitlines(keepends=True)[: max(1, there)]), encoding="utf-8"
    )
    shell.call(*_adding("before.jsonl"))
    return shell


def _adding(plan: str) -> tuple[str, ...]:
    return "drumline", "task", "add", "--from", plan


def _prove_built(folder: Path) -> None:
    found = len(list(folder.glob("task-*.json")))
    if found != TASKS:
        raise RuntimeError(f"{folder} has {found} tasks")


@dataclass(frozen=True, slots=True)
class Built:
    """Seconds that a board took: by the clock, and of the processor that the building process used."""

    clock: float
    processor: float


def _in_process(bench: Bench) -> None:
    """The calls below the commands, in a process that is warm.

    Neither SQLite nor files wait for the disk here, so the processor's time is told beside the clock's, for a
    machine that is busy. A server's time is not its client's: PostgreSQL goes by the clock only.
    """
    contestants: Sequence[Contestant] = (
        OnSqlite(bench.place),
        OnPostgres(bench.place),
        ClawTeam(bench.place),
    )
    spent: dict[str, list[Built]] = {each.name: [] for each in contestants}
    for _ in range(bench.pick(9, 3)):
        for contestant in contestants:
            spent[contestant.name].append(_built(contestant))
    processor = {
        name: middle([each.processor for each in several]) for name, several in spent.items()
    }
    clock = {name: middle([each.clock for each in several]) for name, several in spent.items()}
    bench.report.keep(NAME, in_process={"processor": processor, "clock": clock})
    _compare(bench, processor, OnSqlite.name, "of the processor")
    for name in (OnSqlite.name, OnPostgres.name):
        _compare(bench, clock, name, "by the clock")


def _compare(bench: Bench, took: Mapping[str, float], name: str, measure: str) -> None:
    ours, theirs = (took[each] * 1e6 / TASKS for each in (name, ClawTeam.name))
    bench.report.line(
        f"not judged: {theirs / ours:.3g} x in one process, ClawTeam's create {TASKS:,} times : one verb"
        f" for all, {name}  [{theirs:,.0f} µs : {ours:,.1f} µs a task {measure}]"
    )


def _built(contestant: Contestant) -> Built:
    site = contestant.fill(Size(0, 0, 1))
    try:
        return race(partial(_build, site), 1)[0]
    finally:
        site.clear()


def _build(site: Site, worker: int, start: Start) -> Built:
    desk = site.sit(worker)
    desk.add()
    start()
    clock, processor = time.monotonic(), time.process_time()
    desk.add_many(TASKS)
    took = Built(time.monotonic() - clock, time.process_time() - processor)
    desk.close()
    return took
