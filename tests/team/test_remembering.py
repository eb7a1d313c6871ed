"""What is written into notebooks and taken out of them, as pure changes of text."""

import time

import pytest

from drumline.team.learning import learnings_in
from drumline.team.notebook import Notebook
from drumline.team.remembering import without


@pytest.mark.requirement("MEM-01")
def test_what_leaves_a_file_that_somebody_filled_goes_in_time_proportional_to_its_length():
    lines = [f"- thing{each} breaks place{each}\n" for each in range(20_000)]
    text = "## Gotchas\n" + "".join(lines)
    gone = [each.id for each in learnings_in(Notebook(text))[30:]]
    begun = time.process_time()
    assert without(gone, text) == "## Gotchas\n" + "".join(lines[:30])
    assert time.process_time() - begun < 10, "it takes less than one second, not minutes"
