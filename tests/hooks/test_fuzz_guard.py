"""Whatever the guard is given, it ends well: 0 or 2, silent or with one answer, and nothing on stderr."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hooks import guarding
from tests.hooks.shell_text import shell
from tests.trying import tries

fixed = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=tries(150),
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
few = settings(fixed, max_examples=tries(25))  # each is a process of its own

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
names = st.sampled_from(["PreToolUse", "PostToolUse", "PostToolUseFailure", "ConfigChange", "Stop"])
tools = st.sampled_from(
    ["Bash", "Write", "Edit", "Read", "apply_patch", "Skill", "Task", "mcp__x__put"]
)
inputs = st.dictionaries(
    st.sampled_from(["command", "file_path", "patch", "skill", "path"]) | st.text(max_size=6),
    shell | values,
    max_size=3,
)
events = st.fixed_dictionaries(
    {},
    optional={
        "hook_event_name": names | values,
        "tool_name": tools | values,
        "tool_input": inputs | values,
        "tool_response": st.dictionaries(st.sampled_from(["exit_code", "exitCode"]), values)
        | values,
        "error": st.sampled_from(["Exit code 2", "exit code", "exit code ²"]) | values,
        "cwd": st.sampled_from(["/", "relative", "/\0", "/\ud800"]) | values,
        "model": values,
    },
)
raw = st.one_of(
    st.binary(max_size=300),
    events.map(lambda event: json.dumps(event).encode()),
    values.map(lambda value: json.dumps(value).encode()),
    st.tuples(events, st.integers(0, 200)).map(
        lambda made: json.dumps(made[0]).encode()[: made[1]]
    ),
    st.sampled_from(["utf-16", "utf-32", "utf-8-sig"]).map('{"hook_event_name": "Stop"}'.encode),
    st.sampled_from([b"[" * 100_000, b'{"a":' * 100_000, b'"' + b"x" * 1_000_000, b"9" * 10_000]),
)
people = st.sampled_from(
    [
        {},
        guarding.MEMBER,
        {"DRUMLINE_MEMBER": "../../etc/passwd"},
        {"LOA_TEAM_MEMBER": "\udcff/\n"},
        {**guarding.MEMBER, "DRUMLINE_INCARNATION": "7"},
        {**guarding.MEMBER, "DRUMLINE_STANDING": "/dev/zero"},
        {**guarding.MEMBER, "DRUMLINE_SOCKET": "/nowhere/at/all"},
        {**guarding.MEMBER, "HOME": "", "TMPDIR": "//"},
    ]
)
files = st.one_of(
    st.binary(max_size=200),
    values.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"constraints": values, "settings": values, "libraries": values, "policy": values}
    ).map(lambda value: json.dumps(value).encode()),
    st.sampled_from([b"", b"null", b"[" * 100_000, b"\xff\xfe", b"../../../etc/passwd", b"x\0y"]),
)


@pytest.fixture
def state(tmp_path) -> Path:
    return guarding.repository(tmp_path, [{"member": "ada", "role": "teammate"}])


@pytest.fixture(scope="module")
def batch() -> Iterator[guarding.Batch]:
    made = guarding.Batch()
    yield made
    assert made.close() == "", "nothing is ever said on stderr"


@pytest.mark.requirement("GUARD-09")
@fixed
@given(given_=raw, who=people)
def test_any_input_ends_well(state, batch, given_, who):
    guarding.reason(*batch.ask(given_, state, who))


@pytest.mark.requirement("GUARD-09")
@few
@given(given_=raw, who=people)
def test_any_input_ends_well_in_a_process_of_its_own(state, given_, who):
    done = guarding.alone(given_, state, who)
    assert done.stderr == b""
    guarding.reason(done.returncode, done.stdout)


@fixed
@given(command=shell, name=st.sampled_from(["PreToolUse", "PostToolUse"]))
def test_any_command_ends_well(state, batch, command, name):
    event = guarding.event(state, "Bash", {"command": command}, name)
    said = guarding.reason(*batch.ask(event, state, guarding.MEMBER))
    assert not said or said.startswith("refused: ")


@pytest.mark.requirement("GUARD-09")
@fixed
@given(written=st.tuples(files, files, files), who=people)
def test_any_rules_and_any_standing_end_well(state, batch, written, who):
    policy, standing, current = written
    named = (state / "policy" / "current").read_text("utf-8", "replace")
    for path in (state / "policy").glob("*.json"):
        path.write_bytes(policy)
    (state / "standing" / "ada.json").write_bytes(standing)
    (state / "policy" / "current").write_bytes(current)
    try:
        event = guarding.event(state, "Bash", {"command": "git push"})
        guarding.reason(*batch.ask(event, state, who))
        guarding.reason(*batch.ask(b"{not json", state, who))
    finally:
        (state / "policy" / "current").write_text(named, "utf-8")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize("plant", [pipe, folder, loop, endless])
@pytest.mark.parametrize(
    "place", ["policy/current", "policy", "standing/ada.json", "standing", "audit"]
)
def test_what_is_planted_in_place_of_a_file_is_neither_waited_for_nor_followed(state, plant, place):
    path = state / place
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    plant(path)
    done = guarding.alone(guarding.event(state, "Bash", {"command": "ls"}), state, guarding.MEMBER)
    assert done.stderr == b""
    guarding.reason(done.returncode, done.stdout)


@pytest.mark.parametrize("broken", ["1>&-", "1>/dev/full", "0<&-", "0<&- 1>&-", "2>&-"])
def test_a_refusal_that_cannot_be_told_still_refuses(state, broken):
    event = guarding.event(state, "Bash", {"command": "git push"})
    words = [guarding.INTERPRETER, "-I", "-S", guarding.GUARD, str(state)]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {broken}', "sh", *words],
        input=event,
        capture_output=True,
        env=guarding.environment(guarding.MEMBER),
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == 2 or guarding.reason(done.returncode, done.stdout)


def catches(process: int, number: int) -> bool:
    """Whether a process has said what it does on a signal."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


@pytest.mark.requirement("GUARD-09")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("who", [{}, guarding.MEMBER], ids=["a person", "a member"])
def test_a_guard_whose_time_is_up_refuses_a_member(state, who):
    waiting = subprocess.Popen(
        [guarding.INTERPRETER, "-I", "-S", guarding.GUARD, str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=guarding.environment(who),
    )
    while not catches(waiting.pid, signal.SIGPROF):
        assert waiting.poll() is None
    waiting.send_signal(signal.SIGPROF)
    said, complaint = waiting.communicate()
    assert complaint == b""
    assert ("OutOfTime" in guarding.reason(waiting.returncode, said)) == bool(who)
