"""What every store promises about requests: one at a time, answered by mail, never lost."""

from datetime import timedelta

import pytest

from drumline.control import mail, registration, requests, roster
from drumline.errors import (
    BadInput,
    Conflict,
    IllegalMove,
    NotAllowed,
    NothingReady,
    NotHolder,
    NotReady,
    StoreTrouble,
    Unknown,
)
from drumline.team.ids import RequestId
from drumline.team.member import Member
from drumline.team.message import Kind
from drumline.team.request import RESULT_CAP, WHAT_CAP, RequestState
from drumline.team.request_result import Outcome
from drumline.team.rights import CONSTITUTIONS, Charter
from tests.asking import BADLY, WELL, ask, finish, now, take
from tests.words import BOSS, teammate, verbs

pytestmark = pytest.mark.requirement("GUARD-17")


def led_by_max(store, *members: str):
    """A team whose lead is the agent max, as an actor."""
    wanted = [Member(name) for name in members or ("ada", "brook")]
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-4"], {}),
        members=(Member("max", lead=True), *wanted),
        home="test:/repo",
        place="test:/repo",
        digest="2",
    )
    store.do(registration.register, said)
    return store.ask(roster.acting_as, "max")


def letters(store, name):
    return [letter.body for letter in store.ask(mail.inbox, name)]


def test_a_request_is_numbered_in_its_team_and_says_who_asks_for_what(store, stores, clock):
    first, second = ask(store), ask(store, "br close 1", "brook", constraint="C-TEAM-002")
    other = stores.open("boreas").do(requests.file, BOSS, "git push")
    assert [str(each.id) for each in (first, second, other)] == ["R-1", "R-2", "R-1"]
    assert (second.requester, second.what, second.constraint) == (
        "brook",
        "br close 1",
        "C-TEAM-002",
    )
    assert (second.state, second.filed_at) == (RequestState.FILED, clock.now())
    assert other.requester == "person:boss"


def test_the_lead_hears_of_a_request(store):
    ask(store, "git push\nand more")
    assert letters(store, "human")[0].startswith("R-1 is asked of you by ada: git push…\n")


def test_what_is_asked_already_is_not_asked_again_until_it_is_answered(store):
    first = ask(store)
    for step in (lambda: None, lambda: take(store, first)):
        step()
        with pytest.raises(Conflict, match="R-1 asks for exactly this"):
            ask(store)
    assert str(ask(store, name="brook").id) == "R-2"
    finish(store, first, BADLY)
    assert str(ask(store).id) == "R-3"


@pytest.mark.parametrize(
    ("what", "constraint", "problem"),
    [
        (" ", "", "the request is empty"),
        ("x" * (WHAT_CAP + 1), "", "4,001 characters, the cap is 4,000"),
        ("a\x1bb", "", "control character"),
        ("a\udcffb", "", "not valid UTF-8"),
        ("git push", "nonsense", "not a constraint's id"),
        ("GITHUB_TOKEN=ghp_" + "a1" * 18 + " git push", "", "has a secret in line 1"),
    ],
)
def test_what_cannot_be_kept_is_refused(store, what, constraint, problem):
    with pytest.raises(BadInput, match=problem) as refused:
        ask(store, what, constraint=constraint)
    assert refused.value.next
    assert "a1a1" not in str(refused.value.facts())
    assert store.ask(requests.page, everything=True) == []


def test_a_request_goes_from_filed_to_done_and_its_requester_is_told(store, clock):
    asked = ask(store, "git push origin main")
    taken = take(store, asked)
    assert (taken.state, taken.by, taken.fence) == (RequestState.TAKEN, "person:boss", 1)
    assert taken.lease_until == clock.now() + timedelta(minutes=15)
    clock.advance(seconds=5)
    done = finish(store, asked, Outcome(ok=True, result="exit 0\n[APPROVED] Proceed."))
    assert (done.state, done.by, done.ended_at) == (RequestState.DONE, "person:boss", clock.now())
    (letter,) = store.ask(mail.inbox, "ada")
    assert (letter.sender, letter.kind) == ("human", Kind.NOTE)
    assert letter.body == (
        "R-1 is done: git push origin main\nby person:boss\n> exit 0\n> [APPROVED] Proceed.\n"
        "all of it: drumline request show R-1"
    )


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (lambda store, it, who: finish(store, it, BADLY, who), "R-1 failed: git push"),
        (
            lambda store, it, who: store.do(requests.decline, who, it.id, "not today"),
            "R-1 was declined: git push",
        ),
    ],
    ids=["failed", "declined"],
)
def test_a_lead_that_is_an_agent_answers_too(store, end, said):
    lead = led_by_max(store)
    asked = ask(store)
    take(store, asked, lead)
    end(store, asked, lead)
    (letter,) = store.ask(mail.inbox, "ada")
    assert (letter.sender, letter.body.splitlines()[0]) == ("max", said)


