"""The board from the command line."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from drumline.control import board, records, views
from drumline.errors import BadInput
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import SPAN, TASK
from drumline.surfaces.cli.output import columns, facts, show, span
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.task import Task, TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Store

_JSON = re.compile(
    r"""[\[{"]|(?:-?(?:0|[1-9][0-9]{0,14})|true|false|null)$"""
)  # 1234e56 is a commit
STATES = [state.value for state in TaskState]


member_option = click.option(
    "--member", default="", metavar="NAME", help="For which member (operators only)."
)
fence_option = click.option(
    "--fence", type=click.IntRange(0, 2**63 - 1), metavar="N", help="The number the claim gave."
)
lease_option = click.option(
    "--lease", type=SPAN, help="How long to hold it, if not the team's lease-by-hand."
)
on_option = click.option(
    "--on", "others", type=TASK, multiple=True, required=True, help="A task to wait for."
)


@click.group()
def command() -> None:
    """The board: add, claim and finish tasks."""


@command.command()
@click.argument("title", required=False)
@click.option(
    "--from", "source", metavar="FILE", help="Many tasks, a JSON object a line; - reads stdin."
)
@click.option("--body", default="", help="More words; - reads them from stdin.")
@click.option("--blocked-by", "others", type=TASK, multiple=True, help="A task to wait for.")
@click.option("--priority", type=int, default=0, help="Higher goes first.")
@click.option("--profile", default="", help="Only members of this profile may take it.")
@click.option("--files", multiple=True, metavar="GLOB", help="A file it may touch.")
@click.option("--output", "outputs", multiple=True, metavar="PATH", help="A file it promises.")
@click.option("--tracker", default="", metavar="REF", help="Its reference in an issue tracker.")
@click.option(
    "--needs", multiple=True, metavar="SERVER", help="An MCP server it cannot do without."
)
@placed
def add(
    title: str | None,
    source: str | None,
    body: str,
    others: tuple[TaskId, ...],
    *,
    as_json: bool,
    **fields: Any,
) -> None:
    """Put a task on the board, or with --from many at once: all of them, or none.

    Each line of FILE is a JSON object with the fields title, body, blocked_by, priority, profile, files, outputs,
    tracker and needs; only title must be there. With a key of its own, a line can be named in the blocked_by of
    others, beside tasks of the board such as T-12.
    """
    if (title is None) == (source is None):
        raise click.UsageError("name one task, or say --from FILE")
    if source is not None:
        if body or others or any(fields.values()):
            raise click.UsageError("--from takes every field from its lines")
        from drumline.surfaces.cli.task_lists import (  # noqa: PLC0415 - only who adds many pays for it
            add_from,
        )

        add_from(source, as_json=as_json)
        return
    draft = NewTask(title=title or "", body=words(body), **fields)
    store = desk.store()
    _answer(store.do(board.add, desk.speaking(store), draft, others), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@click.option("--title", help="New title.")
@click.option("--priority", type=int, help="New priority.")
@click.option("--profile", help="New profile.")
@click.option("--files", multiple=True, metavar="GLOB", help="New file set.")
@click.option("--output", "outputs", multiple=True, metavar="PATH", help="New promised files.")
@click.option("--tracker", help="New tracker reference.")
@click.option("--no-files", is_flag=True, help="It may touch any file.")
@click.option("--no-output", is_flag=True, help="It promises no file.")
@placed
def edit(task: TaskId, *, no_files: bool, no_output: bool, as_json: bool, **fields: Any) -> None:
    """Change what an open task says of itself."""
    changes = {name: value for name, value in fields.items() if value not in (None, ())}
    cleared = {"files": no_files, "outputs": no_output}
    changes |= {name: () for name, wanted in cleared.items() if wanted}
    if not changes:
        raise BadInput("nothing to change", next="name a field: drumline task edit --help")
    store = desk.store()
    _answer(store.do(board.edit, desk.speaking(store), task, changes), as_json=as_json)


@command.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only tasks in this state.")
@click.option("--owner", help="Only tasks this member holds.")
@click.option("--after", type=TASK, default=TaskId(0), show_default=False, help="Only later tasks.")
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    default=1000,
    show_default=True,
    help="How many at most.",
)
@click.option("--waves", is_flag=True, help="Open tasks in the order they can run.")
@placed
def list_tasks(state: str | None, most: int, *, waves: bool, as_json: bool, **page: Any) -> None:
    """The board, oldest first."""
    store = desk.library()
    if waves:
        _show_waves(store.ask(views.waves_of), as_json=as_json)
        return
    wanted = TaskState(state) if state else None
    found = store.ask(views.tasks, state=wanted, most=most, **page)
    _show_tasks(found, as_json=as_json, empty="no tasks; add one: drumline task add TITLE")
    if len(found) == most:
        click.echo(f"more: the same with --after {found[-1].id}", err=True)


@command.command()
@click.option("--profile", help="Only what this profile may take.")
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many at most.",
)
@placed
def ready(profile: str | None, most: int, *, as_json: bool) -> None:
    """What could be claimed now, best first."""
    found = desk.library().ask(views.ready, profile=profile, most=most)
    _show_tasks(found, as_json=as_json, empty="nothing is ready")


@command.command("show")
@click.argument("task", type=TASK)
@placed
def show_task(task: TaskId, *, as_json: bool) -> None:
    """One task with all that belongs to it."""
    found = desk.library().ask(views.task, task)
    show(found, _in_full(found), as_json=as_json)


@command.command()
@click.argument("task", type=TASK, required=False)
@click.option("--next", "take_next", is_flag=True, help="The best ready task that fits.")
@member_option
@lease_option
@placed
def claim(
    task: TaskId | None, member: str, lease: timedelta | None, *, take_next: bool, as_json: bool
) -> None:
    """Take a ready task."""
    if (task is None) != take_next:
        raise click.UsageError("name a task, or say --next: one of both")
    store = desk.store()
    actor = desk.choosing(store, member)
    holder = desk.claimant(actor, member)
    if task is None:
        taken = store.do(board.claim_next, actor, holder, lease=lease)
    else:
        taken = store.do(board.claim, actor, task, holder, lease=lease)
    show(views.task_facts(taken), [_claimed(taken)], as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@member_option
@fence_option
@lease_option
@placed
def renew(
    task: TaskId, member: str, fence: int | None, lease: timedelta | None, *, as_json: bool
) -> None:
    """Hold a task for longer."""
    store, actor = _sit(member)
    holder = desk.holder(actor, member, fence)
    renewed = store.do(board.renew, actor, task, holder, lease=lease)
    show(views.task_facts(renewed), [_claimed(renewed)], as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@member_option
@fence_option
@placed
def release(task: TaskId, member: str, fence: int | None, *, as_json: bool) -> None:
    """Give a task back unfinished."""
    store, actor = _sit(member)
    holder = desk.holder(actor, member, fence)
    _answer(store.do(board.release, actor, task, holder), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@member_option
@fence_option
@click.option("--unverified", is_flag=True, help="Without its check (a person only).")
@placed
def done(task: TaskId, member: str, fence: int | None, *, unverified: bool, as_json: bool) -> None:
    """Finish a task and free those that waited for it."""
    store, actor = _sit(member)
    holder = desk.holder(actor, member, fence)
    if not desk.hand_in(task, holder):
        store.do(board.complete, actor, task, holder, unverified=unverified)
    _answer(store.ask(views.known_task, task), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@click.option("--why", required=True, help="What went wrong, in one line.")
@member_option
@fence_option
@placed
def fail(task: TaskId, why: str, member: str, fence: int | None, *, as_json: bool) -> None:
    """Give up on a task and say why."""
    store, actor = _sit(member)
    holder = desk.holder(actor, member, fence)
    _answer(store.do(board.fail, actor, task, holder, why), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@click.option("--why", default="", help="The reason, in one line.")
@placed
def cancel(task: TaskId, why: str, *, as_json: bool) -> None:
    """Take a task off the board."""
    store = desk.store()
    _answer(store.do(board.cancel, desk.speaking(store), task, why), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@placed
def reopen(task: TaskId, *, as_json: bool) -> None:
    """Put a failed task back on the board."""
    store = desk.store()
    _answer(store.do(board.reopen, desk.speaking(store), task), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@on_option
@placed
def block(task: TaskId, others: tuple[TaskId, ...], *, as_json: bool) -> None:
    """Let a task wait for others."""
    store = desk.store()
    _answer(store.do(board.block, desk.speaking(store), task, others), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@on_option
@placed
def unblock(task: TaskId, others: tuple[TaskId, ...], *, as_json: bool) -> None:
    """Let a task no longer wait for others."""
    store = desk.store()
    _answer(store.do(board.unblock, desk.speaking(store), task, others), as_json=as_json)


@command.command()
@click.argument("task", type=TASK)
@click.argument("fields", nargs=-1, required=True, metavar="FIELD=VALUE…")
@placed
def note(task: TaskId, fields: tuple[str, ...], *, as_json: bool) -> None:
    """Set fields of a task's metadata; FIELD= removes one. A value may be JSON."""
    store = desk.store()
    merged = store.do(records.merge, desk.speaking(store), task, dict(map(_field, fields)))
    show(merged, facts({name: str(value) for name, value in merged.items()}), as_json=as_json)


def _sit(member: str) -> tuple[Store, Any]:
    store = desk.store()
    return store, desk.speaking(store, member)


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInput(f"{text[:80]!r} sets nothing", next="say FIELD=VALUE")
    if not value:
        return name, None
    try:
        return name, json.loads(value) if _JSON.match(value) else value
    except (ValueError, RecursionError):
        return name, value


def _answer(task: Task, *, as_json: bool) -> None:
    show(views.task_facts(task), [f"{task.id}  {_where(task)}  {task.title}"], as_json=as_json)


def _claimed(task: Task) -> str:
    held = span((task.lease_until - task.updated_at).total_seconds()) if task.lease_until else ""
    return f"{task.id}  held by {task.owner}  fence {task.fence}  for {held}  {task.title}"


def _where(task: Task) -> str:
    if task.owner:
        return f"{task.state} ({task.owner})"
    if task.state is TaskState.PENDING and task.waits:
        return f"blocked ({task.waits})"
    return "permanent" if task.permanent else task.state.value


def _show_tasks(tasks: list[Task], *, as_json: bool, empty: str) -> None:
    rows = [(str(task.id), _where(task), _marks(task), task.title) for task in tasks]
    lines = columns(rows) or [empty]
    show([views.task_facts(task) for task in tasks], lines, as_json=as_json)


def _marks(task: Task) -> str:
    marks = (f"p{task.priority}" if task.priority else "", task.profile, task.tracker)
    return " ".join(mark for mark in marks if mark)


def _show_waves(waves: list[list[Task]], *, as_json: bool) -> None:
    data = [[str(task.id) for task in wave] for wave in waves]
    lines = [f"wave {at}  {'  '.join(ids)}" for at, ids in enumerate(data, 1)]
    show(data, lines or ["no open tasks"], as_json=as_json)


def _in_full(found: dict[str, Any]) -> list[str]:
    blockers = [f"{other['id']} {other['state']}" for other in found["blocked_by"]]
    lease = found["lease_until"]
    lines = facts(
        {
            "task": f"{found['id']}  {found['title']}",
            "state": found["state"],
            "owner": found["owner"] or "",
            "fence": str(found["fence"]) if found["owner"] else "",
            "lease": f"until {lease:%Y-%m-%d %H:%M:%S} UTC" if lease else "",
            "priority": str(found["priority"] or ""),
            "profile": found["profile"],
            "blocked by": ", ".join(blockers),
            "blocks": ", ".join(found["blocks"]),
            "files": ", ".join(found["files"]),
            "outputs": ", ".join(found["outputs"]),
            "tracker": found["tracker"],
            "run": found["run"],
            "added": f"{found['created_at']:%Y-%m-%d %H:%M:%S} UTC",
        }
        | {f"  {name}": str(value) for name, value in found["metadata"].items()}
    )
    return [*lines, "", *found["body"].splitlines()] if found["body"] else lines
