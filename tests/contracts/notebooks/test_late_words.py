"""Words that come late, or are saved over: an editor stalls, loads at a bad moment, or is cut off."""

import os
from pathlib import Path

import pytest

from drumline.store import exchanging
from drumline.store.displaced import MOST
from drumline.store.exchanging import exchange
from tests.contracts.notebooks.writing import PATH, START, adding, texts

pytestmark = pytest.mark.requirement("MEM-08")


def around(monkeypatch, *, before=lambda: None, after=lambda: None):
    """What others do right before we put a version in the file's place, and right after."""

    def exchanged(staged, target):
        before()
        exchange(staged, target)
        after()

    monkeypatch.setattr("drumline.store.notebooks.exchange", exchanged)


def lines(path):
    return path.read_text().split("\n")


@pytest.mark.usefixtures("either_way")
def test_what_is_written_late_into_the_displaced_version_is_taken_in(notebooks, file):
    with file.open("r+") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.seek(0, os.SEEK_END)
        editor.write("- late\n")
        editor.flush()
        assert texts(file) == ["first", "ours"]
        notebooks.read(PATH)
        assert sorted(texts(file)) == ["first", "late", "ours"]
        editor.write("- later\n")
    notebooks.read(PATH)
    assert sorted(texts(file)) == ["first", "late", "later", "ours"]


def test_an_editor_that_emptied_the_file_to_write_it_anew_finds_us_there_afterwards(
    notebooks, file
):
    editor = file.open("r+")
    notebooks.edit(PATH, adding("ours", lambda: editor.truncate(0)))
    with editor:
        editor.write(START + "- theirs\n")
    notebooks.read(PATH)
    assert file.read_text() == START + "- theirs\n- ours\n"


def test_an_editor_that_emptied_the_file_loses_no_word_where_others_save_meanwhile(notebooks, file):
    editor = file.open("r+")
    editor.truncate(0)
    notebooks.edit(PATH, adding("ours"))
    file.write_text("## Gotchas\n\n- ours\n- others\n")
    with editor:
        editor.write(START + "- theirs\n")
    notebooks.read(PATH)
    assert "A person's words." in file.read_text()
    assert sorted(texts(file)) == ["first", "others", "ours", "theirs"]


