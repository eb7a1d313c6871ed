"""Directives: a task of a run is given in the lead's name, with the context it is to be done by, once a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drumline.control import injecting, mail
from drumline.control.briefing import Brief, Surroundings, brief_for
from drumline.control.lives import present
from drumline.control.roster import lead
from drumline.control.task_phases import noted_phase
from drumline.control.waking import wake
from drumline.team import wording
from drumline.team.directive import ASSIGNED, Directed, directive, told
from drumline.team.member import HUMAN
from drumline.team.message import Kind, Message
from drumline.team.prompt import Side
from drumline.team.understanding_words import phase_number

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.ids import MessageId
    from drumline.team.life import Life
    from drumline.team.task import Task


class Issued(NamedTuple):
    """What a member is told with a task: its words, and the letter they are, in a run."""

    brief: Brief
    text: str
    letter: MessageId | None = None


def issue(tx: Transaction, life: Life, task: Task, around: Surroundings) -> Issued:
    """Brief a member on a task it has claimed; in a run that is a directive, kept as the letter it is.

    It takes the place of every letter that would bring the same context, and of what no life heard.
    """
    present(tx, life)
    if not task.run:
        brief = brief_for(tx, task.id, life.member, around)
        return Issued(brief, brief.prompt.text(Side.TASK))
    tx.contexts.lock()
    if given := tx.directives.get(task.id, task.fence, ASSIGNED):
        found = tx.mail.get(given.message)
        brief = brief_for(tx, task.id, life.member, around)
        return Issued(brief, found.body if found else "", given.message)
    return _given(tx, life, task, around)


def _given(tx: Transaction, life: Life, task: Task, around: Surroundings) -> Issued:
    _forget_unheard(tx, life.member)
    shared = injecting.injection(tx, task, life.member)
    if shared:
        injecting.offer(tx, shared, life.member)  # before the brief counts what waits
    brief = brief_for(tx, task.id, life.member, around)
    version = shared.version if shared else 0
    said = wording.render(directive(task, _phase(tx, task), version, brief.prompt.text(Side.TASK)))
    letter = _kept(tx, task, (ASSIGNED, version, said))
    return Issued(brief, said, letter)


def direct_anew(tx: Transaction, task: Task, occasion: str, why: str) -> None:
    """Tell whoever holds a task what holds now, in a letter that waits for it: on each occasion once."""
    if tx.directives.get(task.id, task.fence, occasion):
        return
    shared = injecting.injection(tx, task, str(task.owner))
    if shared:
        injecting.offer(tx, shared, str(task.owner))
    body = "\n".join([why, *([told(shared)] if shared else [])])
    version = shared.version if shared else 0
    said = wording.render(directive(task, _phase(tx, task), version, body))
    _kept(tx, task, (occasion, version, said))
    wake(tx, str(task.owner), "mail came")


def _kept(tx: Transaction, task: Task, given: tuple[str, int, str]) -> MessageId:
    """Keep a directive to a task's holder, and the letter it is, in the name of whoever leads the run."""
    occasion, version, said = given
    sender, member = _giver(tx, task.run), str(task.owner)
    letter = tx.mail.add(sender, member, Kind.DIRECTIVE, said)
    tx.directives.add(
        Directed(
            task.id, task.fence, occasion, task.run, noted_phase(tx, task), member,
            task.incarnation or 0, version, letter.id, tx.now(),
        )
    )  # fmt: skip
    tx.record(sender, "directive.sent", f"{task.id} to {member}")
    return letter.id


def heard(tx: Transaction, message: MessageId) -> None:
    """A letter entered its member's conversation; a directive that was its prompt waits no longer."""
    found = mail.confirm_delivery(tx, message)
    if found.acked_at is None and message in tx.directives.unheard(found.recipient):
        tx.mail.mark(message, "acked")
        tx.record("drumline", "directive.heard", str(message))


def letters_for(tx: Transaction, member: str) -> list[Message]:
    """The letters that the next prompt brings along: those of which nobody knows that they were heard."""
    prompts = set(tx.directives.unheard(member))
    return [
        each
        for each in mail.inbox(tx, member)
        if each.delivered_at is None and each.id not in prompts
    ]


def _forget_unheard(tx: Transaction, member: str) -> None:
    """What a prompt of an earlier claim was to say is of no use to this one."""
    for message in tx.directives.unheard(member):
        tx.mail.mark(message, "acked")


def _phase(tx: Transaction, task: Task) -> int:
    run = tx.runs.get(task.run)
    name = noted_phase(tx, task)
    known = run is not None and name in {each.name for each in run.pipeline.phases}
    return phase_number(run.pipeline, name) if run is not None and known else 0


def _giver(tx: Transaction, run: str) -> str:
    """In whose name a run gives its tasks."""
    found = tx.runs.get(run)
    return found.lead if found is not None and found.lead != HUMAN else lead(tx).name
