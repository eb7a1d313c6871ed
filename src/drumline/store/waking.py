"""The rows of waking: who is to be looked at, how everyone is, and what they were nudged about."""

from datetime import datetime, timedelta
from typing import Any

from drumline.store.engine import Row, from_rows, instant, micros, moment, span
from drumline.store.roster import as_member
from drumline.store.session import Session
from drumline.store.tasks import as_task
from drumline.team.agenda import Letter
from drumline.team.ids import MessageId
from drumline.team.life import Life, LifeState
from drumline.team.message import Kind
from drumline.team.nudge import Nudge, NudgeState
from drumline.team.posting import Wanted
from drumline.team.report import Report, Stands
from drumline.team.situation import Noticed, Signs, Situation
from drumline.team.task import Task
from drumline.team.wake import Wake

_LIFE = {state.value: state for state in LifeState} | {None: None}
_WANTED = {wanted.value: wanted for wanted in Wanted} | {None: None}
_UNSAID = Signs()


@from_rows
def as_wake(row: Row) -> Wake:
    """A row of `wakes` as the noun it is."""
    return Wake(row["member"], instant(row["due_at"]), row["why"])


@from_rows
def as_nudge(row: Row) -> Nudge:
    """A row of `nudges` as the noun it is."""
    return Nudge(
        member=row["member"],
        incarnation=row["incarnation"],
        fingerprint=row["fingerprint"],
        text=row["text"],
        state=NudgeState(row["state"]),
        tries=row["tries"],
        why=row["why"],
        made_at=instant(row["made_at"]),
        sent_at=moment(row["sent_at"]),
        ended_at=moment(row["ended_at"]),
    )


@from_rows
def as_report(row: Row) -> Report:
    """A row of `reports` as the noun it is."""
    return Report(
        member=row["member"],
        incarnation=row["incarnation"],
        stands=Stands(row["stands"]),
        words=row["words"],
        fingerprint=row["fingerprint"],
        until=instant(row["until"]),
        said_at=instant(row["said_at"]),
    )


@from_rows
def as_situation(row: Row) -> Situation:
    """A row of the view `situations` as the noun it is."""
    return Situation(
        member=as_member(row),
        wanted=_WANTED[row["wanted"]],
        wanted_since=moment(row["wanted_since"]),
        life=_LIFE[row["life"]],
        began_at=moment(row["began_at"]),
        lease_until=moment(row["lease_until"]),
        turn_at=moment(row["turn_at"]),
        signs=_signs(row),
        limited_until=moment(row["limited_until"]),
        report=as_report({**row, "member": row["name"]}) if row["stands"] else None,
        task_at=moment(row["task_at"]),
        asked=bool(row["asked"]),
        attends=row["liveness"] or "",
        since=moment(row["since"]),
        free_at=moment(row["free_at"]),
        sat_at=moment(row["sat_at"]),
        stalled_at=moment(row["stalled_at"]),
    )


def _signs(row: Row) -> Signs:
    if row["tool"] is None:
        return _UNSAID
    times = (moment(row[name]) for name in ("heard_at", "wrote_at", "tool_since"))
    heard, wrote, since = times
    return Signs(heard, wrote, row["tool"], since)


