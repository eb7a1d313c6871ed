"""Judgements: what the lead is asked, taken by one life of it at a time, and answered once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from drumline.control.lives import present
from drumline.errors import BadInput, Unknown
from drumline.team import verdict
from drumline.team.ids import QuestionId
from drumline.team.judgement import Judgement, JudgementState, Matter
from drumline.team.life import Life
from drumline.team.quoting import spelled
from drumline.team.secrets import redact

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

WORDS = 20_000


def take(tx: Transaction, life: Life) -> Judgement | None:
    """What this life is asked to judge next; what an earlier life was asked and did not answer is its too."""
    present(tx, life)
    tx.runs.lock()
    for each in tx.runs.asked_of(life.member):
        if each.state is JudgementState.TAKEN and each.incarnation == life.incarnation:
            continue
        if each.spent and each.state is JudgementState.TAKEN:
            tx.runs.save_judgement(each.unanswered("each call for it was cut off"))
            tx.record(life.member, "judgement.failed", each.matter.name)
            continue
        taken = tx.runs.save_judgement(each.taken(life.member, life.incarnation))
        tx.record(life.member, "judgement.taken", each.matter.name)
        return taken
    return None


def answer(
    tx: Transaction, life: Life, matter: Matter, given: str | Mapping[str, Any]
) -> Judgement:
    """Keep an answer that can be read; one that cannot is kept too, and asked for once more."""
    present(tx, life)
    tx.runs.lock()
    found = find(tx, matter)
    try:
        said = verdict.values(matter.kind, given)
    except BadInput as refused:
        words = f"{refused.what}: {refused.why}\n{given}"[:WORDS]
        return _unanswered(tx, life, found, words)
    answered = tx.runs.save_judgement(found.answered(said, life.member))
    tx.record(life.member, "judgement.answered", matter.name)
    return answered


def fail(tx: Transaction, life: Life, matter: Matter, why: str) -> Judgement:
    """A call came to no answer at all."""
    present(tx, life)
    tx.runs.lock()
    return _unanswered(tx, life, find(tx, matter), why[:WORDS])


def give_back(tx: Transaction, life: Life, matter: Matter) -> Judgement:
    """A call that was not made counts as none."""
    tx.runs.lock()
    found = find(tx, matter)
    if not found.open or found.incarnation != life.incarnation:
        return found
    back = found._replace(state=JudgementState.ASKED, tries=max(0, found.tries - 1))
    tx.runs.save_judgement(back)
    tx.record(life.member, "judgement.given-back", matter.name)
    return back


def person_answered(tx: Transaction, judgement: Judgement, question: QuestionId) -> Judgement:
    """Keep what a person who leads has said as the answer it is."""
    from drumline.team.by_hand import answer_of  # noqa: PLC0415 - only where a person leads

    found = tx.questions.get(question)
    if found is None:
        raise Unknown(f"no question {question}", next="drumline question list --all")
    said = answer_of(judgement.matter, found.choice, found.words)
    answered = tx.runs.save_judgement(judgement.answered(said, found.by or "a person"))
    tx.record(found.by or "a person", "judgement.answered", judgement.matter.name)
    return answered


def find(tx: Transaction, matter: Matter) -> Judgement:
    if found := tx.runs.judgement(matter):
        return found
    raise Unknown(f"nobody was asked about {matter.name}", next=f"drumline run show {matter.run}")


def _unanswered(tx: Transaction, life: Life, found: Judgement, words: str) -> Judgement:
    kept = tx.runs.save_judgement(found.unanswered(redact(spelled(words))))
    verb = "judgement.failed" if kept.state is JudgementState.FAILED else "judgement.unreadable"
    tx.record(life.member, verb, found.matter.name)
    return kept
