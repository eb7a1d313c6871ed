"""What a turn cost: readings of a runtime's meter, and what each adds to what was counted before.

A runtime's meter runs on: it tells the total of a session so far, also after a resume. The sum of what
the readings add depends only on which readings there are, not on when or how often they were told.
"""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team.prices import Price, cost
from drumline.team.text import checked_line
from drumline.team.turn import Opening

MOST = 10**15  # a billion dollars in micro-USD: no sum of such readings leaves 64 bits
REPORTED = "reported"


class Usage(NamedTuple):
    """Tokens and micro-USD; `input` are the tokens that were not `cached`."""

    input: int = 0
    cached: int = 0
    output: int = 0
    micros: int = 0

    def plus(self, other: "Usage") -> "Usage":
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: "Usage") -> "Usage":
        return Usage(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def covers(self, other: "Usage") -> bool:
        """Whether nothing of the other went down."""
        return all(mine >= theirs for mine, theirs in zip(self, other, strict=True))

    def at_least(self, other: "Usage") -> "Usage":
        """The greater of each: whoever can write to a meter cannot stop it."""
        return Usage(*(max(mine, theirs) for mine, theirs in zip(self, other, strict=True)))


NOTHING = Usage()


class Report(NamedTuple):
    """One reading of a meter: the `number`-th of its source in a turn, and the session's total so far.

    The source names the session, or the spawn that has a meter of its own; what a session's total
    already contains has no source. With a price the micro-USD follow from the tokens.
    """

    source: str
    number: int
    total: Usage
    model: str = ""
    price: Price | None = None

    @property
    def basis(self) -> str:
        """Where its money comes from: the runtime, a listed price, or a default for an unknown model."""
        return self.price.basis if self.price else REPORTED

    @property
    def reading(self) -> Usage:
        """The total with its money."""
        return priced(self.total, self.price)


class Charge(NamedTuple):
    """A report as it was counted: the total it told, what it added, and where its money comes from."""

    member: str
    incarnation: int
    turn: int
    source: str
    number: int
    model: str
    basis: str
    total: Usage
    added: Usage
    at: datetime

    @property
    def name(self) -> str:
        return f"{self.member}/{self.incarnation}/{self.turn} {self.source}#{self.number}"


class Scope(StrEnum):
    """Whose money it is; a part is what one member costs one run, called RUN/MEMBER."""

    MEMBER = "member"
    TASK = "task"
    RUN = "run"
    PART = "part"


class Spending(NamedTuple):
    """All that one member, task, run or part has cost, and the dearest that was told at once."""

    scope: Scope
    name: str
    usage: Usage = NOTHING
    dearest: int = 0


def step(before: Usage, now: Usage) -> Usage:
    """What a reading adds to the one before it; a meter that went down began again from nothing."""
    return now.minus(before) if now.covers(before) else now


def added(before: Usage, now: Usage, after: Usage | None) -> Usage:
    """What a reading adds between two that were counted already; never less than nothing."""
    new = step(before, now)
    return new if after is None else new.plus(step(now, after)).minus(step(before, after))


def priced(usage: Usage, price: Price | None) -> Usage:
    """A reading in money: as it was told, or as its tokens cost at this price."""
    if price is None:
        return usage
    return usage._replace(micros=cost(price, usage.input, usage.cached, usage.output))


def payers(member: str, about: Opening) -> list[tuple[Scope, str]]:
    """Whom a turn is charged to: its member, its task, its run and the member's part in it, each once."""
    found = [(Scope.MEMBER, member)]
    if about.task is not None:
        found.append((Scope.TASK, str(about.task)))
    if about.run:
        found += [(Scope.RUN, about.run), (Scope.PART, f"{about.run}/{member}")]
    return found


def micro_usd(usd: float) -> int:
    """Dollars as a runtime or a manifest writes them, in whole micro-USD."""
    return int((Decimal(str(usd)) * 1_000_000).to_integral_value(ROUND_HALF_UP))


def checked_report(report: Report) -> Report:
    """The report itself, or a refusal of a reading that cannot be counted."""
    checked_line(report.source, "the report's source")
    checked_line(report.model, "the report's model", empty=True)
    numbers = {"number": report.number, **report.total._asdict()}
    for what, value in numbers.items():
        if not 0 <= value <= MOST:
            raise BadInput(
                f"{value} is not a reading of {what}",
                why=f"a reading is a whole number from 0 to {MOST:,}",
                next="tell the total of the session so far, as the runtime says it",
            )
    return report
