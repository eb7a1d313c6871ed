"""ClawTeam 0.2.0 (MIT) from PyPI, called in-process with the calls its own CLI makes."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawteam.team.mailbox import MailboxManager
from clawteam.team.manager import TeamManager
from clawteam.team.models import TaskItem, TaskStatus
from clawteam.team.tasks import TaskLockError, TaskStore

from benchmarks.contest import TEXT, TITLE, Size, worker_name
from benchmarks.place import Place

TEAM = "atlas"


class ClawTeamDesk:
    """One agent: it lists what is pending, takes the first it can lock, completes it."""

    def __init__(self, worker: int, workers: int) -> None:
        self._name = worker_name(worker)
        self._recipient = worker_name((worker + 1) % workers)
        self._tasks = TaskStore(TEAM)
        self._mail = MailboxManager(TEAM)

    def add(self) -> None:
        self._tasks.create(subject=TITLE)

    def add_many(self, count: int) -> None:
        for _ in range(count):
            self.add()

    def claim(self) -> str | None:
        while pending := self._tasks.list_tasks(status=TaskStatus.pending):
            for task in pending:
                if self._take(task.id):
                    return str(task.id)
        return None

    def complete(self, claim: str) -> None:
        self._tasks.update(claim, status=TaskStatus.completed, caller=self._name)

    def list_all(self) -> int:
        return len(self._tasks.list_tasks())

    def send_and_ack(self) -> None:
        self._mail.send(from_agent=self._name, to=self._recipient, content=TEXT)
        self._mail.receive(self._recipient, limit=1)

    def close(self) -> None:
        """Nothing is kept open."""

    def _take(self, task: str) -> bool:
        progress: dict[str, Any] = {"status": TaskStatus.in_progress, "owner": self._name}
        try:
            taken = self._tasks.update(task, caller=self._name, **progress)
        except TaskLockError:
            return False  # another agent was faster
        return taken is not None


@dataclass(frozen=True, slots=True)
class ClawTeamSite:
    folder: Path
    workers: int

    def sit(self, worker: int) -> ClawTeamDesk:
        _use(self.folder)
        os.environ["HOME"] = str(self.folder)  # in the worker's process only
        return ClawTeamDesk(worker, self.workers)

    def clear(self) -> None:
        shutil.rmtree(self.folder)


class ClawTeam:
    name = "ClawTeam"

    def __init__(self, place: Place) -> None:
        self._place = place

    def fill(self, size: Size) -> ClawTeamSite:
        folder = self._place.new_folder("clawteam")
        _use(folder)
        TeamManager.create_team(TEAM, worker_name(0), "0")
        for worker in range(1, size.workers):
            TeamManager.add_member(TEAM, worker_name(worker), str(worker))
        tasks = folder / "data" / "tasks" / TEAM
        tasks.mkdir(parents=True, exist_ok=True)
        for number in range(size.done + size.pending):
            status = TaskStatus.completed if number < size.done else TaskStatus.pending
            task = TaskItem(id=f"{number:08x}", subject=TITLE, status=status)
            text = task.model_dump_json(indent=2, by_alias=True)
            (tasks / f"task-{task.id}.json").write_text(text, encoding="utf-8")
        return ClawTeamSite(folder, size.workers)


def _use(folder: Path) -> None:
    os.environ["CLAWTEAM_DATA_DIR"] = str(folder / "data")
    os.environ["CLAWTEAM_TRANSPORT"] = "file"
