"""`drumline demo`: what it promises its audience, and that it leaves no process behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.once import once
from tests.running import Team, until

DEMO = (sys.executable, "-m", "drumline", "demo")
EXPECTED = Path(__file__).parent / "demo.txt"


def masked(out: str) -> list[str]:
    """What was shown, without what differs from one time to the next: moments, places, how long."""
    lines = [re.sub(r"^ *\d+\.\d s  ", "", line) for line in out.splitlines()]
    lines = [re.sub(r"/\S*drumline-demo-\w+", "SCRATCH", line) for line in lines]
    lines = [re.sub(r"after \d+ s", "after N s", line) for line in lines]
    return [re.sub(r"by person:\S+", "by person", line).rstrip() for line in lines]


class Shown(NamedTuple):
    """What a demo told and answered, and where it ran."""

    told: str
    answer: str
    code: int
    root: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A demo that ran to its end and was asked for its answer in JSON, so that its story went to stderr."""

    def show(scratch):
        environ, words = {**os.environ, "TMPDIR": str(scratch)}, (*DEMO, "--json")
        done = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)
        [root] = scratch.glob("drumline-demo-*")
        return Shown(done.stderr, done.stdout, done.returncode, str(root))

    return Shown(*once(tmp_path_factory, "demo", show))


@pytest.mark.requirement("PIPE-02", "PIPE-03", "PIPE-15")
def test_it_shows_a_large_goal_from_its_plan_to_its_delivery(shown):
    found, expected = masked(shown.told), EXPECTED.read_text("utf-8").splitlines()
    assert shown.code == 0, shown.told
    nudged = [line for line in found if line.startswith("nudged")]
    assert "nudged      ben" in nudged, "a slow machine may nudge others too"
    rest = [line for line in found if not line.startswith("nudged")]
    told = [line for line in expected if not line.startswith("nudged")]
    assert sorted(rest) == sorted(told), "\n".join(found)
    phases = [line for line in found if line.startswith(("phase", "again", "delivered  "))]
    assert phases == [
        line for line in expected if line.startswith(("phase", "again", "delivered  "))
    ]


@pytest.mark.requirement("RUN-07")
def test_it_leaves_no_process_behind(shown):
    assert Team(Path(shown.root), Path(shown.root)).processes() == []


@pytest.mark.requirement("PIPE-12", "MAIL-08")
def test_what_it_leaves_can_be_looked_at(shown):
    root = Path(shown.root)
    assert (root / "greeting.txt").read_text() == "hello, world\n"
    tree = root / ".drumline" / "runs" / "run-1"
    assert (tree / "plan.md").exists()
    assert (tree / "phase-P6" / "gate-record.yaml").exists()


def test_stopped_half_way_it_ends_all_that_it_began(tmp_path):
    words = (*DEMO, "--no-keep")
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        told = list(until_told("understood", demo.stdout))
        [root] = tmp_path.glob("drumline-demo-*")
        demo.send_signal(signal.SIGTERM)
        demo.communicate(timeout=90)
    until(lambda: Team(root, root).processes() == [])
    assert not root.exists()
    expected = EXPECTED.read_text("utf-8").splitlines()
    found = [line for line in masked("".join(told)) if not line.startswith("nudged")]
    assert sorted(found) == sorted(until_told("understood", expected))


def until_told(word: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines up to the first with a word; without one there is no end to speak of."""
    for line in lines:
        yield line
        if word in line:
            return
    raise AssertionError(f"nothing was {word}")


def test_its_answer_in_json_says_how_it_went(shown):
    said = json.loads(shown.answer)
    assert (said["ok"], said["summary"]["tier"]) == (True, "complex")
    assert said["scratch"] == shown.root
    assert [each.split(":")[0] for each in said["refused"]] == ["ada", "ada"]
    assert sum(gate["state"] == "iterated" for gate in said["summary"]["gates"]) == 1
