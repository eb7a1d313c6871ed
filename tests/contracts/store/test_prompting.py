"""Who is driven by hand hears with its next prompt what waits for it: once, and nobody else does."""

import threading

import pytest

from drumline.control import dispatch, lives, mail, postings, sittings
from drumline.control.attribution import Grounds
from drumline.control.intake import take_in
from drumline.errors import Conflict
from drumline.store.upkeep import Caretaker
from drumline.team.life import WhyEnded
from drumline.team.posting import Wanted
from drumline.team.settled import Hints, SettledTurn, Why
from drumline.team.sitting import Sitting
from tests.living import begin
from tests.nudging import direct, live, nudges, report, settled, states, subjects, woken
from tests.stores import seat
from tests.words import BOSS, add, claim, teammate, verbs

SESSION = "0b9e1c7e-3a55-4c0e-9a0b-5f3f6d1c2a11"
OTHER = "99999999-3a55-4c0e-9a0b-5f3f6d1c2a11"
GROUNDS = Grounds("/repo/.drumline/homes", "/repo/.drumline/checkouts")


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def turn(session=SESSION, provider="claude", **facts):
    return SettledTurn(provider, facts.pop("arrival", "a-1"), "c0ffee", session=session, **facts)


def sit(store, member="ada", session=SESSION, cwd="/repo"):
    store.do(sittings.sit, BOSS, Sitting(session, "claude", member, 0, cwd=cwd))


def stop(store, number=1, **facts):
    """The end of a turn, as the spool tells it."""
    told = turn(arrival=f"a-{number}", turn=f"p-{number}", **facts)
    return [each.why for each in store.do(take_in, [told], {}, GROUNDS)]


def prompt(store, **facts):
    """What goes along with a prompt."""
    found = store.do(dispatch.take_by_hand, turn(**facts), GROUNDS)
    if found is None:
        return ""
    assert found.state == "sending"
    store.do(dispatch.heard, *found[:3])
    return found.text


@pytest.fixture
def waiting(store, clock):
    """A session of ada's that stopped while a task is ready, and the nudge that waits for it."""
    sit(store)
    add(store, "Say hello")
    assert stop(store) == [Why.WOKE]
    settled(store, clock)
    assert states(store) == ["waiting"]


@pytest.mark.requirement("SYNC-05", "SYNC-06", "SYNC-07")
def test_from_the_end_of_a_turn_to_the_next_prompt(store, clock):
    sit(store)
    add(store, "Say hello")
    assert stop(store) == [Why.WOKE]
    settled(store, clock, seconds=14)
    assert states(store) == []
    settled(store, clock, seconds=1)
    assert states(store) == ["waiting"]
    text = prompt(store)
    assert 'T-1 "Say hello" is ready for you: drumline task claim T-1' in text
    assert states(store) == ["delivered"]
    assert prompt(store) == ""
    for number in range(2, 6):
        stop(store, number)
        settled(store, clock, minutes=3)
        assert prompt(store) == ""
    assert len(nudges(store)) == 1
    assert [word for word in verbs(store) if word.startswith("nudge.")] == [
        *("nudge.made", "nudge.sending", "nudge.delivered"),
    ]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-06")
def test_a_report_covers_what_was_said(store, clock):
    prompt(store)
    report(store, "working")
    stop(store, 2)
    add(store, "Say goodbye")
    settled(store, clock)
    assert prompt(store) == ""
    assert "ada: it said that it is working" in subjects(store, "member.put-off")


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-06", "SYNC-07")
def test_who_reports_before_its_next_prompt_is_told_by_that(store):
    report(store, "working")
    assert states(store) == ["delivered"]
    assert prompt(store) == ""


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_an_agenda_that_moved_on_is_not_said(store):
    claim(store, store.ask(lambda tx: tx.tasks.ready(profile=None, after=None, most=1))[0], "brook")
    assert prompt(store) == ""
    assert states(store) == ["dropped"]
    assert woken(store).why == "its agenda moved on"


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-06", "SYNC-07")
def test_where_the_board_never_rests_a_prompt_brings_what_is_true_now(store):
    claim(store, store.ask(lambda tx: tx.tasks.ready(profile=None, after=None, most=1))[0], "brook")
    add(store, "Say goodbye")
    assert 'T-2 "Say goodbye" is ready for you' in prompt(store)
    assert sorted(states(store)) == ["delivered", "dropped"]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-06", "SYNC-07")
