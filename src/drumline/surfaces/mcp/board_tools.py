"""The board's verbs as tools: look, claim, finish, and plan where the constitution allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import board, records, views
from drumline.errors import BadInput
from drumline.surfaces.mcp.tool import (
    ADDS,
    CHANGES,
    FENCE,
    LEASE,
    LOOKS,
    MEMBER,
    REPLACES,
    TASK,
    Arguments,
    Desk,
    Tool,
    at_most,
    form,
    numbered,
    one_of,
    page,
    several,
    span_in,
    whole,
    words,
)
from drumline.team.draft import PRIORITIES, NewTask
from drumline.team.ids import TaskId
from drumline.team.task import TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.actor import Actor
    from drumline.team.task import Holder

USUAL = 100
OTHERS = several(numbered("T", "A task's id."), "The tasks it waits for.")
FIELDS = {
    "priority": whole("Higher goes first.", PRIORITIES.start, PRIORITIES.stop - 1),
    "profile": words("Only members of this profile may take it; empty for all."),
    "files": several(words("A glob, relative to the repository."), "The files it may touch."),
    "outputs": several(words("A path, relative to the repository."), "The files it promises."),
    "tracker": words("Its reference in an issue tracker."),
}


def _list(desk: Desk, said: Arguments) -> list[views.Facts]:
    state = TaskState(said["state"]) if "state" in said else None
    after = TaskId.parse(said["after"]) if "after" in said else 0
    found = desk.library().ask(
        views.tasks,
        state=state,
        owner=said.get("owner"),
        after=after,
        most=said.get("most", USUAL),
    )
    return [views.task_facts(task) for task in found]


def _ready(desk: Desk, said: Arguments) -> list[views.Facts]:
    found = desk.library().ask(
        views.ready, profile=said.get("profile"), most=said.get("most", USUAL)
    )
    return [views.task_facts(task) for task in found]


def _show(desk: Desk, said: Arguments) -> views.Facts:
    return desk.library().ask(views.task, TaskId.parse(said["task"]))


def _claim(desk: Desk, said: Arguments) -> views.Facts:
    store, member, lease = desk.store(), said.get("member", ""), span_in(said, "lease")
    actor = desk.choosing(store, member)
    holder = desk.claimant(actor, member)
    if "task" in said:
        task = TaskId.parse(said["task"])
        return views.task_facts(store.do(board.claim, actor, task, holder, lease=lease))
    return views.task_facts(store.do(board.claim_next, actor, holder, lease=lease))


def _renew(desk: Desk, said: Arguments) -> views.Facts:
    store, actor, task, holder = _held(desk, said)
    return views.task_facts(
        store.do(board.renew, actor, task, holder, lease=span_in(said, "lease"))
    )


def _release(desk: Desk, said: Arguments) -> views.Facts:
    store, actor, task, holder = _held(desk, said)
    return views.task_facts(store.do(board.release, actor, task, holder))


def _done(desk: Desk, said: Arguments) -> views.Facts:
    store, actor, task, holder = _held(desk, said)
    if not desk.hand_in(task, holder):
        store.do(board.complete, actor, task, holder)
    return views.task_facts(store.ask(views.known_task, task))


def _fail(desk: Desk, said: Arguments) -> views.Facts:
    store, actor, task, holder = _held(desk, said)
    return views.task_facts(store.do(board.fail, actor, task, holder, said["why"]))


def _add(desk: Desk, said: Arguments) -> views.Facts:
    others = tuple(map(TaskId.parse, said.get("blocked_by", ())))
    draft = NewTask(
        title=said["title"], body=said.get("body", ""), **_changes(said, "title", "body")
    )
    store = desk.store()
    return views.task_facts(store.do(board.add, desk.speaking(store), draft, others))


def _edit(desk: Desk, said: Arguments) -> views.Facts:
    changes = _changes(said)
    if not changes:
        raise BadInput("nothing to change", next="name a field that shall be another")
    store = desk.store()
    task = TaskId.parse(said["task"])
    return views.task_facts(store.do(board.edit, desk.speaking(store), task, changes))


def _block(desk: Desk, said: Arguments) -> views.Facts:
    others = tuple(map(TaskId.parse, said["on"]))
    store = desk.store()
    task = TaskId.parse(said["task"])
    return views.task_facts(store.do(board.block, desk.speaking(store), task, others))


def _note(desk: Desk, said: Arguments) -> dict[str, Any]:
    store = desk.store()
    task = TaskId.parse(said["task"])
    return store.do(records.merge, desk.speaking(store), task, said["fields"])


def _held(desk: Desk, said: Arguments) -> tuple[Store, Actor, TaskId, Holder]:
    """Who writes to which claim."""
    store, member = desk.store(), said.get("member", "")
    actor = desk.speaking(store, member)
    holder = desk.holder(actor, member, said.get("fence"))
    return store, actor, TaskId.parse(said["task"]), holder


def _changes(said: Arguments, *but: str) -> dict[str, Any]:
    """What a task shall say of itself; a list is kept as a tuple, as nouns keep it."""
    names = {"title", "needs", *FIELDS} - set(but)
    found = {name: value for name, value in said.items() if name in names}
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in found.items()
    }


BOARD = (
    Tool(
        "task_list",
        "List tasks",
        "The board, oldest first: every task with its state, owner, lease and files. Use it to see who"
        " does what; for what you could take now, use task_ready.",
        form(
            state=one_of([state.value for state in TaskState], "Only tasks in this state."),
            owner=words("Only tasks this member holds."),
            after=numbered("T", "Only tasks after this one."),
            most=page(USUAL),
        ),
        LOOKS,
        _list,
        {"state": "pending", "most": 20},
    ),
    Tool(
        "task_ready",
        "List ready tasks",
        "What could be claimed now, best first: it waits for nothing, and no file of it is in use.",
        form(profile=words("Only what this profile may take."), most=at_most(USUAL)),
        LOOKS,
        _ready,
        {"most": 5},
    ),
    Tool(
        "task_show",
        "Show a task",
        "One task with all that belongs to it: its body, what it waits for, what waits for it, and its"
        " fields.",
        form("task", task=TASK),
        LOOKS,
        _show,
        {"task": "T-1"},
    ),
    Tool(
        "task_claim",
        "Claim a task",
        "Take a ready task: the one you name, or else the best one that fits you. Of any number of"
        " claimants exactly one gets it. Keep the `fence` of the answer: what you later say about the"
        " task counts only with it. The claim ends at `lease_until` unless it is renewed.",
        form(
            task=numbered("T", "The task; leave it out for the best ready one that fits."),
            member=MEMBER,
            lease=LEASE,
        ),
        ADDS,
        _claim,
        {"task": "T-1", "lease": "15m"},
    ),
    Tool(
        "task_renew",
        "Hold a task for longer",
        "Hold a task you have claimed for longer, before its lease is over.",
        form("task", task=TASK, fence=FENCE, member=MEMBER, lease=LEASE),
        ADDS,
        _renew,
        {"task": "T-1", "fence": 1, "lease": "30m"},
    ),
    Tool(
        "task_release",
        "Give a task back",
        "Give a task you hold back to the board unfinished, so that someone else can take it.",
        form("task", task=TASK, fence=FENCE, member=MEMBER),
        CHANGES,
        _release,
        {"task": "T-1", "fence": 1},
    ),
    Tool(
        "task_done",
        "Finish a task",
        "Say that a task you hold is finished. Your work is taken in and its check is run first: a"
        " refusal says what is missing, and nothing has changed. Those that waited for it become ready.",
        form("task", task=TASK, fence=FENCE, member=MEMBER),
        CHANGES,
        _done,
        {"task": "T-1", "fence": 1},
    ),
    Tool(
        "task_fail",
        "Give up on a task",
        "Give up on a task you hold and say why; what waits for it stays blocked until the lead acts.",
        form(
            "task",
            "why",
            task=TASK,
            why=words("What went wrong, in one line."),
            fence=FENCE,
            member=MEMBER,
        ),
        CHANGES,
        _fail,
        {"task": "T-1", "fence": 1, "why": "the library has no such call"},
    ),
    Tool(
        "task_add",
        "Add a task",
        "Put a task on the board. Most constitutions leave this to the lead: others are refused, and ask"
        " the lead by mail_send or request_add.",
        form(
            "title",
            title=words("What is to be done, in one line."),
            body=words("More words: what counts as done, and what to know."),
            blocked_by=OTHERS,
            needs=several(words("Its name."), "The MCP servers it cannot do without."),
            **FIELDS,
        ),
        ADDS,
        _add,
        {"title": "Write the parser", "files": ["src/parser/**"], "priority": 5},
    ),
    Tool(
        "task_edit",
        "Change a task",
        "Change what an open task says of itself; fields you leave out stay, an empty list clears one."
        " Most constitutions leave this to the lead.",
        form("task", task=TASK, title=words("A new title, in one line."), **FIELDS),
        REPLACES,
        _edit,
        {"task": "T-1", "priority": 9},
    ),
    Tool(
        "task_block",
        "Let a task wait",
        "Let a task wait until others are done; a circle is refused. Most constitutions leave this to"
        " the lead.",
        form("task", "on", task=TASK, on={**OTHERS, "minItems": 1}),
        CHANGES,
        _block,
        {"task": "T-2", "on": ["T-1"]},
    ),
    Tool(
        "task_note",
        "Set a task's fields",
        "Set fields of a task's metadata, for what must outlive your context: a field of the same name is"
        " replaced, null removes it, all others stay. The answer is all fields. You may note on a task"
        " you hold.",
        form(
            "task",
            "fields",
            task=TASK,
            fields={
                "type": "object",
                "description": "Names, with dots where one is inside another, and their values.",
            },
        ),
        CHANGES,
        _note,
        {"task": "T-1", "fields": {"branch": "parser", "tried": ["a", "b"]}},
    ),
)
