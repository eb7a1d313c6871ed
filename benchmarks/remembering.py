"""What it costs to tell a member what it learnt, with 100,000 learnings in the files and as many uses kept."""

import time
from pathlib import Path
from statistics import median

from benchmarks.report import Bench, Verdict
from drumline.control.lessons import Remembered
from drumline.store.database import Database
from drumline.store.engine import WallClock
from drumline.store.migrations import migrate
from drumline.store.notebooks import Notebooks
from drumline.store.sqlite import Sqlite
from drumline.team.keeping import KEEPING
from drumline.team.learning import learning_id, learnings_file
from drumline.team.telling import Told

NAME = "remembering"
EACH, FEW, MANY = 50, 1, 2_000  # learnings of a member; members
MARK = 20.0  # milliseconds
LAPS = 60
WINDOW = 200_000
ABOUT = "Speed up the parser in src/parser/lexer.py; its tests need a seed"
SUBJECTS = ("parser", "lexer", "cache", "build", "schema", "index", "queue", "socket")


def run(bench: Bench) -> None:
    """Tell one member again and again, in a small team and in a large one, in turns."""
    total = EACH * MANY
    bench.report.heading(NAME, f"What one member is told of {EACH} learnings, among {total:,}")
    sites = [_Site(bench.place.new_folder("few"), FEW), _Site(bench.place.new_folder("many"), MANY)]
    spent: list[list[float]] = [[], []]
    for _ in range(bench.pick(LAPS, 10)):
        for site, times in zip(sites, spent, strict=True):
            times.append(site.lap())
    few, many = (median(times[2:]) for times in spent)
    bench.report.keep(NAME, few=few, many=many)
    detail = f"{few:.2f} ms → {many:.2f} ms"
    grown = "cost of telling a member what it learnt, from 50 learnings to 100,000"
    least = "a member told what it learnt, among 100,000 learnings, against twenty milliseconds"
    for says, ratio, target in ((grown, many / few, 1.3), (least, many / MARK, 1.0)):
        bench.report.judge(
            Verdict(
                subject=NAME, says=says, ratio=ratio, target=target, at_least=False, detail=detail
            )
        )
    for site in sites:
        site.close()


class _Site:
    """So many members with full notebooks, and a use of every learning."""

    def __init__(self, folder: Path, members: int) -> None:
        self._engine = Sqlite(str(folder / "state.db"), WallClock())
        self._store = Database(self._engine, "atlas")
        migrate(self._engine)
        for number in range(members):
            self._fill(folder, f"m{number}")
        self._learnt = Remembered(Notebooks(str(folder)), KEEPING, WINDOW)

    def _fill(self, folder: Path, member: str) -> None:
        texts = [_text(member, at) for at in range(EACH)]
        path = folder / learnings_file(member)
        path.parent.mkdir(parents=True)
        lines = "".join(f"- {text} (added: 2026-01-01)\n" for text in texts)
        path.write_text(f"# Learnings: {member}\n\n## Gotchas\n{lines}", encoding="utf-8")

        def use(tx: object) -> None:
            for at, text in enumerate(texts):
                tx.citations.add(learning_id(text), member, None, f"run-{at % 9}", "cited")  # type: ignore[attr-defined]
            tx.record("bench", "memory.used", member)  # type: ignore[attr-defined]

        self._store.do(use)

    def lap(self) -> float:
        """Milliseconds for one member, from the file and the store to the lines of its prompt."""
        began = time.perf_counter()
        found: Told = self._store.ask(lambda tx: self._learnt.of("m0", ABOUT, tx.citations.uses))
        assert found.for_task  # noqa: S101 - a measurement of nothing would be fast
        return (time.perf_counter() - began) * 1_000

    def close(self) -> None:
        self._store.close()


def _text(member: str, at: int) -> str:
    subject, other = SUBJECTS[at % len(SUBJECTS)], SUBJECTS[at * 7 % len(SUBJECTS)]
    return f"The {subject} of {member} needs step {at} before the {other} is touched, or tests hang"
