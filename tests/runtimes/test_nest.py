"""Planes and runners are forked off who has read their modules, and are processes like any other."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import scripted, team, until


@pytest.fixture
def running(tmp_path, doors):
    with team(tmp_path / "r", doors, scripted("ada", "brook")) as found:
        yield found


def named(running, *words):
    """The one process whose words have these."""
    (found,) = those(running, *words)
    return found


def those(running, *words):
    return [pid for pid, said in running.processes() if " ".join(words) in said]


def live(running, *members):
    """Start members and wait until each lives."""
    running.run("member", "start", *members)
    until(lambda: all(those(running, "member run", member) for member in members))
    until(lambda: states(running).keys() >= set(members))


def states(running):
    told = running.told("member", "list")
    return {each["name"]: each["state"] for each in told if each.get("state") == "idle"}


def started_by(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.requirement("RUN-07")
def test_a_runner_is_forked_off_its_planes_nest(running):
    live(running, "ada")
    nest = named(running, "drumline nest")
    assert started_by(named(running, "member run ada")) == nest
    assert started_by(nest) == named(running, "up --foreground")


@pytest.mark.requirement("RUN-07")
def test_what_is_forked_off_is_alone_in_its_session_and_place(running):
    live(running, "ada")
    for pid in (named(running, "up --foreground"), named(running, "member run ada")):
        assert os.getsid(pid) == pid
        assert Path(f"/proc/{pid}/cwd").resolve() == running.root.resolve()
        said = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        assert f"--directory {running.root} --manifest {running.root}" in said


@pytest.mark.requirement("RECOVER-04")
def test_a_plane_whose_nest_is_killed_starts_members_all_the_same(running):
    live(running, "ada")
    os.kill(named(running, "drumline nest"), signal.SIGKILL)
    live(running, "brook")
    assert started_by(named(running, "member run brook")) == named(running, "up --foreground")


@pytest.mark.requirement("RUN-07")
def test_a_killed_planes_nest_ends_and_its_members_live_on(running):
    live(running, "ada")
    runner = named(running, "member run ada")
    os.kill(named(running, "up --foreground"), signal.SIGKILL)
    until(lambda: not those(running, "drumline nest"))
    assert named(running, "member run ada") == runner


@pytest.mark.requirement("RUN-07")
def test_a_runner_that_ends_is_buried_by_the_nest(running):
    live(running, "ada")
    nest, runner = named(running, "drumline nest"), named(running, "member run ada")
    running.run("member", "stop", "ada")
    until(lambda: not Path(f"/proc/{runner}").exists())
    assert named(running, "drumline nest") == nest


ALONE_OR_NOT = """
import sys, threading
from drumline.runtimes.offshoot import Birth, begin
if sys.argv[1] == "not alone":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
child = begin(Birth(["team", "schema"], sys.argv[2], {"LANG": "C.UTF-8"}, sys.argv[2] + "/log"))
child.wait()
print(type(child).__name__)
"""


@pytest.mark.parametrize(
    ("company", "expected"), [("alone", "Offshoot"), ("not alone", "Popen")], ids=str
)
def test_only_a_process_with_one_thread_forks_and_both_ways_run_the_same(
    tmp_path, company, expected
):
    said = subprocess.run(
        [sys.executable, "-c", ALONE_OR_NOT, company, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == [expected]
    assert '"title": "Drumline' in (tmp_path / "log").read_text()


RENAMED = """
import os, subprocess, sys
from drumline.runtimes.offshoot import rename
os.environ.update(os.environ.copy())
rename(sys.stdin.read().split(","))
print(open("/proc/self/cmdline").read(), end="|")
print(os.environ["KEPT"], subprocess.run(["sh", "-c", "echo $KEPT"], capture_output=True, text=True).stdout)
"""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        pytest.param(["up"], "up\0", id="what fits is shown as it is, word by word"),
        pytest.param(["w" * 700, "x"], "w" * 700 + " x", id="what is longer, parted by spaces"),
    ],
)
def test_a_process_shows_the_words_it_lives_by_and_keeps_its_environment(words, shown):
    said = subprocess.run(
        [sys.executable, "-c", RENAMED],
        input=",".join(words),
        capture_output=True,
        text=True,
        check=True,
        env={"KEPT": "kept", "LONG": "l" * 900, "PATH": os.environ["PATH"]},
    )
    found, _, kept = said.stdout.partition("|")
    assert found.rstrip("\0") == shown.rstrip("\0")
    assert kept.split() == ["kept", "kept"]


def test_a_process_without_an_environment_keeps_no_word_of_who_forked_it():
    """Its words may have been a store with a password."""
    shown = (
        "import sys; from drumline.runtimes.offshoot import rename\nrename(['up', 'u' * 9000])\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", shown + "print(open('/proc/self/cmdline').read())", "secret"],
        capture_output=True,
        text=True,
        check=True,
        env={},
    )
    assert said.stdout.startswith("up uuu")
    assert "secret" not in said.stdout


@pytest.mark.requirement("RUN-07")
def test_a_plane_goes_down_whose_nest_does_not_move(running):
    live(running, "ada")
    os.kill(named(running, "drumline nest"), signal.SIGSTOP)
    running.run("down")
    assert not running.processes()


LATE = """
import os, signal, sys
from drumline.runtimes import nest
from drumline.runtimes.offshoot import Birth, begin
nest.PATIENCE = 0.5
def named(members):
    return begin(Birth(["team", "schema"], sys.argv[1], os.environ, f"{sys.argv[1]}/{members[0]}"))
