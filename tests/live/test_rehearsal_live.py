"""The real agent CLIs against the rehearsal: what they make of an answer, and what that means for us."""

import os
import select
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import drumline.runtimes
from drumline.runtimes.rehearsal.launch import Cli, Launch, Options, launch
from drumline.runtimes.rehearsal.scratch import Scratch
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.rehearsal.stage import Rehearsed, rehearse
from drumline.store.manifests import read_file, read_text
from drumline.team.outcome import Ending, Outcome, last_record, outcome
from drumline.team.scenario import Scenario, accepted
from tests.forking import stand_in
from tests.live.agent_cli import LONGEST, binary
from tests.live.claude_ends import asked_in_turn
from tests.once import once

SHIPPED = Path(drumline.runtimes.__file__).parent / "scenarios"
SCHEMA = (
    "{type: object, properties: {n: {type: integer}}, required: [n], additionalProperties: false}"
)
ONE_BY_ONE, AS_A_SCRIPT = "", "gpt-6.1-sol"  # how Codex offers its tools


def played(*steps: str, schema: str = "", more: str = "") -> Scenario:
    lines = "".join(f"        - {step}\n" for step in steps)
    asked = f"schema: {schema}\n" if schema else ""
    head = f"scenario: row\nprompt: Do it.\n{asked}members:\n  ada:\n    - steps:\n"
    return accepted(read_text(head + lines + more), "row.yaml")


class Row(NamedTuple):
    """One situation: what the model does, how the CLI is started, and what it must come to."""

    steps: tuple[str, ...]
    ending: Ending
    options: Options = Options()
    schema: str = ""
    more: str = ""
    requests: int = 0


def fault(kind: str | int, **more: int) -> str:
    told = "".join(f", {name}: {value}" for name, value in more.items())
    return f"fault: {{kind: {kind}{told}}}"


TOOL = "tool: {name: Bash, input: {command: touch made}}"
ONCE_AGAIN = Options(retries=1)
CLAUDE = {
    "ok": Row(("say: done",), Ending.SUCCESS, requests=1),
    "tool denied": Row((TOOL, "say: done"), Ending.SUCCESS, Options(mode="dontAsk")),
    "budget": Row(
        ("usage: {input: 100000, output: 50000}", TOOL, "say: done"),
        Ending.BUDGET,
        Options(arguments=("--max-budget-usd", "0.01")),
        requests=1,
    ),
    "max-turns": Row(
        (TOOL, TOOL, TOOL, "say: done"), Ending.BUDGET, Options(arguments=("--max-turns", "2"))
    ),
    "refusal": Row(("end: refusal",), Ending.REFUSED),
    **{
        f"{kind}": Row((fault(kind),), Ending.RETRY, ONCE_AGAIN, requests=2)
        for kind in (429, 500, 529)
    },
    **{f"{kind}": Row((fault(kind),), Ending.REFUSED, ONCE_AGAIN) for kind in (400, 401, 404)},
    "overloaded, then ok": Row(
        (fault("overloaded_then_ok"), "say: done"), Ending.SUCCESS, ONCE_AGAIN, requests=2
    ),
    "error in the stream": Row((fault("error_in_stream"), "say: done"), Ending.RETRY),
    "cut stream": Row((fault("cut_stream"), "say: done"), Ending.RETRY),
    "max_tokens": Row(
        ("say: half", "end: max_tokens", "say: the rest"), Ending.SUCCESS, requests=2
    ),
    "malformed tool input": Row((fault("malformed_tool_input"), TOOL, "say: done"), Ending.SUCCESS),
    "structured": Row(("structured: {n: 3}",), Ending.SUCCESS, schema=SCHEMA, requests=1),
    "structured, bad then good": Row(
        ("structured: {n: x}", "structured: {n: 3}"), Ending.SUCCESS, schema=SCHEMA, requests=2
    ),
    "structured, always bad": Row(("structured: {n: x}",) * 8, Ending.RETRY, schema=SCHEMA),
    "structured, never": Row(
        ("say: no",), Ending.RETRY, schema=SCHEMA, more="    - steps: [{say: no}]\n", requests=2
    ),
}
BUDGET = "features.rollout_budget={enabled=true,limit_tokens=1000,reminder_at_remaining_tokens=[1]}"
CODEX = {
    "ok": Row(("say: done",), Ending.SUCCESS, requests=1),
    "tools offered as a script": Row(
        (TOOL, "say: done"), Ending.SUCCESS, Options(model=AS_A_SCRIPT), requests=2
    ),
    "budget": Row(
        ("usage: {input: 2000}", TOOL, "say: done"),
        Ending.BUDGET,
        Options(arguments=("-c", BUDGET)),
    ),
    "refusal": Row(("end: refusal",), Ending.REFUSED),
    **{f"{kind}": Row((fault(kind),), Ending.RETRY) for kind in (429, 500, 503, 529)},
    **{f"{kind}": Row((fault(kind),), Ending.REFUSED) for kind in (400, 401, 403, 404)},
    "500, then ok": Row((fault(500, times=1), "say: done"), Ending.SUCCESS, ONCE_AGAIN, requests=2),
    "error in the stream": Row((fault("error_in_stream"), "say: done"), Ending.RETRY),
    "cut stream": Row((fault("cut_stream"), "say: done"), Ending.RETRY),
    "cut stream, then ok": Row(
        (fault("cut_stream", times=1), "say: done"), Ending.SUCCESS, ONCE_AGAIN, requests=2
    ),
    "max_tokens": Row(("say: half", "end: max_tokens"), Ending.RETRY),
    "malformed tool input": Row(
        (fault("malformed_tool_input"), TOOL, "say: done"), Ending.SUCCESS, requests=3
    ),
    "structured": Row(("structured: {n: 3}",), Ending.SUCCESS, schema=SCHEMA, requests=1),
    "structured, never": Row(("say: no",), Ending.RETRY, schema=SCHEMA),
}


