"""One worker process of the demo: claim, work, renew, complete, write; until the board is done.

Started as `python -m … FOLDER MEMBER SEED PACE`. It ends when its standard input does, so that no
worker outlives the demo, however the demo ends.
"""

import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from drumline import settings, wiring
from drumline.control import board, mail, roster, views
from drumline.control.ports import Store
from drumline.errors import NothingReady, NotHolder
from drumline.surfaces.cli.demonstration.sample import PACES, Pace, letter, lines_of
from drumline.team.actor import Actor
from drumline.team.task import Holder, Task, TaskState

PATIENCE = 0.2


@dataclass(frozen=True, slots=True)
class Worker:
    """A member in one life, at its place in the store."""

    store: Store
    root: Path
    actor: Actor
    seed: int
    pace: Pace

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.pace.lease)

    def holder(self, task: Task | None = None) -> Holder:
        fence = task.fence if task else None
        return Holder(member=self.actor.name, incarnation=self.actor.incarnation, fence=fence)

    def run(self) -> None:
        """Take what is ready until nothing is left to wait for."""
        while True:
            try:
                task = self.store.do(board.claim_next, self.actor, self.holder(), lease=self.lease)
            except NothingReady:
                if self._all_done():
                    return
                self.store.changed(PATIENCE)
                continue
            with suppress(NotHolder):  # it was too slow, and someone else has the task now
                self._carry_out(task)
            self._read_mail()

    def _carry_out(self, task: Task) -> None:
        file = task.outputs[0]
        self._write(task, self.root / file)
        self.store.do(board.complete, self.actor, task.id, self.holder(task))
        if said := letter(self.actor.name, task.id, file):
            self.store.do(mail.send, self.actor, [said[0]], said[1])

    def _write(self, task: Task, path: Path) -> None:
        """Write the file line by line, going on where a former holder was cut off."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        total = lines_of(self.seed, task.id)
        there = len(path.read_text(encoding="utf-8").splitlines())
        renewed = time.monotonic()
        for number in range(there + 1, total + 1):
            time.sleep(self.pace.line)
            if time.monotonic() - renewed >= self.pace.renew:
                holder = self.holder(task)
                self.store.do(board.renew, self.actor, task.id, holder, lease=self.lease)
                renewed = time.monotonic()
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{number:>2}/{total} {task.title}: {self.actor}, fence {task.fence}\n")

    def _read_mail(self) -> None:
        if waiting := self.store.ask(mail.inbox, self.actor.name):
            self.store.do(mail.acknowledge, self.actor, [message.id for message in waiting])

    def _all_done(self) -> bool:
        return not any(
            self.store.ask(views.tasks, state=state, most=1)
            for state in (TaskState.PENDING, TaskState.IN_PROGRESS)
        )


def _end_with_the_demo() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


def main(folder: str, member: str, seed: str, pace: str) -> None:
    """Fill a member's place and work."""
    threading.Thread(target=_end_with_the_demo, daemon=True).start()
    store = wiring.open_store(settings.find(folder))
    store.do(roster.begin_life, store.ask(roster.acting_as, member), member)
    actor = store.ask(roster.acting_as, member)
    Worker(store, Path(folder), actor, int(seed), PACES[pace]).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
