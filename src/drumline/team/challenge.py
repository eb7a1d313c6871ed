"""Challenges: what a member that seems to understand must defend its analysis against.

How many there are is the phase's to say. What the lead leaves out of that is asked in the usual words.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from drumline.team.pipeline import Challenge
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.wording_forms import Category

USUAL: Mapping[Category, str] = {
    Category.INTERCONNECTION_MAP: "Which modules are connected with what you change, and by what?",
    Category.RIPPLE_TRACE: "Follow one change to the last place it reaches: which, and how?",
    Category.FAILURE_MODE: "How will this fail first, and who notices it by what?",
    Category.SCOPE_BOUNDARY: "What looks as if it belonged to your task and does not, and why?",
    Category.DEPENDENCY_RISK: "Which thing you depend on may change under you, and what then?",
    Category.ASSUMPTION_PROBE: "Which assumption of yours, if false, makes the work worthless?",
    Category.ALTERNATIVE_DEMAND: "Which other way is there, and why is yours better?",
}


class Asked(NamedTuple):
    """One thing a member was asked, and what it said; `point` is the review point it is about, 0 for none."""

    question: str
    category: str = ""
    point: int = 0
    answer: str = ""


def number(challenge: Challenge) -> int:
    """How many questions a phase's challenge has, the demand of an alternative among them."""
    return challenge.questions + challenge.alternative


def fitted(given: Iterable[tuple[Category, str]], challenge: Challenge) -> tuple[Asked, ...]:
    """Exactly as many questions as the phase wants: the lead's own first, then the usual ones."""
    alternative = Category.ALTERNATIVE_DEMAND
    own = [Asked(one_line(words, PATTERN_CAP), category) for category, words in given]
    demands = [each for each in own if each.category == alternative]
    usual = [Asked(words, category) for category, words in USUAL.items()]
    said = {each.category for each in own}
    rest = [each for each in usual if each.category not in said]
    chosen = [each for each in (*own, *rest) if each.category != alternative]
    if not challenge.alternative:
        return tuple((own + rest)[: challenge.questions])
    return (*chosen[: challenge.questions], *(demands or usual[-1:])[:1])
