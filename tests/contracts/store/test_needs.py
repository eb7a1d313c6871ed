"""What every store promises about a task's needs: it is paused for want of one, and goes on by an answer."""

import pytest

from drumline.control import board, needs, questions, records
from drumline.errors import BadInput, NotAllowed, NothingReady, NotHolder, NotReady
from drumline.team.actor import Actor, Role
from drumline.team.question import QuestionKind
from drumline.team.server import Needs
from drumline.team.task import Holder, TaskState
from tests.living import begin, claim_in, let_lease_run_out
from tests.words import BOSS, add, claim, claim_next, verbs

pytestmark = pytest.mark.requirement("RUN-12")

LACKING = {"lab": "it did not answer within 20 s", "maps": "no file registers it"}


@pytest.fixture
def paused(store):
    """A task that was given back for want of two servers."""
    task = add(store, needs=("lab", "maps", "lab"))
    life = begin(store)
    store.do(needs.pause, life, claim_in(store, life), LACKING)
    return task


def member(life):
    return Actor(life.member, Role.TEAMMATE, life.incarnation)


def answer(store, choice):
    (question,) = store.ask(questions.page)
    return store.do(questions.answer, BOSS, question.id, choice)


def test_a_task_says_what_it_needs(store):
    task = add(store, needs=("lab", "maps", "lab"))
    assert store.ask(needs.needs_of, task.id) == Needs(("lab", "maps"))
    assert store.ask(needs.needs_of, add(store).id) == Needs()


def test_a_need_can_be_noted_later_alone_or_in_a_list(store):
    task = add(store)
    for said, wanted in (("lab", ("lab",)), (["lab", "maps"], ("lab", "maps")), (None, ())):
        store.do(records.merge, BOSS, task.id, {"needs": said})
        assert store.ask(needs.needs_of, task.id).wanted == wanted


@pytest.mark.parametrize("odd", [7, {"a": 1}, ["drumline"], ["a b"], [["lab"]]])
def test_what_cannot_be_a_server_is_refused_when_it_is_read(store, odd):
    task = add(store)
    store.do(records.merge, BOSS, task.id, {"needs": odd})
    if isinstance(odd, dict):  # it is another field then, which nobody reads
        assert store.ask(needs.needs_of, task.id) == Needs()
    else:
        with pytest.raises(BadInput, match="the brief of T-1 has 1 problem"):
            store.ask(needs.needs_of, task.id)


@pytest.mark.parametrize("field", ["needs", "lacks.Q-1"])
def test_a_holder_cannot_change_what_its_task_needs(store, field):
    add(store, needs=("lab",))
    life = begin(store)
    task = claim_in(store, life)
    with pytest.raises(NotAllowed):
        store.do(records.merge, member(life), task.id, {field: None})


def test_a_paused_task_waits_for_an_answer_and_for_nobody_else(store, paused):
    (question,) = store.ask(questions.page)
    assert (question.kind, question.task, question.holds) == (QuestionKind.NEED, paused.id, True)
    assert "- lab: it did not answer within 20 s\n- maps: no file" in question.what
    with pytest.raises(NotReady, match="Q-1"):
        claim(store, paused, "brook")
    with pytest.raises(NothingReady):
        claim_next(store, "brook")
    assert verbs(store)[-3:] == ["task.released", "question.asked", "task.paused"]


def test_again_asks_for_the_same_servers(store, paused):
    answer(store, "again")
    assert store.ask(needs.needs_of, paused.id) == Needs(("lab", "maps"))
    assert claim_next(store).id == paused.id


def test_without_it_lets_the_task_go_on_without_what_was_asked_about(store, paused):
    answer(store, "without it")
    assert store.ask(needs.needs_of, paused.id) == Needs((), ("lab", "maps"))
    store.do(records.merge, BOSS, paused.id, {"needs": ["lab", "other"]})
    assert store.ask(needs.needs_of, paused.id) == Needs(("other",), ("lab", "maps"))


def test_cancel_ends_the_task(store, paused):
    answer(store, "cancel")
    assert store.ask(lambda tx: tx.tasks.get(paused.id)).state is TaskState.CANCELLED


def test_a_life_that_lost_its_task_pauses_nothing(store):
    add(store, needs=("lab",))
    life = begin(store)
    task = claim_in(store, life)
    let_lease_run_out(store, life)
    begin(store, pid=101)
    with pytest.raises(NotHolder):
        store.do(needs.pause, life, task, LACKING)
    assert store.ask(questions.page) == []


def test_a_task_left_to_others_is_passed_over_and_the_next_is_taken(store):
    first, second = add(store), add(store)
    holder = Holder("ada")
    assert store.do(board.claim_next, BOSS, holder, but={first.id}).id == second.id
    with pytest.raises(NothingReady):
        store.do(board.claim_next, BOSS, holder, but={first.id})
    assert store.do(board.claim_next, BOSS, holder).id == first.id
