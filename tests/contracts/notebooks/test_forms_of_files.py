"""Memory files as people have them: links, read-only, any line ends, another file system; no other byte changes."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from drumline.errors import Conflict
from drumline.store.notebooks import Notebooks
from tests.contracts.notebooks import writing
from tests.contracts.notebooks.writing import ENTRY, PATH, START, adding, texts
from tests.crash.processes import in_child

pytestmark = pytest.mark.requirement("MEM-08")

OTHER = "memory/agents/brook/learnings.md"


@pytest.fixture(params=["the file", "its folder", "all memory"])
def linked(request, tmp_path):
    """A repository in which a memory file is reached over a link; where it really is."""
    real = tmp_path / "docs" / PATH
    real.parent.mkdir(parents=True)
    real.write_text(START)
    link = {"the file": tmp_path / PATH, "its folder": (tmp_path / PATH).parent}.get(
        request.param, tmp_path / "memory"
    )
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / "docs" / link.relative_to(tmp_path))
    return real


def test_a_file_behind_a_link_is_changed_where_it_is_and_the_link_stays(
    notebooks, tmp_path, linked
):
    notebooks.edit(PATH, adding("ours", lambda: linked.write_text(START + "- theirs\n")))
    assert texts(linked) == ["first", "theirs", "ours"]
    assert (tmp_path / PATH).resolve() == linked
    assert any(each.is_symlink() for each in [tmp_path / PATH, *(tmp_path / PATH).parents])


def test_late_words_in_a_file_behind_a_link_are_taken_in(notebooks, tmp_path, linked):
    with (tmp_path / PATH).open("a") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.write("\nSaved late.\n")
    notebooks.read(PATH)
    assert "Saved late." in linked.read_text()
    assert texts(linked) == ["first", "ours"]


def test_one_file_under_two_names_is_one_file_to_whoever_looks(notebooks, tmp_path, file):
    (tmp_path / "memory/agents/brook").symlink_to(file.parent)
    with file.open("a") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.write("\nSaved late.\n")
    assert "Saved late." in notebooks.read(OTHER)
    file.write_text(START)
    assert "- ours" in notebooks.read(OTHER)


def test_two_planes_that_call_a_file_by_two_names_wait_for_each_other(tmp_path, file):
    (tmp_path / "memory/agents/brook").symlink_to(file.parent)
    (tmp_path / writing.DONE).touch()
    planes = [
        subprocess.Popen(
            [sys.executable, writing.__file__, "plane", str(tmp_path), name, "20"],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "NOTEBOOK": path},
        )
        for name, path in (("ada", PATH), ("brook", OTHER))
    ]
    assert [each.wait() for each in planes] == [0, 0]
    wanted = {ENTRY.format(name, at) for name in ("ada", "brook") for at in range(20)}
    assert set(texts(file)) == wanted | {"first"}
    assert len(list((tmp_path / ".drumline/memory").iterdir())) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"## Gotchas\n- a", b"## Gotchas\n- a\n- ours", id="no line end at the end"),
        pytest.param(
            b"# L\r\n## Gotchas\r\n- a\r\n\r\nwords\r\n",
            b"# L\r\n## Gotchas\r\n- a\r\n\r\nwords\r\n- ours\r\n",
            id="line ends of DOS",
        ),
        pytest.param(
            b"\xef\xbb\xbf## Gotchas\r\n- a",
            b"\xef\xbb\xbf## Gotchas\r\n- a\r\n- ours",
            id="a mark of its encoding",
        ),
        pytest.param(
            b"## Gotchas\n- a\r\n\r\n\tb \n\x0c\x00\xff\r- c\n\n## B  \n",
            b"## Gotchas\n- a\r\n\r\n\tb \n\x0c\x00\xff\r- c\n- ours\n\n## B  \n",
            id="a bit of everything",
        ),
        pytest.param(b"", b"## Gotchas\n- ours\n", id="empty"),
        pytest.param(b"\xef\xbb\xbf", b"\xef\xbb\xbf## Gotchas\n- ours\n", id="only a mark"),
    ],
)
def test_every_byte_that_is_not_changed_stays(notebooks, file, before, after):
    file.write_bytes(before)
    os.utime(file, (0, 0))
    notebooks.edit(PATH, adding("ours"))
    assert file.read_bytes() == after


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_what_comes_late_or_comes_back_has_the_line_ends_of_its_file(notebooks, file, end, mark):
    held = (mark + START.removesuffix("\n")).replace("\n", end)
    file.write_bytes(held.encode())
    with file.open("ab") as editor:
        notebooks.edit(PATH, adding("ours"))
        editor.write(f"{end}{end}Saved late.".encode())
    notebooks.read(PATH)
    both = f"{held}{end}{end}Saved late.{end}- ours"
    assert file.read_bytes() == both.encode()
    file.write_bytes(held.encode())
    notebooks.read(PATH)
    assert file.read_bytes() == both.encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_another_encoding_is_refused_and_stays_as_it_is(notebooks, file, encoding):
    raw = f"\ufeff{START}".encode(encoding)
    file.write_bytes(raw)
    with pytest.raises(Conflict) as no:
        notebooks.read(PATH)
    assert ("UTF-16" in no.value.what, bool(no.value.why), bool(no.value.next)) == (
        True,
        True,
        True,
    )
    with pytest.raises(Conflict):
        notebooks.edit(PATH, adding("ours"))
    assert file.read_bytes() == raw
    file.write_text(START)
    notebooks.edit(PATH, adding("ours"))
    assert texts(file) == ["first", "ours"]


def test_a_read_only_file_is_refused_with_why_and_what_next_and_stays_as_it_is(
    notebooks, file, tmp_path
):
    file.chmod(0o444)
    with pytest.raises(Conflict) as refused:
        notebooks.edit(PATH, adding("ours"))
    assert refused.value.what == f"{file} is not written"
    assert refused.value.why == "it is read-only"
    assert refused.value.next == f"chmod u+w {file}, then do this again"
    assert (file.read_text(), notebooks.read(PATH)) == (START, START)
    assert list((tmp_path / ".drumline").rglob("*.old")) == []
    file.chmod(0o644)
    assert notebooks.edit(PATH, adding("more")) == START + "- more\n"


def test_a_file_that_became_read_only_is_read_with_what_came_late_and_not_written(notebooks, file):
    with file.open("a") as editor:
        held = notebooks.edit(PATH, adding("ours"))
        editor.write("\nSaved late.\n")
    file.chmod(0o444)
    assert "Saved late." in notebooks.read(PATH)
    assert file.read_text() == held
    file.chmod(0o644)
    assert "Saved late." in notebooks.read(PATH)
    assert "Saved late." in file.read_text()


def test_a_read_only_folder_is_refused_to_whoever_may_not_write_there():
    with tempfile.TemporaryDirectory() as root:
        file = Path(root, PATH)
        file.parent.mkdir(parents=True)
        file.write_text(START)
        for each in (file, *file.parents[:3], Path(root)):
            each.chmod(0o777)
        file.parent.chmod(0o555)
        child = in_child(lambda: _refused_as_nobody(root))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _refused_as_nobody(root):
    if os.geteuid() == 0:  # to whom nothing is read-only
        os.setuid(65534)
    with pytest.raises(Conflict, match="is not written") as refused:
        Notebooks(root).edit(PATH, adding("ours"))
    assert refused.value.why == "its folder is read-only"
    assert refused.value.next.startswith(f"chmod u+w {Path(root, PATH).parent},")


def test_late_words_are_taken_in_where_memory_is_on_another_file_system_than_our_state(
    notebooks, tmp_path, file
):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        (tmp_path / ".drumline").symlink_to(elsewhere)
        with file.open("a") as editor:
            notebooks.edit(PATH, adding("ours"))
            editor.write("\nSaved late.\n")
        notebooks.read(PATH)
    assert "Saved late." in file.read_text()
    assert texts(file) == ["first", "ours"]
