"""What every store promises about questions: asked once, answered once, and tasks that wait for them."""

import threading

import pytest

from drumline.control import board, lives, mail, questions, reflecting
from drumline.errors import BadInput, Conflict, NotAllowed, NothingReady, NotReady, Unknown
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.consequence import Ask, Block, Propose
from drumline.team.ids import QuestionId, TaskId
from drumline.team.life import WhyEnded
from drumline.team.question import Asking, QuestionKind, QuestionState
from drumline.team.task import TaskState
from tests.living import begin, claim_in
from tests.stores import seat
from tests.words import BOSS, add, claim, claim_next, now, teammate, verbs

pytestmark = pytest.mark.requirement("RUN-09")

ASKERS = 8
HELP = Asking(QuestionKind.HELP, "Which port?", "help 1")


def ask(store, asking=HELP, name="ada"):
    return store.do(questions.ask, teammate(name), asking)


def answer(store, question, choice="", words="", actor=BOSS):
    return store.do(questions.answer, actor, question.id, choice, words)


def held(task, kind=QuestionKind.OBSTACLE):
    return Asking(kind, "What now?", f"{kind} {task.id}", task.id, holds=True)


def sound(store):
    return list(Caretaker(store.engine).check()) == []


def test_on_one_occasion_a_thing_is_asked_once(store):
    first = ask(store)
    assert ask(store, HELP._replace(what="Which port, again?")) == first
    answered = answer(store, first, words="8080")
    assert ask(store) == answered
    assert verbs(store).count("question.asked") == 1


def troubled(store, clock, *whys, what="git fetch failed"):
    """Lives of ada that can begin nothing, one after the other; what they asked for in all."""
    for why in whys:
        life = begin(store)
        store.do(reflecting.tell_trouble, life, what, f"{what}; {why}")
        store.do(lives.end, life, WhyEnded.CRASHED, why)
        clock.advance(seconds=60)
    return store.ask(questions.page, everything=True)


def test_a_trouble_is_told_once_however_many_lives_meet_it_in_whatever_words(store, clock):
    assert len(troubled(store, clock, "tmp_1 is broken", "tmp_2 is broken", "tmp_3 is broken")) == 1


def test_a_trouble_that_comes_again_after_an_answer_is_told_again(store, clock):
    [first] = troubled(store, clock, "broken")
    answer(store, first, words="mended")
    asked = troubled(store, clock, "broken", "broken")
    assert [each.state for each in asked] == [QuestionState.ANSWERED, QuestionState.OPEN]


def test_another_trouble_is_told_beside_the_first(store, clock):
    troubled(store, clock, "broken")
    assert len(troubled(store, clock, "full", what="no room is left")) == 2


def test_of_eight_who_ask_the_same_all_get_one_question(stores):
    links = [stores.open() for _ in range(ASKERS)]
    found = []
    threads = [threading.Thread(target=lambda link=link: found.append(ask(link))) for link in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(each.id) for each in found] == ["Q-1"] * ASKERS
    assert sound(links[0])


def test_of_two_answers_the_first_stands(store):
    question = ask(store)
    answer(store, question, words="8080")
    with pytest.raises(Conflict) as refused:
        answer(store, question, words="9090")
    assert refused.value.why == "person:boss said '8080'"
    assert store.ask(questions.find, question.id).words == "8080"


def test_a_task_that_a_question_holds_is_taken_by_nobody(store):
    task = add(store)
    question = ask(store, held(task))
    with pytest.raises(NothingReady):
        claim_next(store)
    with pytest.raises(NotReady, match=f"{question.id} .no answer yet."):
        claim(store, task)
    assert sound(store)


def test_an_answer_lets_the_task_go_on(store):
    task = add(store)
    answer(store, ask(store, held(task)), "go on", "use the other door")
    assert claim_next(store).id == task.id
    assert sound(store)


def test_a_task_waits_for_each_of_its_questions_and_blockers(store):
    blocker = add(store, "first")
    task = add(store, "second", blocker.id)
    asked = [ask(store, held(task, kind)) for kind in (QuestionKind.OBSTACLE, QuestionKind.NEED)]
    assert now(store, task).waits == 3
    answer(store, asked[0], "go on")
    answer(store, asked[1], "again")
    assert now(store, task).waits == 1
    assert sound(store)


def test_an_answer_can_end_the_task(store):
    task = add(store)
    question = ask(store, held(task))
    other = ask(store, held(task, QuestionKind.NEED))
    answer(store, question, "cancel")
    assert now(store, task).state is TaskState.CANCELLED
    assert store.ask(questions.find, other.id).state is QuestionState.WITHDRAWN
    assert sound(store)


def test_what_is_asked_about_a_cancelled_task_is_withdrawn(store):
    task = add(store)
    question = ask(store, held(task))
    store.do(board.cancel, BOSS, task.id)
    with pytest.raises(Conflict, match="withdrawn already"):
        answer(store, question, "go on")
    assert sound(store)


def test_no_question_holds_a_task_that_somebody_works_on(store):
    task = claim(store, add(store))
    with pytest.raises(NotReady, match="in_progress"):
        ask(store, held(task))
    assert store.ask(questions.page) == []


def test_a_teammate_answers_nothing_and_its_try_is_recorded(store):
    question = ask(store)
    with pytest.raises(NotAllowed) as refused:
        answer(store, question, words="yes", actor=teammate("brook"))
    assert refused.value.why == "a person answers it"
    assert verbs(store)[-1] == "question.refused"
    assert store.ask(questions.find, question.id).open


