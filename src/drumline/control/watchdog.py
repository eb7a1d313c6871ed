"""The watchdog: work that stopped moving climbs the ladder, one step at a time, until somebody decides.

A nudge, another life, the lead, a person. In a run another life is the run's own to give: the watchdog
takes the task out of the hands it stands still in, and the run goes on as with any work that failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from drumline.control import escalations, questions, standstills
from drumline.control.attendance import Seen, look_at
from drumline.control.holding import withdraw_stalls
from drumline.control.roster import lead
from drumline.control.waking import DRUMLINE
from drumline.team.ladder import Rung
from drumline.team.liveness import Liveness
from drumline.team.member import HUMAN
from drumline.team.question import WHAT_CAP, Asking, Question, QuestionKind
from drumline.team.stall import Moved
from drumline.team.standstill import Standstill, Step, due

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def overdue(tx: Transaction, looked: Iterable[Seen]) -> list[str]:
    """About whom a step is to be taken."""
    return [each.name for each in looked if _due(tx, each) is not None]


def climb(tx: Transaction, members: Sequence[str]) -> None:
    """Take the step that is due about each, if it still is.

    Whoever needs another life at the same moment is dealt with in one transaction: where several of a
    run do, the fault is its plan's.
    """
    tx.runs.lock()  # before any life: whoever drives a run takes them in this order
    for member in members:
        seen = look_at(tx, member)
        match _due(tx, seen) if seen is not None else None:
            case Step.ANEW if seen is not None:
                standstills.start_anew(tx, seen)
            case Step.LEAD if seen is not None:
                _ask(tx, seen, QuestionKind.STALL, Rung.RESTRUCTURE)
            case Step.PERSON if seen is not None:
                _ask_person(tx, seen)


def let_go(tx: Transaction, looked: Iterable[Seen]) -> None:
    """Withdraw what is asked about those who get on again."""
    for each in looked:
        withdraw_stalls(tx, DRUMLINE, each.name, each.situation.member.incarnation)


def _due(tx: Transaction, seen: Seen) -> Step | None:
    noticed = seen.situation.stalled_at
    if noticed is None or seen.still is None or seen.moved is not Moved.NOT:
        return None
    if seen.situation.by_hand and seen.situation.task_at is None:
        return None  # whoever drives it sees to it, and nobody waits for a task of its
    asked = _asked(tx, seen)
    found = Standstill(
        noticed,
        seen.span,
        startable=seen.situation.life is not None and seen.live is not Liveness.IN_TOOL,
        holds=seen.situation.task_at is not None,
        respawns=standstills.respawns(tx, seen),
        asked_at=asked.asked_at if asked is not None else None,
        answered=asked is not None and not (asked.open and _is_the_leads(tx, seen, asked)),
        led=_led(tx, seen),
    )
    return due(found, tx.now())


def _asked(tx: Transaction, seen: Seen) -> Question | None:
    """What was asked last about this standstill of this life."""
    return tx.questions.same(_occasion(seen, QuestionKind.ESCALATED)) or tx.questions.same(
        _occasion(seen, QuestionKind.STALL)
    )


def _is_the_leads(tx: Transaction, seen: Seen, asked: Question) -> bool:
    return asked.kind is QuestionKind.STALL and _led(tx, seen)


def _led(tx: Transaction, seen: Seen) -> bool:
    return lead(tx).runtime != HUMAN and not seen.situation.member.lead


def _ask_person(tx: Transaction, seen: Seen) -> None:
    """Ask a person; what the lead was asked and has not answered is taken back."""
    withdraw_stalls(tx, DRUMLINE, seen.name, seen.situation.member.incarnation)
    kind = QuestionKind.ESCALATED if _led(tx, seen) else QuestionKind.STALL
    _ask(tx, seen, kind, Rung.PERSON)


def _ask(tx: Transaction, seen: Seen, kind: QuestionKind, rung: Rung) -> None:
    """Ask what to do about a member; on one occasion once."""
    actor = seen.situation.member.acting()._replace(by=DRUMLINE)
    tasks = tx.waking.tasks_of(seen.name)
    about = tasks[0].id if tasks else None
    questions.ask(tx, actor, Asking(kind, _words(seen), _occasion(seen, kind), about))
    for task in tasks:
        if run := standstills.run_of(tx, task):
            escalations.keep(tx, run, task.id, rung, standstills.words(seen))


def _occasion(seen: Seen, kind: QuestionKind) -> str:
    """One standstill of one life: what was answered about it is not asked again."""
    life = f"{seen.name}/{seen.situation.member.incarnation}"
    return f"{kind} {life} {seen.situation.stalled_at:%Y-%m-%dT%H:%M:%S.%f}"


def _words(seen: Seen) -> str:
    head = f"{seen.name} does not get on: {seen.live}, and nothing has moved since {seen.still:%H:%M} UTC."
    return seen.agenda.told(head, cap=WHAT_CAP)
