"""What every store promises when two verbs meet at the same instant."""

import threading

import pytest

from drumline.control import board, mail, roster
from drumline.errors import Cycle, DrumlineError, NotReady
from drumline.store.upkeep import Caretaker
from drumline.team.task import Holder
from tests.words import BOSS, add, claim, holds, now, send, verbs

ROUNDS = 12


def meet(*calls):
    """Do all of them at once; what each answered or how it was refused."""
    answers = [None] * len(calls)
    together = threading.Barrier(len(calls))

    def run(place, store, verb, args):
        together.wait(timeout=10)
        try:
            answers[place] = store.do(verb, *args)
        except DrumlineError as error:
            answers[place] = error

    threads = [
        threading.Thread(target=run, args=(place, *call)) for place, call in enumerate(calls)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture
def pair(stores):
    return stores.open(), stores.open()


def refusals(answers):
    return [type(answer) for answer in answers if isinstance(answer, DrumlineError)]


@pytest.mark.requirement("BOARD-02")
def test_two_halves_of_a_circle_do_not_pass_each_other(pair):
    here, there = pair
    for _ in range(ROUNDS):
        a, b = add(here), add(here)
        answers = meet(
            (here, board.block, (BOSS, a.id, [b.id])), (there, board.block, (BOSS, b.id, [a.id]))
        )
        assert refusals(answers) == [Cycle]


@pytest.mark.requirement("BOARD-03", "RUN-05")
def test_two_claims_of_one_who_works_alone_do_not_pass_each_other(pair):
    here, there = pair
    for _ in range(ROUNDS):
        one, two = add(here), add(here)
        mine = Holder("ada", alone=True)
        answers = meet(
            (here, board.claim, (BOSS, one.id, mine)),
            (there, board.claim_next, (BOSS, mine)),
        )
        assert refusals(answers) == [NotReady]
        for task in (one, two):
            here.do(board.cancel, BOSS, task.id)


@pytest.mark.requirement("BOARD-02")
def test_two_far_ends_of_a_circle_do_not_pass_each_other(pair):
    here, there = pair
    for _ in range(ROUNDS):
        a, b, c, d = (add(here) for _ in range(4))
        here.do(board.block, BOSS, b.id, [c.id])
        here.do(board.block, BOSS, d.id, [a.id])
        answers = meet(
            (here, board.block, (BOSS, a.id, [b.id])), (there, board.block, (BOSS, c.id, [d.id]))
        )
        assert refusals(answers) == [Cycle]


@pytest.mark.requirement("BOARD-03")
def test_of_two_claims_of_one_task_one_wins(pair):
    here, there = pair
    for _ in range(ROUNDS):
        task = add(here)
        answers = meet(
            (here, board.claim, (BOSS, task.id, holds("ada"))),
            (there, board.claim, (BOSS, task.id, holds("brook"))),
        )
        assert refusals(answers) == [NotReady]
        assert now(here, task).fence == 1


@pytest.mark.requirement("BOARD-07")
def test_of_two_claims_of_shared_files_one_wins(pair):
    here, there = pair
    for n in range(ROUNDS):
        a, b = add(here, files=(f"src/{n}/**",)), add(here, files=(f"src/{n}/a.py",))
        answers = meet(
            (here, board.claim, (BOSS, a.id, holds("ada"))),
            (there, board.claim, (BOSS, b.id, holds("brook"))),
        )
        assert refusals(answers) == [NotReady]


@pytest.mark.requirement("BOARD-07")
def test_of_two_takers_of_shared_files_one_waits(pair):
    here, there = pair
    for n in range(ROUNDS):
        tasks = [add(here, files=(f"src/{n}/**",)), add(here, files=(f"src/{n}/a.py",))]
        answers = meet(
            (here, board.claim_next, (BOSS, holds("ada"))),
            (there, board.claim_next, (BOSS, holds("brook"))),
        )
        assert len(refusals(answers)) == 1
        for task in tasks:
            here.do(board.cancel, BOSS, task.id)


@pytest.mark.requirement("BOARD-03")
def test_an_old_life_claims_nothing_while_a_new_one_begins(pair):
    here, there = pair
    for life in range(1, ROUNDS):
        task = add(here)
        meet(
            (here, roster.begin_life, (BOSS, "ada")),
            (there, board.claim_next, (BOSS, holds("ada", life=life))),
        )
        assert now(here, task).owner is None
        here.do(board.cancel, BOSS, task.id)


@pytest.mark.requirement("BOARD-03")
def test_a_claim_by_name_does_not_outlive_its_life(pair):
    here, there = pair
    for life in range(1, ROUNDS):
        task = add(here)
        meet(
            (here, roster.begin_life, (BOSS, "ada")),
            (there, board.claim, (BOSS, task.id, holds("ada", life=life))),
        )
        assert now(here, task).owner is None
        here.do(board.cancel, BOSS, task.id)


@pytest.mark.requirement("MAIL-01")
def test_two_acknowledgements_leave_one_word(pair):
    here, there = pair
    for _ in range(ROUNDS):
        letter = send(here, "ada", "brook")
        meet(
            (here, mail.acknowledge, (BOSS, [letter.id])),
            (there, mail.acknowledge, (BOSS, [letter.id])),
        )
    assert verbs(here).count("mail.acked") == ROUNDS


@pytest.mark.requirement("BOARD-02")
def test_a_wait_added_while_its_blocker_completes_is_counted_right(pair):
    here, there = pair
    for _ in range(ROUNDS):
        first, last = claim(here, add(here)), add(here)
        answers = meet(
            (here, board.complete, (BOSS, first.id, holds("ada"))),
            (there, board.block, (BOSS, last.id, [first.id])),
        )
        assert refusals(answers) == []
        assert now(here, last).waits == 0
    assert list(Caretaker(here.engine).check()) == []


@pytest.mark.requirement("BOARD-02")
def test_two_blockers_that_complete_together_free_what_waits(pair):
    here, there = pair
    for _ in range(ROUNDS):
        first, second = claim(here, add(here)), claim(here, add(here), "brook")
        last = add(here, "last", first.id, second.id)
        answers = meet(
            (here, board.complete, (BOSS, first.id, holds("ada"))),
            (there, board.complete, (BOSS, second.id, holds("brook"))),
        )
        assert refusals(answers) == []
        assert now(here, last).ready
