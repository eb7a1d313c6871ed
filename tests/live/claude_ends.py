"""One process of Claude Code that is asked once for each of many rows, and what each came to."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Any

from drumline.runtimes.rehearsal.launch import Cli, Launch, Options, launch
from drumline.runtimes.rehearsal.scratch import Scratch
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.team.outcome import outcome
from drumline.team.scenario import Scenario
from tests.live.agent_cli import LONGEST, binary


def asked_in_turn(
    scenario: Scenario, names: Sequence[str], folder: Path, options: Options
) -> dict[str, Any]:
    """How each turn of the scenario ended in one process, by name, and after how many requests."""
    scratch = Scratch(folder / "stage", "ada")
    with Rehearsal(scenario) as model:
        cli = Cli(binary("claude"), "claude")
        started = launch(cli, scenario, scratch, model.url("ada"), options)
        told: dict[str, Any] = {}
        with _begun(started, LONGEST * len(names)) as process:
            assert process.stdin
            assert process.stdout
            for name in names:
                before = model.requests()
                _ask(process.stdin, f"Do it: {name}.")
                record = _next_record(process.stdout)
                told[name] = {"record": record, "requests": model.requests() - before}
            process.stdin.close()
            code = process.wait()
        asked = scenario.schema is not None
        for each in told.values():
            each["ending"] = outcome(each.pop("record"), code, asked=asked).ending
        return {"rows": told, "failures": model.failures(), "unplayed": model.unplayed()}


@contextmanager
def _begun(started: Launch, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """The process, whose prompts come one by one and not among its words."""
    words = started.argv[: started.argv.index("--")]
    with subprocess.Popen(
        [*words, "--input-format=stream-json"],
        cwd=started.folder,
        env=started.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        late = Timer(seconds, process.kill)
        late.start()
        try:
            yield process
        finally:
            late.cancel()
            process.kill()


def _ask(stdin: IO[str], words: str) -> None:
    message = {"role": "user", "content": words}
    stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
    stdin.flush()


def _next_record(stdout: IO[str]) -> dict[str, Any] | None:
    lines = map(json.loads, stdout)
    return next((line for line in lines if line["type"] == "result"), None)
