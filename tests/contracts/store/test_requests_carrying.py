"""What every store promises while a request is carried out: judged, taken, run, told."""

from datetime import timedelta

import pytest

from drumline.control import carrying, mail, requests
from drumline.errors import NotAllowed, NothingReady, NotHolder, NotReady
from drumline.team.request import RequestState
from drumline.team.request_result import Ended
from tests.asking import ask, now
from tests.words import BOSS, teammate, verbs

pytestmark = pytest.mark.requirement("GUARD-17")

YES = {"decision": "allow"}
NO = {
    "decision": "deny",
    "constraint": "C-SAFE-001",
    "what": "deleting /",
    "why": "it is gone",
    "next": "-",
}


def ended_well(_):
    return Ended(0, 1.0, "fine")


def hands(run=ended_well, ruling=YES, minutes=10):
    return carrying.Hands(judge=lambda _: ruling, run=run, timeout=timedelta(minutes=minutes))


def test_the_next_request_is_run_and_told(store):
    asked = ask(store)
    told, ended = carrying.carry_out(store, BOSS, None, hands())
    assert (told.id, told.state, ended.code) == (asked.id, RequestState.DONE, 0)
    assert "> fine" in store.ask(mail.inbox, "ada")[0].body


def test_nothing_is_run_when_nothing_waits(store):
    with pytest.raises(NothingReady):
        carrying.carry_out(store, BOSS, None, hands(pytest.fail))


def test_a_teammate_runs_nothing(store):
    asked = ask(store)
    with pytest.raises(NotAllowed):
        carrying.carry_out(store, teammate("ada"), asked.id, hands(pytest.fail))
    assert verbs(store)[-1] == "request.refused"


def test_what_the_judge_refuses_is_not_run_stays_filed_and_is_remembered(store):
    asked = ask(store)
    with pytest.raises(NotAllowed, match=r"R-1 was not run: deleting / \[C-SAFE-001\]"):
        carrying.carry_out(store, BOSS, asked.id, hands(pytest.fail, NO))
    assert now(store, asked).state is RequestState.FILED
    assert verbs(store)[-1] == "request.refused"


def test_a_run_holds_its_request_for_as_long_as_it_may_take(store, clock):
    asked = ask(store)

    def look(_):
        assert now(store, asked).lease_until == clock.now() + timedelta(minutes=61)
        return Ended(0, 0, "")

    carrying.carry_out(store, BOSS, asked.id, hands(look, minutes=60))


def test_what_could_not_be_started_waits_again(store):
    asked = ask(store)

    def break_down(_):
        raise FileNotFoundError(2, "No such file", "/repo")

    with pytest.raises(NotReady, match="R-1 was not begun"):
        carrying.carry_out(store, BOSS, asked.id, hands(break_down))
    assert now(store, asked).state is RequestState.FILED


def test_a_run_whose_request_was_taken_from_it_does_not_answer(store, stores):
    asked, other = ask(store), stores.open()

    def lose_it(_):
        other.do(requests.give_back, BOSS, asked.id)
        other.do(requests.take, BOSS, asked.id)
        return Ended(0, 0, "")

    with pytest.raises(NotHolder, match="fence 1 is stale"):
        carrying.carry_out(store, BOSS, asked.id, hands(lose_it))
    assert now(store, asked).state is RequestState.TAKEN


@pytest.fixture
def server(postgres_stores, clock):
    place = postgres_stores(clock)
    yield place
    place.close()


def test_a_link_that_dies_while_a_command_runs_loses_no_result(server):
    store = server.open()
    asked = ask(store)

    def cut(_):
        server.cut()
        return Ended(0, 0, "")

    told, _ = carrying.carry_out(store, BOSS, asked.id, hands(cut))
    assert told.state is RequestState.DONE
    assert len(store.ask(mail.inbox, "ada")) == 1