def test_a_request_is_declined_with_a_reason_before_anyone_began_it(store):
    declined = store.do(requests.decline, BOSS, ask(store).id, "never with force")
    assert (declined.state, declined.by) == (RequestState.DECLINED, "person:boss")
    assert declined.result == "never with force"
    with pytest.raises(BadInput, match="the reason is empty"):
        store.do(requests.decline, BOSS, ask(store).id, "")


def test_a_result_is_kept_short_and_without_secrets(store):
    asked = ask(store)
    take(store, asked)
    done = finish(store, asked, Outcome(ok=True, result=f"{'x' * 9000}\nTOKEN=ghp_{'a1' * 18}"))
    assert len(done.result) == RESULT_CAP
    assert done.result.endswith("TOKEN=[redacted]")


def test_the_answer_and_its_letter_are_one(store):
    asked = ask(store)
    take(store, asked)

    def finish_then_fail(tx):
        requests.finish(tx, BOSS, asked.id, WELL)
        raise StoreTrouble("no")

    with pytest.raises(StoreTrouble):
        store.do(finish_then_fail)
    assert now(store, asked).state is RequestState.TAKEN
    assert letters(store, "ada") == []


def test_a_requester_that_left_holds_nobody_up(store):
    asked = ask(store, name="cleo")
    lead = led_by_max(store, "ada")
    take(store, asked, lead)
    assert finish(store, asked, WELL, lead).state is RequestState.DONE
    assert verbs(store)[-1] == "request.done"


def test_a_person_who_asks_and_answers_writes_no_letter_to_itself(store):
    asked = store.do(requests.file, BOSS, "git push")
    take(store, asked)
    finish(store, asked)
    assert letters(store, "human") == []


@pytest.mark.parametrize(
    "verb",
    [
        lambda store, it: take(store, it, teammate("ada")),
        lambda store, it: finish(store, it, WELL, teammate("ada")),
        lambda store, it: store.do(requests.decline, teammate("ada"), it.id, "no"),
        lambda store, it: store.do(requests.give_back, teammate("ada"), it.id),
        lambda store, _: store.do(requests.take_next, teammate("ada")),
    ],
    ids=["take", "finish", "decline", "give back", "take next"],
)
def test_a_teammate_carries_nothing_out_and_the_attempt_is_remembered(store, verb):
    asked = ask(store)
    take(store, asked)
    with pytest.raises(NotAllowed, match="ada may not carry out requests"):
        verb(store, asked)
    assert verbs(store)[-1] == "request.refused"
    assert now(store, asked).state is RequestState.TAKEN


def test_a_process_under_a_teammate_is_refused_whatever_it_calls_itself(store):
    led_by_max(store)
    store.do(requests.refuse_under, {"max", "stranger"})
    with pytest.raises(NotAllowed, match="ada may not"):
        store.do(requests.refuse_under, {"max", "ada"})


def test_a_past_life_asks_for_nothing(store):
    store.do(roster.begin_life, BOSS, "ada")
    with pytest.raises(NotHolder, match="ada is in life 2"):
        ask(store)


def test_while_one_is_taken_no_other_is_and_the_refusal_says_which_and_by_whom(store):
    first, second = ask(store), ask(store, "br close 1")
    take(store, first)
    for attempt in (
        lambda: take(store, first),
        lambda: take(store, second),
        lambda: store.do(requests.take_next, BOSS),
    ):
        with pytest.raises(NotReady, match="R-1 is taken by person:boss") as refused:
            attempt()
        assert "until 12:15:00 UTC" in refused.value.why
        assert "drumline request release R-1" in refused.value.next
    finish(store, first)
    assert take(store, second).state is RequestState.TAKEN


def test_teams_do_not_wait_for_each_other(store, stores):
    other = stores.open("boreas")
    take(store, ask(store))
    assert take(other, other.do(requests.file, BOSS, "git push")).fence == 1


def test_the_next_request_is_the_oldest(store):
    first, second = ask(store), ask(store, "br close 1")
    assert store.do(requests.take_next, BOSS).id == first.id
    finish(store, first)
    assert store.do(requests.take_next, BOSS).id == second.id
    finish(store, second)
    with pytest.raises(NothingReady, match="no request waits"):
        store.do(requests.take_next, BOSS)


