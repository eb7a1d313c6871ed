"""What one member goes through task by task, each read by a test of its own."""

import json
from pathlib import Path
from typing import Any

from tests.running import ANSWER, Team, scripted, team_of_a_story, until
from tests.spec.playing import COMMITS, DONE, completed, play, turn

COMMITTED = " && git commit --quiet --message='{task}'\""
HALF = (
    '        - tool: {name: Write, input: {file_path: half.txt, content: "half"}}\n'
    "        - structured:\n"
    "            task_result: {status: partial, summary: half of it, files_changed: [half.txt]}\n"
    '            reflection: {what_worked: "", what_didnt: "", confidence: low}\n'
    "            suggested_learnings: []\n"
    "            follow_up: {blocked_by: null, suggested_next: null, needs_human: false}\n"
)


def bash(command: str) -> str:
    return f'        - tool: {{name: Bash, input: {{command: "{command}"}}}}\n'


GOOD = ANSWER.format(files='["parts/{task}.txt", "good"]')
BOASTS = ANSWER.format(files='["parts/{task}.txt", "never.txt"]')
TURNS = (  # what it is told while it is at a task comes first, and then its tasks by their titles
    turn(bash("git commit --quiet -m mended") + DONE, when="not committed"),
    turn(bash("touch good && git add good && git commit -qm good") + GOOD, when="failed with 1"),
    turn(DONE, when="problems"),
    turn(
        bash("git add half.txt; git commit -qm whole") + ANSWER.format(files='["half.txt"]'),
        when="left uncommitted",
    ),
    turn(COMMITS.replace(COMMITTED, '"') + DONE, when="Careless"),
    turn(COMMITS + DONE, when="Broken"),
    turn(COMMITS + "        - structured: {task_result: 7}\n", when="Nonsense"),
    turn(COMMITS + BOASTS, when="Boastful"),
    turn(HALF, when="Halved"),
    turn(COMMITS + DONE, when="Plain"),
)


def ada_at_work(place: Path) -> dict[str, Any]:
    """What came of tasks that went well at once, or only in the end."""
    with team_of_a_story(place, scripted("ada"), play(*TURNS)) as found:
        for title in ("Plain", "Broken"):
            found.run("task", "add", title)
        found.run("task", "note", "T-2", 'verify=["test", "-e", "good"]')
        found.run("member", "start", "--all")
        until(completed(found))
        told = {"plain": found.git("log", "--first-parent", "--format=%an %s", "drumline/merged")}
        told["written"] = found.git("show", "drumline/merged:parts/T-1.txt")
        told["status"] = found.git("status", "--porcelain")
        until(completed(found, "T-2"))
        checked = {"verbs": _verbs(found, "T-2"), "accepted": _accepted(found)}
        return {**told, **_brought_round(found), "checked": checked}


def _verbs(found: Team, task: str) -> list[str]:
    return [event["verb"] for event in found.events() if event["subject"] == task]


def _accepted(found: Team) -> list[bool]:
    return [line["accepted"] for line in found.diary("ada") if line["what"] == "handed in"]


def _brought_round(found: Team) -> dict[str, Any]:
    _given(found, "Careless", "T-3")
    last = found.git("log", "-1", "--format=%s", "drumline/merged^2").strip()
    kept = _given(found, "Nonsense", "T-4")["unreadable-reflection"]
    _given(found, "Boastful", "T-5")
    said = until(lambda: found.told("task", "show", "T-5")["metadata"].get("mismatch"))
    _given(found, "Halved", "T-6")
    whole = found.git("show", "drumline/merged:half.txt")
    return {
        "careless": last,
        "nonsense": json.loads(Path(kept).read_text()),
        "boastful": said,
        "halved": whole,
    }


def _given(found: Team, title: str, task: str) -> dict[str, Any]:
    """What is noted at a task once it is completed."""
    found.run("task", "add", title)
    until(completed(found, task))
    noted: dict[str, Any] = found.told("task", "show", task)["metadata"]
    return noted
