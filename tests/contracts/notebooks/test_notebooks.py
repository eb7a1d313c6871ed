"""Memory files under many hands: no entry is lost, whoever writes how."""

import os
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from drumline.errors import Conflict
from drumline.store import saving
from drumline.store.notebooks import Notebooks
from tests.contracts.notebooks.writing import PATH, START, adding, once, texts

pytestmark = pytest.mark.requirement("MEM-08")


@pytest.mark.usefixtures("either_way")
def test_an_editor_that_saves_while_we_write_keeps_its_words_and_we_ours(notebooks, file):
    def saves():
        file.write_text(START.replace("A person's", "Another person's") + "- theirs\n")

    notebooks.edit(PATH, adding("ours", saves))
    assert "Another person's words." in file.read_text()
    assert texts(file) == ["first", "theirs", "ours"]


@pytest.mark.usefixtures("either_way")
def test_an_editor_that_puts_another_file_in_the_place_keeps_its_words(notebooks, file):
    def saves():
        beside = file.with_suffix(".swap")
        beside.write_text(START + "- theirs\n")
        beside.rename(file)

    notebooks.edit(PATH, adding("ours", saves))
    assert texts(file) == ["first", "theirs", "ours"]


@pytest.mark.usefixtures("file")
def test_what_a_verb_took_out_stays_out(notebooks):
    notebooks.edit(PATH, adding("ours"))
    notebooks.edit(PATH, lambda text: text.replace("- ours\n", ""))
    assert notebooks.read(PATH) == START


def test_a_file_that_is_gone_while_we_write_loses_nothing(notebooks, file):
    notebooks.edit(PATH, adding("ours", file.unlink))
    assert texts(file) == ["first", "ours"]


def test_nothing_is_written_where_nothing_changes(notebooks, file, tmp_path):
    before = file.stat()
    assert notebooks.edit(PATH, lambda text: text) == START
    after = file.stat()
    assert (after.st_ino, after.st_ctime_ns) == (before.st_ino, before.st_ctime_ns)
    assert notebooks.read("memory/agents/nobody/learnings.md") == ""
    assert notebooks.members() == ["ada"]
    assert Notebooks(str(tmp_path / "elsewhere")).members() == ()


def test_the_file_keeps_its_mode_and_bytes_that_are_no_text(notebooks, file):
    file.write_bytes(b"## Gotchas\r\n- caf\xe9\r\n")
    file.chmod(0o640)
    notebooks.edit(PATH, adding("ours"))
    assert file.read_bytes() == b"## Gotchas\r\n- caf\xe9\r\n- ours\r\n"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_out_of_the_repository_and_a_folder_are_refused(
    notebooks, tmp_path_factory, tmp_path
):
    outside = tmp_path_factory.mktemp("outside")
    (tmp_path / "memory").symlink_to(outside)
    with pytest.raises(Conflict, match="leads out of the repository"):
        notebooks.edit(PATH, adding("ours"))
    assert list(outside.iterdir()) == []
    (tmp_path / "memory").unlink()
    (tmp_path / PATH).mkdir(parents=True)
    with pytest.raises(Conflict, match="not a regular file"):
        notebooks.read(PATH)


def test_a_link_that_leads_to_itself_is_refused(notebooks, file):
    file.unlink()
    file.symlink_to(file.name)
    with pytest.raises(Conflict, match="leads to itself"):
        notebooks.read(PATH)


def test_what_could_not_be_written_is_not_written_later(notebooks, tmp_path):
    (tmp_path / "memory").write_text("in the way")
    with pytest.raises(OSError, match=r"directory|exists"):
        notebooks.edit(PATH, lambda text: text + "- refused\n")
    (tmp_path / "memory").unlink()
    assert notebooks.read(PATH) == ""


@pytest.mark.usefixtures("either_told")
def test_a_file_that_is_just_being_saved_is_read_when_it_is_whole(notebooks, file, monkeypatch):
    monkeypatch.setattr(saving, "QUIET", 1000.0)
    monkeypatch.setattr(saving, "PATIENCE", 1000.0)
    text = START + "- second\n"
    with ThreadPoolExecutor() as pool:
        with file.open("w") as editor:
            editor.write(text[:30])
            editor.flush()
            done = pool.submit(notebooks.edit, PATH, lambda found: once("third", found))
            assert not wait([done], timeout=0.5).done
            editor.write(text[30:])
        os.utime(file, (0, 0))  # as if that had been long ago
        assert done.result() == f"{text}- third\n"