def test_a_lead_is_told_of_what_it_may_answer_and_of_nothing_else(stores):
    store = stores.open()
    seat(store, lead="cleo")
    lead = Actor("cleo", Role.LEAD, 1)
    task = add(store)
    obstacle, approval = (
        ask(store, held(task)),
        ask(store, Asking(QuestionKind.APPROVAL, "Bash: ls", "approval 1")),
    )
    letters = store.ask(mail.inbox, "cleo")
    assert [letter.body.split()[0] for letter in letters] == [str(obstacle.id)]
    answer(store, obstacle, "go on", actor=lead)
    with pytest.raises(NotAllowed, match=f"cleo may not answer {approval.id}"):
        answer(store, approval, "allow", actor=lead)


def test_the_asker_hears_the_answer_as_data(store):
    answer(store, ask(store), words="run this:\nrm -rf /")
    [letter] = store.ask(mail.inbox, "ada")
    assert letter.body == "Q-1 was answered:\n> run this:\n> rm -rf /"


def test_a_secret_in_a_question_is_not_kept(store):
    token = "ghp_" + "a1B2" * 9
    question = ask(store, HELP._replace(what=f"May I use {token}?"))
    assert token not in store.ask(questions.find, question.id).what


def test_an_answer_that_was_not_offered_changes_nothing(store):
    question = ask(store, held(add(store)))
    with pytest.raises(BadInput, match="not one of the answers"):
        answer(store, question, "perhaps")
    assert store.ask(questions.find, question.id).open


def test_an_unknown_question_is_refused(store):
    with pytest.raises(Unknown, match="no question Q-9"):
        store.do(questions.answer, BOSS, QuestionId(9), "", "yes")


def test_what_a_life_wanted_to_be_allowed_ends_with_it(store):
    life = begin(store)
    actor = Actor("ada", Role.TEAMMATE, life.incarnation)
    asked = store.do(questions.ask, actor, Asking(QuestionKind.APPROVAL, "Bash: ls", "approval 1"))
    other = store.do(questions.ask, actor, HELP)
    store.do(lives.end, life, WhyEnded.CRASHED)
    assert store.ask(questions.find, asked.id).state is QuestionState.WITHDRAWN
    assert store.ask(questions.find, other.id).open


def test_a_blocked_task_waits_for_an_answer_and_is_not_failed(store):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    store.do(reflecting.carry_out, life, task, [Block("no key", "I looked everywhere")])
    [question] = store.ask(questions.page)
    assert (question.kind, question.task, question.holds) == (QuestionKind.OBSTACLE, task.id, True)
    assert "no key\nI looked everywhere" in question.what
    assert (now(store, task).state, now(store, task).waits) == (TaskState.PENDING, 1)


def test_only_a_person_answers_a_block_that_needs_one(store):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    store.do(reflecting.carry_out, life, task, [Block("which key?", person=True)])
    [question] = store.ask(questions.page)
    assert question.kind is QuestionKind.HELP
    answer(store, question, "go on", "the blue one")
    assert now(store, task).ready


@pytest.mark.parametrize("completed_first", [True, False])
def test_a_task_blocked_by_another_waits_for_that_one(store, completed_first):
    add(store, "mine", priority=1)
    other = add(store, "theirs")
    life = begin(store)
    task = claim_in(store, life)
    if completed_first:
        claim(store, other, "brook")
        store.do(board.complete, BOSS, other.id, board.Holder("brook"))
    store.do(reflecting.carry_out, life, task, [Block("T-2", tasks=(other.id,))])
    assert now(store, task).ready is completed_first
    assert store.ask(questions.page) == []
    assert sound(store)


@pytest.mark.parametrize("named", [TaskId(99), TaskId(1)])
def test_a_block_that_names_nothing_to_wait_for_becomes_a_question(store, named):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    store.do(reflecting.carry_out, life, task, [Block(str(named), tasks=(named,))])
    [question] = store.ask(questions.page)
    assert question.kind is QuestionKind.OBSTACLE
    assert sound(store)


def test_a_proposed_task_is_taken_by_nobody_before_it_was_taken_up(store):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    for _ in range(2):
        store.do(reflecting.carry_out, life, task, [Propose("Measure it", "all of it")])
    [question] = store.ask(questions.page)
    proposed = store.ask(lambda tx: tx.tasks.get(question.task))
    assert (proposed.title, proposed.waits) == ("Measure it", 1)
    with pytest.raises(NothingReady):
        claim_next(store, "brook")
    answer(store, question, "take up")
    assert claim_next(store, "brook").id == proposed.id


def test_a_proposal_that_is_turned_down_leaves_the_board(store):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    store.do(reflecting.carry_out, life, task, [Propose("Rewrite it in C")])
    [question] = store.ask(questions.page)
    answer(store, question, "turn down")
    assert now(store, store.ask(lambda tx: tx.tasks.get(question.task))).state == "cancelled"
    assert sound(store)


def test_a_finished_member_may_ask_a_person_and_holds_nothing(store):
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    store.do(reflecting.carry_out, life, task, [Ask("completed: which licence?")])
    [question] = store.ask(questions.page)
    assert (question.kind, question.holds) == (QuestionKind.HELP, False)
