"""The rows of mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.store.engine import Row, from_rows, instant, moment
from drumline.store.session import Session
from drumline.team.ids import MessageId

if TYPE_CHECKING:
    from drumline.team.message import Kind, Message

_MARKS = {"delivered": "mark_delivered", "read": "mark_read", "acked": "mark_acked"}


@from_rows
def as_message(row: Row) -> Message:
    """A row of `messages` with its text, as the noun it is."""
    from drumline.team.message import Kind, Message  # noqa: PLC0415 - only who reads mail pays for it

    return Message(
        id=MessageId(row["id"]),
        sender=row["sender"],
        recipient=row["recipient"],
        kind=Kind(row["kind"]),
        body=row["body"],
        sent_at=instant(row["sent_at"]),
        delivered_at=moment(row["delivered_at"]),
        read_at=moment(row["read_at"]),
        acked_at=moment(row["acked_at"]),
    )


class Messages:
    """Letters to members of one team."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, sender: str, recipient: str, kind: Kind, body: str) -> Message:
        head = self._session.write(
            "messages", "add_message", sender=sender, recipient=recipient, kind=kind.value
        )[0]
        self._session.write("message_texts", "add_message_text", id=head["id"], body=body)
        return as_message({**head, "body": body})

    def get(self, message: MessageId) -> Message | None:
        rows = self._session.read("get_message", id=int(message))
        return as_message(rows[0]) if rows else None

    def inbox(self, member: str, *, everything: bool, after: int, most: int) -> list[Message]:
        name = "sent_to" if everything else "inbox"
        rows = self._session.read(name, recipient=member, after=after, most=most)
        return [as_message(row) for row in rows]

    def waiting(self) -> dict[str, tuple[int, int]]:
        """For each member with mail: how many wait for its word, how many it has not read."""
        rows = self._session.read("count_waiting")
        return {row["recipient"]: (int(row["messages"]), int(row["unread"])) for row in rows}

    def mark(self, message: MessageId, state: str) -> bool:
        """Note how far a message is; false when someone else just did."""
        return bool(self._session.write("messages", _MARKS[state], id=int(message)))
