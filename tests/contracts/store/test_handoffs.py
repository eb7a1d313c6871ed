"""What every store promises about handoffs: one call does all or none, and closes what wants one."""

import pytest

from drumline.control import board, handing_in, handoffs, mail, questions, records
from drumline.control.handing_in import Proof
from drumline.errors import (
    BadInput,
    NotAllowed,
    NotHandedOff,
    NothingReady,
    NotHolder,
    NotReady,
    Unknown,
)
from drumline.store.upkeep import Caretaker
from drumline.team.document import Reading
from drumline.team.draft import NewTask
from drumline.team.handoff import read_handoff
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree
from drumline.team.signal import MicroSignal, ReadySignal, TaskSignal
from drumline.team.task import TaskState
from tests.living import begin, claim_in
from tests.stores import seat
from tests.words import BOSS, add, claim, claim_next, complete, holds, now, teammate, verbs

RUN = TaskId(1)
CALL = {
    "status": "PASS",
    "narrative": "It went well.",
    "files": ["src/a.py"],
    "decisions": [],
    "unresolved": [],
}


def said(**changes):
    return read_handoff(Reading(tree({**CALL, **changes})))


def note(store, task, **fields):
    dotted = {name.replace("brief_", "brief."): value for name, value in fields.items()}
    return store.do(records.merge, BOSS, task.id, dotted)


def hand_off(store, task, member="ada", actor=None, **changes):
    holder = holds(member, now(store, task).fence)
    return store.do(handoffs.hand_off, actor or teammate(member), task.id, holder, said(**changes))


def letters(store, name):
    return [letter.body for letter in store.ask(mail.inbox, name)]


def fields(store, task):
    return store.ask(lambda tx: tx.tasks.fields(task.id))


def signals_of(store):
    return store.ask(lambda tx: tx.tasks.fields(RUN))


@pytest.fixture(autouse=True)
def _run(store):
    """The run r1 and its permanent task."""
    store.do(records.open_run, BOSS, NewTask(title="goal", run="r1"))


@pytest.fixture
def held(store):
    """A task of phase 2 that ada holds, and of which brook and cleo are to be told."""
    task = add(store, run="r1")
    note(store, task, phase=2, brief_notify=["brook", "cleo"], brief_fields=["findings"])
    return claim(store, task)


@pytest.mark.requirement("MAIL-04")
def test_one_call_reaches_all_four_channels(store, held):
    kept = hand_off(store, held, signal={"reqs": 6})
    path = ".drumline/runs/r1/phase-2/ada/L2-summary.md"
    line = signals_of(store)[f"phase_signals.2.{held.id}"]
    assert line == "PASS|reqs:6|files:1|unresolved:0"
    assert letters(store, "human") == [
        f"PASS|task:{held.id}|reqs:6|files:1|unresolved:0|ref:{path}"
    ]
    assert (
        letters(store, "brook") == letters(store, "cleo") == [f"READY|path:{path}|fields:findings"]
    )
    assert handoffs.kept_facts(kept)["files"]["summary"] == path
    TaskSignal.parse(line)
    MicroSignal.parse(letters(store, "human")[0])
    ReadySignal.parse(letters(store, "brook")[0])


def everything(store):
    return store.ask(
        lambda tx: (
            [tx.tasks.fields(TaskId(number)) for number in (1, 2)],
            [tx.mail.inbox(name, everything=True, after=0, most=9) for name in ("human", "brook")],
            tx.handoffs.last(TaskId(2)),
        )
    )


@pytest.mark.requirement("MAIL-04")
@pytest.mark.parametrize(
    ("plan", "changes", "error"),
    [
        pytest.param({}, {"signal": {"note": "x" * 200}}, BadInput, id="signal over its cap"),
        pytest.param({}, {"signal": {"no key": 1}}, BadInput, id="malformed signal"),
        pytest.param({}, {"decisions": ["x"] * 60}, BadInput, id="index over its cap"),
        pytest.param({"brief_notify": ["brook", "zoe"]}, {}, Unknown, id="a consumer nobody knows"),
        pytest.param(
            {"brief_fields": ["x" * 40] * 20}, {}, BadInput, id="ready-signal over its cap"
        ),
        pytest.param({"brief_notify": [7]}, {}, BadInput, id="a plan nobody can read"),
    ],
)
def test_what_cannot_reach_every_channel_reaches_none(store, held, plan, changes, error):
    note(store, held, **plan)
    before = everything(store)
    with pytest.raises(error):
        hand_off(store, held, **changes)
    assert everything(store) == before


