"""What a transaction knows of members that run, loaded when a verb asks: most commands never do."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from drumline.store.engine import instant, moment
from drumline.store.session import Session

if TYPE_CHECKING:
    from drumline.control import ports


class Running:
    """The nouns of members that run, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def questions(self) -> ports.Questions:
        from drumline.store.questions import Questions  # noqa: PLC0415 - see above

        return Questions(self._session)

    def asked(self) -> int:
        return int(self._session.read("count_open_questions")[0]["asked"])

    def drained(self) -> dict[str, int]:
        return {row["why"]: row["value"] for row in self._session.read("count_drained")}

    @property
    def settled(self) -> ports.SettledTurns:
        from drumline.store.settled import SettledTurns  # noqa: PLC0415 - see above

        return SettledTurns(self._session)

    @property
    def sittings(self) -> ports.Sittings:
        from drumline.store.sittings import Sittings  # noqa: PLC0415 - see above

        return Sittings(self._session)

    def attended(self) -> dict[str, tuple[str, datetime, datetime | None]]:
        return {
            row["member"]: (row["liveness"], instant(row["since"]), moment(row["stalled_at"]))
            for row in self._session.read("attended")
        }

    def last_nudge(self) -> tuple[str, str, datetime] | None:
        rows = self._session.read("last_nudge")
        return next(((row["member"], row["state"], instant(row["made_at"])) for row in rows), None)

    def due(self) -> frozenset[str]:
        row = self._session.read("what_is_due")[0]
        return frozenset(name for name, due in row.items() if due)

    @property
    def waking(self) -> ports.Waking:
        from drumline.store.waking import Waking  # noqa: PLC0415 - see above

        return Waking(self._session)

    @property
    def postings(self) -> ports.Postings:
        from drumline.store.postings import Postings  # noqa: PLC0415 - see above

        return Postings(self._session)

    @property
    def lives(self) -> ports.Lives:
        from drumline.store.lives import Lives  # noqa: PLC0415 - see above

        return Lives(self._session)

    @property
    def turns(self) -> ports.Turns:
        from drumline.store.turns import Turns  # noqa: PLC0415 - see above

        return Turns(self._session)

    @property
    def charges(self) -> ports.Charges:
        from drumline.store.charges import Charges  # noqa: PLC0415 - see above

        return Charges(self._session)

    @property
    def duties(self) -> ports.Duties:
        from drumline.store.duties import Duties  # noqa: PLC0415 - see above

        return Duties(self._session)

    @property
    def limits(self) -> ports.Limits:
        from drumline.store.limits import Limits  # noqa: PLC0415 - see above

        return Limits(self._session)
