"""The rows of runs' shared contexts: versions, holdings and deviations."""

import json
from datetime import datetime

from drumline.store.engine import Row, from_rows, instant, micros, moment
from drumline.store.session import Session
from drumline.team.context import ContextVersion, Holding, Section, Sections, WholeWhen
from drumline.team.deviation import Deviation, Grave, Recorded
from drumline.team.wording_forms import Action


@from_rows
def as_version(row: Row) -> ContextVersion:
    """A row of `contexts` as the noun it is."""
    return ContextVersion(
        run=row["run"],
        number=row["version"],
        sections=tuple(Section(name, text) for name, text in json.loads(row["sections"])),
        author=row["author"],
        why=row["why"],
        published_at=instant(row["published_at"]),
    )


@from_rows
def as_holding(row: Row) -> Holding:
    """A row of `holdings` as the noun it is."""
    return Holding(
        member=row["member"],
        incarnation=row["incarnation"],
        offered=row["offered"],
        held=row["held"],
        applied=row["applied"],
        total=row["total"],
        impact=row["impact"],
        action=None if row["action"] is None else Action(row["action"]),
        needs=None if row["needs"] is None else WholeWhen[row["needs"]],
        offered_at=moment(row["offered_at"]),
        said_at=moment(row["said_at"]),
    )


@from_rows
def as_recorded(row: Row) -> Recorded:
    """A row of `deviations` as the noun it is."""
    members = tuple(str(each) for each in json.loads(row["members"]))
    return Recorded(
        run=row["run"],
        number=row["number"],
        deviation=Deviation(Grave(row["grave"]), row["what"], members),
        author=row["author"],
        found_at=instant(row["found_at"]),
    )


class Contexts:
    """The shared contexts of one team's runs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_contexts")

    def add(
        self, run: str, version: int, sections: Sections, author: str, why: str
    ) -> ContextVersion:
        kept = {"run": run, "version": version, "author": author, "why": why}
        words = json.dumps(sections, ensure_ascii=False)
        return as_version(self._session.write("contexts", "add_context", **kept, sections=words)[0])

    def get(self, run: str, version: int) -> ContextVersion | None:
        rows = self._session.read("get_context", run=run, version=version)
        return as_version(rows[0]) if rows else None

    def newest(self, run: str) -> ContextVersion | None:
        rows = self._session.read("newest_context", run=run)
        return as_version(rows[0]) if rows else None

    def last_run(self) -> str:
        rows = self._session.read("last_context") or self._session.read("last_run")
        return str(rows[0]["run"]) if rows else ""

    def holding(self, run: str, member: str) -> Holding | None:
        rows = self._session.read("get_holding", run=run, member=member)
        return as_holding(rows[0]) if rows else None

    def holdings(self, run: str) -> dict[str, Holding]:
        found = map(as_holding, self._session.read("list_holdings", run=run))
        return {each.member: each for each in found}

    def keep(self, run: str, holding: Holding) -> Holding:
        facts = holding._asdict() | {
            "action": None if holding.action is None else holding.action.value,
            "needs": None if holding.needs is None else holding.needs.name,
            "offered_at": _stored(holding.offered_at),
            "said_at": _stored(holding.said_at),
        }
        return as_holding(self._session.write("holdings", "keep_holding", run=run, **facts)[0])

    def add_deviation(self, run: str, deviation: Deviation, author: str) -> Recorded:
        facts = {"run": run, "grave": deviation.grave.value, "what": deviation.what}
        members = json.dumps(deviation.members, ensure_ascii=False)
        return as_recorded(
            self._session.write(
                "deviations", "add_deviation", **facts, members=members, author=author
            )[0]
        )

    def deviations(self, run: str) -> list[Recorded]:
        return [as_recorded(row) for row in self._session.read("list_deviations", run=run)]


def _stored(time: datetime | None) -> int | None:
    return None if time is None else micros(time)