def test_what_is_true_now_is_not_brought_before_its_time(store, clock):
    assert prompt(store)
    direct(store)
    stop(store, 2)
    settled(store, clock, minutes=11)
    direct(store)
    assert "M-2" in prompt(store)
    direct(store)
    settled(store, clock, minutes=1)
    assert prompt(store) == ""


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_words_that_no_hook_confirmed_are_never_said_again(store, clock):
    assert store.do(dispatch.take_by_hand, turn(), GROUNDS)  # and its hook is killed
    assert prompt(store) == ""
    stop(store, 2)
    settled(store, clock)
    assert prompt(store) == ""
    assert states(store) == ["sending"]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_words_that_no_hook_waited_for_are_brought_by_the_next_prompt_but_not_for_ever(store):
    for expected in ("waiting", "waiting", "dropped"):
        found = store.do(dispatch.take_by_hand, turn(), GROUNDS)
        store.do(dispatch.unheard, *found[:3])
        assert states(store) == [expected]
    assert prompt(store) == ""


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_what_was_heard_stays_so(store):
    assert prompt(store)
    [nudge] = nudges(store)
    store.do(dispatch.unheard, *nudge[:3])
    assert states(store) == ["delivered"]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_a_receipt_for_nothing_changes_nothing(store):
    store.do(dispatch.heard, "ada", 1, "c0ffee")
    store.do(dispatch.heard, "nobody", 7, "")
    [nudge] = nudges(store)
    store.do(dispatch.heard, *nudge[:3])  # nobody was sent it
    store.do(dispatch.unheard, *nudge[:3])
    assert states(store) == ["waiting"]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_of_many_prompts_at_once_one_brings_it(stores):
    links, told = [stores.open() for _ in range(6)], []
    threads = [
        threading.Thread(
            target=lambda link=link: told.append(link.do(dispatch.take_by_hand, turn(), GROUNDS))
        )
        for link in links
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(told) == len(links)
    assert len([found for found in told if found is not None]) == 1


NOBODYS = {
    "a session that nobody sits in": {"session": OTHER},
    "another session in the folder where it sits": {"session": OTHER, "cwd": "/repo"},
    "a session without a name": {"session": ""},
    "its session, in another's name": {"hints": Hints("atlas", "brook")},
    "another team's": {"session": OTHER, "hints": Hints("pluto", "ada")},
    "an earlier life's": {"hints": Hints("atlas", "ada", 0)},
    "a session of another runtime": {"provider": "codex"},
    "another session that inherited its environment": {
        "session": OTHER,
        "hints": Hints("atlas", "ada", 1),
    },
    "another session in its checkout": {
        "session": OTHER,
        "cwd": "/repo/.drumline/checkouts/ada",
    },
    "in another's checkout": {"session": OTHER, "cwd": "/repo/.drumline/checkouts/brook/src"},
}


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-04", "SYNC-07")
@pytest.mark.parametrize("facts", NOBODYS.values(), ids=NOBODYS)
def test_nobody_else_hears_it(store, facts):
    assert prompt(store, **facts) == ""
    assert states(store) == ["waiting"]


ITS_OWN = {
    "its session": {"cwd": "/repo"},
    "by the name of its transcript": {"session": "", "transcript": f"/home/kim/{SESSION}.jsonl"},
}


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-04", "SYNC-07")
@pytest.mark.parametrize("facts", ITS_OWN.values(), ids=ITS_OWN)
def test_who_sits_somewhere_hears_it_there(store, facts):
    assert "T-1" in prompt(store, **facts)


SEATLESS = {
    "named by its environment": {"hints": Hints("atlas", "ada", 1)},
    "in its checkout": {"cwd": "/repo/.drumline/checkouts/ada"},
}


@pytest.mark.requirement("SYNC-04", "SYNC-07")
@pytest.mark.parametrize("facts", SEATLESS.values(), ids=SEATLESS)
def test_who_sits_nowhere_hears_it_wherever_it_is_known(store, clock, facts):
    add(store, "Say hello")
    stop(store, **facts)
    settled(store, clock)
    assert "T-1" in prompt(store, **facts)


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
@pytest.mark.parametrize("wanted", list(Wanted))
def test_who_is_run_or_kept_from_it_is_not_told_by_a_hook(store, wanted):
    store.do(postings.want, BOSS, "ada", wanted)
    assert prompt(store) == ""


@pytest.mark.requirement("SYNC-07")
def test_a_life_is_told_by_its_runner_alone(store, clock):
    live(store, session=SESSION, runtime="claude")
    direct(store)
    settled(store, clock)
    assert states(store) == ["waiting"]
    assert prompt(store) == ""
    assert states(store) == ["waiting"]


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-07")
def test_who_ran_since_is_another(store):
    store.do(lives.end, begin(store), WhyEnded.STOPPED)
    assert prompt(store) == ""


@pytest.mark.usefixtures("waiting")
@pytest.mark.requirement("SYNC-04")
def test_no_teammate_takes_a_session_that_another_sits_in(store):
    with pytest.raises(Conflict, match="ada sits in that session"):
        store.do(sittings.sit, teammate("brook"), Sitting(SESSION, "claude", "brook", 0))
    assert "T-1" in prompt(store)


@pytest.mark.requirement("SYNC-04")
def test_a_person_gives_a_session_to_another(store):
    sit(store)
    sit(store, "brook")
    assert stop(store) == [Why.WOKE]
    assert woken(store, "brook").why == "turn settled"


@pytest.mark.requirement("SYNC-04")
def test_a_session_of_a_life_that_is_over_is_free(store):
    sit(store)
    store.do(lives.end, begin(store), WhyEnded.STOPPED)
    store.do(sittings.sit, teammate("brook"), Sitting(SESSION, "claude", "brook", 0))


@pytest.mark.requirement("SYNC-04", "SYNC-07")
def test_whoever_leads_is_not_told_by_a_hook(store, clock):
    seat(store, lead="ada")
    sit(store)
    direct(store, "ada")
    stop(store)
    claim(store, add(store), "ada")
    settled(store, clock, minutes=2)
    assert prompt(store) == ""


@pytest.mark.requirement("SYNC-07")
def test_a_letter_is_named_and_its_words_are_not(store, clock):
    sit(store)
    stop(store)
    letter = direct(store)
    settled(store, clock)
    text = prompt(store)
    assert "M-1, directive from boss, waits for you" in text
    assert "Never tabs" not in text
    store.do(mail.acknowledge, BOSS, [letter.id])
    assert prompt(store) == ""
