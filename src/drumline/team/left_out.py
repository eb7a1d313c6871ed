"""What a brief does not tell a member, and why: shown to the person who asks, never to the member."""

from dataclasses import dataclass
from typing import NamedTuple

from drumline.team.telling import NOTHING, Told


class LeftOut(NamedTuple):
    """Something the member is not told, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """What was seen while a brief was gathered and did not go into it."""

    others: int = 0
    upstream: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    rules: int = 0
    letters: int = 0
    run: str = ""
    unclaimed: bool = False
    learnt: Told = NOTHING

    def rows(self) -> tuple[LeftOut, ...]:
        """One row for each sort of thing there was."""
        seen = (
            (self.others, _count(self.others, "other task"), "a member needs its own"),
            (self.upstream, f"the words of {', '.join(self.upstream)}", "their files are named"),
            (self.run, f"the permanent task of run {self.run}", "it is the lead's record"),
            (
                self.sections,
                f"parts: {', '.join(self.sections)}",
                "what to do, not why or what else",
            ),
            (self.fields, f"metadata: {', '.join(self.fields)}", "no part of a brief"),
            (self.rules, _count(self.rules, "rule"), "they bind others"),
            (self.letters, f"words of {_count(self.letters, 'letter')}", "they wait in the inbox"),
            (
                self.learnt.left_out,
                _count(self.learnt.left_out, "learning"),
                "others are used more, or have more to do with the task",
            ),
            (self.learnt.unread, "every learning", self.learnt.unread),
            (self.unclaimed, "the claim's number", "the member does not hold the task yet"),
        )
        return tuple(LeftOut(what, why) for there, what, why in seen if there)


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
