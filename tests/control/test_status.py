"""What a person is shown of the team's state."""

from datetime import timedelta

import pytest

from drumline.control import claims, records, roster, views
from drumline.surfaces.cli.status import screen
from drumline.team.draft import NewTask
from tests.contracts.store.test_directives import publish
from tests.living import start, tell
from tests.stories import Story
from tests.words import add, claim

HERE = {"report.md"}


def status(store, present=HERE):
    return store.ask(views.status, exists=present.__contains__)


@pytest.mark.requirement("BOARD-09")
def test_a_task_with_its_output_and_a_settled_owner_is_flagged(store, clock):
    task = claim(store, add(store, outputs=("report.md",)))
    clock.advance(seconds=5)
    store.do(roster.settle, "ada")
    assert [found.id for found in status(store).lagging] == [task.id]


@pytest.mark.requirement("BOARD-09")
@pytest.mark.parametrize(
    ("outputs", "settled", "present"),
    [
        pytest.param(("report.md",), False, HERE, id="the owner is still at it"),
        pytest.param(("report.md",), True, set(), id="the output is missing"),
        pytest.param(("report.md", "more.md"), True, HERE, id="one output is missing"),
        pytest.param((), True, HERE, id="no output was promised"),
    ],
)
def test_a_task_is_not_flagged_without_a_reason(store, clock, outputs, settled, present):
    claim(store, add(store, outputs=outputs))
    clock.advance(seconds=5)
    if settled:
        store.do(roster.settle, "ada")
    assert status(store, present).lagging == ()


@pytest.mark.requirement("BOARD-09")
def test_a_turn_that_settled_before_the_claim_says_nothing_about_it(store, clock):
    store.do(roster.settle, "ada")
    clock.advance(seconds=5)
    claim(store, add(store, outputs=("report.md",)))
    assert status(store).lagging == ()


@pytest.mark.requirement("SEE-01")
def test_a_lease_that_ran_out_is_shown_before_anyone_claims(store, clock):
    task = claim(store, add(store), lease=timedelta(seconds=60))
    clock.advance(minutes=5)
    assert [found.id for found in status(store).expired] == [task.id]


@pytest.mark.requirement("BOARD-03")
def test_expired_claims_are_taken_back_by_a_pass(store, clock):
    claim(store, add(store), lease=timedelta(seconds=60))
    clock.advance(minutes=5)
    assert len(store.do(claims.take_back_expired)) == 1
    assert store.do(claims.take_back_expired) == []


@pytest.mark.requirement("SEE-01")
def test_counts_leave_the_permanent_task_out(store):
    store.do(records.open_run, roster.person("boss"), NewTask(title="goal", run="r1"))
    add(store)
    assert status(store).counts["pending"] == 1


@pytest.mark.requirement("SEE-01")
def test_whoever_works_by_an_old_context_and_what_it_all_cost_is_told(store):
    story = Story(store)
    story.planned("build")
    story.run = "run-1"
    story.takes()
    publish(store, story, "Small letters.")
    tell(store, start(store, story.life), 2_500_000)
    found = status(store)
    assert (found.stale, found.usd, found.run[1]) == (("ada",), 2.5, "build")
    shown = "\n".join(screen(found))
    assert "2.50 USD" in shown
    assert "stale    ada" in shown