def told(runtime: str, row: Row, folder: Path) -> Rehearsed:
    scenario = played(*row.steps, schema=row.schema, more=row.more)
    return rehearse(scenario, binary(runtime), runtime, folder / "stage", row.options)


def table(rows: dict[str, Row]) -> list[Any]:
    return [pytest.param(row, id=name) for name, row in rows.items()]


def is_as_told(done: Rehearsed, row: Row) -> None:
    assert done.outcome.ending is row.ending, done
    assert row.requests in {0, done.requests}
    assert (done.failures, done.unplayed) == ((), ())


@pytest.fixture
def denied(tmp_path_factory: pytest.TempPathFactory) -> Rehearsed:
    """What was told of a run in which Claude Code denies a tool."""

    def make(folder: Path) -> dict[str, Any]:
        return asdict(told("claude", CLAUDE["tool denied"], folder))

    found = once(tmp_path_factory, "claude-denies-a-tool", make)
    ending, why, names = found.pop("outcome")
    ended = Outcome(Ending(ending), why, tuple(names))
    return Rehearsed(**{name: tupled(each) for name, each in found.items()}, outcome=ended)


def tupled(found: Any) -> Any:
    return tuple(found) if isinstance(found, list) else found


IN_TURN = {
    "at once": (
        "refusal",
        "error in the stream",
        "cut stream",
        "max_tokens",
        "malformed tool input",
        "ok",
    ),
    "once again": ("429", "500", "529", "400", "401", "404", "overloaded, then ok"),
}  # rows that need no process of their own; each ends well, since all share its exit code


def in_turn(names: Sequence[str], folder: Path) -> dict[str, Any]:
    rows = [CLAUDE[name] for name in names]
    scenario = played(
        *rows[0].steps, schema=rows[0].schema, more=rows[0].more + following(rows[1:])
    )
    return asked_in_turn(scenario, names, folder, replace(rows[0].options, member="ada"))


def following(rows: Sequence[Row]) -> str:
    def steps(row: Row) -> str:
        return "".join(f"        - {step}\n" for step in row.steps)

    return "".join(f"    - steps:\n{steps(row)}{row.more}" for row in rows)


@pytest.mark.parametrize("name", CLAUDE)
def test_every_end_of_claude_means_the_right_thing(name, tmp_path, tmp_path_factory, request):
    row = CLAUDE[name]
    for which, names in IN_TURN.items():
        if name in names:
            kept = f"ends-of-claude-{which.replace(' ', '-')}"
            done = once(tmp_path_factory, kept, lambda folder: in_turn(names, folder))  # noqa: B023
            assert done["rows"][name]["ending"] == row.ending
            assert row.requests in {0, done["rows"][name]["requests"]}
            assert (done["failures"], done["unplayed"]) == ([], [])
            return
    shared = name == "tool denied"  # which another test reads, too
    is_as_told(request.getfixturevalue("denied") if shared else told("claude", row, tmp_path), row)


@pytest.mark.parametrize("row", table(CODEX))
def test_every_end_of_codex_means_the_right_thing(row, tmp_path):
    is_as_told(told("codex", row, tmp_path), row)


def test_a_tool_claude_denies_is_named(denied):
    assert denied.outcome.denied == ("Bash",)
    assert "Permission to use Bash has been denied" in denied.refused[0]


class Stopped(NamedTuple):
    """A run that got a signal while a tool ran: its outcome, and its exit code."""

    outcome: Outcome
    code: int


