"""What a member is told of what it learnt: what it uses most always, the rest by what its task is about."""

from collections.abc import Sequence
from typing import NamedTuple

from drumline.team.keeping import Keeping
from drumline.team.learning import (
    UNUSED,
    Learning,
    Use,
    Uses,
    by_relevance,
    learnings_in,
    tiers,
    tokens,
)
from drumline.team.notebook import Notebook

LONGEST = 1_000  # characters of one learning, as it is told


class Told(NamedTuple):
    """Learnings as they go into a prompt, and how many stay out of it; `unread` is why all of them do."""

    always: tuple[str, ...] = ()
    for_task: tuple[str, ...] = ()
    left_out: int = 0
    unread: str = ""


NOTHING = Told()


def told(known: Sequence[Learning], uses: Uses, keeping: Keeping, about: str, letters: int) -> Told:
    """What is said to a member with a task about this; what is not always told has so many letters."""
    found = tiers(known, uses, keeping)
    rest = [*found.by_task, *found.too_many]
    ranked = by_relevance(rest, frozenset(tokens(about))) if about else rest
    chosen = _within(ranked, keeping.task_lines, letters)
    return Told(
        always=tuple(map(as_told, found.always)),
        for_task=tuple(map(as_told, chosen)),
        left_out=len(rest) - len(chosen),
    )


def as_told(learning: Learning) -> str:
    """A learning as a member reads it, with the id to name it by."""
    sender = f"(from {learning.entry.sender}) " if learning.entry.sender else ""
    words = f"{sender}{learning.text}"
    cut = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    return f"{learning.id} {cut}"


def paying(text: str, uses: Uses, keeping: Keeping) -> list[tuple[Learning, str, Use]]:
    """Every learning with its tier and what it was good for; what is always told first."""
    found = tiers(learnings_in(Notebook(text)), uses, keeping)
    named = (("core", found.always), ("task", found.by_task), ("over", found.too_many))
    return [(each, tier, uses.get(each.id, UNUSED)) for tier, some in named for each in some]


def _within(learnings: list[Learning], lines: int, letters: int) -> list[Learning]:
    """Those that have room, in their order; one that is too long keeps no shorter one out."""
    chosen: list[Learning] = []
    for each in learnings:
        long = len(as_told(each))
        if each.entry.lines <= lines and long <= letters:
            lines, letters = lines - each.entry.lines, letters - long
            chosen.append(each)
    return chosen
