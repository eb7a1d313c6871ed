"""What every store promises about shared contexts: numbered versions, who holds which, and deviations."""

import threading

import pytest

from drumline.control import context, deviations, gates, mail, questions, records, roster, runs
from drumline.control.context import Publication
from drumline.control.runs import Begin
from drumline.errors import BadInput, Conflict, NotAllowed, NotHolder, NotReady, Unknown
from drumline.runtimes.outlook import Outlook
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.context import Section, WholeWhen
from drumline.team.deviation import Deviation, Grave
from drumline.team.journal import fold
from drumline.team.message import Kind
from drumline.team.pipelines import SHIPPED
from drumline.team.question import QuestionKind
from drumline.team.verdict import Call
from drumline.team.wording import parse
from drumline.team.wording_forms import Acknowledgement, Action
from tests.stores import MEMBERS, seat
from tests.words import BOSS, teammate, verbs

RUN = "run-1"
FIRST = {"goal": "ship it", "limits": "no network", "who": "ada leads", "how": "tests first"}
SECOND = {**FIRST, "limits": "loopback only"}
PUBLISHERS = 6


@pytest.fixture
def run(store):
    """The store with a run on it."""
    store.do(runs.begin, BOSS, Begin("Ship it", SHIPPED["constitution-10"], "c0ffee"))
    return store


def publish(store, texts=FIRST, actor=BOSS, run=RUN, **facts):
    said = {"window": 200_000, **facts}
    sections = tuple(Section(*each) for each in texts.items())
    return store.do(context.publish, actor, run, Publication(sections=sections, **said))


def ack(store, version, items, name="ada", action=Action.CONTINUE, **facts):
    said = {"applied": items, "total": items, "impact": "none", **facts}
    word = Acknowledgement(version=version, action=action, **said)
    return store.do(context.acknowledge, teammate(name), RUN, word)


def everyone_acks(store, version, items):
    for name in MEMBERS:
        ack(store, version, items, name)


def held(store):
    return {each.member: each.held for each in store.ask(context.who, RUN)}


def stale(store, *members):
    return [each.member for each in store.ask(context.stale, RUN, members or None)]


def updates(store, name="ada", *, everything=True):
    found = store.ask(mail.inbox, name, everything=everything)
    return [each for each in found if each.kind is Kind.CONTEXT_UPDATE]


def sound(store):
    return list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("CTX-01")
def test_versions_are_numbered_from_one_and_keep_what_they_said(run):
    assert [publish(run, texts).version.number for texts in (FIRST, SECOND)] == [1, 2]
    first = run.ask(context.find, RUN, 1)
    assert dict(first.sections) == FIRST
    assert run.ask(context.find, RUN).number == 2


