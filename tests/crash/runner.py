"""A process of its own that stands for a runner or a plane, and says aloud what the store gave it.

python -m tests.crash.runner begin URL MEMBER    fill the member's place, if it can
python -m tests.crash.runner hold URL DUTY       take the duty, if it can
python -m tests.crash.runner live URL MEMBER     begin, claim, start a turn, renew until killed
"""

import hashlib
import os
import sys
from datetime import timedelta

from drumline.control import board, charges, duties, lives, turns
from drumline.errors import Conflict
from drumline.store.database import Database
from drumline.team.actor import Actor, Role
from drumline.team.charge import Report, Usage
from drumline.team.life import LEASE, Life, Process
from drumline.team.task import Holder
from drumline.team.turn import Opening
from drumline.wiring import open_engine
from tests.crash.worker import say

MINUTE = timedelta(minutes=1)


def this_process() -> Process:
    return Process(host="box", pid=os.getpid(), pid_start="1", runtime="scripted")


def together() -> None:
    """Wait for the word to go, so that all try at once."""
    say(ready=True)
    sys.stdin.readline()


def begin(store: Database, member: str) -> None:
    together()
    try:
        life = store.do(lives.begin, member, this_process())
    except Conflict as refused:
        say(began=None, refused=refused.what)
    else:
        say(began=life.incarnation, pid=os.getpid())


def hold(store: Database, duty: str) -> None:
    together()
    say(held=store.do(duties.hold, duty, f"box:{os.getpid()}", MINUTE), holder=f"box:{os.getpid()}")


def live(store: Database, member: str) -> None:
    together()
    life = store.do(lives.begin, member, this_process())
    actor = Actor(member, Role.TEAMMATE, life.incarnation)
    task = store.do(board.claim_next, actor, Holder(member, life.incarnation), lease=LEASE)
    prompt = hashlib.sha256(b"work").hexdigest()
    turn = store.do(turns.start, life, Opening(prompt, task.id))
    spend(store, life, turn.number)


def spend(store: Database, life: Life, turn: int) -> None:
    """Renew and be charged, for as long as it lives; each word follows its commit."""
    number = 0
    while True:
        number += 1
        store.do(lives.renew, life)
        report = Report("session", number, Usage(input=number, micros=number))
        store.do(charges.charge, life, turn, report)
        say(incarnation=life.incarnation, spent=number)


def main() -> None:
    mode, url, name = sys.argv[1:]
    store = Database(open_engine(url), "atlas")
    {"begin": begin, "hold": hold, "live": live}[mode](store, name)


if __name__ == "__main__":
    main()
