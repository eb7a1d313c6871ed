"""A retrospective that is cut off anywhere is finished by the next one: told, counted, and done once."""

import itertools
from contextlib import suppress

import pytest

from drumline.control import lessons, retro, shelves, transfer
from drumline.control.lessons import Memory
from drumline.errors import BadInput, Conflict, Unknown
from drumline.store.notebooks import Notebooks
from drumline.team.actor import Actor, Role
from drumline.team.learning import HISTORY, learning_id, learnings_file
from tests.learning import archived, consolidates, memory, reflects, suggests, texts

SAME = ("Run the parser tests with a fixed seed on Linux", "Run the parser tests with a fixed seed")
TABS = "The lexer chokes on tabs"


class CutOff(Exception):
    """Somebody pulled the plug."""


class Failing(Notebooks):
    """Files whose writer is cut off behind so many changes."""

    left = 0

    def edit(self, path, change):
        done = super().edit(path, change)
        self.left -= 1
        if not self.left:
            raise CutOff
        return done


def cut_off_after(edits, of, root, do):
    """Whether it was cut off after so many changes of files."""
    failing = Failing(str(root))
    failing.left = edits
    try:
        do(Memory(of.store, failing, of.keeping))
    except CutOff:
        return True
    return False


@pytest.fixture
def of(store, tmp_path):
    return memory(store, tmp_path)


@pytest.mark.requirement("MEM-03", "MEM-04")
def test_what_was_done_is_told_and_its_uses_are_counted_wherever_it_was_cut_off(of, tmp_path):
    (tmp_path / learnings_file("ada")).parent.mkdir(parents=True)
    for edits in itertools.count(1):
        one, other = f"{SAME[0]} {edits}", f"{SAME[1]} {edits}"
        less, more = learning_id(one), learning_id(other)
        (tmp_path / learnings_file("ada")).write_text(f"## Gotchas\n- {one}\n- {other}\n")
        for used in ([less], [more], [more]):
            reflects(of, "ada", used=used)
        again = cut_off_after(edits, of, tmp_path, consolidates)
        consolidates(of)
        assert texts(of, "ada") == [other]
        assert archived(of, "ada")[-1] == one
        assert of.store.ask(lessons.uses_of, "ada", [more])[more].references == 3
        assert f"ada merge {less}: " in (tmp_path / HISTORY).read_text()
        if not again:
            return


@pytest.mark.requirement("MEM-04")
@pytest.mark.parametrize("edits", [1, 2])
def test_uses_go_with_a_learning_that_moves_wherever_that_was_cut_off(of, tmp_path, edits):
    def moves(memory):
        edit = shelves.moving(memory, learning_id(TABS), None, "brook")
        shelves.carry_out(memory, Actor("boss", Role.PERSON), edit)

    reflects(of, "ada", suggests(TABS))
    reflects(of, "ada", used=[learning_id(TABS)])
    assert cut_off_after(edits, of, tmp_path, moves)
    with suppress(Unknown, BadInput):  # it may be done already
        moves(of)
    assert (texts(of, "ada"), texts(of, "brook")) == ([], [TABS])
    uses = of.store.ask(lessons.uses_of, "brook", [learning_id(TABS)])
    assert uses[learning_id(TABS)].references == 1


@pytest.mark.requirement("MEM-03", "MEM-08")
def test_a_file_that_git_could_not_merge_waits_for_a_person(of, tmp_path):
    sides = "## Gotchas\n<<<<<<< a\n- x\n=======\n- x\n- y (added: 2020-01-01)\n>>>>>>> b\n"
    (tmp_path / learnings_file("ada")).parent.mkdir(parents=True)
    (tmp_path / learnings_file("ada")).write_text(sides)
    with pytest.raises(Conflict, match="git could not merge"):
        retro.plan(of)
    reflects(of, "ada", *(suggests(f"Something new, number {at}") for at in range(20)))
    reflects(of, "ada", *(suggests(f"Something else, number {at}") for at in range(20)))
    assert (tmp_path / learnings_file("ada")).read_text().startswith(sides)
    assert len(texts(of, "ada")) == 43


@pytest.mark.requirement("MEM-03")
def test_what_was_said_again_lately_is_not_old(of, tmp_path):
    twins = f"## Gotchas\n- {TABS} (added: 2020-01-01)\n- {TABS} (added: 2025-12-31)\n"
    (tmp_path / learnings_file("ada")).parent.mkdir(parents=True)
    (tmp_path / learnings_file("ada")).write_text(twins)
    assert consolidates(of) == ["undouble ada"]
    assert (tmp_path / learnings_file("ada")).read_text() == (
        f"## Gotchas\n- {TABS} (added: 2025-12-31)\n"
    )


@pytest.mark.requirement("TEAM-08", "MEM-02")
def test_a_new_members_notebook_is_there_with_all_that_it_begins_with_or_not_at_all(of, tmp_path):
    reflects(of, "ada", suggests(TABS), suggests(SAME[0]))
    reflects(of, "ada", used=[each.id for each in lessons.known(of, "ada")])
    assert cut_off_after(1, of, tmp_path, lambda cut: transfer.seed(cut, "dora", ["ada"]))
    assert sorted(texts(of, "dora")) == sorted([TABS, SAME[0]])
