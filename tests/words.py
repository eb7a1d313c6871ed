"""Words that tests speak: short ways to say a board and a mailbox."""

from typing import Any

from drumline.control import board, mail, roster
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from drumline.team.task import Holder

BOSS = roster.person("boss")


def teammate(name: str) -> Actor:
    """A member acting for itself."""
    return Actor(name, Role.TEAMMATE, 1)


def holds(member: str, fence: int | None = None, life: int | None = None) -> Holder:
    return Holder(member=member, fence=fence, incarnation=life)


def add(store, title: str = "work", *waits_for, **fields) -> Any:
    return store.do(board.add, BOSS, NewTask(title=title, **fields), waits_for)


def claim(store, task, member: str = "ada", **options) -> Any:
    return store.do(board.claim, BOSS, task.id, holds(member), **options)


def claim_next(store, member: str = "ada", **options) -> Any:
    return store.do(board.claim_next, BOSS, holds(member), **options)


def complete(store, task, member: str = "ada", **claim) -> Any:
    return store.do(board.complete, BOSS, task.id, holds(member, **claim))


def finished(store, title: str = "work", **fields) -> Any:
    """A task that was added, claimed and completed."""
    task = add(store, title, **fields)
    claim(store, task)
    return complete(store, task)


def now(store, task) -> Any:
    """The task as the store has it now."""
    return store.ask(lambda tx: tx.tasks.get(task.id))


def send(store, sender: str, to: str, body: str = "hello", kind=None):
    actor = store.ask(roster.acting_as, sender)
    return store.do(mail.send, actor, [to], body, kind)[0]


def verbs(store) -> list[str]:
    """What happened so far, by name."""
    events, _ = store.ask(lambda tx: tx.journal.last(most=10_000))
    return [event.verb for event in events]