made = nest.Nest(named, lambda: None, "nest")
made.begin(["ada"]).wait()
(child,) = open(f"/proc/self/task/{os.getpid()}/children").read().split()
os.kill(int(child), signal.SIGSTOP)
began = [made.begin(["brook"])]
os.path.exists(f"/proc/{child}") and os.kill(int(child), signal.SIGCONT)
began += [made.begin(["cedar"]), made.begin(["dune"])]
for each, member in zip(began, ("brook", "cedar", "dune")):
    each.wait()
    print(member, os.path.getsize(f"{sys.argv[1]}/{member}"))
made.close()
"""


@pytest.mark.requirement("RECOVER-04")
def test_an_answer_that_comes_late_is_taken_for_nobodys(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", LATE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    once = (tmp_path / "ada").stat().st_size
    assert said.stdout.splitlines() == [f"{name} {once}" for name in ("brook", "cedar", "dune")]


@pytest.mark.requirement("RUN-07")
def test_a_plane_that_could_not_write_its_log_is_refused_at_once_and_in_words(running):
    (running.root / ".drumline" / "logs" / "plane.log").mkdir(parents=True)
    said = running.run("up", code=1)
    assert "plane.log: Is a directory" in said
    assert "Traceback" not in said


BARE = """
import os, sys
from drumline.runtimes.offshoot import Birth, fork_off
for number in (0, 1, 2):
    os.close(number)
sys.stdout = sys.stderr = None
shown = "readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2; echo $GIVEN"
words = ["confine", "--writable", sys.argv[1], "--", "sh", "-c", shown]
given = {**os.environ, "GIVEN": "given"}
fork_off(Birth(words, sys.argv[1], given, sys.argv[1] + "/log")).wait()
"""
NAMELESS = """
import ctypes, os, sys
words = [sys.executable, "-c", *sys.argv[1:]]
variables = ["=nameless", "PATH=" + os.environ["PATH"]]
listed = [(ctypes.c_char_p * (len(each) + 1))(*map(os.fsencode, each)) for each in (words, variables)]
ctypes.CDLL(None).execve(os.fsencode(words[0]), *listed)
"""


def test_who_is_forked_off_without_streams_has_them_and_so_has_what_it_starts(tmp_path):
    subprocess.run([sys.executable, "-c", BARE, str(tmp_path)], check=True)
    said = (tmp_path / "log").read_text().splitlines()[-4:]
    assert said == ["/dev/null", str(tmp_path / "log"), str(tmp_path / "log"), "given"]


def test_a_variable_without_a_name_keeps_nobody_from_being_forked_off(tmp_path):
    words = [NAMELESS, ALONE_OR_NOT, "alone", str(tmp_path)]
    subprocess.run([sys.executable, "-c", *words], check=True)
    assert '"title": "Drumline' in (tmp_path / "log").read_text()
