"""A list of tasks put on the board as a whole, or refused with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from drumline.control import board
from drumline.control.roster import profiles, require
from drumline.team.document import Problem, shown
from drumline.team.rights import Right

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.task import Task
    from drumline.team.task_list import TaskList


def add_listed(tx: Transaction, actor: Actor, listed: TaskList) -> list[Task]:
    """Put every task of a list on the board, in its order."""
    require(tx, actor, Right.EDIT)
    problems = [*listed.problems, *_no_profiles(tx, listed), *_no_tasks(tx, listed)]
    if problems:
        raise listed.refusal(problems)
    return board.add_all(tx, actor, listed.tasks)


def _no_profiles(tx: Transaction, listed: TaskList) -> Iterator[Problem]:
    have = profiles(tx) if listed.profiles else []
    allowed = f"a profile of this team: {', '.join(have) or 'there is none'}"
    for line, profile in listed.profiles:
        if profile not in have:
            yield Problem(line, "profile", shown(profile), allowed)


def _no_tasks(tx: Transaction, listed: TaskList) -> Iterator[Problem]:
    there = {task.id for task in tx.tasks.lock_all({task for _, task in listed.waits_for})}
    for line, task in listed.waits_for:
        if task not in there:
            yield Problem(line, "blocked_by", str(task), f"a task of team {tx.team}")
