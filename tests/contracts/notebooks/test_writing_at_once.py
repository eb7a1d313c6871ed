"""Two planes and an editor write one memory file at once, as real processes, however the editor saves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.store import saving
from drumline.store.notebooks import Notebooks
from drumline.team.notebook import Notebook
from tests.contracts.notebooks import writing
from tests.contracts.notebooks.writing import ENTRY, PARAGRAPH, PATH, STYLES
from tests.running import until

pytestmark = pytest.mark.requirement("MEM-08")

START = "# Learnings: ada\n\nA person's words.\n\n## Gotchas\n- first\n\n## Own\n\nLast words.\n"
TIMES = 6


def begun(root, kind, name):
    return subprocess.Popen(
        [sys.executable, writing.__file__, kind, str(root), name, str(TIMES)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process):
    words, _ = process.communicate()
    assert process.returncode == 0
    return words


@pytest.mark.parametrize("style", STYLES)
def test_no_entry_and_no_line_is_lost_while_two_planes_and_an_editor_write_one_file(
    tmp_path, style
):
    file = tmp_path / PATH
    file.parent.mkdir(parents=True)
    file.write_text(START)
    editor, *planes = (
        begun(tmp_path, *each) for each in (("editor", style), ("plane", "ada"), ("plane", "brook"))
    )
    said(editor)
    wrote = dict(zip(("ada", "brook"), (int(said(each)) for each in planes), strict=True))
    notebooks = Notebooks(str(tmp_path))
    text = notebooks.read(PATH)
    wanted = {ENTRY.format(who, at) for who, many in wrote.items() for at in range(many)}
    wanted |= {"first", *(ENTRY.format("person", at) for at in range(TIMES))}
    assert wanted - {entry.text for entry in Notebook(text).entries} == set()
    lines = {line.strip() for line in START.split("\n")}
    lines |= {PARAGRAPH.format(at) for at in range(TIMES)}
    assert lines - {line.strip() for line in text.split("\n")} == set()
    assert notebooks.read(PATH) == file.read_text() == text


MOVER = """\
import os, sys
file, aside = sys.argv[1:]
while True:
    os.rename(file, aside)
    os.rename(aside, file)
"""


def test_a_file_that_is_moved_aside_and_put_back_is_read_or_is_not_there(tmp_path):
    file = tmp_path / "learnings.md"
    file.write_text(START)
    mover = subprocess.Popen([sys.executable, "-S", "-c", MOVER, file, tmp_path / "aside"])
    try:
        until(lambda: not file.exists())
        found = {saving.read_now(file, cap=1000).raw for _ in range(5_000)}
        assert mover.poll() is None
    finally:
        mover.kill()
        mover.wait()
    assert found == {START.encode(), b""}
