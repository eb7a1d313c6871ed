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


def ran(script, folder):
    """A process of its own that makes a nest."""
    words = [sys.executable, "-c", script]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True, timeout=60)


LATE = """
import os, sys
from drumline.runtimes import nest
from drumline.runtimes.offshoot import Offshoot
nest.PATIENCE = 0.5
os.mkfifo("go")
plane = os.getpid()
def begin(members):
    if os.getpid() == plane:
        held.append(os.open("go", os.O_RDWR))
        return " ".join(members)
    os.close(os.open("go", os.O_RDONLY))  # waits until its plane has begun somebody
    child = os.fork() or os._exit(0)
    return Offshoot(child, os.pidfd_open(child))
held = []
made = nest.Nest(begin, lambda: None, "nest")
print(made.begin(["ada"]), made.begin(["brook"]), sep="\\n")
made.close()
"""


@pytest.mark.requirement("RECOVER-04")
def test_what_a_nest_says_too_late_is_not_taken_for_the_next_answer(tmp_path):
    said = ran(LATE, tmp_path)
    assert said.stdout.split() == ["ada", "brook"]


BROKEN = """
from drumline.runtimes import nest
def ready():
    raise RuntimeError("nothing to read here")
made = nest.Nest(" ".join, ready, "nest")
print(made.begin(["ada"]))
made.close()
"""


@pytest.mark.requirement("RECOVER-04")
def test_a_nest_that_cannot_read_what_runners_are_made_of_says_why_and_its_plane_goes_on(tmp_path):
    said = ran(BROKEN, tmp_path)
    assert said.stdout == "ada\n"
    assert "RuntimeError: nothing to read here" in said.stderr


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


@pytest.mark.requirement("RUN-07")
def test_a_plane_that_could_not_write_its_log_is_refused_at_once_and_in_words(running):
    (running.root / ".drumline" / "logs" / "plane.log").mkdir(parents=True)
    said = running.run("up", code=1)
    assert "plane.log: Is a directory" in said
    assert "Traceback" not in said
