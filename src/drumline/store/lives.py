"""The rows of lives."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from drumline.store.engine import Row, from_rows, instant, moment, span
from drumline.store.session import Session
from drumline.team.life import Life, LifeState, Process, WhyEnded
from drumline.team.member import Member

_STATES = {state.value: state for state in LifeState}


@from_rows
def as_life(row: Row) -> Life:
    """A row of `lives` as the noun it is."""
    return Life(
        member=row["member"],
        incarnation=row["incarnation"],
        process=Process._make(map(row.__getitem__, Process._fields)),
        state=_STATES[row["state"]],
        why=WhyEnded(row["why"]) if row["why"] else None,
        lease_until=moment(row["lease_until"]),
        started_at=instant(row["started_at"]),
        ended_at=moment(row["ended_at"]),
    )


class Lives:
    """Which process fills whose place on one team."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock_place(self, member: str) -> None:
        self._session.read("lock_place", member=member)

    def lock_open(self, member: str) -> Life | None:
        return self._one("lock_open_life", member=member)

    def lock(self, member: str, incarnation: int) -> Life | None:
        return self._one("lock_life", member=member, incarnation=incarnation)

    def get(self, member: str, incarnation: int) -> Life | None:
        return self._one("get_life", member=member, incarnation=incarnation)

    def of(self, member: str, *, most: int) -> list[Life]:
        rows = self._session.read("list_lives", member=member, most=most)
        return [as_life(row) for row in rows]

    def open(self) -> list[Life]:
        return [as_life(row) for row in self._session.read("open_lives")]

    def expired(self) -> list[Life]:
        return [as_life(row) for row in self._session.read("expired_lives")]

    def in_sessions(self, sessions: Iterable[str]) -> list[Life]:
        named = json.dumps(list(sessions))
        return [as_life(row) for row in self._session.read("lives_in_sessions", sessions=named)]

    def add(self, member: Member, process: Process, lease: timedelta) -> Life:
        place = {"member": member.name, "incarnation": member.incarnation}
        facts = {**place, **process._asdict(), "lease": span(lease)}
        return as_life(self._session.write("lives", "add_life", **facts)[0])

    def renew(self, life: Life, lease: timedelta) -> Life:
        return self._changed("renew_life", life, lease=span(lease))

    def move(self, life: Life, state: LifeState) -> Life:
        return self._changed("move_life", life, state=state.value)

    def enter(self, life: Life, session: str) -> Life:
        return self._changed("enter_session", life, session=session)

    def end(self, life: Life, why: WhyEnded) -> Life:
        return self._changed("end_life", life, why=why.value)

    def leave_words(self, life: Life, words: str) -> None:
        place = {"member": life.member, "incarnation": life.incarnation}
        self._session.write("last_words", "keep_last_words", **place, words=words)

    def words_of(self, member: str, incarnation: int) -> str:
        rows = self._session.read("words_of_life", member=member, incarnation=incarnation)
        return str(rows[0]["words"]) if rows else ""

    def last_words(self) -> dict[str, str]:
        return {row["member"]: row["words"] for row in self._session.read("last_words_of")}

    def _changed(self, name: str, life: Life, **parameters: Any) -> Life:
        place = {"member": life.member, "incarnation": life.incarnation}
        return as_life(self._session.write("lives", name, **place, **parameters)[0])

    def _one(self, name: str, **parameters: Any) -> Life | None:
        rows = self._session.read(name, **parameters)
        return as_life(rows[0]) if rows else None
