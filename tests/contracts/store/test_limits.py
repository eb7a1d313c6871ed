"""What every store promises about usage limits: an account that is paused starts no turn."""

from datetime import datetime, timedelta

import pytest

from drumline.control import limits
from drumline.errors import AccountPaused, BadInput, NotAllowed
from tests.living import begin, start
from tests.words import BOSS, teammate, verbs

pytestmark = pytest.mark.requirement("RUN-15")

HOUR = timedelta(hours=1)


def pause(store, until, account="acme", why="usage limit reached"):
    store.do(limits.pause, account, until, why)


def test_every_member_on_the_account_waits_until_it_resets_and_no_other(store, clock):
    ada, brook = (begin(store, name, account="acme") for name in ("ada", "brook"))
    other = begin(store, "cleo", account="boreas")
    pause(store, clock.now() + HOUR)
    for life in (ada, brook):
        with pytest.raises(AccountPaused, match="paused until 2026-01-01 13:00 UTC") as refused:
            start(store, life)
        assert refused.value.why == "usage limit reached"
    assert start(store, other).number == 1
    clock.advance(hours=1)
    assert [start(store, life).number for life in (ada, brook)] == [1, 1]


def test_the_pause_ends_with_its_last_microsecond(store, clock):
    life = begin(store, account="acme")
    pause(store, clock.now() + timedelta(seconds=30))
    clock.advance(seconds=29, microseconds=999_999)
    with pytest.raises(AccountPaused):
        start(store, life)
    assert [each.account for each in store.ask(limits.paused)] == ["acme"]
    clock.advance(microseconds=1)
    assert store.ask(limits.paused) == []
    assert start(store, life)


def test_of_several_words_the_furthest_stands(store, clock):
    pause(store, clock.now() + HOUR, why="weekly")
    before = verbs(store)
    pause(store, clock.now() + HOUR / 2, why="hourly")
    assert verbs(store) == before
    (limit,) = store.ask(limits.paused)
    assert (limit.until, limit.why) == (clock.now() + HOUR, "weekly")
    pause(store, clock.now() + 2 * HOUR, why="monthly")
    assert store.ask(limits.paused)[0].why == "monthly"


def test_a_life_on_no_account_is_not_paused(store, clock):
    life = begin(store)
    pause(store, clock.now() + HOUR)
    assert start(store, life)


def test_a_person_can_let_an_account_go_on(store, clock):
    life = begin(store, account="acme")
    pause(store, clock.now() + HOUR)
    with pytest.raises(NotAllowed):
        store.do(limits.lift, teammate("brook"), "acme")
    assert store.do(limits.lift, BOSS, "acme")
    assert not store.do(limits.lift, BOSS, "acme")
    assert start(store, life)


def test_teams_are_apart(store, stores, clock):
    other = stores.open("boreas")
    pause(store, clock.now() + HOUR)
    assert other.ask(limits.paused) == []


@pytest.mark.parametrize(
    ("account", "until", "why"),
    [
        ("", timedelta(hours=1), "w"),
        ("a\nb", timedelta(hours=1), "w"),
        ("a", timedelta(hours=1), ""),
        ("a", None, "w"),
    ],
)
def test_what_cannot_be_kept_is_refused(store, clock, account, until, why):
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - a time without its zone is the mistake
    with pytest.raises(BadInput):
        store.do(limits.pause, account, clock.now() + until if until else naive, why)