def test_an_unknown_request_is_refused(store):
    for verb in (requests.take, requests.give_back):
        with pytest.raises(Unknown, match="no request R-7"):
            store.do(verb, BOSS, RequestId(7))


def test_what_is_given_back_waits_again(store):
    asked = ask(store)
    take(store, asked)
    back = store.do(requests.give_back, BOSS, asked.id)
    assert (back.state, back.by, back.lease_until) == (RequestState.FILED, None, None)
    assert take(store, asked).fence == 2


@pytest.mark.parametrize("outcome", [WELL, BADLY], ids=["done", "failed"])
def test_what_is_answered_stays_answered(store, outcome):
    asked = ask(store)
    with pytest.raises(IllegalMove, match="request R-1 is filed"):
        finish(store, asked, outcome)
    take(store, asked)
    finish(store, asked, outcome)
    for attempt in (
        lambda: take(store, asked),
        lambda: finish(store, asked),
        lambda: store.do(requests.decline, BOSS, asked.id, "no"),
        lambda: store.do(requests.give_back, BOSS, asked.id),
    ):
        with pytest.raises(IllegalMove, match="request R-1 is"):
            attempt()
    assert len(letters(store, "ada")) == 1


def test_an_earlier_take_can_no_longer_answer(store):
    asked = ask(store)
    first = take(store, asked)
    store.do(requests.give_back, BOSS, asked.id)
    take(store, asked)
    with pytest.raises(NotHolder, match="fence 1 is stale"):
        finish(store, asked, fence=first.fence)
    with pytest.raises(NotHolder, match="fence 1 is stale"):
        store.do(requests.give_back, BOSS, asked.id, fence=first.fence)


def test_the_lead_does_not_answer_for_a_person(store):
    lead = led_by_max(store)
    asked = ask(store)
    take(store, asked)
    with pytest.raises(NotHolder, match="person:boss has it, not max"):
        finish(store, asked, WELL, lead)


def test_a_stale_take_is_taken_over_by_the_lead_only_after_its_lease(store, clock):
    lead = led_by_max(store)
    asked = ask(store)
    take(store, asked)
    clock.advance(minutes=14, seconds=59, microseconds=999_999)
    with pytest.raises(NotReady, match="R-1 is taken by person:boss"):
        take(store, asked, lead)
    clock.advance(microseconds=1)
    assert (take(store, asked, lead).by, now(store, asked).fence) == ("max", 2)
    assert verbs(store)[-2:] == ["request.expired", "request.taken"]


def test_a_stale_take_makes_room_for_another_request_and_waits_again(store, clock):
    first, second = ask(store), ask(store, "br close 1")
    take(store, first)
    clock.advance(minutes=15)
    take(store, second)
    assert now(store, first).state is RequestState.FILED


def test_a_take_may_be_asked_to_last_longer(store, clock):
    asked = ask(store)
    taken = take(store, asked, at_least=timedelta(hours=1))
    assert taken.lease_until == clock.now() + timedelta(hours=1)
    assert take(store, _again(store, asked), at_least=timedelta(1e-3)).lease_until == (
        clock.now() + timedelta(minutes=15)
    )


def _again(store, request):
    return store.do(requests.give_back, BOSS, request.id)


def test_a_person_takes_over_at_once_from_a_lead_whose_life_is_over(store):
    lead = led_by_max(store)
    asked = ask(store)
    take(store, asked, lead)
    with pytest.raises(NotReady):
        take(store, asked)
    store.do(roster.begin_life, BOSS, "max")
    with pytest.raises(NotReady):
        take(store, asked, store.ask(roster.acting_as, "max"))
    assert take(store, asked).by == "person:boss"
    with pytest.raises(NotHolder, match="max is in life 2"):
        finish(store, asked, WELL, lead)


def test_late_work_that_nobody_took_up_is_still_good(store, clock):
    asked = ask(store)
    taken = take(store, asked)
    clock.advance(hours=9)
    assert finish(store, asked, fence=taken.fence).state is RequestState.DONE


def test_requests_are_listed_oldest_first_those_that_wait_or_all(store):
    for n in range(5):
        ask(store, f"push {n}")
    store.do(requests.decline, BOSS, RequestId(2), "no")
    waiting = store.ask(requests.page, after=1, most=2)
    assert [str(each.id) for each in waiting] == ["R-3", "R-4"]
    assert len(store.ask(requests.page, everything=True)) == 5