class Waking:
    """Who of one team is to be looked at, and all that a look reads and leaves."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def wake(self, member: str, why: str, due: datetime) -> bool:
        """Whether this is earlier than what was said before."""
        said = {"member": member, "why": why, "due": micros(due)}
        return bool(self._session.write("wakes", "wake_member", **said))

    def postpone(self, member: str, why: str, due: datetime) -> None:
        said = {"member": member, "why": why, "due": micros(due)}
        self._session.write("wakes", "postpone_wake", **said)

    def forget(self, member: str) -> bool:
        return bool(self._session.delete("wakes", "forget_wake", member=member))

    def woken(self, member: str) -> Wake | None:
        rows = self._session.read("get_wake", member=member)
        return as_wake(rows[0]) if rows else None

    def due(self, *, most: int) -> list[Wake]:
        return [as_wake(row) for row in self._session.read("due_wakes", most=most)]

    def everyone_woken(self) -> frozenset[str]:
        return self._names("everyone_woken")

    def situation(self, member: str) -> Situation | None:
        rows = self._session.read("situation_of", member=member)
        return as_situation(rows[0]) if rows else None

    def situations(self) -> list[Situation]:
        return [as_situation(row) for row in self._session.read("all_situations")]

    def tasks_of(self, member: str) -> list[Task]:
        return [as_task(row) for row in self._session.read("tasks_of", member=member)]

    def letters(self, member: str, *, most: int) -> list[Letter]:
        """The newest that want something done, oldest first."""
        rows = self._session.read("mail_wanting", member=member, most=most)
        return [
            Letter(MessageId(row["id"]), Kind(row["kind"]), row["sender"], instant(row["sent_at"]))
            for row in reversed(rows)
        ]

    def everyone_with_mail(self) -> frozenset[str]:
        return self._names("everyone_with_mail")

    def make(self, member: str, incarnation: int, fingerprint: str, text: str) -> Nudge | None:
        """A nudge, unless there is one for this agenda and life."""
        key = {"member": member, "incarnation": incarnation, "fingerprint": fingerprint}
        rows = self._session.write("nudges", "make_nudge", **key, text=text)
        return as_nudge(rows[0]) if rows else None

    def move(self, nudge: Nudge, *, was: NudgeState) -> Nudge | None:
        """The nudge as it is to be, unless it is no longer as it was."""
        rows = self._session.write(
            "nudges",
            "move_nudge",
            member=nudge.member,
            incarnation=nudge.incarnation,
            fingerprint=nudge.fingerprint,
            state=nudge.state.value,
            was=was.value,
            tries=nudge.tries,
            why=nudge.why,
        )
        return as_nudge(rows[0]) if rows else None

    def drop_waiting(self, member: str, why: str) -> None:
        self._session.write("nudges", "drop_waiting_nudges", member=member, why=why)

    def waiting(self, member: str, incarnation: int) -> Nudge | None:
        """A nudge that nobody else changes until this transaction ends."""
        key = {"member": member, "incarnation": incarnation}
        rows = self._session.read("lock_waiting_nudge", **key)
        return as_nudge(rows[0]) if rows else None

    def nudge(self, member: str, incarnation: int, fingerprint: str) -> Nudge | None:
        key = {"member": member, "incarnation": incarnation, "fingerprint": fingerprint}
        rows = self._session.read("get_nudge", **key)
        return as_nudge(rows[0]) if rows else None

    def nudges(self, member: str, *, since: datetime) -> list[Nudge]:
        rows = self._session.read("nudges_since", member=member, since=micros(since))
        return [as_nudge(row) for row in rows]

    def told(self, member: str, *, since: datetime) -> list[datetime]:
        """When a member was told something; what only waits was not told."""
        rows = self._session.read("told_since", member=member, since=micros(since))
        return [instant(row["sent_at"]) for row in rows]

    def everyone_nudged(self) -> frozenset[str]:
        return self._names("everyone_nudged")

    def report(self, said: Report, lease: timedelta) -> Report:
        facts: dict[str, Any] = {
            name: getattr(said, name) for name in ("member", "incarnation", "words", "fingerprint")
        }
        return as_report(
            self._session.write(
                "reports", "set_report", **facts, stands=said.stands.value, lease=span(lease)
            )[0]
        )

    def notice(self, life: Life, signs: Noticed) -> None:
        place = {"member": life.member, "incarnation": life.incarnation, "tool": signs.tool}
        times = {
            name: None if length is None else span(length)
            for name in ("heard", "wrote", "tool_for")
            for length in (getattr(signs, name),)
        }
        self._session.write("signs", "set_signs", **place, **times)

    def attend(
        self, member: str, liveness: str, free_at: datetime | None, stalled_at: datetime | None
    ) -> None:
        """Keep how a member is; since when follows from whether that is new."""
        times = {
            name: None if time is None else micros(time)
            for name, time in (("free_at", free_at), ("stalled_at", stalled_at))
        }
        self._session.write(
            "attendance", "set_attendance", member=member, liveness=liveness, **times
        )

    def _names(self, statement: str) -> frozenset[str]:
        return frozenset(str(next(iter(row.values()))) for row in self._session.read(statement))
