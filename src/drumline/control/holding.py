"""Questions that nobody needs an answer to any more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from drumline.team.actor import Actor
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.question import OF_A_STANDSTILL, Question, QuestionKind, QuestionState

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

OF_ITS_LIFE = frozenset({QuestionKind.APPROVAL, *OF_A_STANDSTILL})


def holding(tx: Transaction, task: TaskId) -> list[Question]:
    """The open questions that keep everyone from taking a task."""
    return [each for each in tx.questions.about(task) if each.open and each.holds]


def withdraw_about(tx: Transaction, actor: Actor, task: TaskId) -> None:
    """Withdraw what is still asked about a task that nobody will work on; a stall is about its member."""
    found = tx.questions.about(task)
    _withdraw(tx, actor, (each for each in found if each.open and each.kind not in OF_A_STANDSTILL))


def withdraw_of(tx: Transaction, by: str, life: Life) -> None:
    """Withdraw what only an ended life was asked about: what it wanted to do, and that it did nothing."""
    asked = tx.questions.asked_by(life.member, life.incarnation)
    _withdraw(tx, by, (each for each in asked if each.kind in OF_ITS_LIFE))


def withdraw_stalls(tx: Transaction, by: str, member: str, incarnation: int) -> None:
    """Withdraw what is asked about a member that gets on again."""
    asked = tx.questions.asked_by(member, incarnation)
    _withdraw(tx, by, (each for each in asked if each.kind in OF_A_STANDSTILL))


def _withdraw(tx: Transaction, by: Actor | str, questions: Iterable[Question]) -> None:
    for each in questions:
        tx.questions.close(each._replace(state=QuestionState.WITHDRAWN))
        tx.record(by, "question.withdrawn", str(each.id))
