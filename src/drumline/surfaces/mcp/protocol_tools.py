"""Understanding before work as tools: what a member shows, and how far everyone is."""

from __future__ import annotations

from drumline.control import protocol, views
from drumline.surfaces.mcp.tool import CHANGES, LOOKS, TASK, Arguments, Desk, Tool, form, words
from drumline.team.ids import TaskId
from drumline.wiring.evidence import changed_by, looked_into


def _show(desk: Desk, said: Arguments) -> list[views.Facts]:
    found = desk.library().ask(protocol.of_task, TaskId.parse(said["task"]))
    return [protocol.facts(each) for each in found]


def _submit(desk: Desk, said: Arguments) -> views.Facts:
    store, task = desk.store(), TaskId.parse(said["task"])
    actor = desk.speaking(store)
    level = store.ask(protocol.level, actor, task)
    looked = looked_into(desk.here(), actor.name, level, said["given"])
    return protocol.facts(store.do(protocol.submit, actor, task, said["given"], looked))


def _answer(desk: Desk, said: Arguments) -> views.Facts:
    store, task = desk.store(), TaskId.parse(said["task"])
    return protocol.facts(store.do(protocol.answer, desk.speaking(store), task, said["given"]))


def _plan(desk: Desk, said: Arguments) -> views.Facts:
    store, task = desk.store(), TaskId.parse(said["task"])
    actor = desk.speaking(store)
    changed = changed_by(desk.here(), actor.name)
    return protocol.facts(store.do(protocol.plan, actor, task, said["given"], changed))


PROTOCOL = (
    Tool(
        "protocol_show",
        "See who understood a task",
        "How far everyone came who had a task: analysis, questions, plan, and what was said of them.",
        form("task", task=TASK),
        LOOKS,
        _show,
        {"task": "T-12"},
    ),
    Tool(
        "protocol_submit",
        "Submit your impact analysis",
        "Show what you understood of your task before you change anything; the lead verifies it. What a"
        " machine finds wrong with it rejects it at once, and uses an attempt.",
        form("task", "given", task=TASK, given=words("The analysis, as JSON in the form you were told.")),
        CHANGES,
        _submit,
        {"task": "T-12", "given": '{"task": "…", "position": "…"}'},
    ),
    Tool(
        "protocol_answer",
        "Answer what you were asked",
        "Answer every question or challenge about your analysis at once.",
        form("task", "given", task=TASK, given=words('JSON: {"answers": ["…"]}, in their order.')),
        CHANGES,
        _answer,
        {"task": "T-12", "given": '{"answers": ["The caller has a timeout."]}'},
    ),
    Tool(
        "protocol_plan",
        "Submit your plan",
        "Say what you are about to change, once you are verified; you work when it is approved.",
        form("task", "given", task=TASK, given=words("The plan, as JSON in the form you were told.")),
        CHANGES,
        _plan,
        {"task": "T-12", "given": '{"files": ["src/a.py"], "changes": "…", "risk": "low"}'},
    ),
)  # fmt: skip
