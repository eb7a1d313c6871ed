"""One rehearsal: the real CLI, once, in a repository of its own, against the scenario."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from drumline.errors import Unknown
from drumline.runtimes.rehearsal.launch import Cli, Launch, Options, launch
from drumline.runtimes.rehearsal.play import Failure
from drumline.runtimes.rehearsal.scratch import Scratch
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.team.outcome import Outcome, last_record, outcome
from drumline.team.scenario import Scenario
from drumline.team.scenario_form import ANY

GRACE = 5.0  # seconds between asking it to end and ending it
LONGEST_LINE = 16 * 1024 * 1024
TAIL = 2_000
ALONE = "member"  # who plays a scenario that names nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """What happened: how the CLI ended by its own record, what it called, what was not as expected."""

    runtime: str
    member: str
    outcome: Outcome
    exit_code: int
    requests: int
    called: tuple[str, ...]
    refused: tuple[str, ...]
    failures: tuple[Failure, ...]
    unplayed: tuple[str, ...]
    record: Mapping[str, Any] | None
    errors: str

    @property
    def succeeded(self) -> bool:
        """Whether the CLI says so itself and everything expected came true."""
        return self.outcome.succeeded and not self.failures

    def facts(self) -> dict[str, Any]:
        """The rehearsal as data, for `--json`."""
        return {
            "runtime": self.runtime,
            "member": self.member,
            "succeeded": self.succeeded,
            "ending": self.outcome.ending.value,
            "why": self.outcome.why,
            "exit_code": self.exit_code,
            "requests": self.requests,
            "called": list(self.called),
            "refused": list(self.refused),
            "denied": list(self.outcome.denied),
            "failures": [each._asdict() for each in self.failures],
            "unplayed": list(self.unplayed),
            "record": dict(self.record) if self.record is not None else None,
            "errors": self.errors,
        }


def rehearse(
    scenario: Scenario, cli: str, runtime: str, folder: Path, options: Options | None = None
) -> Rehearsed:
    """Run the real CLI once against the scenario, in a repository of its own in `folder`."""
    given = options or Options()
    given = replace(given, member=given.member or _someone(scenario))
    scratch = Scratch(folder, given.member, given.ourselves)
    for words in scenario.before:
        scratch.operate(words)
    with Rehearsal(scenario, tell=given.tell) as rehearsal:
        started = launch(Cli(cli, runtime), scenario, scratch, rehearsal.url(given.member), given)
        ended = run(started, folder, given.seconds)
        asked = scenario.schema is not None
        return _told(rehearsal, (runtime, given.member), ended, asked=asked)


def _someone(scenario: Scenario) -> str:
    return ALONE if scenario.first() == ANY else scenario.first()


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that is over: its exit code, the signal we had to send, and what it printed."""

    exit_code: int
    signal: int
    record: dict[str, Any] | None
    errors: str


def run(started: Launch, folder: Path, seconds: float) -> Ended:
    """Run a CLI to its end; past its time it is asked to end, then ended, with all of its group."""
    out, err = folder / "out.jsonl", folder / "err.txt"
    with out.open("wb") as printed, err.open("wb") as complained:
        process = _started(started, printed, complained)
        try:
            sent = _wait(process, seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # itself, and what it left in its group
            process.wait()
    errors = err.read_bytes()[-TAIL:].decode("utf-8", "replace")
    return Ended(process.returncode, sent, last_record(_lines(out)), errors)


def _started(started: Launch, out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - the CLI that was named
            started.argv,
            cwd=started.folder,
            env=started.environ,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    except OSError as error:
        raise Unknown(
            f"{started.argv[0]} cannot be started",
            why=str(error.strerror),
            next="name the agent CLI's own program",
        ) from error


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Wait for the end; the last signal that had to be sent for it."""
    for number, limit in ((0, seconds), (signal.SIGINT, GRACE), (signal.SIGKILL, None)):
        if number:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(limit)
            return int(number)
    return int(signal.SIGKILL)


def _lines(path: Path) -> Iterator[str]:
    """What was printed, line by line; a line too long to be a record is left out."""
    with path.open("rb") as file:
        while raw := file.readline(LONGEST_LINE):
            yield raw.decode("utf-8", "replace")


def _told(rehearsal: Rehearsal, who: tuple[str, str], ended: Ended, *, asked: bool) -> Rehearsed:
    asked_once = {(each.session, each.agent, each.depth): each for each in rehearsal.records()}
    records = asked_once.values()  # a request that was sent again called nothing twice
    return Rehearsed(
        runtime=who[0],
        member=who[1],
        outcome=outcome(ended.record, ended.exit_code, ended.signal, asked=asked),
        exit_code=ended.exit_code,
        requests=rehearsal.requests(),
        called=tuple(name for record in records for name in record.called),
        refused=tuple(
            result.text for record in records for result in record.results if result.refused
        ),
        failures=tuple(rehearsal.failures()),
        unplayed=tuple(rehearsal.unplayed()),
        record=ended.record,
        errors=ended.errors,
    )
