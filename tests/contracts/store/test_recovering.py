"""What every store promises when a lead begins another life in a run: it is told, and members are directed anew."""

import pytest

from drumline.control import directives, lives, recovering, runs
from drumline.control.run_files import files_of
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.life import WhyEnded
from drumline.team.message import Kind
from tests.contracts.store.test_directives import acknowledge, publish
from tests.contracts.store.test_handoffs import hand_off
from tests.control.test_briefing import around
from tests.living import begin
from tests.stories import Story
from tests.words import BOSS, add, claim, verbs

RUN = "run-1"


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


@pytest.fixture
def story(store):
    """A run in which ada works, and whose lead the plane has seen alive."""
    found = Story(store)
    found.planned("build")
    found.run = RUN
    found.takes()
    look(store)
    return found


def look(store):
    """What a plane does about the lead at each look."""
    if store.ask(recovering.owing, RUN):
        store.do(recovering.recover, RUN)


def lead_anew(story):
    story.store.do(lives.end, story.lead, WhyEnded.CRASHED)
    story.lead = begin(story.store, "lea")


def letters(store, member="ada"):
    return [
        each for each in store.ask(directives.letters_for, member) if each.kind is Kind.DIRECTIVE
    ]


@pytest.mark.requirement("RECOVER-05", "RECOVER-03")
def test_who_works_is_directed_anew_once_for_each_life_of_its_lead(store, story):
    publish(store, story, "Small letters.", "No numbers.")
    lead_anew(story)
    look(store)
    look(store)
    [letter] = letters(store)
    assert letter.body.startswith("[DIRECTIVE]")
    assert "[INJECTION] GC-v1" in letter.body
    assert (letter.sender, "Small letters." in letter.body) == ("lea", True)
    lead_anew(story)
    look(store)
    assert len(letters(store)) == 2


@pytest.mark.requirement("RECOVER-05")
def test_a_fresh_directive_is_confirmed_like_the_first(store, story):
    store.do(directives.issue, story.life, story.held, around())
    publish(store, story, "Small letters.")
    lead_anew(story)
    look(store)
    acknowledge(story)
    assert store.ask(lambda tx: tx.contexts.holding(RUN, "ada")).held == 1


@pytest.mark.requirement("RECOVER-05")
def test_nobody_is_directed_anew_who_is_not_at_work_in_the_run(store, story):
    outside = add(store, "not of the run")
    claim(store, outside, "brook")
    lead_anew(story)
    look(store)
    assert letters(store, "brook") == []
    assert len(letters(store, "ada")) == 1


@pytest.mark.requirement("RECOVER-05")
def test_a_lead_in_its_first_life_is_told_nothing_twice(store, story):
    assert store.ask(recovering.told, story.lead, RUN) == ""
    assert "run.lead-anew" not in verbs(store)


@pytest.mark.requirement("RECOVER-05")
def test_a_lead_in_another_life_is_told_where_the_run_stands(store, story):
    ada = Actor("ada", Role.TEAMMATE, story.life.incarnation)
    hand_off(store, story.held, actor=ada)
    lead_anew(story)
    said = store.ask(recovering.told, story.lead, RUN)
    for words in ("> # run-1: Have a part", "[in_progress] build", "(ada)", '> member: "ada"'):
        assert words in said
    assert len(said) < 20_000


@pytest.mark.requirement("RUN-10")
@pytest.mark.usefixtures("story")
def test_a_run_that_ended_leaves_a_synthesis_and_holds_nothing(store):
    store.do(runs.abort, BOSS, RUN, "enough")
    told = store.ask(files_of, RUN)
    assert "aborted (enough)" in told["synthesis.md"]
    assert store.ask(lambda tx: [each for each in tx.tasks.held() if each.run == RUN]) == []
    assert store.ask(runs.find, RUN).over
