"""`drumline demo`: what it promises its audience, and that it leaves no process behind."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.surfaces.console import drumline

DEMO = (sys.executable, "-m", "drumline", "demo", "--fast")
SOON = 30


@dataclass(frozen=True)
class Shown:
    """A demo that ran to its end, and where it ran."""

    out: str
    scratch: Path
    code: int


def environment(scratch: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(scratch), **more}


def scratch_of(out: str) -> Path:
    found = re.search(r"^scratch +(\S+)$", out, re.MULTILINE)
    assert found is not None
    return Path(found[1])


def workers_of(out: str) -> list[int]:
    found = [int(number) for number in re.findall(r"\(process (\d+)\)", out)]
    assert len(found) == 4
    return found


def gone(process: int) -> bool:
    """Wait for the kernel's word that a process which is not our child has ended."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], SOON)[0])
    finally:
        os.close(handle)


def still_about(scratch: Path) -> list[str]:
    """The command lines of running processes that name the scratch folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(scratch) in words:
            found.append(words)
    return found


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("demo")
    intruder = {"DRUMLINE_MEMBER": "somebody", "DRUMLINE_STORE": "sqlite:////nowhere/state.db"}
    ran = subprocess.run(
        [*DEMO, "--plain"],
        env=environment(folder, **intruder),
        capture_output=True,
        text=True,
        timeout=2 * SOON,
        check=False,
    )
    assert ran.stderr == ""
    return Shown(ran.stdout, scratch_of(ran.stdout), ran.returncode)


def events(scratch: Path) -> list[dict[str, str]]:
    answer = drumline("events", "--json", "--most", "100000", "-C", str(scratch), at=scratch)
    return list(answer.json["events"])


def test_every_promise_is_held(shown):
    assert shown.code == 0
    assert len(re.findall(r"^held ", shown.out, re.MULTILINE)) == 5
    assert "BROKEN" not in shown.out


def test_the_log_itself_shows_each_task_completed_once(shown):
    done = Counter(
        one["subject"] for one in events(shown.scratch) if one["verb"] == "task.completed"
    )
    assert done == {f"T-{number}": 1 for number in range(1, 25)}


def test_one_worker_is_killed_and_another_takes_over_with_the_next_fence(shown):
    [(task, victim, process)] = re.findall(
        r"kill -9 +(T-\d+) +(\w+) +process (\d+) dies", shown.out
    )
    [heir] = re.findall(rf"took over +{task} +(\w+) +fence 2", shown.out)
    assert heir != victim
    assert int(process) in workers_of(shown.out)
    assert re.search(rf"expired +{task} ", shown.out)
    ends = [one for one in events(shown.scratch) if one["verb"] == "task.completed"]
    assert {one["subject"]: one["actor"] for one in ends}[task] == heir


def test_the_successor_goes_on_in_the_same_file(shown):
    [task] = re.findall(r"kill -9 +(T-\d+) ", shown.out)
    there = drumline("task", "show", task, "--json", "-C", str(shown.scratch), at=shown.scratch)
    written = (shown.scratch / there.json["outputs"][0]).read_text().splitlines()
    assert [int(line.partition("/")[0]) for line in written] == list(range(1, 41))
    assert written[0].endswith("fence 1")
    assert written[-1].endswith("fence 2")


def test_refusals_are_shown_word_for_word(shown):
    assert re.search(
        r"tried +T-\d+ +\w+ +drumline task done T-\d+ --fence 1\n +refused: ", shown.out
    )
    assert re.search(
        r"refused: no member '\w+' in team checkout\n +why: .*\n +next: +did you mean ", shown.out
    )


def test_the_store_it_leaves_is_clean_and_can_be_looked_at(shown):
    for words in (("store", "check"), ("team", "check"), ("status",), ("events",)):
        assert drumline(*words, "-C", str(shown.scratch), at=shown.scratch).code == 0


def test_no_process_is_left(shown):
    assert all(gone(process) for process in workers_of(shown.out))
    assert still_about(shown.scratch) == []


def test_plain_output_has_no_colours_and_no_boxes(shown):
    assert shown.out.isascii()
    assert "\x1b" not in shown.out


def test_the_json_answer_is_all_there_is_and_the_folder_can_go(tmp_path):
    ran = subprocess.run(
        [*DEMO, "--json", "--no-keep", "--seed", "5"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=2 * SOON,
        check=True,
    )
    said = json.loads(ran.stdout)
    assert said["ok"]
    assert (said["tasks"], said["killed"], said["seed"], said["directory"]) == (24, 1, 5, None)
    assert set(said["completions"].values()) == {1}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="interrupted"),
        pytest.param(signal.SIGTERM, 143, id="told to end"),
        pytest.param(signal.SIGKILL, -9, id="killed"),
    ],
)
def test_workers_end_with_the_demo(tmp_path, sent, code):
    with subprocess.Popen(
        [*DEMO, "--plain"],
        env=environment(tmp_path, PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        assert demo.stdout is not None
        out = ""
        while " claimed " not in out:
            out += demo.stdout.readline()
        demo.send_signal(sent)
        demo.communicate(timeout=SOON)
    assert demo.returncode == code
    assert all(gone(process) for process in workers_of(out))
    scratch = scratch_of(out)
    assert still_about(scratch) == []
    status = drumline("status", "--json", "-C", str(scratch), at=scratch)
    assert status.json["tasks"]["completed"] < 24  # they were ended, they did not come to their end


def test_control_c_on_a_terminal_gives_the_screen_back(tmp_path):
    ours, theirs = pty.openpty()
    terminal = os.ttyname(theirs)
    command = f"stty rows 30 cols 100; exec {shlex.join(DEMO)}"
    with subprocess.Popen(
        ["sh", "-c", f"exec <{terminal} >{terminal} 2>&1; {command}"],
        env=environment(tmp_path, TERM="xterm-256color"),
        start_new_session=True,  # so that the terminal it opens is its own, and Ctrl-C reaches it
    ) as demo:
        out = read_until(ours, b"4 of 4 processes alive")
        os.write(ours, b"\x03")
        out += read_until(ours, b"stopped, with all its processes")
        assert demo.wait(SOON) == 130
    os.close(theirs)
    os.close(ours)
    assert b"\x1b[?25l" in out  # the cursor was hidden
    assert out.rindex(b"\x1b[?25h") > out.rindex(b"\x1b[?25l")
    assert still_about(tmp_path) == []


def read_until(terminal: int, words: bytes) -> bytes:
    out = b""
    while words not in out:
        assert select.select([terminal], [], [], SOON)[0], out
        out += os.read(terminal, 65536)
    return out
