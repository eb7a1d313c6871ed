"""Whose turn it was: what the store knows decides, and where it says two things nobody is woken."""

import pytest

from drumline.control import lives, postings, sittings
from drumline.control.attribution import Grounds, Register, who_begins, who_settled
from drumline.team.life import WhyEnded
from drumline.team.posting import Wanted
from drumline.team.settled import Hints, SettledTurn, Why
from drumline.team.sitting import Sitting
from drumline.team.text import PATTERN_CAP
from tests.living import begin
from tests.stores import seat
from tests.words import BOSS

pytestmark = pytest.mark.requirement("SYNC-04")

STATE = "/repo/.drumline"
GROUNDS = Grounds(f"{STATE}/homes", f"{STATE}/checkouts")
SESSION = "11111111-2222-3333-4444-555555555555"
OTHER = "99999999-2222-3333-4444-555555555555"


def turn(provider="claude", **facts):
    return SettledTurn(provider, "arrival", "c0ffee", **facts)


def who(store, **facts):
    found = turn(**facts)
    verdict = store.ask(lambda tx: who_settled(found, Register(tx, [found], GROUNDS)))
    return (verdict.why, verdict.member)


def begins(store, **facts):
    found = turn(**facts)
    verdict = store.ask(lambda tx: who_begins(found, Register(tx, [found], GROUNDS)))
    return (verdict.why, verdict.member)


def lives_in(store, member="ada", session=SESSION, runtime="claude"):
    return begin(store, member, session=session, runtime=runtime)


def sits(store, member="ada", session=SESSION, cwd=""):
    store.do(sittings.sit, BOSS, Sitting(session, "claude", member, 0, cwd=cwd))


def at_home(member, session=SESSION):
    return f"{STATE}/homes/{member}/projects/-repo/{session}.jsonl"


# by each kind of evidence


def test_by_the_session_of_a_life(store):
    lives_in(store)
    assert who(store, session=SESSION) == (Why.WOKE, "ada")


def test_by_a_session_that_a_person_opened_for_a_member(store):
    sits(store)
    assert who(store, session=SESSION) == (Why.WOKE, "ada")


def test_by_the_session_that_its_transcript_is_named_after(store):
    sits(store)
    path = f"/home/kim/.claude/projects/-repo/{SESSION}.jsonl"
    assert who(store, transcript=path) == (Why.WOKE, "ada")
    rollout = f"/codex/sessions/2026/11/15/rollout-2026-11-15T23-39-18-{SESSION}.jsonl"
    assert who(store, transcript=rollout) == (Why.WOKE, "ada")


def test_a_folder_above_a_transcript_names_no_session(store):
    sits(store)
    assert who(store, transcript=f"/home/kim/{SESSION}.jsonl/notes") == (Why.UNKNOWN, "")


@pytest.mark.parametrize("below", ["/x" * 2000, f"/{'x' * 4000}", f"/{'x' * (PATTERN_CAP - 6)}/y"])
def test_however_deep_below_a_members_folder_it_is_the_members(store, below):
    sits(store, cwd="/repo")
    assert who(store, cwd=f"/repo{below}") == (Why.WOKE, "ada")


def test_by_the_home_that_its_transcript_is_kept_in(store):
    lives_in(store)
    assert who(store, transcript=at_home("ada")) == (Why.WOKE, "ada")


def test_by_what_its_environment_says(store):
    assert who(store, hints=Hints("atlas", "ada", 1)) == (Why.WOKE, "ada")
    assert who(store, hints=Hints("", "ada")) == (Why.WOKE, "ada")


def test_by_the_checkout_it_worked_in(store):
    assert who(store, cwd=f"{STATE}/checkouts/ada/src") == (Why.WOKE, "ada")


def test_by_the_folder_of_the_only_session_that_was_opened_there(store):
    sits(store, cwd="/repo/front")
    assert who(store, cwd="/repo/front/src") == (Why.WOKE, "ada")


# when nobody is meant


def test_nothing_known_is_nobody(store):
    assert who(store) == (Why.UNKNOWN, "")
    assert who(store, session=SESSION, cwd="/repo", transcript="/x.jsonl") == (Why.UNKNOWN, "")


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"hints": Hints("boreas", "ada")}, id="another team's word"),
        pytest.param({"hints": Hints("atlas", "zed")}, id="no member"),
        pytest.param({"hints": Hints("atlas", "")}, id="a team alone"),
        pytest.param({"cwd": f"{STATE}/checkouts"}, id="above all checkouts"),
        pytest.param({"cwd": f"{STATE}/checkouts/zed"}, id="nobody's checkout"),
        pytest.param({"cwd": f"{STATE}/checkouts/ada/../../x"}, id="out of a checkout again"),
        pytest.param({"cwd": f"{STATE}/checkouts-of/ada"}, id="a folder with a longer name"),
        pytest.param({"transcript": f"{STATE}/homes/ada/../../x.jsonl"}, id="out of a home again"),
    ],
)
def test_words_that_fit_nobody_are_no_evidence(store, facts):
    assert who(store, **facts) == (Why.UNKNOWN, "")


