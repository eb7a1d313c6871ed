"""What a transaction knows of members that run and of what they ask for, loaded when a verb asks: most commands never do."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from drumline.store.engine import instant, moment
from drumline.store.session import Session
from drumline.team.ids import run_name

if TYPE_CHECKING:
    from drumline.control import ports, ports_waking
    from drumline.control.ports_claims import RuntimeClaims
    from drumline.control.ports_context import Contexts
    from drumline.control.ports_directives import Directives
    from drumline.control.ports_memory import Citations
    from drumline.control.ports_recall import Recall, TeamNotes
    from drumline.control.ports_reviews import Reviews
    from drumline.control.ports_runs import Runs
    from drumline.control.ports_tools import ToolUses
    from drumline.control.ports_understanding import Understandings


class Running:
    """The nouns that few verbs need, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def requests(self) -> ports.Requests:
        from drumline.store.requests import Requests  # noqa: PLC0415 - see above

        return Requests(self._session)

    @property
    def questions(self) -> ports.Questions:
        from drumline.store.questions import Questions  # noqa: PLC0415 - see above

        return Questions(self._session)

    @property
    def handoffs(self) -> ports.Handoffs:
        from drumline.store.handoffs import Handoffs  # noqa: PLC0415 - see above

        return Handoffs(self._session)

    @property
    def citations(self) -> Citations:
        from drumline.store.citations import Citations as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    def asked(self) -> int:
        return int(self._session.read("count_open_questions")[0]["asked"])

    def drained(self) -> dict[str, int]:
        return {row["why"]: row["value"] for row in self._session.read("count_drained")}

    @property
    def settled(self) -> ports_waking.SettledTurns:
        from drumline.store.settled import SettledTurns  # noqa: PLC0415 - see above

        return SettledTurns(self._session)

    @property
    def sittings(self) -> ports_waking.Sittings:
        from drumline.store.sittings import Sittings  # noqa: PLC0415 - see above

        return Sittings(self._session)

    def attended(self) -> dict[str, tuple[str, datetime, datetime | None]]:
        return {
            row["member"]: (row["liveness"], instant(row["since"]), moment(row["stalled_at"]))
            for row in self._session.read("attended")
        }

    def somebody_away(self) -> bool:
        return bool(self._session.read("somebody_away")[0]["away"])

    def last_nudge(self) -> tuple[str, str, datetime] | None:
        rows = self._session.read("last_nudge")
        return next(((row["member"], row["state"], instant(row["made_at"])) for row in rows), None)

    def spent_by_all(self) -> int:
        return int(self._session.read("spent_by_all")[0]["micros"])

    def due(self) -> frozenset[str]:
        row = self._session.read("what_is_due")[0]
        return frozenset(name for name, due in row.items() if due)

    @property
    def runs(self) -> Runs:
        from drumline.store.runs import Runs as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def tool_uses(self) -> ToolUses:
        from drumline.store.tool_uses import ToolUses as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    def leads_asked(self) -> frozenset[str]:
        return frozenset(row["lead"] for row in self._session.read("leads_asked"))

    @property
    def reviews(self) -> Reviews:
        from drumline.store.reviews import Reviews as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def understandings(self) -> Understandings:
        from drumline.store.understandings import (  # noqa: PLC0415 - see above
            Understandings as Rows,
        )

        return Rows(self._session)

    @property
    def directives(self) -> Directives:
        from drumline.store.directives import Directives as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def claims(self) -> RuntimeClaims:
        from drumline.store.runtime_claims import RuntimeClaims as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    def run_at_work(self) -> tuple[str, str, int, bool] | None:
        rows = self._session.read("run_at_work")
        return next(
            (
                (run_name(row["number"]), row["phase"], row["iteration"], bool(row["judged"]))
                for row in rows
            ),
            None,
        )

    @property
    def waking(self) -> ports_waking.Waking:
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
    def contexts(self) -> Contexts:
        from drumline.store.contexts import Contexts as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def team_notes(self) -> TeamNotes:
        from drumline.store.team_notes import TeamNotes as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def recall(self) -> Recall:
        from drumline.store.recall import Recall as Rows  # noqa: PLC0415 - see above

        return Rows(self._session)

    @property
    def limits(self) -> ports.Limits:
        from drumline.store.limits import Limits  # noqa: PLC0415 - see above

        return Limits(self._session)
