"""One JSON file per task behind one lock: our re-creation of the design of Claude Code's own teams.

It is as quick as plain Python makes it: `flock`, the standard `json`, one open file per task read, a
temporary file and `os.replace` per write, and no fsync at all, so a power cut may lose what it
confirmed. State and dependencies live in the files, hence finding the next task is a scan.
`ScanFiles` does as those teams do: list all tasks, choose, then lock, look again and replace; whoever
was too slow lists again. `LockFiles` locks first and stops at the first task that is ready: not how
they work, but the best a file per task could do.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.contest import TEXT, TITLE, Size, worker_name
from benchmarks.place import Place

Record = dict[str, Any]


class FileDesk:
    """One process at a folder of tasks and a folder of inboxes."""

    def __init__(self, folder: Path, worker: int, workers: int, *, lock_first: bool) -> None:
        self._tasks = str(folder / "tasks")
        self._inboxes = str(folder / "inboxes")
        self._name = worker_name(worker)
        self._recipient = worker_name((worker + 1) % workers)
        self._lock_first = lock_first
        self._sent = 0

    def add(self) -> None:
        with _locked(f"{self._tasks}/.lock"):
            high = f"{self._tasks}/.highest"
            number = int(_read_text(high)) + 1
            _replace(high, str(number))
            _replace(f"{self._tasks}/{number}.json", json.dumps(_task(number, "pending")))

    def add_many(self, count: int) -> None:
        for _ in range(count):
            self.add()

    def claim(self) -> str | None:
        if self._lock_first:
            with _locked(f"{self._tasks}/.lock"):
                return self._take(found) if (found := self._first_ready()) else None
        while found := self._first_ready_of_all():
            with _locked(f"{self._tasks}/.lock"):
                found = _read(f"{self._tasks}/{found['id']}.json")
                if found["status"] == "pending":
                    return self._take(found)
        return None

    def _take(self, found: Record) -> str:
        found["status"], found["owner"] = "in_progress", self._name
        path = f"{self._tasks}/{found['id']}.json"
        _replace(path, json.dumps(found))
        return path

    def complete(self, claim: str) -> None:
        with _locked(f"{self._tasks}/.lock"):
            task = _read(claim)
            if task["owner"] != self._name:
                raise RuntimeError(f"{claim} was taken by {task['owner']}")
            task["status"] = "completed"
            _replace(claim, json.dumps(task))

    def list_all(self) -> int:
        return len([_read(path) for path in self._paths()])

    def send_and_ack(self) -> None:
        self._sent += 1
        key = f"{self._name}-{self._sent}"
        path = f"{self._inboxes}/{self._recipient}.json"
        with _locked(f"{path}.lock"):
            inbox = json.loads(_read_text(path))
            inbox.append({"id": key, "from": self._name, "text": TEXT, "read": False})
            _replace(path, json.dumps(inbox))
        with _locked(f"{path}.lock"):
            inbox = json.loads(_read_text(path))
            for message in inbox:
                if message["id"] == key:
                    message["read"] = True
            _replace(path, json.dumps(inbox))

    def close(self) -> None:
        """Nothing is kept open."""

    def _paths(self) -> Iterator[str]:
        names = [name[:-5] for name in os.listdir(self._tasks) if name[-5:] == ".json"]  # noqa: PTH208 - pathlib would slow the baseline
        return (f"{self._tasks}/{number}.json" for number in sorted(names, key=int))

    def _first_ready(self) -> Record | None:
        for path in self._paths():
            task = _read(path)
            if task["status"] == "pending" and all(map(self._completed, task["blockedBy"])):
                return task
        return None

    def _first_ready_of_all(self) -> Record | None:
        tasks = [_read(path) for path in self._paths()]
        unmet = {task["id"] for task in tasks if task["status"] != "completed"}
        return next(
            (
                task
                for task in tasks
                if task["status"] == "pending" and not unmet.intersection(task["blockedBy"])
            ),
            None,
        )

    def _completed(self, number: str) -> bool:
        return bool(_read(f"{self._tasks}/{number}.json")["status"] == "completed")


@dataclass(frozen=True, slots=True)
class FileSite:
    folder: Path
    workers: int
    lock_first: bool

    def sit(self, worker: int) -> FileDesk:
        return FileDesk(self.folder, worker, self.workers, lock_first=self.lock_first)

    def clear(self) -> None:
        shutil.rmtree(self.folder)


class ScanFiles:
    """List all tasks, choose, then lock, look again and replace."""

    name = "json files"
    _lock_first = False

    def __init__(self, place: Place) -> None:
        self._place = place

    def fill(self, size: Size) -> FileSite:
        folder = self._place.new_folder("files")
        for part in ("tasks", "inboxes"):
            (folder / part).mkdir()
        total = size.done + size.pending
        for number in range(1, total + 1):
            status = "completed" if number <= size.done else "pending"
            _write(f"{folder}/tasks/{number}.json", json.dumps(_task(number, status)))
        _write(f"{folder}/tasks/.highest", str(total))
        for worker in range(size.workers):
            _write(f"{folder}/inboxes/{worker_name(worker)}.json", "[]")
        return FileSite(folder, size.workers, self._lock_first)


class LockFiles(ScanFiles):
    """Lock, then stop at the first task that is ready."""

    name = "json files, lock first"
    _lock_first = True


def _task(number: int, status: str) -> Record:
    owner = "" if status == "pending" else worker_name(0)
    return {
        "id": str(number),
        "subject": TITLE,
        "description": "",
        "owner": owner,
        "status": status,
        "blocks": [],
        "blockedBy": [],
    }


@contextmanager
def _locked(path: str) -> Iterator[None]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read_text(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, os.fstat(file).st_size)
    finally:
        os.close(file)


def _read(path: str) -> Record:
    found: Record = json.loads(_read_text(path))
    return found


def _write(path: str, text: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def _replace(path: str, text: str) -> None:
    unfinished = f"{path}.{os.getpid()}"
    _write(unfinished, text)
    os.replace(unfinished, path)  # noqa: PTH105 - as above
