"""Words that tests speak about members that run: begin, claim in a life, start a turn, tell a reading."""

from datetime import timedelta

from drumline.control import board, charges, lives, turns
from drumline.team.actor import Actor, Role
from drumline.team.charge import Report, Scope, Usage
from drumline.team.life import LEASE, Process
from drumline.team.task import Holder
from drumline.team.turn import Opening

DIGEST = "c0ffee00"
A_SECOND = timedelta(seconds=1)


def process(host="box", pid=100, **facts) -> Process:
    return Process(**{"host": host, "pid": pid, "pid_start": "7", "runtime": "scripted", **facts})


def begin(store, member="ada", **facts):
    return store.do(lives.begin, member, process(**facts))


def claim_in(store, life, task=None, lease=LEASE):
    """A claim by a runner: in its life, for as long as the life's own lease."""
    actor = Actor(life.member, Role.TEAMMATE, life.incarnation)
    holder = Holder(life.member, life.incarnation)
    if task is None:
        return store.do(board.claim_next, actor, holder, lease=lease)
    return store.do(board.claim, actor, task.id, holder, lease=lease)


def life_now(store, life):
    return store.ask(lives.find, life.member, life.incarnation)


def start(store, life, task=None, run="", budgets=None):
    about = Opening(DIGEST, task.id if task else None, run)
    return store.do(turns.start, life, about, *([budgets] if budgets else []))


def tell(store, turn, micros, number=1, source="session", **more):
    """A reading of a session's meter: so much in all until now."""
    given = more.pop("usage", Usage(micros=micros))
    life = store.ask(lives.find, turn.member, turn.incarnation)
    report = Report(source, number, given, **more)
    return store.do(charges.charge, life, turn.number, report)


def spent(store, name="ada", scope=Scope.MEMBER) -> int:
    return int(store.ask(charges.spent, scope, name).usage.micros)


def let_lease_run_out(store, life):
    """Let the time of a lease pass without waiting for it: the row's own clock is set back."""

    def set_back(tx):
        tx.lives.renew(life, -A_SECOND)
        tx.record("test", "life.renewed", life.name)

    store.do(set_back)