@pytest.mark.requirement("MAIL-04")
def test_a_team_whose_members_do_not_write_to_each_other_hears_nothing_of_half_a_handoff(
    store, held
):
    seat(store, constitution="constitution-4")
    before = everything(store)
    with pytest.raises(NotAllowed):
        hand_off(store, held)
    assert everything(store) == before
    note(store, held, brief_notify="lead")
    assert hand_off(store, held).version == 1


def test_the_same_call_again_tells_nobody_twice(store, held):
    assert hand_off(store, held) == hand_off(store, held)
    assert len(letters(store, "brook")) == len(letters(store, "human")) == 1


def test_another_call_is_another_version_in_the_same_folder(store, held):
    first, second = hand_off(store, held), hand_off(store, held, status="PARTIAL")
    assert (first.version, second.version, first.folder == second.folder) == (1, 2, True)
    assert signals_of(store)[f"phase_signals.2.{held.id}"].startswith("PARTIAL|")
    assert store.ask(handoffs.find, held.id) == second
    assert fields(store, held)["handed-off"] == 2


@pytest.mark.requirement("MAIL-08")
def test_no_two_tasks_share_a_folder(store, held):
    other = add(store, run="r1")
    note(store, other, phase=2)
    claim(store, other)
    folders = {hand_off(store, each).folder for each in (held, other, held)}
    assert folders == {"runs/r1/phase-2/ada", f"runs/r1/phase-2/ada.{other.id}"}


def test_a_task_outside_every_run_is_handed_off_too(store):
    task = claim(store, add(store))
    assert hand_off(store, task).folder == f"handoffs/{task.id}/ada"
    assert letters(store, "human")[0].startswith("PASS|")


@pytest.mark.parametrize(
    ("member", "fence"),
    [pytest.param("brook", None, id="another"), pytest.param("ada", 9, id="stale")],
)
def test_only_the_present_holder_hands_off(store, held, member, fence):
    holder = holds(member, fence or held.fence)
    with pytest.raises(NotHolder):
        store.do(handoffs.hand_off, teammate(member), held.id, holder, said())


def test_a_person_hands_off_in_the_name_of_the_holder(store, held):
    hand_off(store, held, actor=BOSS)
    assert store.ask(mail.inbox, "brook")[0].sender == "ada"


def test_a_signal_s_path_finds_its_handoff(store, held):
    kept = hand_off(store, held)
    path = handoffs.kept_facts(kept)["files"]["summary"]
    assert store.ask(handoffs.find_by_path, path) == kept
    with pytest.raises(Unknown, match="no handoff at"):
        store.ask(handoffs.find_by_path, ".drumline/runs/r1/phase-9/ada/L2-summary.md")
    assert store.ask(lambda tx: tx.handoffs.of_run("r1")) == [kept]


@pytest.mark.requirement("MAIL-10")
def test_a_task_that_wants_a_handoff_closes_only_with_one(store, held):
    note(store, held, handoff="required")
    with pytest.raises(NotHandedOff, match="was not handed off") as refused:
        complete(store, held)
    assert "there is none yet" in refused.value.why
    assert f"handoff submit --task {held.id}" in refused.value.next
    hand_off(store, held)
    assert complete(store, held).state is TaskState.COMPLETED


@pytest.mark.requirement("MAIL-10")
def test_a_handoff_counts_only_for_the_claim_it_was_made_for(store, held):
    note(store, held, handoff="required")
    hand_off(store, held)
    store.do(board.release, BOSS, held.id, holds("ada"))
    claim(store, held, "brook")
    with pytest.raises(NotHandedOff) as refused:
        complete(store, held, "brook")
    assert "version 1 is ada's, for claim 1, and this is claim 2" in refused.value.why


@pytest.mark.requirement("MAIL-10")
def test_good_work_whose_runner_ended_is_closed_with_the_handoff_it_had(store):
    task = add(store, run="r1")
    note(store, task, handoff="required")
    life = begin(store)
    first = claim_in(store, life, task)
    hand_off(store, first, actor=BOSS)
    store.do(handing_in.accept, life, task.id, Proof(first.fence, "c0ffee"))
    store.do(board.release, BOSS, task.id, holds("ada"))
    claim(store, task, "brook")
    assert complete(store, task, "brook").state is TaskState.COMPLETED


@pytest.mark.requirement("MAIL-10")
def test_a_person_may_leave_the_handoff_out_and_it_is_told(store, held):
    note(store, held, handoff="required")
    store.do(board.complete, BOSS, held.id, holds("ada"), unverified=True)
    assert "task.unverified" in verbs(store)


