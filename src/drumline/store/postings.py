"""The rows of what is wanted of members."""

from drumline.store.engine import Row, from_rows, instant
from drumline.store.session import Session
from drumline.team.posting import Posting, Wanted


@from_rows
def as_posting(row: Row) -> Posting:
    """A row of `postings` as the noun it is."""
    return Posting(
        member=row["member"],
        wanted=Wanted(row["wanted"]),
        host=row["host"],
        since=instant(row["since"]),
        by=row["author"],
    )


class Postings:
    """What is wanted of one team's members."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, member: str) -> Posting | None:
        rows = self._session.read("get_posting", member=member)
        return as_posting(rows[0]) if rows else None

    def set(self, member: str, wanted: Wanted, host: str, author: str) -> Posting:
        said = {"member": member, "wanted": wanted.value, "host": host, "author": author}
        return as_posting(self._session.write("postings", "set_posting", **said)[0])

    def here(self, host: str) -> list[Posting]:
        return [as_posting(row) for row in self._session.read("postings_here", host=host)]

    def all(self) -> list[Posting]:
        return [as_posting(row) for row in self._session.read("list_postings")]
