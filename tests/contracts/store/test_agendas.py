"""Agendas: however much lies before it, whatever a member could do next is found."""

import pytest

from drumline.control import attendance, dispatch, mail, questions, roster, settling
from drumline.store.upkeep import Caretaker
from drumline.team.agenda import MANY
from drumline.team.nudge import NudgeState
from drumline.team.question import Asking, QuestionKind
from tests.nudging import (
    CHALLENGE,
    LONG,
    direct,
    go_round,
    live,
    live_again,
    nudges,
    settled,
    states,
    take,
)
from tests.stores import seat
from tests.words import add, claim

BLOCKERS = 50  # more than any page holds


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def subjects_of(store, member="ada"):
    return [each.subject for each in store.ask(attendance.look_at, member).agenda.items]


def led_by_ada(store, **profiles):
    """A team whose tasks only ada gives out."""
    seated = {"ada": "", "brook": None, "cleo": None} | profiles
    seat(store, constitution="constitution-4", profiles=seated, lead="ada")
    return live(store, "ada")


@pytest.mark.requirement("SYNC-06")
def test_work_for_those_who_are_not_there_hides_none_for_those_who_are(store, clock):
    led_by_ada(store, brook="build", cleo="ops")
    live(store, "brook", pid=101)
    for _ in range(BLOCKERS):
        add(store, "Deploy", profile="ops")
    task = add(store, "Build it", profile="build")
    settled(store, clock, minutes=1)
    assert subjects_of(store) == [str(task.id)]
    settled(store, clock)
    assert f"drumline task claim {task.id} --member brook" in nudges(store)[0].text


@pytest.mark.requirement("SYNC-06")
def test_tasks_whose_files_are_in_use_hide_none_that_is_free(store):
    claim(store, add(store, files=("a.txt",)), "brook", lease=LONG)
    for _ in range(BLOCKERS):
        add(store, "Edit", files=("a.txt",))
    task = add(store, "Write", files=("doc.md",))
    store.do(settling.turn_ended, "ada")
    assert subjects_of(store) == [str(task.id)]


@pytest.mark.requirement("SYNC-06")
def test_questions_for_people_hide_none_for_the_lead(store):
    led_by_ada(store, brook="")
    brook = store.ask(roster.acting_as, "brook")
    for number in range(BLOCKERS):
        store.do(questions.ask, brook, Asking(QuestionKind.HELP, "how?", f"h{number}"))
    found = store.do(questions.ask, brook, Asking(QuestionKind.PROPOSAL, "which?", "w"))
    assert subjects_of(store) == [str(found.id)]


@pytest.mark.requirement("SYNC-06")
def test_however_many_letters_wait_another_one_is_news(store, clock):
    life = live(store)
    for _ in range(MANY + 5):
        direct(store, body=CHALLENGE)
    settled(store, clock)
    store.do(dispatch.delivered, take(store, life))
    for letter in store.ask(mail.inbox, "ada"):
        store.do(mail.confirm_delivery, letter.id)
    newest = direct(store)
    clock.advance(minutes=11)
    go_round(store)
    assert str(newest.id) in subjects_of(store)
    assert take(store, life) is not None


@pytest.mark.requirement("SYNC-06")
def test_however_many_questions_wait_another_one_is_news(store):
    led_by_ada(store, brook="")
    brook = store.ask(roster.acting_as, "brook")
    for number in range(MANY + 5):
        store.do(questions.ask, brook, Asking(QuestionKind.PROPOSAL, "which?", f"w{number}"))
    before = store.ask(attendance.look_at, "ada").agenda.fingerprint
    store.do(questions.ask, brook, Asking(QuestionKind.PROPOSAL, "which?", "another"))
    assert store.ask(attendance.look_at, "ada").agenda.fingerprint != before


@pytest.mark.requirement("SYNC-06")
def test_who_is_driven_by_hand_and_has_nothing_to_do_can_be_given_a_task(store, clock):
    led_by_ada(store, brook="")
    store.do(settling.turn_ended, "brook")
    task = add(store)
    settled(store, clock, minutes=1)
    settled(store, clock)
    assert f"drumline task claim {task.id} --member brook" in nudges(store)[0].text


@pytest.mark.requirement("SYNC-06")
def test_who_left_its_session_is_given_nothing(store, clock):
    led_by_ada(store, brook="")
    store.do(settling.turn_ended, "brook")
    add(store)
    clock.advance(hours=5)
    assert subjects_of(store) == []


@pytest.mark.requirement("SYNC-06")
def test_who_is_driven_by_hand_and_is_at_work_is_given_nothing(store, clock):
    led_by_ada(store, brook="")
    store.do(settling.turn_ended, "brook")
    clock.advance(seconds=1)
    claim(store, add(store), "brook", lease=LONG)
    add(store)
    assert subjects_of(store) == []


@pytest.mark.requirement("SYNC-06")
def test_while_a_person_is_asked_about_a_member_news_still_reach_it(store, clock):
    life = live_again(store)
    direct(store, body=CHALLENGE)
    settled(store, clock)
    store.do(dispatch.delivered, take(store, life))
    for _ in range(45):
        settled(store, clock, minutes=1)
        if nudge := take(store, life):
            store.do(dispatch.delivered, nudge)
    assert [each.kind for each in store.ask(questions.page)] == [QuestionKind.STALL]
    settled(store, clock, hours=1)
    assert take(store, life) is None
    letter = direct(store)
    settled(store, clock)
    assert str(letter.id) in take(store, life).text


@pytest.mark.requirement("SYNC-07")
def test_what_is_being_said_is_not_dropped_by_who_saw_it_wait(store, clock):
    life = live(store)
    direct(store)
    settled(store, clock)
    [before] = nudges(store)
    take(store, life)
    dropped = before.move(NudgeState.DROPPED)
    assert store.do(lambda tx: tx.waking.move(dropped, was=before.state)) is None
    assert states(store) == ["sending"]