@pytest.mark.requirement("MAIL-10")
def test_after_a_set_number_of_refusals_a_person_is_asked(store):
    task = add(store, run="r1")
    note(store, task, handoff="required")
    life = begin(store)
    fence = claim_in(store, life, task).fence
    found = [store.do(handoffs.count_refusal, life, task.id, fence) for _ in range(3)]
    assert found == [False, False, True]
    [asked] = store.ask(questions.page)
    assert "never handed off" in asked.what
    assert now(store, task).state is TaskState.PENDING
    with pytest.raises(NotReady, match="no answer yet"):
        claim(store, task, "brook")
    with pytest.raises(NotHolder):
        store.do(handoffs.count_refusal, life, task.id, fence)


@pytest.mark.requirement("MAIL-10")
def test_a_handoff_ends_the_count(store):
    task = add(store, run="r1")
    note(store, task, handoff="required")
    life = begin(store)
    held = claim_in(store, life, task)
    store.do(handoffs.count_refusal, life, task.id, held.fence)
    assert fields(store, task)["handoff-refusals"] == 1
    hand_off(store, held, actor=BOSS)
    assert "handoff-refusals" not in fields(store, task)


@pytest.mark.parametrize(
    "said_of_it",
    [
        {"handoff": "requird"},
        {"handoff": {"x": 1}},
        {"phase": "../x"},
        {"phase": [2]},
        {"phase": ""},
    ],
)
def test_a_word_nobody_could_act_on_is_refused(store, held, said_of_it):
    with pytest.raises(BadInput, match="cannot be"):
        store.do(records.merge, BOSS, held.id, said_of_it)


def test_a_holder_cannot_take_the_wish_for_a_handoff_away(store, held):
    note(store, held, handoff="required")
    for name in ("handoff", "handed-off"):
        with pytest.raises(NotAllowed):
            store.do(records.merge, teammate("ada"), held.id, {name: None})


def waiting_task(store, *names, **more):
    task = add(store, run="r1")
    note(store, task, phase=2, brief_await=list(names), **more)
    return now(store, task)


@pytest.mark.requirement("MAIL-06")
def test_whoever_a_task_names_hears_that_it_is_done_without_a_handoff_too(store):
    task = add(store, outputs=("docs/api.md",))
    note(store, task, brief_notify=["brook", "lead"], brief_fields=["routes"])
    claim(store, task)
    complete(store, task)
    assert letters(store, "brook") == ["READY|path:docs/api.md|fields:routes"]
    assert letters(store, "human") == [f"COMPLETE|task:{task.id}|ref:docs/api.md"]


@pytest.mark.requirement("MAIL-06")
def test_where_members_may_not_write_to_each_other_the_lead_passes_it_on(store):
    seat(store, constitution="constitution-4")
    task = add(store)
    note(store, task, brief_notify=["brook"])
    complete(store, claim(store, task))
    [letter] = store.ask(mail.inbox, "brook")
    assert (letter.sender, letter.body) == ("human", f"READY|path:{task.id}|fields:result")


@pytest.mark.requirement("MAIL-06")
def test_what_was_handed_off_is_not_told_twice_and_who_left_stops_nobody(store, held):
    hand_off(store, held)
    complete(store, held)
    assert len(letters(store, "brook")) == 1
    other = add(store)
    note(store, other, brief_notify=["cleo"])
    claim(store, other)
    seat(store, profiles={"cleo": None})
    assert complete(store, other).state is TaskState.COMPLETED


@pytest.mark.requirement("MAIL-04")
def test_a_consumer_that_left_keeps_nobody_from_handing_off(store, held):
    seat(store, profiles={"cleo": None})
    hand_off(store, held)
    assert len(letters(store, "brook")) == len(letters(store, "human")) == 1


@pytest.mark.requirement("BOARD-11")
def test_a_handoff_names_the_trackers_reference_to_the_lead_and_the_run(store):
    task = add(store, run="r1", tracker="GH-7")
    note(store, task, phase=2)
    hand_off(store, claim(store, task))
    assert letters(store, "human")[0].startswith(f"PASS|task:{task.id}|tracker:GH-7|")
    assert signals_of(store)[f"phase_signals.2.{task.id}"].startswith("PASS|tracker:GH-7|")


@pytest.mark.requirement("MAIL-06")
def test_nobody_begins_a_task_before_the_handoffs_it_awaits_are_there(store, held):
    task = waiting_task(store, "ada")
    with pytest.raises(NotReady, match="blocked by ada's handoff"):
        claim(store, task, "brook")
    with pytest.raises(NothingReady):
        claim_next(store, "brook")
    hand_off(store, held)
    with pytest.raises(NotReady):
        claim(store, task, "brook")
    complete(store, held)
    assert claim_next(store, "brook").id == task.id


