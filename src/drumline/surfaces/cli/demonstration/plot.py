"""The plot: a worker is killed, its task is taken over, its late write and a mistyped name are refused."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from drumline.control.ports import Store, Transaction
from drumline.surfaces.cli.demonstration import sample
from drumline.surfaces.cli.demonstration.crew import Crew
from drumline.surfaces.cli.demonstration.story import Claim, Ledger, Line
from drumline.team.ids import TaskId
from drumline.team.task import Task

MARGIN = 0.3  # at least so much of the work must be left: the worker dies holding the task


@dataclass(frozen=True, slots=True, kw_only=True)
class Killing:
    """Which process was killed, and over what."""

    member: str
    process: int
    task: TaskId
    fence: int
    lines: int


@dataclass(slots=True)
class Plot:
    """What the demo does to the team; each step waits for the store to show that it is time."""

    store: Store
    crew: Crew
    root: Path
    seed: int
    pace: sample.Pace
    since: datetime
    tell: Callable[[Line], None]
    killing: Killing | None = None

    def steps(self, ledger: Ledger) -> Iterator[None]:
        """One step each time it is asked; over when the last is done or no worker is left."""
        while (victim := self._victim()) is None:
            if not self.crew.working():
                return
            yield
        killing = self.killing = self._kill(victim)
        while (heir := _next_claim(ledger, killing)) is None:
            if not self.crew.working():
                return
            yield
        self._tell_of(heir, killing)
        yield from self._pause(self.pace.pause)
        self._write_late(killing)
        yield from self._pause(3 * self.pace.pause)
        self._mistype(heir.owner, killing.member)

    def _pause(self, seconds: float) -> Iterator[None]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.crew.working():
            yield

    def _victim(self) -> Task | None:
        """The long task, once its holder is well inside it and not near its end."""
        wanted = sample.long_task(self.seed)
        found, now = self.store.ask(_task_now, wanted)
        if found is None or found.claimed_at is None:
            return None
        age = (now - found.claimed_at).total_seconds()
        latest = sample.lines_of(self.seed, wanted) * self.pace.line - MARGIN
        return found if self.pace.kill_after <= age <= latest else None

    def _kill(self, task: Task) -> Killing:
        member = task.owner or ""
        process = self.crew.kill(member)
        lines = _lines_in(self.root / task.outputs[0])
        self._say(
            Line(
                verb="kill -9",
                subject=str(task.id),
                who=member,
                words=f"process {process} dies after line {lines}, holding fence {task.fence}",
                turn=f"kill -9 {process}. {member} died holding {task.id} (fence {task.fence}) and can "
                "tell nobody: only its lease can end the claim.",
            )
        )
        return Killing(member=member, process=process, task=task.id, fence=task.fence, lines=lines)

    def _tell_of(self, heir: Claim, killing: Killing) -> None:
        self._say(
            Line(
                verb="took over",
                subject=str(killing.task),
                who=heir.owner,
                words=f"fence {heir.fence} after {killing.member}'s {killing.fence}, "
                f"goes on at line {killing.lines + 1}",
                turn=f"{killing.member}'s lease ran out: {killing.task} went back to the board and "
                f"{heir.owner} took it, with fence {heir.fence}, from line {killing.lines + 1} on.",
            )
        )

    def _write_late(self, killing: Killing) -> None:
        words = ("task", "done", str(killing.task), "--fence", str(killing.fence))
        turn = f"Now a late write of {killing.member} arrives, with the old fence:"
        self._attempt(killing.member, words, str(killing.task), turn)

    def _mistype(self, sender: str, dead: str) -> None:
        meant = next(name for name in sample.MEMBERS if name not in {sender, dead})
        words = ("mail", "send", "Ready for review", "--to", sample.MISTYPED[meant])
        self._attempt(sender, words, "", f"{sender} writes to {meant}, and mistypes the name:")

    def _attempt(self, member: str, words: tuple[str, ...], subject: str, turn: str) -> None:
        tried = self.crew.attempt(member, *words)
        self._say(
            Line(
                verb="tried",
                subject=subject,
                who=member,
                words=tried.command,
                turn=turn,
                answer=tried.answer,
            )
        )

    def _say(self, line: Line) -> None:
        seconds = (self.store.ask(_now) - self.since).total_seconds()
        self.tell(replace(line, at=seconds))


def _next_claim(ledger: Ledger, killing: Killing) -> Claim | None:
    claims = ledger.claims.get(str(killing.task), [])
    return next((claim for claim in claims if claim.fence > killing.fence), None)


def _lines_in(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


def _task_now(tx: Transaction, task: TaskId) -> tuple[Task | None, datetime]:
    return tx.tasks.get(task), tx.now()


def _now(tx: Transaction) -> datetime:
    return tx.now()