@pytest.mark.requirement("CTX-01")
def test_of_several_who_publish_at_once_each_gets_a_number_of_its_own(stores, run):
    links = [stores.open() for _ in range(PUBLISHERS)]
    made = []

    def say(at, link):
        made.append(publish(link, {**FIRST, "goal": f"goal {at}"}).version.number)

    threads = [threading.Thread(target=say, args=each) for each in enumerate(links)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == list(range(1, PUBLISHERS + 1))
    assert sound(run)


@pytest.mark.requirement("CTX-01")
@pytest.mark.parametrize("version", [1, 2, 5])
def test_what_was_written_from_an_older_version_is_refused(run, version):
    for at in range(3):
        publish(run, {**FIRST, "goal": f"goal {at}"})
    with pytest.raises(Conflict):
        publish(run, SECOND, version=version)


@pytest.mark.requirement("CTX-01")
@pytest.mark.parametrize("version", [1, 2, None])
def test_what_was_written_from_the_newest_version_or_for_the_next_is_taken(run, version):
    publish(run)
    assert publish(run, SECOND, version=version).version.number == 2


@pytest.mark.requirement("CTX-01")
def test_a_version_that_says_nothing_new_is_refused(run):
    publish(run)
    with pytest.raises(Conflict):
        publish(run)


@pytest.mark.requirement("CTX-01")
@pytest.mark.parametrize(
    ("actor", "where", "refusal"),
    [
        pytest.param(teammate("ada"), RUN, NotAllowed, id="a teammate"),
        pytest.param(Actor("ada", Role.LEAD, 1), RUN, NotAllowed, id="who only says it leads"),
        pytest.param(BOSS, "run-9", Unknown, id="no such run"),
    ],
)
def test_only_the_lead_and_people_publish_and_only_for_a_run(run, actor, where, refusal):
    with pytest.raises(refusal):
        publish(run, actor=actor, run=where)
    assert run.ask(context.who, RUN)[0].offered == 0


@pytest.mark.requirement("CTX-04")
def test_a_context_does_not_change_while_a_gate_is_judged(run):
    def open_gate(tx):
        tx.runs.open_gate(tx.runs.get(RUN)._replace(phase="design"), ())
        tx.record(BOSS, "gate.opened", RUN)

    run.do(open_gate)
    with pytest.raises(NotReady):
        publish(run)
    run.do(gates.say, BOSS, RUN, gates.Said("design", Call.APPROVE))
    assert publish(run).version.number == 1


@pytest.mark.requirement("CTX-01")
def test_nothing_is_published_for_a_run_that_is_over(run):
    run.do(records.deliver, BOSS, RUN)
    with pytest.raises(NotReady):
        publish(run)


@pytest.mark.requirement("CTX-06")
def test_a_version_that_alone_exceeds_its_share_cannot_be_published(run):
    with pytest.raises(BadInput):
        publish(run, {"goal": "x" * 2_000}, window=1_000)
    with pytest.raises(Unknown):
        run.ask(context.find, RUN)


@pytest.mark.requirement("CTX-01")
def test_who_holds_which_is_known_by_their_own_word(run):
    publish(run)
    assert held(run) == {"ada": 0, "brook": 0, "cleo": 0}
    ack(run, 1, 4)
    assert held(run) == {"ada": 1, "brook": 0, "cleo": 0}


@pytest.mark.requirement("CTX-02")
def test_one_version_behind_gets_only_what_is_new(run):
    publish(run)
    everyone_acks(run, 1, 4)
    sent = publish(run, SECOND).sent
    assert {(each.member, each.items, each.whole) for each in sent} == {
        (name, 1, None) for name in MEMBERS
    }
    body = updates(run)[-1].body
    assert "loopback only" in body
    assert "tests first" not in body


@pytest.mark.requirement("CTX-02")
def test_who_did_not_take_the_last_version_in_gets_everything(run):
    publish(run)
    ack(run, 1, 4)
    publish(run, SECOND)
    sent = publish(run, {**SECOND, "goal": "ship it well"}).sent
    assert {each.member: each.whole for each in sent} == {
        "ada": WholeWhen.BEHIND,
        "brook": WholeWhen.STARTED,
        "cleo": WholeWhen.STARTED,
    }
    assert "tests first" in updates(run)[-1].body


@pytest.mark.requirement("CTX-02")
def test_a_version_that_returns_to_what_a_member_held_reaches_it(run):
    publish(run)
    everyone_acks(run, 1, 4)
    publish(run, SECOND)
    assert [each.items for each in publish(run, FIRST).sent] == [4, 4, 4]


@pytest.mark.requirement("CTX-02")
@pytest.mark.parametrize(("lost", "why"), [(True, WholeWhen.LOST), (False, WholeWhen.ASKED)])
def test_who_asks_or_lost_its_context_holds_nothing_until_it_has_everything(run, lost, why):
    publish(run)
    everyone_acks(run, 1, 4)
    [sent] = run.do(context.want_whole, teammate("ada"), RUN, lost=lost)
    assert (sent.member, sent.whole) == ("ada", why)
    assert stale(run) == ["ada"]
    ack(run, 1, 4)
    assert stale(run) == []


@pytest.mark.requirement("CTX-02")
def test_a_new_life_is_sent_everything_once(run):
    publish(run)
    everyone_acks(run, 1, 4)
    run.do(roster.begin_life, BOSS, "ada")
    assert stale(run) == ["ada"]
    assert run.ask(context.owing, RUN)
    [sent] = run.do(context.offer, RUN)
    assert (sent.member, sent.whole) == ("ada", WholeWhen.STARTED)
    assert not run.ask(context.owing, RUN)
    assert run.do(context.offer, RUN) == ()


@pytest.mark.requirement("PROTO-01")
def test_a_past_life_confirms_nothing(run):
    publish(run)
    run.do(roster.begin_life, BOSS, "ada")
    with pytest.raises(NotHolder):
        ack(run, 1, 4)


@pytest.mark.requirement("PROTO-01")
@pytest.mark.parametrize("actor", [BOSS, teammate("ada")._replace(by="person:boss")])
def test_nobody_confirms_for_a_member(run, actor):
    publish(run)
    word = Acknowledgement(version=1, applied=4, total=4, impact="none", action=Action.CONTINUE)
    with pytest.raises(NotAllowed):
        run.do(context.acknowledge, actor, RUN, word)


@pytest.mark.requirement("PROTO-01")
def test_what_was_not_sent_cannot_be_confirmed(run):
    publish(run)
    run.do(roster.begin_life, BOSS, "ada")
    word = Acknowledgement(version=1, applied=4, total=4, impact="none", action=Action.CONTINUE)
    with pytest.raises(NotReady):
        run.do(context.acknowledge, teammate("ada")._replace(incarnation=2), RUN, word)


@pytest.mark.requirement("CTX-03")
@pytest.mark.parametrize(
    ("version", "total", "refusal"), [(1, 4, Conflict), (3, 4, Conflict), (2, 3, BadInput)]
)
def test_only_what_was_sent_last_is_confirmed(run, version, total, refusal):
    publish(run)
    publish(run, SECOND)
    with pytest.raises(refusal):
        ack(run, version, total)


@pytest.mark.requirement("CTX-03")
def test_what_is_applied_in_part_is_not_held(run):
    publish(run)
    kept = ack(run, 1, 4, applied=3)
    assert (kept.applied, kept.total, kept.held) == (3, 4, 0)
    assert "ada" in stale(run)
    assert updates(run, everything=False)


@pytest.mark.requirement("CTX-03")
def test_the_lead_hears_what_a_member_does_about_it_and_the_update_is_dealt_with(run):
    publish(run)
    ack(run, 1, 4, impact="my parser changes")
    [told] = run.ask(mail.inbox, "human")
    word = parse(told.body)
    assert (word.applied, word.total, word.impact) == (4, 4, "my parser changes")
    assert updates(run, everything=False) == []


@pytest.mark.requirement("CTX-03")
def test_a_pause_stands_until_the_member_goes_on(run):
    publish(run)
    ack(run, 1, 4, action=Action.PAUSE)
    assert run.ask(context.is_paused, RUN, "ada")
    publish(run, SECOND)
    assert run.ask(context.is_paused, RUN, "ada")
    ack(run, 2, 1)
    assert not run.ask(context.is_paused, RUN, "ada")


@pytest.mark.requirement("CTX-03")
def test_who_needs_clarification_asks_the_lead_once_and_hears_the_answer(run):
    publish(run)
    for _ in range(2):
        ack(run, 1, 4, action=Action.NEED_CLARIFICATION, impact="which network?")
    [asked] = run.ask(questions.page)
    assert (asked.kind, asked.asker) == (QuestionKind.CLARIFICATION, "ada")
    assert "which network?" in asked.what
    leader = run.ask(roster.acting_as, "lead")
    run.do(questions.answer, leader, asked.id, "", "none at all")
    assert "none at all" in run.ask(mail.inbox, "ada")[-1].body


@pytest.mark.requirement("CTX-03")
def test_what_a_lead_needs_to_know_a_person_says(run):
    publish(run)
    seat(run, lead="ada")
    leader = Actor("ada", Role.LEAD, 1)
    word = {"applied": 4, "total": 4, "impact": "why?", "action": Action.NEED_CLARIFICATION}
    run.do(context.acknowledge, leader, RUN, Acknowledgement(version=1, **word))
    [asked] = run.ask(questions.page)
    with pytest.raises(NotAllowed):
        run.do(questions.answer, leader, asked.id, "", "because")
    assert not run.do(questions.answer, BOSS, asked.id, "", "because").open


@pytest.mark.requirement("CTX-04")
def test_who_does_not_hold_the_newest_version_is_stale(run):
    assert stale(run) == []
    publish(run)
    assert stale(run) == list(MEMBERS)
    everyone_acks(run, 1, 4)
    assert stale(run) == []
    publish(run, SECOND)
    ack(run, 2, 1, "brook")
    assert stale(run) == ["ada", "cleo"]
    assert stale(run, "brook") == []


@pytest.mark.requirement("CTX-01")
def test_a_lead_holds_what_it_wrote(run):
    seat(run, lead="ada")
    publish(run, actor=Actor("ada", Role.LEAD, 1))
    assert stale(run) == ["brook", "cleo"]


def deviate(store, grave, *members, what="parse takes bytes"):
    return store.do(deviations.found, RUN, Deviation(grave, what, members))


@pytest.mark.requirement("CTX-05")
@pytest.mark.parametrize(
    ("grave", "briefed"),
    [
        (Grave.COSMETIC, []),
        (Grave.INTERFACE, ["ada", "brook"]),
        (Grave.ARCHITECTURE, ["ada", "brook", "cleo"]),
    ],
)
def test_a_deviation_is_remembered_and_briefs_whom_it_touches(run, grave, briefed):
    publish(run)
    everyone_acks(run, 1, 4)
    found = deviate(run, grave, "ada", "brook")
    assert stale(run) == briefed
    assert run.ask(lambda tx: tx.contexts.deviations(RUN)) == [found]
    assert "deviation.recorded" in verbs(run)


@pytest.mark.requirement("CTX-05")
def test_an_architecture_change_asks_for_a_new_plan(run):
    for at, grave in enumerate(Grave, 1):
        assert deviate(run, grave).number == at
    permanent = run.ask(lambda tx: tx.tasks.permanent(RUN))
    assert run.ask(lambda tx: tx.tasks.fields(permanent.id))["replan"] == 3


@pytest.mark.requirement("CTX-01")
def test_the_log_alone_gives_contexts_holdings_and_deviations(run):
    publish(run)
    ack(run, 1, 4, action=Action.PAUSE)
    deviate(run, Grave.ARCHITECTURE, "ada")
    events, _ = run.ask(lambda tx: tx.journal.last(most=10_000))
    folded = fold(events)
    assert len(folded["contexts"]) == len(folded["deviations"]) == 1
    assert {key[2]: row["held"] for key, row in folded["holdings"].items()} == held(run)
    assert sound(run)


@pytest.mark.requirement("CTX-01")
def test_without_a_name_the_run_at_work_is_meant_though_only_an_earlier_one_has_a_context(run):
    publish(run)
    run.do(runs.abort, BOSS, RUN)
    run.do(runs.begin, BOSS, Begin("Ship more", SHIPPED["constitution-10"], "c0ffee"))
    assert run.ask(context.chosen_run) == "run-2"
    run.do(runs.stop, BOSS, "run-2")
    assert run.ask(context.chosen_run) == RUN


@pytest.mark.requirement("CTX-03")
def test_a_run_whose_gate_is_shut_is_looked_at_as_soon_as_somebody_confirms(run):
    publish(run)
    outlook = Outlook(run)
    outlook.runs()
    ack(run, 1, len(FIRST))
    outlook.read()
    assert outlook.runs()
