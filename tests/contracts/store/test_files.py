"""What every store promises about files that two tasks would touch."""

import pytest

from drumline.control import board
from drumline.errors import NothingReady, NotReady
from tests.stores import seat
from tests.words import BOSS, add, claim, claim_next, complete

pytestmark = pytest.mark.requirement("BOARD-07")


def test_overlapping_files_are_refused_while_one_is_in_progress(store):
    claim(store, add(store, files=("src/api/**",)))
    other = add(store, files=("src/*/routes.py",))
    with pytest.raises(NotReady, match="would share files with T-1, which ada has in progress"):
        claim(store, other, "brook")


def test_the_next_task_is_one_whose_files_are_free(store):
    claim(store, add(store, files=("src/api/**",)))
    add(store, files=("src/api/routes.py",), priority=9)
    free = add(store, files=("docs/**",))
    assert claim_next(store, "brook").id == free.id


def test_nothing_is_ready_when_all_that_is_left_shares_files(store):
    claim(store, add(store, files=("src/**",)))
    add(store, files=("src/a.py",))
    with pytest.raises(NothingReady) as refused:
        claim_next(store, "brook")
    assert "1 ready but sharing files" in refused.value.why


def test_files_are_free_again_when_their_task_ends(store):
    first = claim(store, add(store, files=("src/**",)))
    second = add(store, files=("src/a.py",))
    complete(store, first)
    assert claim_next(store, "brook").id == second.id


def test_the_integrator_crosses_boundaries(store):
    seat(store, profiles={"brook": "integrator"})
    claim(store, add(store, files=("src/**",)))
    both = add(store, files=("src/a.py",))
    assert claim(store, both, "brook").owner == "brook"


def test_nobody_else_steps_into_the_integrators_files(store):
    seat(store, profiles={"brook": "integrator"})
    claim(store, add(store, files=("src/**",)), "brook")
    with pytest.raises(NotReady):
        claim(store, add(store, files=("src/a.py",)), "ada")


def test_a_task_in_progress_cannot_be_edited_into_anothers_files(store):
    claim(store, add(store, files=("src/**",)), "ada")
    docs = claim(store, add(store, files=("docs/**",)), "brook")
    with pytest.raises(NotReady):
        store.do(board.edit, BOSS, docs.id, {"files": ("src/a.py",)})


def test_a_task_without_a_file_set_shares_nothing(store):
    claim(store, add(store, files=("**",)))
    assert claim(store, add(store), "brook").owner == "brook"
