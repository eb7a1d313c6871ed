"""`drumline demo`: what it promises its audience, and that it leaves no process behind."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

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


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A demo that ran to its end, and where it ran."""

    def show(scratch):
        environ = {**os.environ, "TMPDIR": str(scratch)}
        done = subprocess.run(DEMO, env=environ, capture_output=True, text=True, check=False)
        [root] = scratch.glob("drumline-demo-*")
        return done.stdout, done.returncode, str(root)

    out, code, root = once(tmp_path_factory, "demo", show)
    return out, code, Path(root)


@pytest.mark.requirement("PIPE-02", "PIPE-03", "PIPE-15")
def test_it_shows_a_large_goal_from_its_plan_to_its_delivery(shown):
    out, code, _ = shown
    found, expected = masked(out), EXPECTED.read_text("utf-8").splitlines()
    assert code == 0, out
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
    _, _, root = shown
    assert Team(root, root).processes() == []


@pytest.mark.requirement("PIPE-12", "MAIL-08")
def test_what_it_leaves_can_be_looked_at(shown):
    _, _, root = shown
    assert (root / "greeting.txt").read_text() == "hello, world\n"
    tree = root / ".drumline" / "runs" / "run-1"
    assert (tree / "plan.md").exists()
    assert (tree / "phase-P6" / "gate-record.yaml").exists()


def test_stopped_half_way_it_ends_all_that_it_began(tmp_path):
    words = (*DEMO, "--no-keep")
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert any("understood" in line for line in demo.stdout)
        [root] = tmp_path.glob("drumline-demo-*")
        demo.send_signal(signal.SIGTERM)
        demo.communicate(timeout=90)
    until(lambda: Team(root, root).processes() == [])
    assert not root.exists()


def test_its_answer_in_json_says_how_it_went(tmp_path):
    done = subprocess.run(
        (*DEMO, "--json", "--no-keep"),
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout)
    assert (said["ok"], said["summary"]["tier"]) == (True, "complex")
    assert [each.split(":")[0] for each in said["refused"]] == ["ada", "ada"]
    assert sum(gate["state"] == "iterated" for gate in said["summary"]["gates"]) == 1
