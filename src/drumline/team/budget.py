"""Whether there is money for another request: decided before it is made, in whole micro-USD."""

from typing import NamedTuple

from drumline.team.charge import Scope, Spending


class Yes(NamedTuple):
    """There is; `left` is what may still be spent, None where nobody set a budget."""

    left: int | None


class No(NamedTuple):
    """There is not; `scope` is whose budget says so."""

    why: str
    scope: Scope | None = None


class Budgets(NamedTuple):
    """What each that pays for a turn may cost in micro-USD; None means no budget.

    A member's budget is for ever, its part for one run.
    """

    member: int | None = None
    task: int | None = None
    run: int | None = None
    part: int | None = None

    def of(self, scope: Scope) -> int | None:
        found: int | None = getattr(self, scope.value)
        return found


UNLIMITED = Budgets()


def may_start(spent: int, reserve: int, budget: int | None) -> Yes | No:
    """Whether another request may be made; not when what is spent and reserved reaches the budget."""
    if budget is None:
        return Yes(None)
    if spent + reserve >= budget:
        return No(
            f"{dollars(spent)} of {dollars(budget)} is spent, and {dollars(reserve)} is reserved"
        )
    return Yes(budget - spent - reserve)


def reserve(dearest: int, in_flight: int = 0) -> int:
    """What to keep back: the dearest request so far, for this one and each that others may be making."""
    return dearest * (in_flight + 1)


def overshoot(spent: int, budget: int | None) -> int:
    """How far a budget was passed."""
    return 0 if budget is None else max(0, spent - budget)


def passed_by(total: Spending, last: int, budget: int | None) -> str:
    """The sentence about a budget that the last charge took past its end, else nothing."""
    over = overshoot(total.usage.micros, budget)
    if budget is None or not 0 < over <= last:
        return ""
    return f"{total.scope} {total.name}: {dollars(over)} over a budget of {dollars(budget)}"


def tighter(one: Yes, other: Yes) -> Yes:
    """Of two leaves to go on, the one that leaves less."""
    if one.left is None or (other.left is not None and other.left < one.left):
        return other
    return one


def dollars(micros: int) -> str:
    """Micro-USD as a person reads them."""
    return f"${micros // 1_000_000:,}.{micros % 1_000_000:06d}"
