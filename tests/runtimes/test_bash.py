"""A command line is run in bash: bounded, heard while it speaks, and nothing of it is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.runtimes import ancestry, bash
from drumline.team.request_result import READ_BACK
from tests.runtimes.facts import gone, written

pytestmark = pytest.mark.requirement("GUARD-17")

ROOT = Path(__file__).parents[2]


def run(text, folder, *, seconds=30.0):
    heard = []
    ended = bash.run(text, str(folder), seconds=seconds, show=heard.append)
    assert "".join(heard).endswith(ended.output)
    return ended


@pytest.mark.parametrize(
    ("text", "code", "output"),
    [
        pytest.param("echo out; echo err >&2", 0, "out\nerr\n", id="both streams"),
        pytest.param("exit 7", 7, "", id="its exit code"),
        pytest.param("kill -TERM $$", 143, "", id="ended by a signal"),
        pytest.param("cat; echo after", 0, "after\n", id="nothing to read"),
        pytest.param("printf 'a\\377b'", 0, "a�b", id="not text"),
        pytest.param("[[ abc == a* ]] && echo <(:) | wc -l", 0, "1\n", id="bash, not sh"),
        pytest.param('echo "$0" \'$x\' "it\'s"', 0, "bash $x it's\n", id="its words as they are"),
        pytest.param("exec >&- 2>&-; exit 3", 3, "", id="silent before its end"),
    ],
)
def test_a_command_line_is_run_as_written(tmp_path, text, code, output):
    ended = run(text, tmp_path)
    assert (ended.code, ended.output, ended.stopped) == (code, output, "")


def test_it_runs_in_the_folder_named(tmp_path):
    assert run("pwd -P", tmp_path).output == f"{tmp_path.resolve()}\n"


def test_only_the_end_of_a_long_output_is_kept(tmp_path):
    ended = run("yes | head -c 1000000; echo end", tmp_path)
    assert len(ended.output) == READ_BACK
    assert ended.output.endswith("y\nend\n")


def test_what_runs_too_long_is_stopped_with_all_its_group(tmp_path):
    ended = run("sleep 1000 & echo $! > child; echo begun; wait", tmp_path, seconds=0.5)
    assert (ended.code, ended.output) == (143, "begun\n")
    assert ended.stopped == "stopped because its time was over"
    gone(written(tmp_path / "child"))


def test_who_does_not_listen_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(bash, "GRACE", 0.2)
    ended = run("trap '' TERM; while :; do sleep 0.01; done", tmp_path, seconds=0.2)
    assert ended.code == 128 + signal.SIGKILL


def test_what_stays_behind_in_its_group_is_ended_with_it(tmp_path):
    ended = run("sleep 1000 & echo $! > child", tmp_path)
    assert (ended.code, ended.stopped) == (0, "")
    gone(written(tmp_path / "child"))


def test_what_leaves_its_group_and_keeps_the_pipe_does_not_hold_us_up(tmp_path):
    ended = run("setsid sleep 1000 & echo $! > child; echo end", tmp_path)
    assert ended.output == "end\n"
    os.kill(written(tmp_path / "child"), signal.SIGKILL)


def test_ctrl_c_stops_it_and_says_so(tmp_path):
    def interrupt(_):  # it is heard only by who already waits
        signal.raise_signal(signal.SIGINT)

    text = "sleep 1000 & echo $! > begun; echo begun; wait"
    ended = bash.run(text, str(tmp_path), seconds=30.0, show=interrupt)
    assert ended.stopped == "stopped by hand"
    gone(written(tmp_path / "begun"))


def test_a_folder_that_is_not_there_starts_nothing(tmp_path):
    with pytest.raises(FileNotFoundError):
        run("touch x", tmp_path / "none")


def test_when_its_caller_is_killed_the_whole_group_goes(tmp_path):
    code = (
        "from drumline.runtimes import bash;"
        "bash.run('echo $$ > shell; sleep 1000 & echo $! > child; wait', '.', seconds=99, show=print)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    shell, child = written(tmp_path / "shell"), written(tmp_path / "child")
    caller.kill()
    caller.wait()
    gone(shell)
    gone(child)


def test_a_member_above_is_seen_though_the_variable_was_dropped():
    code = "from drumline.runtimes.ancestry import members_above; print(*members_above())"
    inner = f"env -u DRUMLINE_MEMBER {sys.executable} -c '{code}'; :"
    found = subprocess.run(
        ["sh", "-c", inner],
        env={**os.environ, "DRUMLINE_MEMBER": "ada"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ada" in found.stdout.split()


def test_where_the_system_does_not_tell_nobody_is_above(monkeypatch):
    monkeypatch.setattr(ancestry, "_read", lambda *_: (_ for _ in ()).throw(FileNotFoundError()))
    assert ancestry.members_above() == set()
