"""Processes that a plane started: those that never came to life end with it, and no others."""

import subprocess
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from drumline.runtimes.plane import Nursery

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def start():
    """A way to start a process for members; none is left afterwards."""
    with ExitStack() as ending:

        def begin(members):
            child = subprocess.Popen(["sleep", "600"])
            ending.callback(child.wait)
            ending.callback(child.kill)
            begin.children[tuple(members)] = child
            return child

        begin.children = {}
        yield begin


@pytest.mark.requirement("RUN-07")
def test_who_began_to_live_since_the_last_pass_outlives_the_plane(start):
    nursery = Nursery(start)
    for members in (["ada"], ["brook", "cleo"], ["dana"]):
        nursery.begin(members, NOW)
    nursery.end({"ada", "cleo"})
    alive = [members for members, child in start.children.items() if child.poll() is None]
    assert alive == [("ada",), ("brook", "cleo")]