@pytest.mark.requirement("MAIL-06")
def test_a_task_waits_for_each_of_those_it_awaits(store, held):
    task = waiting_task(store, "ada", "cleo")
    assert task.waits == 2
    hand_off(store, held)
    complete(store, held)
    assert now(store, task).waits == 1


@pytest.mark.requirement("MAIL-06")
def test_work_without_a_handoff_is_no_input(store, held):
    task = waiting_task(store, "ada")
    complete(store, held)
    assert now(store, task).waits == 1


@pytest.mark.requirement("MAIL-06")
def test_an_input_that_is_there_already_is_not_waited_for(store, held):
    hand_off(store, held)
    complete(store, held)
    assert waiting_task(store, "ada").waits == 0


@pytest.mark.requirement("MAIL-06")
def test_an_earlier_phase_counts_only_where_the_task_builds_on_it(store, held):
    hand_off(store, held)
    complete(store, held)
    later = add(store, run="r1")
    note(store, later, phase=3, brief_await="ada")
    assert now(store, later).waits == 1
    built = store.do(board.add, BOSS, NewTask(title="builds on it", run="r1"), [held.id])
    note(store, built, phase=3, brief_await="ada")
    assert now(store, built).waits == 0


@pytest.mark.requirement("MAIL-06")
def test_a_plan_that_awaits_nobody_any_more_lets_its_task_go(store):
    task = waiting_task(store, "ada")
    note(store, task, brief_await=None)
    assert now(store, task).ready


@pytest.mark.requirement("MAIL-06")
def test_the_lead_leaves_no_handoff_and_is_not_waited_for(store):
    assert waiting_task(store, "lead").waits == 0
    outside = add(store)
    note(store, outside, brief_await="lead")
    assert now(store, outside).ready


def outside_runs(store):
    """A task that ada holds, and one that depends on it and awaits ada's handoff; neither of a run."""
    first = add(store)
    second = store.do(board.add, BOSS, NewTask(title="builds on it"), [first.id])
    note(store, second, brief_await="ada")
    return claim(store, first), second


@pytest.mark.requirement("MAIL-06")
def test_outside_runs_too_nobody_begins_a_task_before_the_handoff_it_awaits_is_there(store):
    task, other = add(store), add(store)
    note(store, other, brief_await="ada")
    claim(store, task)
    with pytest.raises(NotReady, match="blocked by ada's handoff"):
        claim(store, other, "brook")
    with pytest.raises(NothingReady):
        claim_next(store, "brook")
    hand_off(store, task)
    with pytest.raises(NotReady):
        claim(store, other, "brook")
    complete(store, task)
    assert claim_next(store, "brook").id == other.id


@pytest.mark.requirement("MAIL-06")
def test_outside_runs_a_member_closes_nothing_that_others_depend_on_without_the_handoff_they_await(
    store,
):
    task, other = outside_runs(store)
    with pytest.raises(NotHandedOff) as refused:
        store.do(board.complete, teammate("ada"), task.id, holds("ada", task.fence))
    assert f"{other.id} cannot begin without it" in refused.value.why
    hand_off(store, task)
    complete(store, task)
    assert now(store, other).ready


@pytest.mark.requirement("MAIL-06")
def test_whom_a_person_lets_close_a_task_without_a_handoff_nobody_waits_for(store):
    task, other = outside_runs(store)
    store.do(board.complete, BOSS, task.id, holds("ada", task.fence), unverified=True)
    assert now(store, other).ready
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("MAIL-06")
def test_outside_runs_what_is_there_already_counts_where_the_task_depends_on_it(store):
    first = claim(store, add(store))
    hand_off(store, first)
    complete(store, first)
    built = store.do(board.add, BOSS, NewTask(title="builds on it"), [first.id])
    apart = add(store)
    for task in (built, apart):
        note(store, task, brief_await="ada")
    assert (now(store, built).waits, now(store, apart).waits) == (0, 1)


@pytest.mark.requirement("MAIL-06")
def test_a_run_and_what_is_outside_it_do_not_wait_for_each_others_handoffs(store, held):
    outside = add(store)
    note(store, outside, brief_await="ada")
    hand_off(store, held)
    complete(store, held)
    assert now(store, outside).waits == 1


@pytest.mark.requirement("MAIL-06")
def test_counters_of_waiting_tasks_are_in_order(store, held):
    waiting_task(store, "ada", "cleo")
    assert list(Caretaker(store.engine).check()) == []
    hand_off(store, held)
    complete(store, held)
    assert list(Caretaker(store.engine).check()) == []
