"""Questions: the one queue of what waits for a person's or the lead's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import board, mail
from drumline.control.holding import OF_ITS_LIFE
from drumline.control.mending import mend
from drumline.control.roster import living
from drumline.control.waking import wake
from drumline.errors import NotAllowed, NotReady, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.ids import QuestionId
from drumline.team.member import HUMAN
from drumline.team.question import (
    FOR_PEOPLE,
    NOT_ITS_OWN,
    Asking,
    Question,
    checked_asking,
    may_answer,
)
from drumline.team.quoting import quoted
from drumline.team.request import headline, signed
from drumline.team.secrets import redact
from drumline.team.task import TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def ask(tx: Transaction, actor: Actor, asking: Asking) -> Question:
    """Ask, once: on the same occasion the question that was asked is found again, answered or not."""
    living(tx, actor)
    checked_asking(asking)
    tx.questions.lock()
    if same := tx.questions.same(asking.sameness):
        return same
    if asking.holds and asking.task is not None:
        found = board.locked(tx, asking.task)
        if found.state is not TaskState.PENDING:
            raise NotReady(
                f"{found.id} is {found.state}: no question can hold it",
                next=f"drumline task show {found.id}",
            )
    question = tx.questions.add(
        asking._replace(what=redact(asking.what)), signed(actor), actor.incarnation
    )
    tx.record(actor, "question.asked", str(question.id))
    _tell_lead(tx, actor, question)
    return question


def answer(
    tx: Transaction, actor: Actor, question: QuestionId, choice: str = "", words: str = ""
) -> Question:
    """Answer, once; what waited for it goes on, and its asker hears of it."""
    living(tx, actor)
    tx.questions.lock()
    found = find(tx, question)
    if not may_answer(found, actor):
        raise NotAllowed(
            f"{actor.name} may not answer {question}",
            why=_who_answers(found, actor),
            next="drumline question list   # for who may",
        ).audited(str(actor), "question.refused", str(question))
    answered = tx.questions.close(found.answered(choice, words, signed(actor)))
    tx.record(actor, "question.answered", str(question))
    _end_task(tx, actor, answered)
    mend(tx, actor, answered)
    _tell_asker(tx, actor, answered)
    return answered


def _who_answers(question: Question, actor: Actor) -> str:
    own = question.kind in NOT_ITS_OWN and question.asker == actor.name
    return "a person answers it" if own or question.kind in FOR_PEOPLE else "the lead answers it"


def find(tx: Transaction, question: QuestionId) -> Question:
    """One question, as it is now."""
    if found := tx.questions.get(question):
        return found
    raise Unknown(
        f"no question {question} in team {tx.team}",
        why="none of that number was asked",
        next="drumline question list --all",
    )


def page(
    tx: Transaction, *, everything: bool = False, after: int = 0, most: int = 1000
) -> list[Question]:
    """What waits for an answer, oldest first; or everything that was asked."""
    return tx.questions.page(everything=everything, after=after, most=most)


def _end_task(tx: Transaction, actor: Actor, answered: Question) -> None:
    if answered.task is None or not answered.ends_its_task:
        return
    if board.locked(tx, answered.task).state in {TaskState.COMPLETED, TaskState.CANCELLED}:
        return
    board.cancel(tx, actor, answered.task, f"the answer to {answered.id}")


def _tell_lead(tx: Transaction, actor: Actor, question: Question) -> None:
    """A lead that may answer is told; people look at the queue."""
    leads = [member for member in tx.roster.everyone() if member.lead and member.active]
    for lead in leads:
        told = lead.name not in {actor.name, HUMAN}
        if told and may_answer(question, lead.acting()):
            offered = ", ".join(question.options)
            words = f"{question.id} waits for your answer ({offered or 'in words'}):\n"
            mail.send(tx, actor, [lead.name], words + quoted(headline(question.what)))
            wake(tx, lead.name, "a question came")


def _tell_asker(tx: Transaction, actor: Actor, answered: Question) -> None:
    """The asker's next turn hears the answer; who waits for an approval reads it by itself."""
    asker = tx.roster.get(answered.asker)
    if answered.kind in OF_ITS_LIFE or asker is None or not asker.active:
        return
    if actor.role is Role.PERSON or asker.name != actor.name:
        mail.send(tx, actor, [asker.name], f"{answered.id} was answered:\n{quoted(answered.said)}")
