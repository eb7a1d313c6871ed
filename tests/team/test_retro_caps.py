"""A retrospective brings every notebook into its caps, whatever else it does to it."""

from datetime import UTC, date, datetime

import pytest

from drumline.team.keeping import Keeping
from drumline.team.learning import Use, learnings_in
from drumline.team.notebook import Notebook
from drumline.team.retro import Deed, Shelf, steps_for

KEEPING = Keeping(core_lines=1, core_references=9, task_lines=1)
OLD = """\
# Learnings: ada

## Gotchas
- The parser wants a blank line (added: 2026-01-18)

## Cross-Agent Notes
- (from brook) Ports above 9000 are taken (added: 2026-01-01)
"""


@pytest.mark.requirement("MEM-03")
def test_a_note_that_becomes_a_learning_counts_against_the_cap_of_its_file():
    known = learnings_in(Notebook(OLD))
    used = {known[1].id: Use(1, 1, datetime(2026, 1, 19, tzinfo=UTC))}
    shelf = Shelf("ada", known, used, KEEPING, date(2026, 1, 20))
    steps = steps_for(shelf, lambda _: False)
    assert [(step.deed, step.text) for step in steps] == [
        (Deed.SETTLE, "Ports above 9000 are taken"),
        (Deed.ARCHIVE, "The parser wants a blank line"),
    ]
