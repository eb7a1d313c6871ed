"""The watchdog: work that stopped moving is nudged, and when that does not help somebody is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from drumline.control import questions
from drumline.control.attendance import Seen, look_at
from drumline.control.holding import withdraw_stalls
from drumline.control.waking import DRUMLINE, rhythm
from drumline.team.question import WHAT_CAP, Asking, QuestionKind
from drumline.team.stall import Moved, to_be_asked

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def overdue(tx: Transaction, looked: Iterable[Seen]) -> list[str]:
    """Of whom a person is to be asked, and was not yet."""
    return [each.name for each in looked if _is_overdue(tx, each)]


def ask(tx: Transaction, member: str) -> None:
    """Ask what to do about a member, if it is still so; on one occasion once."""
    seen = look_at(tx, member)
    if seen is not None and _is_overdue(tx, seen):
        actor = seen.situation.member.acting()._replace(by=DRUMLINE)
        tasks = tx.waking.tasks_of(member)
        about = tasks[0].id if tasks else None
        asking = Asking(QuestionKind.STALL, _words(seen), _occasion(seen), about)
        questions.ask(tx, actor, asking)


def let_go(tx: Transaction, looked: Iterable[Seen]) -> None:
    """Withdraw what is asked about those who get on again."""
    for each in looked:
        withdraw_stalls(tx, DRUMLINE, each.name, each.situation.member.incarnation)


def _is_overdue(tx: Transaction, seen: Seen) -> bool:
    stalled = seen.situation.stalled_at
    if stalled is None or seen.still is None or seen.moved is not Moved.NOT:
        return False
    if seen.situation.by_hand and seen.situation.task_at is None:
        return False  # whoever drives it sees to it, and nobody waits for a task of its
    due = to_be_asked(stalled, rhythm(tx), tx.now())
    return due and tx.questions.same(_occasion(seen)) is None


def _occasion(seen: Seen) -> str:
    """One standstill of one life: what was answered about it is not asked again."""
    life = f"{seen.name}/{seen.situation.member.incarnation}"
    return f"{QuestionKind.STALL} {life} {seen.situation.stalled_at:%Y-%m-%dT%H:%M:%S.%f}"


def _words(seen: Seen) -> str:
    head = f"{seen.name} does not get on: {seen.live}, and nothing has moved since {seen.still:%H:%M} UTC."
    return seen.agenda.told(head, cap=WHAT_CAP)
