"""NOTIFY carried out: whoever a task's plan names hears that the task is done, also where nobody handed it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import mail
from drumline.control.roster import addressed, constitution, in_the_name_of, lead
from drumline.errors import NotAllowed, Unknown
from drumline.team.signal import MicroSignal, Outcome, ReadySignal
from drumline.team.task_fields import BRIEF

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.member import Member
    from drumline.team.task import Task

NOTIFY = f"{BRIEF}.notify"
RESULT = ("result",)  # what is there, where no plan says it


def announce(tx: Transaction, actor: Actor, task: Task) -> None:
    """Tell those a task names that it is done, once: a handoff of the same claim has told them already."""
    fields = tx.tasks.fields(task.id)
    if NOTIFY not in fields or task.owner is None:
        return
    kept = tx.handoffs.last(task.id)
    if kept is not None and kept.fence == task.fence:
        return
    from drumline.team.delegation import read_delegation  # noqa: PLC0415 - only plans pay for it

    plan = read_delegation(task.id, fields).communication
    path = next((each for each in task.outputs if "|" not in each), str(task.id))
    ready = ReadySignal(path=path, fields=plan.fields or RESULT).render()
    done = MicroSignal(outcome=Outcome.COMPLETE, facts=(("task", str(task.id)),), ref=path).render()
    for member in _here(tx, plan.notify):
        if member.name != task.owner:
            sender = _sender(tx, actor, task.owner, member)
            mail.send(tx, sender, [member.name], done if member.lead else ready)


def _here(tx: Transaction, names: tuple[str, ...]) -> list[Member]:
    """Those who are on the team: whoever left keeps no work from being done."""
    found: dict[str, Member] = {}
    for name in names:
        try:
            member = addressed(tx, name)
        except (NotAllowed, Unknown):
            continue
        found[member.name] = member
    return list(found.values())


def _sender(tx: Transaction, actor: Actor, owner: str, to: Member) -> Actor:
    """Whoever did the work; where members may not write to each other, the lead passes it on."""
    if not to.lead and not constitution(tx).peers:
        return lead(tx).acting()
    return in_the_name_of(tx, owner, actor)
