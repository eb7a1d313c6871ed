"""A run on a terminal: drawn from what is known, whatever agents wrote."""

import io
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from rich.console import Console

from benchmarks.seen_run import seen_with
from drumline.control.deliveries import Step
from drumline.control.run_views import Scene
from drumline.surfaces.cli.run_screen import drawn
from drumline.team.run import RunState
from tests import goals
from tests.running import team


def screen(scene, *last):
    words = io.StringIO()
    Console(file=words, width=100).print(drawn(scene, list(last)))
    return words.getvalue()


@pytest.mark.requirement("SEE-06")
def test_it_shows_the_path_who_works_and_the_cost():
    shown = screen(Scene(seen_with(undone=2), {"m0": "working"}, 1.25, 61.0), "12:00  gate.opened")
    assert "✓ P5" in shown
    assert "> P6" in shown
    assert "1.25 USD" in shown
    assert "T-1000" in shown
    assert "and 89 more" in shown
    assert "gate.opened" in shown


@pytest.mark.requirement("SEE-06")
def test_a_small_terminal_shows_what_happened_last_a_line_each():
    words = io.StringIO()
    scene = Scene(seen_with(undone=0), {}, 0, 0)
    scene = scene._replace(seen=scene.seen._replace(places=scene.seen.places[:2]))
    last = [f"12:00:0{at}  judgement.answered     run-1/judge/P{at}/1  (lea)" for at in range(8)]
    Console(file=words, width=38, height=12).print(drawn(scene, last, 12))
    shown = words.getvalue().splitlines()
    assert len(shown) < 12
    assert shown[-1].startswith("12:00:07")


def test_words_of_agents_move_no_cursor_and_are_no_markup():
    seen = seen_with(undone=0)
    hostile = seen._replace(run=seen.run._replace(goal="\x1b[2J[red]boo[/red]"))
    shown = screen(Scene(hostile, {}, 0, 0))
    assert "\x1b[2J" not in shown
    assert "[red]boo[/red]" in shown


@pytest.mark.parametrize(("state", "done"), [("delivered", True), ("aborted", False)])
def test_only_a_delivered_run_is_shown_as_done(state, done):
    seen = seen_with(undone=0)
    over = seen._replace(run=seen.run._replace(state=RunState(state)))
    assert ("✓ P8" in screen(Scene(over, {}, 0, 0))) is done


@pytest.mark.requirement("SEE-06")
def test_on_a_terminal_a_run_is_drawn_to_its_end(tmp_path, tmp_path_factory):
    scenario = goals.play(
        goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
    )
    members, doors = goals.LEAD + goals.worker("ada"), tmp_path_factory.mktemp("d")
    with team(tmp_path / "r", doors, members, scenario, "lead: lea\n") as found:
        ours, theirs = pty.openpty()
        run = subprocess.Popen(
            [sys.executable, "-P", "-m", "drumline", "run", "Write a part"],
            cwd=found.root,
            env={**found.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:
                break
            shown += more
        os.close(ours)
        assert run.wait() == 0
    assert "✓ P6".encode() in shown
    assert b"(delivered)" in shown


@pytest.mark.requirement("SEE-06")
def test_it_shows_what_a_delivery_runs_and_why_somebody_does_not_run():
    step = Step("your hook pre-merge-commit", datetime(2026, 1, 1, 12, tzinfo=UTC))
    shown = screen(Scene(seen_with(undone=0), {}, 0, 0, step, {"m0": "crashed 3 times in a row"}))
    assert "your hook pre-merge-commit runs since 12:00:00 UTC" in shown
    assert "crashed 3 times in a row" in shown
