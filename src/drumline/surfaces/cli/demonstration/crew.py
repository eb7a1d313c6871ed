"""The demo's processes: started here, killed here, and none left behind."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from drumline.surfaces.cli.demonstration.sample import MEMBERS

PYTHON = (sys.executable, "-P", "-m")  # -P: what lies in the present folder is not ours to import
WORKER = "drumline.surfaces.cli.demonstration.worker"
LOG = ".drumline/workers.log"
OURS = ("DRUMLINE_", "LOA_TEAM_MEMBER")
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A command some member ran, and what it was told."""

    member: str
    command: str
    code: int
    answer: tuple[str, ...]

    @property
    def refused(self) -> bool:
        return self.code == 1 and self.answer[0].startswith("refused:")


class Crew:
    """One worker process for each member; leaving ends them all."""

    def __init__(self, root: Path, seed: int, pace: str) -> None:
        self._root = root
        self._spoken = (str(seed), pace)
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self.attempts: list[Attempt] = []

    def __enter__(self) -> Self:
        try:
            for name in MEMBERS:
                self._workers[name] = self._start(name)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers.values():
            worker.kill()
            worker.communicate()

    @property
    def processes(self) -> Mapping[str, int]:
        return {name: worker.pid for name, worker in self._workers.items()}

    @property
    def started(self) -> int:
        return len(self._workers) + len(self.attempts)

    @property
    def log(self) -> Path:
        """What workers said on stderr: nothing, unless one broke."""
        return self._root / LOG

    def working(self) -> set[str]:
        """The members whose process is alive."""
        return {name for name, worker in self._workers.items() if worker.poll() is None}

    def killed(self) -> set[str]:
        """The members whose process ended by a signal, as the kernel tells it."""
        return {name for name, worker in self._workers.items() if (worker.poll() or 0) < 0}

    def kill(self, name: str) -> int:
        """End a worker with kill -9, and wait until the kernel says that it is gone."""
        worker = self._workers[name]
        worker.kill()
        worker.wait(PATIENCE)
        return worker.pid

    def attempt(self, member: str, *words: str) -> Attempt:
        """Run a `drumline` command as a member, in a process of its own, as a shell would."""
        called = subprocess.run(  # noqa: S603 - our own command, with our own words
            [*PYTHON, "drumline", *words, "-C", str(self._root)],
            env={**_clean_environment(), "DRUMLINE_MEMBER": member},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        said = (called.stdout + called.stderr).splitlines() or ["(nothing)"]
        tried = Attempt(member, shlex.join(("drumline", *words)), called.returncode, tuple(said))
        self.attempts.append(tried)
        return tried

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - as above
                [*PYTHON, WORKER, str(self._root), name, *self._spoken],
                env=_clean_environment(),
                stdin=subprocess.PIPE,  # never written to: it closes when this process ends
                stdout=subprocess.DEVNULL,
                stderr=log,
                process_group=0,  # Ctrl-C is for the demo, which then ends its workers
            )


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
