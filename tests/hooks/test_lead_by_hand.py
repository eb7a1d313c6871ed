"""A lead that a person drives, under lead-works: its guard, a real process, follows the run its team is at."""

import shutil
from pathlib import Path

import pytest

from drumline import wiring
from drumline.control import board, runs
from drumline.settings import find
from drumline.team.draft import NewTask
from drumline.team.tier import Tier
from drumline.wiring.driving import Driving
from tests.hooks.test_guard import answered, call, reason
from tests.steering import COMMIT, PIPELINE
from tests.surfaces.console import drumline, write
from tests.words import BOSS, holds

pytestmark = pytest.mark.requirement("TEAM-04")

MANIFEST = """\
team: atlas
description: A team whose lead works
lead: ada
settings: {lead-works: true}
members:
  - {name: ada, role: Leads, tools: [Read, Write], owns: ["**"]}
  - {name: brook, role: Builds, tools: [Read, Write], owns: ["src/**"], profile: implementer}
"""


@pytest.fixture
def at(repository: Path) -> Path:
    write(repository, ".claude/team.yaml", MANIFEST)
    assert drumline("task", "add", "first", at=repository).code == 0
    assert drumline("policy", "compile", at=repository).code == 0
    return repository


@pytest.fixture
def store(at):
    opened = wiring.open_store(find(str(at)))
    yield opened
    opened.close()


def may_write(at: Path) -> bool:
    """Whether the guard of ada's own session lets it change a file."""
    event = call(at / ".drumline", "Write", file_path=str(at / "src/a.py"), content="x")
    said = reason(answered(at / ".drumline", event, DRUMLINE_MEMBER="ada"))
    assert not said or "C-LEAD-001" in said
    return not said


def look(at, store):
    """A plane looks at its runs, as it does every round."""
    Driving(find(str(at)), store)()


def begin(store, tier):
    return store.do(runs.begin, BOSS, runs.Begin("Mend it", PIPELINE, COMMIT, tier))


def test_in_a_larger_run_it_changes_nothing_until_the_run_is_over(at, store):
    assert may_write(at)
    begin(store, Tier.STANDARD)
    look(at, store)
    assert not may_write(at)
    assert drumline("policy", "compile", at=at).code == 0
    assert not may_write(at)
    store.do(runs.stop, BOSS, "run-1")
    look(at, store)
    assert may_write(at)


def test_in_a_larger_run_it_works_while_a_task_is_its_own(at, store):
    begin(store, Tier.COMPLEX)
    task = store.do(board.add, BOSS, NewTask(title="by hand"))
    store.do(board.claim, BOSS, task.id, holds("ada"))
    look(at, store)
    assert may_write(at)
    store.do(board.release, BOSS, task.id, holds("ada"))
    look(at, store)
    assert not may_write(at)


def test_in_a_small_run_it_works(at, store):
    begin(store, Tier.TRIVIAL)
    look(at, store)
    assert may_write(at)


def test_where_it_stands_is_written_once_it_can_be_and_no_plane_ends_for_that(at, store):
    begin(store, Tier.STANDARD)
    shutil.rmtree(at / ".drumline/standing")
    (at / ".drumline/standing").write_text("in the way")
    drive = Driving(find(str(at)), store)
    drive()
    (at / ".drumline/standing").unlink()
    drive()
    assert not may_write(at)
