"""What follows from the answer to a question about a member that does not get on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import lives
from drumline.team.actor import Actor
from drumline.team.life import WhyEnded
from drumline.team.question import HAND_BACK, OF_A_STANDSTILL, START_ANEW, Question
from drumline.team.task import Holder

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

ANEW = "it did not get on and was to be started anew"


def mend(tx: Transaction, actor: Actor, answered: Question) -> None:
    """End the life that stalls, or give back what it holds; what is to be left is left."""
    if answered.kind not in OF_A_STANDSTILL or answered.incarnation is None:
        return
    if answered.choice == START_ANEW:
        life = tx.lives.lock(answered.asker, answered.incarnation)
        if life is not None and not life.ended:
            lives.end(tx, life, WhyEnded.STOPPED, ANEW)
    elif answered.choice == HAND_BACK:
        released = tx.tasks.release_life(Holder(answered.asker, answered.incarnation))
        if released:
            tx.record(actor, "task.released", ",".join(str(task.id) for task in released))
