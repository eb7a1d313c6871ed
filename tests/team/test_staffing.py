"""Who is to be running on a host."""

from datetime import UTC, datetime, timedelta

import pytest

from drumline.team.life import Life, LifeState, Process, WhyEnded
from drumline.team.posting import Posting, Wanted
from drumline.team.staffing import (
    HOPELESS,
    Begin,
    End,
    House,
    Past,
    Wait,
    moves,
    past_of,
    unable,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HERE = House("box", 3)


def ago(seconds):
    return NOW - timedelta(seconds=seconds)


def later(seconds):
    return ago(-seconds)


def wanted(member="ada", state=Wanted.RUNNING, host="", since=60):
    return Posting(member, state, host, ago(since), "person:kim")


def life(member="ada", host="box", **facts):
    return Life(member, 1, Process(host, 7, "1", "scripted"), ago(90), LifeState.IDLE, **facts)


@pytest.mark.parametrize(
    ("posting", "lives", "expected"),
    [
        (wanted(), {}, [Begin("ada")]),
        (wanted(), {"ada": life()}, []),
        (wanted(state=Wanted.STOPPED), {}, []),
        (wanted(state=Wanted.STOPPED, since=29), {"ada": life()}, [Wait("ada", until=later(31))]),
        (wanted(state=Wanted.STOPPED, since=60), {"ada": life()}, [End(life())]),
        (wanted(state=Wanted.STOPPED), {"ada": life(host="other")}, []),
        (wanted(state=Wanted.PAUSED), {"ada": life()}, []),
        (wanted(state=Wanted.PAUSED), {}, []),
        (wanted(host="other"), {"ada": life()}, [End(life())]),
    ],
)
def test_a_pass_does_what_is_wanted_and_nothing_twice(posting, lives, expected):
    assert moves([posting], lives, {}, HERE, NOW) == expected


def test_no_more_members_work_at_once_than_the_team_allows():
    """RUN-14"""
    found = moves(
        [wanted("ada"), wanted("brook")], {"cleo": life("cleo")}, {}, House("box", 2), NOW
    )
    assert found == [Begin("ada"), Wait("brook", "2 members are at work on this host")]


def test_a_member_being_started_is_not_started_again():
    assert moves([wanted()], {}, {}, House("box", 3, frozenset({"ada"})), NOW) == []


@pytest.mark.parametrize(
    ("crashes", "seconds", "starts"),
    [(1, 0, False), (1, 1, True), (4, 7, False), (4, 8, True), (60, 299, False), (60, 300, True)],
)
def test_a_member_that_keeps_crashing_is_left_alone_for_longer_each_time(crashes, seconds, starts):
    posted = wanted(since=3600)
    found = moves([posted], {}, {"ada": Past(crashes, ago(seconds))}, HERE, NOW)
    assert [type(move) for move in found] == [Begin if starts else Wait]


@pytest.mark.parametrize(
    ("past", "since", "why"),
    [
        pytest.param(Past(HOPELESS, ago(5)), 60, "crashed 5 times in a row", id="crashes"),
        pytest.param(Past(HOPELESS - 1, ago(5)), 60, "", id="may get on yet"),
        pytest.param(Past(HOPELESS, ago(5)), 1, "", id="crashed before it was wanted anew"),
        pytest.param(Past(spent=ago(5)), 60, "its budget is spent", id="no money"),
        pytest.param(Past(spent=ago(5)), 1, "", id="wanted anew since"),
    ],
)
def test_who_will_not_run_by_itself_is_known(past, since, why):
    assert unable(wanted(since=since), past) == why


def test_who_is_wanted_anew_after_a_crash_is_started_at_once():
    found = moves([wanted(since=1)], {}, {"ada": Past(9, ago(2))}, HERE, NOW)
    assert found == [Begin("ada")]


def test_one_good_end_forgives_the_crashes_before_it():
    def ended(why):
        over = {"why": why, "ended_at": ago(5)}
        return life()._replace(state=LifeState.ENDED, **over)

    crashed, stopped = ended(WhyEnded.CRASHED), ended(WhyEnded.STOPPED)
    assert past_of([crashed, crashed, stopped, crashed]) == Past(2, ago(5))
    assert past_of([stopped, crashed]) == Past(0, None)


@pytest.mark.parametrize(("since", "starts"), [(60, False), (5, False), (4, True)])
def test_a_member_without_money_is_started_again_only_when_someone_says_so(since, starts):
    found = moves([wanted(since=since)], {}, {"ada": Past(spent=ago(5))}, HERE, NOW)
    assert [type(move) for move in found] == [Begin if starts else Wait]
