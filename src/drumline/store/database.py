"""The store: verbs run in transactions, and every change leaves an event with the rows it made."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from drumline.errors import DrumlineError, Refused, StoreTrouble
from drumline.store.engine import Engine
from drumline.store.journal import Events
from drumline.store.mail import Messages
from drumline.store.roster import Members
from drumline.store.running import Running
from drumline.store.session import Session
from drumline.store.tasks import Board

if TYPE_CHECKING:
    from drumline.control import ports

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 8
PAUSE = 0.005


class Transaction(Running):
    """All of a verb's reads and writes, for one team."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.team = session.team
        self.now = session.now
        self.record = session.record
        self.tasks: ports.Tasks = Board(session)
        self.mail: ports.Mail = Messages(session)
        self.roster: ports.Roster = Members(session)
        self.journal: ports.Journal = Events(session)


class Database:
    """Verbs on one team's state, whatever engine keeps it."""

    def __init__(self, engine: Engine, team: str) -> None:
        self.engine = engine
        self.team = team
        self._turn = threading.RLock()

    def do(
        self,
        verb: Callable[Concatenate[ports.Transaction, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Carry out a verb that changes something: all of it, once, or none of it."""
        for left in reversed(range(TRIES)):
            try:
                return self._attempt(verb, *args, **kwargs)
            except StoreTrouble as error:
                if not left or not self.engine.conflict(error):
                    raise
                time.sleep(PAUSE * (TRIES - left))
        raise AssertionError

    def _attempt(
        self,
        verb: Callable[Concatenate[ports.Transaction, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        with self._turn:
            alone = getattr(verb, "at_once", False)
            session = Session(self.engine, self.team, alone=alone)
            tx = Transaction(session)
            try:
                self.engine.begin(writing=True)
                answer = verb(tx, *args, **kwargs)
                self.engine.commit(session.finish())
            except BaseException as error:
                self.engine.rollback()
                if isinstance(error, Refused) and error.audit:
                    self._attempt(_note, error)
                raise
            return answer

    def ask(
        self,
        verb: Callable[Concatenate[ports.Transaction, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Answer a question from one consistent moment."""
        with self._turn:
            try:
                self.engine.begin(writing=False)
                return verb(Transaction(Session(self.engine, self.team)), *args, **kwargs)
            finally:
                self.engine.rollback()

    def changed(self, seconds: float) -> bool:
        with self._turn:
            return self.engine.changed(self.team, seconds)

    def close(self) -> None:
        self.engine.close()


def _note(tx: ports.Transaction, error: DrumlineError) -> None:
    """A refusal worth remembering is the only thing its transaction leaves."""
    if error.audit:
        tx.record(*error.audit)
