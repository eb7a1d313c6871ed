"""Two lines that count as one learning may say two things: -v and -V. None of them is ever nowhere."""

import pytest

from drumline.control import lessons, retro, shelves
from drumline.team.actor import Actor, Role
from drumline.team.learning import archive_file, learnings_file
from tests.learning import archived, consolidates, memory, texts

LOW, HIGH = "grep needs -r for links", "grep needs -R for links"
BOSS = Actor("boss", Role.PERSON)


@pytest.fixture
def of(store, tmp_path):
    return memory(store, tmp_path)


@pytest.fixture
def own(of, tmp_path):
    """The id of a learning that ada's file has twice, in two writings."""
    write(tmp_path, "ada", f"## Gotchas\n- {LOW}\n\n## Preferences\n- {HIGH}\n- {HIGH}\n")
    low, high, _ = lessons.known(of, "ada")
    assert low.id == high.id
    return low.id


def write(root, member, text):
    file = root / learnings_file(member)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.requirement("MEM-03")
@pytest.mark.usefixtures("own")
def test_what_is_undoubled_leaves_its_other_writing_in_the_archive(of):
    assert consolidates(of, retro.nothing_uncertain) == ["undouble ada"]
    assert (texts(of, "ada"), archived(of, "ada")) == ([LOW], [HIGH])


@pytest.mark.requirement("MEM-03")
def test_what_is_archived_is_archived_in_every_writing(of, own, tmp_path):
    shelves.carry_out(of, BOSS, shelves.archiving(of, own, "old"))
    assert texts(of, "ada") == []
    kept = (tmp_path / archive_file("ada")).read_text()
    assert f"## Gotchas\n- {LOW} (archived: 2026-01-01, why: old)\n" in kept
    assert f"## Preferences\n- {HIGH} (archived: 2026-01-01, why: old)\n" in kept
    assert len(archived(of, "ada")) == 2


@pytest.mark.requirement("MEM-03")
def test_what_the_archive_has_in_another_writing_is_archived_too(of, own, tmp_path):
    (tmp_path / archive_file("ada")).write_text(f"# Archive\n\n## Gotchas\n- {LOW.upper()}\n")
    shelves.carry_out(of, BOSS, shelves.archiving(of, own, "old"))
    assert sorted(archived(of, "ada")) == sorted([LOW.upper(), LOW, HIGH])


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize("there", ["", f"## Gotchas\n- {LOW.upper()}\n"])
def test_what_moves_to_another_member_moves_in_every_writing(of, own, tmp_path, there):
    write(tmp_path, "brook", there)
    before = texts(of, "brook")
    shelves.carry_out(of, BOSS, shelves.moving(of, own, None, "brook"))
    assert texts(of, "ada") == []
    assert sorted(texts(of, "brook")) == sorted([*before, LOW, HIGH])
