"""The rows of claims about agent CLIs."""

from drumline.store.engine import Row, from_rows, instant, moment
from drumline.store.session import Session
from drumline.team.runtime_claim import ClaimId, RuntimeClaim

TABLE = "runtime_claims"


@from_rows
def as_claim(row: Row) -> RuntimeClaim:
    """A row of `runtime_claims` as the noun it is."""
    return RuntimeClaim(
        id=ClaimId(row["number"]),
        runtime=row["runtime"],
        probe=row["probe"],
        says=row["says"],
        by=row["author"],
        made_at=instant(row["made_at"]),
        corrects=ClaimId(row["corrects"]) if row["corrects"] is not None else None,
        version=row["version"],
        passed=bool(row["passed"]),
        detail=row["detail"],
        tried_at=moment(row["tried_at"]),
    )


class RuntimeClaims:
    """One team's claims."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(
        self, runtime: str, probe: str, says: str, author: str, corrects: ClaimId | None
    ) -> RuntimeClaim:
        number = self._session.write("counters", "next_number", name="claim", step=1)[0]["value"]
        said = {"runtime": runtime, "probe": probe, "says": says, "author": author}
        before = int(corrects) if corrects is not None else None
        rows = self._session.write(
            TABLE, "add_runtime_claim", number=number, corrects=before, **said
        )
        return as_claim(rows[0])

    def get(self, number: ClaimId) -> RuntimeClaim | None:
        rows = self._session.read("get_runtime_claim", number=int(number))
        return as_claim(rows[0]) if rows else None

    def page(self, *, most: int) -> list[RuntimeClaim]:
        return [as_claim(row) for row in self._session.read("list_runtime_claims", most=most)]

    def tried(self, number: ClaimId, version: str, detail: str, *, passed: bool) -> RuntimeClaim:
        came_to = {"version": version, "detail": detail, "passed": int(passed)}
        rows = self._session.write(TABLE, "try_runtime_claim", number=int(number), **came_to)
        return as_claim(rows[0])
