"""The rows of a team and its members."""

import json

from drumline.store.engine import Row, from_rows, moment
from drumline.store.session import Session
from drumline.team.member import Home, Member
from drumline.team.rights import CONSTITUTIONS, Charter


@from_rows
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


def _stored(charter: Charter) -> dict[str, str]:
    return {
        "constitution": charter.constitution.name,
        "settings": json.dumps(charter.settings, sort_keys=True, separators=(",", ":")),
    }


class Members:
    """Who is on the team, and which repositories work on its board."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def found(self, charter: Charter) -> bool:
        """Found the team; false when the name is taken."""
        return bool(self._session.write("teams", "add_team", **_stored(charter)))

    def lock_team(self) -> None:
        """Let nobody else take over a manifest until the transaction ends."""
        self._session.read("lock_team")

    def update(self, charter: Charter) -> None:
        self._session.write("teams", "update_team", **_stored(charter))

    @from_rows
    def charter(self) -> Charter | None:
        rows = self._session.read("get_team")
        if not rows:
            return None
        row = rows[0]
        constitution = CONSTITUTIONS[row["constitution"]]
        charter = Charter(constitution, json.loads(row["settings"]))
        # what is no number is found here, and not amid a verb
        _ = charter.lease_by_hand, charter.handoff_refusals
        return charter

    @from_rows
    def homes(self) -> list[Home]:
        return [
            Home(row["home"], row["place"], tuple(json.loads(row["members"])))
            for row in self._session.read("list_homes")
        ]

    def set_home(self, home: Home, digest: str) -> None:
        self._session.write(
            "homes",
            "set_home",
            home=home.id,
            place=home.place,
            members=json.dumps(home.members),
            digest=digest,
        )

    def forget_home(self, home: str) -> None:
        self._session.delete("homes", "forget_home", home=home)

    def get(self, name: str) -> Member | None:
        rows = self._session.read("get_member", name=name)
        return as_member(rows[0]) if rows else None

    def lock(self, name: str) -> Member | None:
        """The member, in this life and on this team until the transaction ends."""
        rows = self._session.read("lock_member", name=name)
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