# when evidence disagrees


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"session": SESSION, "hints": Hints("", "brook")}, id="session and word"),
        pytest.param({"session": SESSION, "cwd": f"{STATE}/checkouts/brook"}, id="and folder"),
        pytest.param({"session": SESSION, "transcript": at_home("brook")}, id="and home"),
        pytest.param(
            {"hints": Hints("", "ada"), "cwd": f"{STATE}/checkouts/brook"}, id="word and folder"
        ),
        pytest.param(
            {"transcript": at_home("ada", OTHER), "hints": Hints("", "cleo")}, id="home and word"
        ),
    ],
)
def test_evidence_that_disagrees_is_ambiguous(store, facts):
    lives_in(store)
    assert who(store, **facts) == (Why.AMBIGUOUS, "")


def test_a_session_and_a_transcript_of_two_members_are_ambiguous(store):
    sits(store)
    sits(store, "brook", OTHER)
    assert who(store, session=SESSION, transcript=f"/x/{OTHER}.jsonl") == (Why.AMBIGUOUS, "")


def test_a_folder_where_two_sit_says_nothing_by_itself(store):
    sits(store, cwd="/repo")
    sits(store, "brook", OTHER, cwd="/repo")
    assert who(store, cwd="/repo") == (Why.AMBIGUOUS, "")
    assert who(store, cwd="/repo", session=OTHER) == (Why.WOKE, "brook")


def test_who_sits_down_after_it_was_stopped_is_woken(store):
    life = lives_in(store, session=OTHER)
    store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
    store.do(lives.end, life, WhyEnded.STOPPED)
    sits(store)
    assert who(store, session=SESSION) == (Why.WOKE, "ada")


# when it does not fit


def test_who_was_removed_is_not_woken(store):
    sits(store)
    seat(store, profiles={"ada": None})
    assert who(store, session=SESSION) == (Why.REMOVED, "ada")
    assert who(store, hints=Hints("", "ada")) == (Why.REMOVED, "ada")


def test_who_leads_is_not_woken(store):
    seat(store, lead="ada")
    assert who(store, hints=Hints("", "ada")) == (Why.LEAD, "ada")
    assert who(store, hints=Hints("", "human"))[0] in {Why.REMOVED, Why.UNKNOWN}


def test_a_turn_of_an_earlier_life_wakes_nobody(store):
    first = lives_in(store)
    store.do(lives.end, first, WhyEnded.CRASHED)
    lives_in(store, session=OTHER)
    assert who(store, session=SESSION) == (Why.STALE, "ada")
    assert who(store, hints=Hints("", "ada", 1)) == (Why.STALE, "ada")
    assert who(store, session=OTHER) == (Why.WOKE, "ada")


def test_a_session_that_was_opened_for_an_earlier_life_is_past(store):
    sits(store, cwd="/repo")
    begin(store, "ada")
    assert who(store, session=SESSION) == (Why.STALE, "ada")
    assert who(store, cwd="/repo") == (Why.UNKNOWN, "")


def test_a_session_resumed_in_a_new_life_is_of_now(store):
    store.do(lives.end, lives_in(store), WhyEnded.CRASHED)
    lives_in(store)
    assert who(store, session=SESSION) == (Why.WOKE, "ada")


def test_a_turn_of_a_life_that_is_over_wakes_nobody(store):
    store.do(lives.end, lives_in(store), WhyEnded.STOPPED)
    assert who(store, session=SESSION) == (Why.INACTIVE, "ada")


def test_a_member_that_is_not_to_run_and_does_not_is_inactive(store):
    store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
    assert who(store, hints=Hints("", "ada")) == (Why.INACTIVE, "ada")
    store.do(postings.want, BOSS, "ada", Wanted.RUNNING)
    assert who(store, hints=Hints("", "ada")) == (Why.WOKE, "ada")


def test_a_turn_of_another_runtime_is_not_the_members(store):
    assert who(store, provider="codex", hints=Hints("", "ada")) == (Why.RUNTIME, "ada")
    lives_in(store, "brook", OTHER, runtime="codex")
    assert who(store, session=OTHER) == (Why.RUNTIME, "brook")
    assert who(store, provider="codex", session=OTHER) == (Why.WOKE, "brook")


def test_a_session_beside_the_one_a_member_lives_in_is_not_its_own(store):
    lives_in(store)
    assert who(store, session=OTHER, hints=Hints("", "ada")) == (Why.SESSION, "ada")


def test_a_transcript_outside_the_home_of_a_member_that_runs_is_not_its_own(store):
    lives_in(store)
    elsewhere = f"/home/kim/.claude/projects/-repo/{SESSION}.jsonl"
    assert who(store, session=SESSION, transcript=elsewhere) == (Why.TRANSCRIPT, "ada")
    assert who(store, session=SESSION, transcript=at_home("ada")) == (Why.WOKE, "ada")


# a turn that begins


def test_a_turn_begins_as_whose_it_would_end(store):
    sits(store, cwd="/work")
    assert begins(store, session=SESSION) == (Why.WOKE, "ada")
    assert begins(store, hints=Hints("atlas", "brook", 1)) == (Why.WOKE, "brook")
    assert begins(store, cwd=f"{STATE}/checkouts/brook") == (Why.WOKE, "brook")
    assert begins(store, session=SESSION, hints=Hints("", "brook")) == (Why.AMBIGUOUS, "")


def test_a_folder_where_somebody_sits_makes_no_other_session_its_own(store):
    sits(store, cwd="/work")
    assert who(store, session=OTHER, cwd="/work") == (Why.WOKE, "ada")
    assert begins(store, session=OTHER, cwd="/work") == (Why.UNKNOWN, "")
    assert begins(store, cwd="/work") == (Why.UNKNOWN, "")
