"""What a task needs besides hands: MCP servers. One that cannot be used pauses it, and somebody decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from drumline.control import board, questions
from drumline.control.reflecting import speaker
from drumline.team.delegation import read_needs
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.question import AGAIN, WHAT_CAP, WITHOUT, Asking, QuestionKind
from drumline.team.server import Needs
from drumline.team.task import LACKS, Holder, Task

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def needs_of(tx: Transaction, task: TaskId) -> Needs:
    """The servers a task cannot do without, and those it was let go on without."""
    without = waived(tx, task)
    wanted = read_needs(task, tx.tasks.fields(task))
    return Needs(tuple(name for name in wanted if name not in without), without)


def waived(tx: Transaction, task: TaskId) -> tuple[str, ...]:
    """The servers a task was let go on without, by the answers to what was asked about it."""
    fields = tx.tasks.fields(task)
    answers = (each.id for each in tx.questions.about(task) if each.choice == WITHOUT)
    named = (fields.get(f"{LACKS}.{question}") for question in answers)
    lists = (each for each in named if isinstance(each, list))
    return tuple(dict.fromkeys(str(name) for each in lists for name in each))


def pause(tx: Transaction, life: Life, task: Task, lacking: Mapping[str, str]) -> None:
    """Give a task back that needs what its member cannot use; nobody takes it before there is an answer."""
    tx.questions.lock()
    actor = speaker(tx, life)
    board.release(tx, actor, task.id, Holder(actor.name, actor.incarnation, task.fence))
    lines = [f"- {name}: {why}" for name, why in lacking.items()]
    what = "\n".join([f"{task.id} needs MCP servers that {life.member} cannot use:", *lines])
    occasion = f"{QuestionKind.NEED} {task.id}/{task.fence}"
    asking = Asking(QuestionKind.NEED, what[:WHAT_CAP], occasion, task.id, holds=True)
    question = questions.ask(tx, actor, asking._replace(recommended=AGAIN))
    tx.tasks.merge(task.id, {f"{LACKS}.{question.id}": sorted(lacking)})
    tx.record(actor, "task.paused", str(task.id))
