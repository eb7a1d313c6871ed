"""A plane's passes: what is wanted is begun at once, whatever else there is to do."""

import os
import signal
import subprocess
from contextlib import contextmanager

import pytest

from drumline.control import postings
from drumline.runtimes.outlook import Outlook
from drumline.runtimes.plane import Plane, Works
from drumline.team.posting import Wanted
from tests.running import PATIENCE
from tests.words import BOSS

PASSES = 5


class NoRuns:
    """Drives nothing."""

    def __call__(self):
        pass

    def end(self):
        pass


@contextmanager
def nothing_beside(_holder):
    yield


@pytest.mark.requirement("RUN-07")
def test_a_member_is_begun_while_there_is_always_more_in_the_spool(stores):
    store, other, begun, passes = stores.open(), stores.open(), {}, []

    def drain():
        """Never empty; after the first pass somebody is wanted, and some passes later it is enough."""
        passes.append(1)
        if len(passes) == 2:
            other.do(postings.want, BOSS, "ada", Wanted.RUNNING)
        if len(passes) > PASSES:
            os.kill(os.getpid(), signal.SIGTERM)
        return True

    def start(members):
        begun[tuple(members)] = child = subprocess.Popen(["sleep", "600"])
        return child

    works = Works(
        lambda members: [[name] for name in members], start, "test", lambda: 1, drain, NoRuns()
    )
    Plane(store, "box", works).run(nothing_beside)
    for child in begun.values():
        child.kill()
        child.wait()
    assert list(begun) == [("ada",)]


def test_who_is_told_to_stop_waits_for_nothing_more(stores):
    told = iter([False, False, True, "never asked again"])
    outlook = Outlook(stores.open())
    assert (outlook.staff(), outlook.runs()) == (True, True)  # what would end the wait at once
    outlook.wait(PATIENCE, lambda: next(told))
    assert next(told) == "never asked again"
