"""What calls an idle member, on every store: work it could take, work it was given, and a word that waits for it."""

import pytest

from drumline.control import passes
from tests.nudging import direct, live, settled
from tests.stores import seat
from tests.words import add, claim

pytestmark = pytest.mark.requirement("BOARD-04", "SYNC-13")


@pytest.fixture(autouse=True)
def members(store):
    """Ada builds, brook does not."""
    seat(store, profiles={"ada": "build", "brook": "ops"})


def calls(store):
    found = store.ask(passes.look, ["ada", "brook"], "box")
    return {name: set(found.calls(name)) for name in ("ada", "brook")}


def test_whom_something_ready_fits_is_called(store):
    add(store, "Build it", profile="build")
    assert calls(store) == {"ada": {"ready"}, "brook": set()}


def test_who_is_given_something_is_called_for_it_beside_what_is_ready(store):
    task = add(store, "Build it", profile="build")
    add(store, "Build more", profile="build")
    claim(store, task)
    assert calls(store)["ada"] == {"ready", "given"}


def test_whom_a_nudge_waits_for_is_called(store, clock):
    live(store, "brook")
    direct(store, "brook")
    settled(store, clock)
    assert calls(store) == {"ada": set(), "brook": {"nudged"}}
