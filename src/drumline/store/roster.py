"""The rows of a team and its members."""

from drumline.store.engine import Row, moment
from drumline.store.session import Session
from drumline.team.member import Member
from drumline.team.rights import CONSTITUTIONS, Constitution


def as_member(row: Row) -> Member:
    """A row of `members` as the noun it is."""
    return Member(
        name=row["name"],
        lead=bool(row["lead"]),
        profile=row["profile"],
        runtime=row["runtime"],
        model=row["model"],
        active=bool(row["active"]),
        incarnation=row["incarnation"],
        settled_at=moment(row["settled_at"]),
    )


class Members:
    """Who is on the team, and which repositories work on its board."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def found(self, constitution: str, lead: str) -> bool:
        """Found the team; false when the name is taken."""
        rows = self._session.write("teams", "add_team", constitution=constitution, lead=lead)
        return bool(rows)

    def update(self, constitution: str, lead: str) -> None:
        self._session.write("teams", "update_team", constitution=constitution, lead=lead)

    def constitution(self) -> Constitution | None:
        rows = self._session.read("get_team")
        return CONSTITUTIONS[rows[0]["constitution"]] if rows else None

    def homes(self) -> dict[str, str]:
        return {row["home"]: row["digest"] for row in self._session.read("list_homes")}

    def set_home(self, home: str, digest: str) -> None:
        self._session.write("homes", "set_home", home=home, digest=digest)

    def get(self, name: str) -> Member | None:
        rows = self._session.read("get_member", name=name)
        return as_member(rows[0]) if rows else None

    def everyone(self) -> list[Member]:
        return [as_member(row) for row in self._session.read("list_members")]

    def seat(self, member: Member) -> None:
        self._session.write(
            "members",
            "set_member",
            name=member.name,
            lead=int(member.lead),
            profile=member.profile,
            runtime=member.runtime,
            model=member.model,
        )

    def remove(self, name: str) -> None:
        self._session.write("members", "remove_member", name=name)

    def begin_life(self, name: str) -> Member:
        return as_member(self._session.write("members", "begin_life", name=name)[0])

    def settle(self, name: str) -> None:
        self._session.write("members", "settle_member", name=name)
