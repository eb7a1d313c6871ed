"""Whatever members, people, retrospectives and departures do, in any order: every entry can be found."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
)

from drumline.control import lessons, retro, transfer
from drumline.team.keeping import Keeping
from drumline.team.learning import (
    adds_nothing,
    archive_file,
    learnings_file,
    learnings_in,
    tiers,
)
from drumline.team.notebook import Notebook
from tests.conftest import Clock
from tests.learning import memory, reflects, suggests
from tests.stores import Sqlite
from tests.trying import play, tries

MEMBERS = ("ada", "brook", "cleo")
KEEPING = Keeping(core_lines=3, core_references=2, task_lines=4, confirmed_runs=2)
WORDS = st.lists(
    st.sampled_from(
        [
            "parser",
            "lexer",
            "tabs",
            "seed",
            "never",
            "port",
            "5432",
            "build",
            "cache",
            "windows",
            "linux",
        ]
    ),
    min_size=2,
    max_size=6,
).map(" ".join)
NAMES = st.sampled_from(MEMBERS)
PROSE = [
    "A person's own words.",
    "### Divided",
    "1. numbered",
    "```\n- fenced\n```",
    "<!-- - hidden -->",
]


class Remembering(RuleBasedStateMachine):
    """Three members, a person with an editor, and a lead, over many days."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root, self.clock = Path(self.folder.name), Clock()
        self.place = Sqlite(self.root / "state.db", self.clock)
        self.of = memory(self.place.open(), self.root, KEEPING)
        self.said: set[str] = set()
        self.prose: dict[str, list[str]] = {name: [] for name in MEMBERS}
        self.runs = 0

    @rule(member=NAMES, text=WORDS, category=st.sampled_from(["gotcha", "preference"]))
    def reflect(self, member, text, category):
        reflects(self.of, member, suggests(text, category), run=f"run-{self.runs}")
        self.said.add(text)

    @rule(member=NAMES, to=NAMES, text=WORDS)
    def send_a_note(self, member, to, text):
        reflects(self.of, member, suggests(text, "cross-agent", to=to))
        self.said.add(text)

    @rule(member=NAMES, data=st.data())
    def use(self, member, data):
        known = lessons.known(self.of, member)
        if known:
            chosen = data.draw(st.sampled_from(known))
            reflects(self.of, member, used=[chosen.id], run=f"run-{self.runs}")

    @rule(days=st.integers(1, 25))
    def time_passes(self, days):
        self.clock.advance(days=days)
        self.runs += 1

    @rule(member=NAMES, prose=st.sampled_from(PROSE), text=WORDS)
    def edit_by_hand(self, member, prose, text):
        """A person adds a paragraph and an entry below everything, and saves."""
        path = self.root / learnings_file(member)
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if path.exists() else "# By hand\n"
        path.write_text(f"{before}\n{prose}\n\n- {text} by hand\n")
        self.prose[member] += prose.split("\n")
        self.said.add(f"{text} by hand")

    @rule(said=st.sampled_from([retro.everything, retro.nothing_uncertain]))
    def consolidate(self, said):
        retro.carry_out(self.of, "boss", retro.plan(self.of, said))

    @rule(member=NAMES, to=NAMES)
    def transfer(self, member, to):
        if member != to:
            transfer.seed(self.of, to, [member])

    @rule(member=NAMES)
    def leave(self, member):
        heirs = {name: f"work of {name}" for name in MEMBERS if name != member}
        transfer.redistribute(self.of, member, heirs)

    @invariant()
    def every_entry_can_be_found(self):
        files = [file(name) for name in MEMBERS for file in (learnings_file, archive_file)]
        there = [
            each.text
            for path in files
            for each in learnings_in(Notebook(self.of.notebooks.read(path)))
        ]
        for text in self.said:
            assert any(adds_nothing(text, each) for each in there), text

    @invariant()
    def every_line_of_a_person_is_as_it_was(self):
        for name, prose in self.prose.items():
            lines = self.of.notebooks.read(learnings_file(name)).split("\n")
            for line in prose:
                assert line in lines

    @invariant()
    def after_a_retrospective_every_file_is_in_its_caps(self):
        done = retro.plan(self.of, retro.nothing_uncertain)
        for name in MEMBERS:
            path = learnings_file(name)
            text = done.files[path][1] if path in done.files else self.of.notebooks.read(path)
            known = learnings_in(Notebook(text))
            uses = self.of.store.ask(lessons.uses_of, name, [each.id for each in known])
            assert tiers(known, uses, KEEPING).too_many == ()

    def teardown(self):
        self.place.close()
        self.folder.cleanup()


@pytest.mark.requirement("MEM-02", "MEM-03", "MEM-08")
def test_whatever_happens_no_entry_is_lost_and_no_line_of_a_person_changes():
    play(Remembering, tries(25), 20)
