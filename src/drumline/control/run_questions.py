"""What people are asked in a run: each on one occasion once, and taken back when that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.asking_moves import ABORT, AGAIN
from drumline.team.gate_moves import DELIVERY
from drumline.team.moves import AskPerson, Seen
from drumline.team.question import WHAT_CAP, Asking, QuestionKind, QuestionState
from drumline.team.run import Run
from drumline.team.secrets import redact

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

OF_THE_LEAD = "judgement/"  # occasions on which a person judges in the lead's place
TROUBLE = "trouble"  # what a person is asked about that nobody foresaw


def ask_person(tx: Transaction, seen: Seen, move: AskPerson) -> None:
    """Ask what a move wants to know."""
    asking = Asking(
        QuestionKind.RUN,
        move.what[:WHAT_CAP],
        f"{seen.run.name}/{move.occasion}",
        options=move.options,
        recommended=move.recommended,
    )
    ask(tx, seen.run, move.occasion, asking)


def ask_about_delivery(tx: Transaction, run: Run, what: str) -> None:
    """Ask a person to make way, anew for each time it did not go."""
    _ask_to_mend(tx, run, DELIVERY, f"{run.name} is done and cannot be delivered: {what}")


def ask_about_trouble(tx: Transaction, run: Run, what: str) -> None:
    """Ask a person about what keeps a run from going on, unless one is asked already."""
    asked = tx.runs.questions(run.name)
    if not any(each.startswith(f"{TROUBLE}/") and asked[each].open for each in asked):
        _ask_to_mend(tx, run, TROUBLE, f"{run.name} cannot go on: {what}")


def withdraw(tx: Transaction, run: Run, occasion: str) -> None:
    """Take back what a person was asked on an occasion that is over, if it is still open."""
    asked = tx.runs.questions(run.name).get(occasion)
    if asked is None or not asked.open:
        return
    tx.questions.lock()
    found = tx.questions.get(asked.question)
    if found is not None and found.open:
        tx.questions.close(found._replace(state=QuestionState.WITHDRAWN))
        tx.record(run.name, "question.withdrawn", str(asked.question))


def ask(tx: Transaction, run: Run, occasion: str, asking: Asking) -> None:
    """Ask a person, and remember on which occasion."""
    tx.questions.lock()
    about = asking._replace(what=redact(asking.what), task=run.task)
    question = tx.questions.add(about, run.name, None)
    tx.runs.add_question(run.name, occasion, question.id)
    tx.record(run.name, "question.asked", str(question.id))


def _ask_to_mend(tx: Transaction, run: Run, about: str, what: str) -> None:
    tries = sum(each.startswith(f"{about}/") for each in tx.runs.questions(run.name))
    occasion = f"{about}/{tries + 1}"
    asking = Asking(
        QuestionKind.RUN,
        what[:WHAT_CAP],
        f"{run.name}/{occasion}",
        options=(AGAIN, ABORT),
        recommended=AGAIN,
    )
    ask(tx, run, occasion, asking)
