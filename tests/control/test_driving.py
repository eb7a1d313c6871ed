"""Runs are driven one by one: what is wrong with one keeps no plane from the rest."""

import pytest

from drumline.control import runs
from drumline.settings import find
from drumline.wiring import open_store
from drumline.wiring.driving import Driving
from tests.hooks.test_lead_by_hand import MANIFEST
from tests.steering import start
from tests.surfaces.console import write


@pytest.mark.requirement("PIPE-17")
def test_a_run_that_cannot_be_read_ends_no_plane(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    settings = find(str(repository))
    store = open_store(settings)
    start(store)
    store.engine.begin(writing=True)
    store.engine.script(["UPDATE runs SET pipeline = '{}'"])
    store.engine.commit()
    drive = Driving(settings, store)
    drive()
    drive()
    assert store.ask(runs.working) == ["run-1"]
    store.close()
