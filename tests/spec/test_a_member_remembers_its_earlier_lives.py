"""Real members, whatever their runtime, write down what they learn through their runner, and are told it again."""

import pytest

from drumline.team.learning import learning_id
from tests.running import until
from tests.spec.playing import COMMITS, completed, play, rows, turn

LEARNT = "Parts are written one file at a time"
LEARNS = """\
        - structured:
            task_result: {status: completed, summary: "{task} is written", files_changed: ["parts/{task}.txt"]}
            reflection: {what_worked: all of it, what_didnt: "", confidence: high}
            suggested_learnings:
              - {category: gotcha, content: "Parts are written one file at a time", for_agent: null}
              - {category: cross-agent, content: "Ada writes the parts", for_agent: brook}
              - {category: cross-agent, content: "Nobody hears this", for_agent: dora}
            follow_up: {blocked_by: null, suggested_next: null, needs_human: false}
"""
CITES = (
    LEARNS.split("            suggested_learnings", maxsplit=1)[0]
    + f"""\
            suggested_learnings: []
            follow_up: {{blocked_by: null, suggested_next: null, needs_human: false}}
            used_learnings: [{learning_id(LEARNT)}]
"""
)


@pytest.mark.requirement("MEM-02", "MEM-04")
def test_what_a_scripted_member_learns_is_in_its_file_its_next_prompt_and_counted_when_cited(
    running,
):
    found = running(
        play(turn(COMMITS + LEARNS, when="{task: T-1}"), turn(COMMITS + CITES, when="{task: T-2}")),
        ["One"],
        names=("ada", "brook"),
        begin=False,
    )
    found.run("member", "start", "ada")
    until(completed(found))
    file = found.root / "memory/agents/ada/learnings.md"
    assert f"## Gotchas\n- {LEARNT} (added: " in file.read_text()
    assert "- (from ada) Ada writes the parts (added: " in (
        (found.root / "memory/agents/brook/learnings.md").read_text()
    )
    assert any("went to nobody" in row["body"] for row in rows(found, "message_texts"))
    found.run("task", "add", "Two")
    shown = found.run("prompt", "show", "T-2", "--member", "ada", "--section", "context")
    assert f"> {learning_id(LEARNT)} {LEARNT}" in shown
    until(completed(found, "T-2"))
    kept = [(row["learning"], row["number"], row["how"]) for row in rows(found, "citations")]
    assert kept == [(learning_id(LEARNT), 1, "learnt"), (learning_id(LEARNT), 2, "cited")]
    assert found.told("memory", "stats", "ada")[0]["references"] == 1
    assert found.git("status", "--porcelain", "memory").splitlines() == ["?? memory/"]


@pytest.mark.requirement("MEM-02", "MEM-08")
def test_a_notebook_that_cannot_be_read_keeps_nobody_from_work_and_the_lead_hears_of_it(running):
    found = running(play(turn(COMMITS + LEARNS)), ["One"], begin=False)
    (found.root / "memory/agents/ada/learnings.md").mkdir(parents=True)
    shown = found.run("prompt", "show", "T-1", "--member", "ada")
    assert "every learning" in shown
    assert "not a regular file" in shown
    found.run("member", "start", "ada")
    until(completed(found))
    (letter,) = [
        row["body"] for row in rows(found, "message_texts") if "was not written down" in row["body"]
    ]
    assert letter.startswith("What ada learnt in T-1 was not written down:\n> ")
    assert "drumline task show T-1 --json" in letter
    assert LEARNT in found.run("task", "show", "T-1", "--json")
