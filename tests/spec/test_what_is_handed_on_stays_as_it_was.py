"""A learning that goes to another file keeps its lines, its day and who said it."""

import pytest

from drumline.control import lessons, transfer
from drumline.errors import Conflict
from drumline.team.learning import learnings_file
from drumline.team.retro import RULES
from tests.learning import archived, consolidates, memory, reflects, suggests, texts

LINES = """\
- Start it so:

  ```sh
  make   serve
  ```
"""


@pytest.fixture
def of(store, tmp_path):
    return memory(store, tmp_path)


def write(root, member, section, *lines):
    file = root / learnings_file(member)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# Learnings: {member}\n\n## {section}\n{''.join(lines)}")


@pytest.mark.requirement("TEAM-08", "MEM-03")
def test_a_note_of_who_leaves_keeps_its_day_so_that_it_is_settled_in_time(of, clock, tmp_path):
    write(
        tmp_path,
        "ada",
        "Cross-Agent Notes",
        "- (from cleo) css files need a build (added: 2026-01-01)\n",
        "- ports above 9000 are taken (added: 2025-12-31)\n",
        "- a person wrote this\n",
    )
    clock.advance(days=10)
    transfer.redistribute(of, "ada", {"brook": "anything"})
    notes = (tmp_path / learnings_file("brook")).read_text().split("## Cross-Agent Notes\n")[1]
    assert notes == (
        "- (from cleo) css files need a build (added: 2026-01-01)\n"
        "- (from ada) ports above 9000 are taken (added: 2025-12-31)\n"
        "- (from ada) a person wrote this\n"
    )
    clock.advance(days=5)
    assert consolidates(of) == ["archive brook", "archive brook"]
    assert texts(of, "brook") == ["a person wrote this"]


@pytest.mark.requirement("TEAM-08", "MEM-08")
def test_a_note_of_who_leaves_keeps_its_lines(of, tmp_path):
    write(tmp_path, "ada", "Cross-Agent Notes", LINES)
    transfer.redistribute(of, "ada", {"brook": "anything"})
    there = (tmp_path / learnings_file("brook")).read_text()
    assert LINES.replace("- ", "- (from ada) ", 1) in there
    assert texts(of, "brook") == archived(of, "ada")


@pytest.mark.requirement("TEAM-08", "MEM-02")
def test_a_note_its_heir_knows_already_is_not_written_twice(of, tmp_path):
    write(tmp_path, "ada", "Cross-Agent Notes", "- (from cleo) the css files need a build\n")
    write(tmp_path, "brook", "Gotchas", "- css files need a build\n")
    transfer.redistribute(of, "ada", {"brook": "anything"})
    assert texts(of, "brook") == ["css files need a build"]
    assert archived(of, "ada") == ["the css files need a build"]


@pytest.mark.requirement("TEAM-08", "MEM-08")
def test_what_a_new_member_begins_with_has_its_lines_and_the_day_it_came(of, clock, tmp_path):
    write(tmp_path, "ada", "Gotchas", LINES)
    clock.advance(days=3)
    reflects(of, "ada", used=[each.id for each in lessons.known(of, "ada")])
    transfer.seed(of, "dora", ["ada"])
    there = (tmp_path / learnings_file("dora")).read_text()
    assert there.endswith(f"{LINES.replace('- ', '- (from ada) ', 1)}  (added: 2026-01-04)\n")


@pytest.mark.requirement("MEM-03", "MEM-08")
@pytest.mark.parametrize(
    ("entry", "promoted"),
    [
        (LINES, LINES + "  ({}\n"),
        ("- (from cleo) one\n  two\n  three (added: 2026-01-01)\n", "- one\n  two\n  three ({}\n"),
        ("* one (added: 2026-01-01)\n  - two\n\n  three\n", "* one\n  - two\n\n  three ({}\n"),
        ("- one\n  (added: 2026-01-01)\n", "- one ({}\n"),
        ("- one (added: 2026-01-01)\r\n  two\r\n", "- one\n  two ({}\n"),
    ],
    ids=["a fence", "a note", "a list within", "a stamp of its own line", "other line ends"],
)
def test_what_becomes_a_rule_keeps_its_lines(of, tmp_path, entry, promoted):
    write(tmp_path, "ada", "Gotchas", entry)
    (known,) = lessons.known(of, "ada")
    for run in ("run-1", "run-2", "run-3"):
        reflects(of, "ada", used=[known.id], run=run)
    assert consolidates(of) == ["promote ada"]
    rules = (tmp_path / RULES).read_text()
    before, after = promoted.split("{}")
    assert f"## Promoted\n{before}promoted: 2026-01-01, why: {known.id}, " in rules
    assert rules.endswith(f"runs){after}")
    assert texts(of, "ada") == []


@pytest.mark.requirement("MEM-02")
def test_a_file_that_cannot_be_written_keeps_no_learning_out_of_the_others(of, tmp_path):
    write(tmp_path, "brook", "Gotchas", "- first\n")
    (tmp_path / learnings_file("brook")).chmod(0o444)
    note = suggests("css files need a build", "cross-agent", to="brook")
    with pytest.raises(Conflict, match="brook"):
        reflects(of, "ada", note, suggests("tabs break the lexer"))
    assert (texts(of, "ada"), texts(of, "brook")) == (["tabs break the lexer"], ["first"])
