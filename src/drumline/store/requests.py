"""The rows of requests."""

from datetime import timedelta
from typing import Any

from drumline.store.engine import Row, from_rows, instant, moment
from drumline.store.session import Session
from drumline.team.actor import Actor
from drumline.team.ids import RequestId
from drumline.team.request import Request, RequestState, signed

_MICROSECOND = timedelta(microseconds=1)


@from_rows
def as_request(row: Row) -> Request:
    """A row of `requests` as the noun it is."""
    return Request(
        id=RequestId(row["number"]),
        requester=row["requester"],
        what=row["what"],
        constraint=row["constraint_id"],
        state=RequestState(row["state"]),
        by=row["taker"],
        incarnation=row["incarnation"],
        fence=row["fence"],
        result=row["result"],
        filed_at=instant(row["filed_at"]),
        taken_at=moment(row["taken_at"]),
        lease_until=moment(row["lease_until"]),
        ended_at=moment(row["ended_at"]),
    )


class Requests:
    """What was asked of one team's lead."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_requests")

    def add(self, requester: str, what: str, constraint: str) -> Request:
        session = self._session
        number = session.write("counters", "next_number", name="request", step=1)[0]["value"]
        return self._changed(
            "add_request", number, requester=requester, what=what, constraint_id=constraint
        )

    def get(self, request: RequestId) -> Request | None:
        return self._one("get_request", number=int(request))

    def page(self, *, everything: bool, after: int, most: int) -> list[Request]:
        name = "list_requests" if everything else "open_requests"
        return [as_request(row) for row in self._session.read(name, after=after, most=most)]

    def same(self, requester: str, what: str) -> Request | None:
        return self._one("same_request", requester=requester, what=what)

    def next_filed(self) -> Request | None:
        return self._one("next_request")

    def taken(self) -> Request | None:
        return self._one("taken_request")

    def take(self, request: RequestId, actor: Actor, lease: timedelta) -> Request:
        return self._changed(
            "take_request",
            request,
            taker=signed(actor),
            incarnation=actor.incarnation,
            lease=lease // _MICROSECOND,
        )

    def give_back(self, request: RequestId) -> Request:
        return self._changed("give_back_request", request)

    def close(self, request: Request) -> Request:
        return self._changed(
            "close_request",
            request.id,
            state=request.state.value,
            taker=request.by,
            result=request.result,
        )

    def _changed(self, name: str, number: int, **parameters: Any) -> Request:
        return as_request(
            self._session.write("requests", name, number=int(number), **parameters)[0]
        )

    def _one(self, name: str, **parameters: Any) -> Request | None:
        rows = self._session.read(name, **parameters)
        return as_request(rows[0]) if rows else None