def test_what_an_editor_saves_over_is_written_again_for_a_while(notebooks, file, clock):
    notebooks.edit(PATH, adding("ours"))
    file.write_text(START + "- theirs\n")
    assert texts(file) == ["first", "theirs"]
    notebooks.read(PATH)
    assert texts(file) == ["first", "theirs", "ours"]
    clock.ahead = 601
    file.write_text(START)
    notebooks.read(PATH)
    assert texts(file) == ["first"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_comes_back_after_its_file_was_deleted_has_its_title_above_it(notebooks, file, end):
    file.unlink()
    title = f"\ufeff# Archive: ada{end}{end}A word on it.{end}"
    with_entry = f"{title}{end}## Gotchas{end}- ours{end}"
    notebooks.edit(PATH, lambda text: text or with_entry)
    file.unlink()
    assert notebooks.read(PATH) == with_entry
    assert file.read_bytes().decode() == with_entry


def test_a_file_that_was_deleted_with_nothing_new_in_it_stays_away(notebooks, file, clock):
    notebooks.edit(PATH, adding("ours"))
    clock.ahead = 601
    file.unlink()
    assert notebooks.read(PATH) == ""
    assert not file.exists()


def test_what_was_written_while_the_clock_was_wrong_is_a_persons_to_delete(notebooks, file, clock):
    clock.ahead = 365 * 86_400
    notebooks.edit(PATH, adding("ours"))
    clock.ahead = 0
    file.write_text(START)
    assert notebooks.read(PATH) == START


def test_an_entry_that_a_person_words_anew_does_not_come_back(notebooks, file):
    notebooks.edit(PATH, adding("the lexer choked on a tab in line one"))
    worded = file.read_text().replace("choked on a tab", "chokes on a tab")
    file.write_text(worded)
    assert notebooks.read(PATH) == worded


def test_an_edit_that_was_cut_off_before_it_came_into_place_is_made_by_whoever_comes_next(
    notebooks, file, monkeypatch
):
    with monkeypatch.context() as cut:
        cut.setattr("drumline.store.notebooks.exchange", _cut)
        with pytest.raises(KeyboardInterrupt):
            notebooks.edit(PATH, adding("ours"))
    assert file.read_text() == START
    file.write_text(START + "- theirs\n")
    notebooks.read(PATH)
    assert sorted(texts(file)) == ["first", "ours", "theirs"]


def _cut(*_):
    raise KeyboardInterrupt


def test_whoever_saves_what_a_verb_wrote_into_an_emptied_file_keeps_its_lines_and_so_does_the_stalled_one(
    notebooks, file
):
    stalled = file.open("w")
    notebooks.edit(PATH, adding("ours"))
    file.write_text(file.read_text() + "\nWords of another.\n")
    with stalled:
        stalled.write(START + "\nWords of the stalled one.\n")
    notebooks.read(PATH)
    assert {"A person's words.", "Words of another.", "Words of the stalled one."} <= set(
        lines(file)
    )
    assert texts(file) == ["first", "ours"]


def test_a_line_that_was_hidden_while_we_wrote_comes_back_when_somebody_saves_over_it(
    notebooks, file, monkeypatch
):
    loaded = []
    with monkeypatch.context() as meanwhile:
        around(meanwhile, after=lambda: loaded.append(file.read_text()))
        notebooks.edit(PATH, adding("ours", lambda: file.write_text(START + "\nSaved just now.\n")))
    assert "Saved just now." in lines(file)
    assert "Saved just now." not in loaded[0]
    file.write_text(loaded[0] + "\nSaved later.\n")
    notebooks.read(PATH)
    assert {"Saved just now.", "Saved later."} <= set(lines(file))


@pytest.mark.usefixtures("either_told")
def test_what_is_being_saved_is_read_as_it_was_and_then_as_it_is(notebooks, file):
    held = notebooks.edit(PATH, adding("ours"))
    with file.open("w") as editor:
        editor.write(held[:30])
        editor.flush()
        notebooks.edit(PATH, adding("more"))
        editor.write(held[30:] + "\nSaved slowly.\n")
    notebooks.read(PATH)
    assert {"A person's words.", "Saved slowly."} <= set(lines(file))
    assert sorted(texts(file)) == ["first", "more", "ours"]


def test_a_half_saved_file_is_not_what_anybody_reads(notebooks, file):
    held = notebooks.edit(PATH, adding("ours"))
    with file.open("w") as editor:
        editor.write(held[:30])
        editor.flush()
        assert notebooks.read(PATH) == held
        editor.write(held[30:])
    assert notebooks.read(PATH) == held


def test_an_editor_that_stalls_through_many_writes_and_a_long_time_is_still_heard(
    notebooks, file, clock
):
    with file.open("w") as editor:
        for at in range(MOST + 5):
            notebooks.edit(PATH, adding(f"ours {at}"))
        clock.ahead = 5000
        notebooks.read(PATH)
        editor.write(START + "\nAt last.\n")
    notebooks.read(PATH)
    assert {"A person's words.", "At last."} <= set(lines(file))
    assert len(texts(file)) == 1 + MOST + 5


def test_a_save_that_is_cut_off_takes_nothing_away(notebooks, file):
    held = notebooks.edit(PATH, adding("ours"))
    with file.open("w") as editor:
        editor.write(held[:30])
        editor.flush()
        notebooks.edit(PATH, adding("more"))
    notebooks.read(PATH)
    assert {"A person's words.", "## Gotchas"} <= set(lines(file))
    assert texts(file) == ["first", "ours", "more"]


def test_an_editor_that_stalls_within_a_line_of_a_file_we_never_wrote_leaves_no_half_line(
    notebooks, file
):
    with file.open("w") as editor:
        editor.write(START[:-3])
        editor.flush()
        notebooks.edit(PATH, adding("ours"))
        editor.write(START[-3:])
    notebooks.read(PATH)
    assert file.read_text() == START + "- ours\n"


@pytest.mark.parametrize("last", ["- reworded\n", "- first\n\nA last line.\n"])
def test_a_late_save_may_end_otherwise(notebooks, file, last):
    with file.open("r+") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.truncate()
        editor.write(START.replace("- first\n", last).replace("A person's", "Better"))
    notebooks.read(PATH)
    assert {"Better words.", last.split("\n")[-2]} <= set(lines(file))
    assert "A person's words." not in lines(file)
    assert texts(file)[-1] == "ours"


def test_a_title_that_a_verb_wrote_is_a_persons_to_take_away(notebooks, file):
    notebooks.edit(PATH, lambda text: f"{text}\n## Preferences\n- ours\n")
    file.write_text(START + "- ours\n")
    assert notebooks.read(PATH) == START + "- ours\n"


def test_a_line_that_a_late_save_has_no_longer_is_gone(notebooks, file):
    with file.open("r+") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.truncate()
        editor.write(START.replace("A person's words.", "Better words."))
    notebooks.read(PATH)
    assert file.read_text() == START.replace("A person's", "Better") + "- ours\n"


def test_what_a_verb_took_out_does_not_come_back_with_a_late_save(notebooks, file):
    with file.open("r+") as editor:
        notebooks.edit(PATH, lambda text: text.replace("- first\n", ""))
        editor.truncate()
        editor.write(START + "\nSaved late.\n")
    notebooks.read(PATH)
    assert texts(file) == []
    assert "Saved late." in lines(file)


def test_an_entry_that_is_saved_over_comes_back_although_another_is_much_like_it(notebooks, file):
    file.write_text(START + "- the lexer chokes on a tab in line one\n")
    before = file.read_text()
    notebooks.edit(PATH, adding("the lexer chokes on a tab in line two"))
    file.write_text(before + "- theirs\n")
    notebooks.read(PATH)
    assert "the lexer chokes on a tab in line two" in texts(file)


def test_whoever_is_killed_right_after_it_wrote_hides_nothing_for_good(
    notebooks, file, monkeypatch
):
    def saves():
        file.write_text(START + "\nSaved just then.\n- theirs\n")

    with monkeypatch.context() as cut:
        around(cut, before=saves, after=_cut)
        with pytest.raises(KeyboardInterrupt):
            notebooks.edit(PATH, adding("ours"))
    notebooks.read(PATH)
    assert "Saved just then." in lines(file)
    assert sorted(texts(file)) == ["first", "ours", "theirs"]


@pytest.mark.parametrize("at", ["before", "after"])
def test_whoever_is_killed_where_files_cannot_be_exchanged_leaves_what_the_next_one_puts_right(
    notebooks, file, monkeypatch, at
):
    replace = Path.replace

    def cut(staged, target):
        if at == "after":
            replace(staged, target)
        raise KeyboardInterrupt

    with file.open("a") as editor:
        with monkeypatch.context() as killed:
            killed.setattr(exchanging, "_renameat2", lambda: None)
            killed.setattr(Path, "replace", cut)
            with pytest.raises(KeyboardInterrupt):
                notebooks.edit(PATH, adding("ours"))
        editor.write("\nSaved late.\n")
    notebooks.read(PATH)
    assert "Saved late." in lines(file)
    assert texts(file) == ["first", "ours"]
    assert list(file.parents[3].rglob("*.kept")) == []


def test_what_was_refused_is_not_written_later(notebooks, file, monkeypatch):
    def refuses(*_):
        raise PermissionError

    with monkeypatch.context() as refusing:
        refusing.setattr("drumline.store.notebooks.exchange", refuses)
        with pytest.raises(PermissionError):
            notebooks.edit(PATH, adding("refused"))
    file.write_text(START + "- theirs\n")
    assert notebooks.read(PATH) == START + "- theirs\n"


def test_late_words_are_taken_in_without_anybody_asking_for_that_file(notebooks, file):
    with file.open("a") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.write("\nSaved late.\n")
    notebooks.settle()
    assert "Saved late." in lines(file)
    assert texts(file) == ["first", "ours"]


def test_after_a_while_nothing_is_kept_beside_the_file(notebooks, tmp_path, clock, file):
    notebooks.edit(PATH, adding("ours"))
    clock.ahead = 601
    notebooks.read(PATH)
    kept = [each.name for each in (tmp_path / ".drumline").rglob("*") if each.is_file()]
    assert sorted(kept) == ["lock", "placed", "whole"]
    assert texts(file) == ["first", "ours"]
