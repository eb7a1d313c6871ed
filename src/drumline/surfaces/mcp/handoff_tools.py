"""Handing off as a tool, and reading what others left."""

from __future__ import annotations

from drumline.control import handoffs, views
from drumline.surfaces.mcp.tool import (
    CHANGES,
    FENCE,
    LOOKS,
    MEMBER,
    TASK,
    Arguments,
    Desk,
    Tool,
    form,
    words,
)
from drumline.team.document import Reading
from drumline.team.handoff import read_handoff, schema
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree


def _submit(desk: Desk, said: Arguments) -> views.Facts:
    handoff = read_handoff(Reading(tree(said["handoff"])))
    store, member = desk.store(), said.get("member", "")
    actor = desk.speaking(store, member)
    holder = desk.holder(actor, member, said.get("fence"))
    kept = desk.hand_off(store, actor, TaskId.parse(said["task"]), holder, handoff)
    return handoffs.kept_facts(kept)


def _show(desk: Desk, said: Arguments) -> views.Facts:
    store = desk.library()
    return handoffs.kept_facts(store.ask(handoffs.read, desk.speaking(store), said["which"]))


HANDOFFS = (
    Tool(
        "handoff_submit",
        "Hand off a task",
        "Leave what others need of a task you hold, before you finish it. One call keeps it, signals the"
        " run, and tells the lead and every consumer; a refusal names every problem, and nothing was kept"
        " or sent. Long reports stay in files that `full` names.",
        form(
            "task",
            "handoff",
            task=TASK,
            handoff={"description": "What you leave.", **schema()},
            fence=FENCE,
            member=MEMBER,
        ),
        CHANGES,
        _submit,
        {
            "task": "T-1",
            "fence": 1,
            "handoff": {
                "status": "PASS",
                "narrative": "The parser reads every sample.",
                "files": ["src/parser.py"],
                "decisions": ["One pass: two were slower."],
                "unresolved": [{"severity": "low", "what": "no sample has a BOM"}],
            },
        },
    ),
    Tool(
        "handoff_show",
        "Read a handoff",
        "What was left of a task: its summary and where its files are.",
        form("which", which=words("The task, or the path that a signal named.")),
        LOOKS,
        _show,
        {"which": "T-1"},
    ),
)
