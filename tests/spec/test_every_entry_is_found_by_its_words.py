"""Whatever members, people, retrospectives and departures do, in any order: words find every entry."""

import pytest
from hypothesis.stateful import invariant

from drumline.control import recall
from drumline.control.recall import MOST, Wanted
from drumline.store.memory_files import MemoryFiles
from drumline.team.learning import archive_file, learnings_file, learnings_in
from drumline.team.notebook import Notebook
from tests.spec.test_no_learning_is_lost import MEMBERS, Remembering
from tests.trying import play, tries

HOME = "test:/repo"


class Recalling(Remembering):
    """The same days, and somebody who looks for everything after each step."""

    @invariant()
    def every_entry_is_found_by_its_words_where_it_stands(self):
        recall.follow(self.of.store, MemoryFiles(str(self.root)), HOME)
        for name in MEMBERS:
            for path in (learnings_file(name), archive_file(name)):
                for each in learnings_in(Notebook(self.of.notebooks.read(path))):
                    asked = Wanted(each.text, most=MOST)
                    found = self.of.store.ask(recall.search, asked).found
                    assert (path, each.id) in {(one.path, one.piece.name) for one in found}


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_whatever_happens_every_entry_is_found_by_its_words():
    play(Recalling, tries(12), 15)
