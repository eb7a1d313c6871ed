"""A plane, a person's editor and another's at one memory file, step by step, in any order: every word is there."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from drumline.store import notebooks as module
from drumline.store import saving
from drumline.store.exchanging import exchange
from drumline.store.notebooks import Notebooks
from drumline.team.notebook import Notebook
from tests.contracts.notebooks.editing import Editor
from tests.contracts.notebooks.writing import PATH, START, once
from tests.trying import play, tries

pytestmark = pytest.mark.requirement("MEM-08")

OWN = "\n## Own\n\nLast words.\n"
STEPS = st.lists(
    st.sampled_from(
        ["load", "type", "begin", "append", "go on", "end", "other", "rename", "aside"]
    ),
    max_size=5,
)


class AtOnce(RuleBasedStateMachine):
    """One file, and whatever happens to it between any two steps of ours."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.file = self.root / PATH
        self.file.parent.mkdir(parents=True)
        self.file.write_text(START + OWN)
        self.editor, self.wrote = Editor(self.file), []

    def meanwhile(self, steps):
        while steps:
            self.editor.step(steps.pop(0))

    @rule(steps=STEPS)
    def edit_by_hand(self, steps):
        self.meanwhile(steps)

    @rule(before=STEPS, between=STEPS, after=STEPS)
    def write(self, before, between, after):
        """A plane adds an entry; people go on when it has read, and around the exchange."""
        self.wrote.append(f"learnt thing{len(self.wrote)}")

        def change(text):
            self.meanwhile(before)
            return once(self.wrote[-1], text)

        def exchanged(staged, target):
            self.meanwhile(between)
            exchange(staged, target)
            self.meanwhile(after)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "exchange", exchanged)
            Notebooks(str(self.root)).edit(PATH, change)

    @rule()
    def read(self):
        Notebooks(str(self.root)).read(PATH)

    def teardown(self):
        with self.folder:
            self.editor.end()
            text = Notebooks(str(self.root)).read(PATH)
            assert set(self.wrote) - {entry.text for entry in Notebook(text).entries} == set()
            assert set(self.editor.saved) - set(re.findall(r"\w+", text)) == set()
            assert {*START.split("\n"), *OWN.split("\n")} - set(text.split("\n")) == set()
            assert Notebooks(str(self.root)).read(PATH) == text == self.file.read_text()


def test_whatever_the_order_no_word_is_lost(monkeypatch):
    monkeypatch.setattr(saving, "PATIENCE", 0.0)  # nobody waits for anybody
    play(AtOnce, tries(25), 12)


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(
            [("write", "", "append", "end append end")], id="saved twice around one exchange"
        ),
        pytest.param(
            [("write", "", "append", ""), ("end",), ("write", "", "append", "end rename")],
            id="loaded before late words came in and saved over them at once",
        ),
    ],
)
def test_an_order_in_which_a_word_was_lost_once(steps, monkeypatch):
    monkeypatch.setattr(saving, "PATIENCE", 0.0)
    both = AtOnce()
    for step in steps:
        if step[0] == "write":
            both.write(*(each.split() for each in step[1:]))
        else:
            both.meanwhile(list(step))
    both.teardown()