WAITING = "tool: {name: Bash, input: {command: 'echo > ../began && exec tail -f /dev/null'}}"


@contextmanager
def pipe_of(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def started_in(started: Launch) -> Iterator[subprocess.Popen[str]]:
    """A CLI in a group of its own, of which nothing is left afterwards."""
    with subprocess.Popen(
        started.argv,
        cwd=started.folder,
        env=started.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def stopped(runtime: str, folder: Path, number: int, *steps: str) -> Stopped:
    scenario = played(*steps)
    scratch = Scratch(folder / "stage", "ada")
    pipe = folder / "stage" / "began"
    os.mkfifo(pipe)
    with Rehearsal(scenario) as rehearsal, pipe_of(pipe) as began:
        url = rehearsal.url("ada")
        cli = Cli(binary(runtime), runtime)
        started = launch(cli, scenario, scratch, url, Options(member="ada"))
        with started_in(started) as process:
            assert rehearsal.wait(1, LONGEST)
            if WAITING in steps:
                assert select.select([began], [], [], LONGEST)[0]
            process.send_signal(number)
            out, _ = process.communicate(timeout=LONGEST)
    record = last_record(out.splitlines())
    return Stopped(outcome(record, process.returncode, number), process.returncode)


@pytest.mark.parametrize(
    ("runtime", "number", "code"),
    [
        ("claude", signal.SIGINT, 0),
        ("claude", signal.SIGTERM, 143),
        ("claude", signal.SIGHUP, 129),
        ("codex", signal.SIGINT, 1),
        ("codex", signal.SIGTERM, -signal.SIGTERM),
    ],
)
def test_a_signal_while_a_tool_runs_is_an_interruption(runtime, number, code, tmp_path):
    told = stopped(runtime, tmp_path, number, WAITING, "say: done")
    assert (told.outcome.ending, told.code) == (Ending.INTERRUPTED, code)


@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_signal_while_the_model_says_nothing_is_an_interruption(runtime, tmp_path):
    told = stopped(runtime, tmp_path, signal.SIGINT, fault("hang"))
    assert told.outcome.ending is Ending.INTERRUPTED


@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_killed_cli_has_crashed(runtime, tmp_path):
    assert stopped(runtime, tmp_path, signal.SIGKILL, fault("hang")).outcome.ending == "crashed"


@pytest.mark.requirement("RUN-04")
@pytest.mark.parametrize("name", ["one-task", "three-tasks"])
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_one_scenario_is_played_to_both_clis_under_our_guard(runtime, name, tmp_path):
    scenario = accepted(read_file(SHIPPED / f"{name}.yaml"), name)
    itself = (runtime, name) == ("codex", "one-task")  # our command as a user has it
    options = Options() if itself else Options(ourselves=stand_in())
    done = rehearse(scenario, binary(runtime), runtime, tmp_path / "stage", options)
    assert done.succeeded, done
    assert len(done.refused) == 1


def test_a_member_tells_its_subagent_apart(tmp_path):
    text = """\
scenario: subagent
members:
  ada:
    - steps:
        - tool:
            - name: Agent
              input: {description: look, prompt: Look at the moon, subagent_type: general-purpose}
            - {name: Bash, input: {command: "echo here"}, expect: {contains: here}}
        - say: done
    - when: {subagent: true, contains: the moon}
      steps:
        - tool: {name: Bash, input: {command: "echo there"}}
          expect: {contains: there}
        - say: It is round.
    - when: It is round
      steps: [{say: I see.}]
"""
    scenario = accepted(read_text(text), "subagent.yaml")
    done = rehearse(scenario, binary("claude"), "claude", tmp_path / "stage")
    assert done.succeeded, done


PATCHED = """\
tool:
            - {name: Write, input: {file_path: a.txt, content: "one\\ntwo\\n"}, expect: ok}
        - tool: {name: Read, input: {file_path: a.txt}, expect: {contains: two}}
        - tool: {name: Edit, input: {file_path: a.txt, old_string: two, new_string: three}, expect: ok}
        - tool: {name: Bash, input: {command: cat a.txt}, expect: {result: ok, contains: "one\\nthree"}}"""


@pytest.mark.parametrize(
    ("runtime", "model"), [("claude", ""), ("codex", ONE_BY_ONE), ("codex", AS_A_SCRIPT)]
)
def test_the_same_tools_do_the_same_in_every_shape(runtime, model, tmp_path):
    row = Row((PATCHED, "say: done"), Ending.SUCCESS, Options(model=model))
    is_as_told(told(runtime, row, tmp_path), row)
    assert (tmp_path / "stage" / "work" / "a.txt").read_text() == "one\nthree\n"
