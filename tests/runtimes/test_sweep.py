"""What a life left behind is found by its mark, ended without mistake, and known by its descent."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from drumline.errors import BadInput
from drumline.runtimes.sweep import MARK, Proc, end, leftovers, sweep

pytestmark = pytest.mark.requirement("RUN-07")
GRANDCHILD = """
import subprocess, sys
inner = subprocess.Popen(["sleep", "600"])
print(inner.pid, flush=True)
sys.stdin.read()
inner.kill()
inner.wait()
"""


@pytest.fixture
def home() -> str:
    return uuid.uuid4().hex


@contextmanager
def sleeper(mark: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"], env=os.environ | {MARK: mark}) as process:
        try:
            yield process
        finally:
            process.kill()


def found(marker: str) -> list[int]:
    return [each.pid for each in leftovers(marker)]


@pytest.mark.parametrize(
    ("mark", "marker", "hit"),
    [
        ("{}/ada/3", "{}/ada/3", True),
        ("{}/ada/3", "{}/ada", True),
        ("{}/ada/3", "{}/ada/", True),
        ("{}/ada/3", "{}", True),
        ("{}/ada/31", "{}/ada/3", False),
        ("{}/adam/3", "{}/ada", False),
        ("{}/ada", "{}/ada/3", False),
        ("x{}/ada", "{}/ada", False),
    ],
)
def test_a_life_is_found_by_its_mark_or_one_above_it(home, mark, marker, hit):
    with sleeper(mark.format(home)) as process:
        assert found(marker.format(home)) == ([process.pid] if hit else [])


def test_another_variable_of_that_value_is_no_mark(home):
    with subprocess.Popen(["sleep", "600"], env={f"X{MARK}": home, "Y": f"{MARK}={home}"}) as other:
        assert found(home) == []
        other.kill()


@pytest.mark.parametrize("marker", ["", "/"])
def test_no_mark_is_no_life(marker):
    with pytest.raises(BadInput):
        leftovers(marker)


def test_exactly_what_is_named_is_ended(home):
    with sleeper(f"{home}/1") as one, sleeper(f"{home}/2") as other:
        procs = leftovers(f"{home}/1")
        assert end(procs) == procs
        assert one.wait(2) == -9
        assert other.poll() is None


def test_a_later_process_of_the_same_number_is_spared(home):
    with sleeper(home) as process:
        earlier = [Proc(each.pid, each.started - 1) for each in leftovers(home)]
        assert [each.pid for each in earlier] == [process.pid]
        assert end(earlier) == []
        assert process.poll() is None


def test_what_is_gone_is_no_trouble(home):
    with sleeper(home) as process:
        procs = leftovers(home)
        process.kill()
        process.wait()
        assert end(procs) == []
        assert leftovers(home) == []


def test_a_sweep_ends_all_of_a_life_and_says_whom(home):
    with sleeper(f"{home}/ada/1") as one, sleeper(f"{home}/ada/2") as two:
        assert {each.pid for each in sweep(f"{home}/ada")} == {one.pid, two.pid}
        assert leftovers(home) == []


def test_neither_ourselves_nor_who_started_us_is_ended(home):
    script = f"""
import os, subprocess, sys
sys.path[:0] = {sys.path!r}
from drumline.runtimes.sweep import Proc, end, leftovers
from drumline.runtimes.processes import parent_and_start
above = [Proc(pid, parent_and_start(pid)[1]) for pid in (os.getpid(), os.getppid())]
print(leftovers({home!r}), end(above))
"""
    outer = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
    words = [sys.executable, "-c", outer, sys.executable, "-c", script]
    marked = os.environ | {MARK: home}
    done = subprocess.run(words, env=marked, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("[] []\n", 0), done.stderr
