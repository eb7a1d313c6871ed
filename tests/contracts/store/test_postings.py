"""What every store promises about what is wanted of members."""

import pytest

from drumline.control import postings, registration, roster
from drumline.errors import BadInput, NotAllowed, NotHolder, Unknown
from drumline.team.member import Member
from drumline.team.posting import ANY_HOST, Wanted
from drumline.team.rights import CONSTITUTIONS, Charter
from tests.words import BOSS, teammate, verbs


def here(store, host="box"):
    return {each.member: each.wanted.value for each in store.ask(postings.wanted_here, host)}


def led_by(store, name, *members):
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=(Member(name, lead=True), *map(Member, members)),
        home="test:/repo",
        place="test:/repo",
        digest="2",
    )
    store.do(registration.register, said)
    return store.ask(roster.acting_as, name)


def test_a_posting_says_what_where_since_when_and_by_whom(store, clock):
    posting = store.do(postings.want, BOSS, "ada", Wanted.RUNNING, "box")
    assert (posting.member, posting.wanted, posting.host) == ("ada", Wanted.RUNNING, "box")
    assert (posting.since, posting.by) == (clock.now(), "person:boss")


def test_a_host_sees_what_is_wanted_there_or_anywhere(store):
    store.do(postings.want, BOSS, "ada", Wanted.RUNNING, "box")
    store.do(postings.want, BOSS, "brook", Wanted.PAUSED, "other")
    store.do(postings.want, BOSS, "cleo", Wanted.STOPPED, ANY_HOST)
    assert here(store) == {"ada": "running", "cleo": "stopped"}
    assert here(store, "other") == {"brook": "paused", "cleo": "stopped"}


def test_the_last_word_stands_and_saying_it_twice_changes_nothing(store, clock):
    store.do(postings.want, BOSS, "ada", Wanted.RUNNING)
    first = store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
    clock.advance(seconds=5)
    before = verbs(store)
    assert store.do(postings.want, BOSS, "ada", Wanted.STOPPED) == first
    assert verbs(store) == before
    assert here(store) == {"ada": "stopped"}


def test_the_lead_may_say_it_too(store):
    lead = led_by(store, "max", "ada")
    assert store.do(postings.want, lead, "ada", Wanted.RUNNING).by == "max"


def test_a_teammate_says_nothing_and_the_attempt_is_remembered(store):
    with pytest.raises(NotAllowed, match="ada may not start, stop or pause members"):
        store.do(postings.want, teammate("ada"), "brook", Wanted.STOPPED)
    assert verbs(store)[-1] == "posting.refused"
    assert here(store) == {}


def test_a_past_life_of_the_lead_says_nothing(store):
    lead = led_by(store, "max", "ada")
    store.do(roster.begin_life, BOSS, "max")
    with pytest.raises(NotHolder, match="max is in life 2"):
        store.do(postings.want, lead, "ada", Wanted.RUNNING)


def test_of_whoever_left_nothing_is_wanted(store):
    store.do(postings.want, BOSS, "cleo", Wanted.RUNNING)
    led_by(store, "max", "ada")
    assert here(store) == {}


@pytest.mark.parametrize(
    ("member", "host", "error"),
    [("nobody", "", Unknown), ("human", "", NotAllowed), ("ada", "a\nb", BadInput)],
)
def test_what_cannot_be_wanted_is_refused(store, member, host, error):
    with pytest.raises(error) as refused:
        store.do(postings.want, BOSS, member, Wanted.RUNNING, host)
    assert refused.value.next
