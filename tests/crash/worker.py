"""A process of its own that works a store and says aloud what was acknowledged.

python -m tests.crash.worker claim URL MEMBER         take everything that is ready
python -m tests.crash.worker mixed URL MEMBER SEED    anything, until killed
python -m tests.crash.worker take URL PERSON          begin the request that waits, if it can
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from datetime import timedelta

from drumline.control import board, mail, records, requests, roster, views
from drumline.errors import NothingReady, NotReady, Refused
from drumline.store.database import Database
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.task import Holder
from drumline.wiring import open_engine

BOSS = roster.person("boss")


def say(**words: object) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def claim_all(store: Database, member: str) -> None:
    """Take tasks until none is left; say which, and the longest wait for one."""
    say(ready=True)
    sys.stdin.readline()
    claims: list[int] = []
    worst = 0.0
    while True:
        start = time.perf_counter()
        try:
            task = store.do(board.claim_next, BOSS, Holder(member=member))
        except NothingReady:
            break
        worst = max(worst, time.perf_counter() - start)
        claims.append(int(task.id))
    say(claims=claims, worst=worst)


def take_request(store: Database, person: str) -> None:
    """Try once, together with all others; say what was won or who was faster."""
    say(ready=True)
    sys.stdin.readline()
    try:
        taken = store.do(requests.take_next, roster.person(person))
    except NotReady as refused:
        say(taken=None, refused=refused.what)
    else:
        say(taken=str(taken.id), fence=taken.fence)


class Mixed:
    """Random verbs, each acknowledged after its commit and never before."""

    def __init__(self, store: Database, member: str, seed: int) -> None:
        self.store, self.member = store, member
        self.random = random.Random(seed)
        self.actor = Actor(member, Role.TEAMMATE, None)
        self.token = f"{member}-{seed}"
        self.held: list[tuple[TaskId, int]] = []

    def run(self) -> None:
        say(ready=True)
        sys.stdin.readline()
        for n in self.forever():
            verb = self.random.choice(
                [
                    self.add,
                    self.add,
                    self.claim,
                    self.claim,
                    self.complete,
                    self.send,
                    self.ack,
                    self.merge,
                    self.block,
                ]
            )
            try:
                verb(f"{self.token}-{n}")
            except Refused:
                continue

    def forever(self) -> Iterator[int]:
        n = 0
        while True:
            n += 1
            yield n

    def add(self, token: str) -> None:
        task = self.store.do(board.add, BOSS, NewTask(title=token, body="words"))
        say(op="add", token=token, task=int(task.id))

    def claim(self, _: str) -> None:
        claimed = self.store.do(
            board.claim_next, BOSS, Holder(member=self.member), lease=timedelta(seconds=1)
        )
        self.held.append((claimed.id, claimed.fence))
        say(op="claim", task=int(claimed.id), fence=claimed.fence)

    def complete(self, _: str) -> None:
        if self.held:
            task, fence = self.held.pop()
            self.store.do(board.complete, BOSS, task, Holder(member=self.member, fence=fence))
            say(op="complete", task=int(task), fence=fence)

    def send(self, token: str) -> None:
        to = self.random.choice(["ada", "brook", "cleo"])
        sent = self.store.do(mail.send, self.actor, [to], token)
        say(op="send", token=token, message=int(sent[0].id), to=to)

    def ack(self, _: str) -> None:
        waiting = self.store.ask(mail.inbox, self.member, most=3)
        if waiting:
            letter = self.random.choice(waiting)
            self.store.do(mail.acknowledge, self.actor, [letter.id])
            say(op="ack", message=int(letter.id), to=self.member)

    def merge(self, token: str) -> None:
        tasks = self.store.ask(views.tasks, most=5)
        if tasks:
            task = self.random.choice(tasks).id
            self.store.do(records.merge, BOSS, task, {token: 1})
            say(op="merge", task=int(task), token=token)

    def block(self, _: str) -> None:
        tasks = self.store.ask(views.ready, most=6)
        if len(tasks) > 1:
            first, second = self.random.sample(tasks, 2)
            self.store.do(board.block, BOSS, second.id, [first.id])
            say(op="block", task=int(second.id), on=int(first.id))


def main() -> None:
    mode, url, member, *seed = sys.argv[1:]
    store = Database(open_engine(url), "atlas")
    if mode == "claim":
        claim_all(store, member)
    elif mode == "take":
        take_request(store, member)
    else:
        Mixed(store, member, int(seed[0])).run()


if __name__ == "__main__":
    main()
