"""The lead's word on merges and promotions, asked as one judgement and kept for a while."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control import roster
from drumline.control.retro import Confirms, Plan, hold, only
from drumline.errors import NotReady
from drumline.team.consolidation import MOST, RUN, asked, fingerprint
from drumline.team.judgement import Judgement, JudgementKind, Matter
from drumline.team.member import HUMAN
from drumline.team.retro import Step

if TYPE_CHECKING:
    from drumline.control.lessons import Memory
    from drumline.control.ports import Store, Transaction
    from drumline.team.actor import Actor

HOLDS = timedelta(days=14)  # so long a word of the lead is not asked for again


def hold_with_lead(memory: Memory, actor: Actor) -> tuple[Plan, list[str]]:
    """Hold a retrospective with what the lead confirmed; and what it is asked about now."""
    waits: list[str] = []

    def ask(shown: Plan) -> Confirms:
        confirms, waiting = said_by_lead(memory.store, shown.uncertain)
        waits.extend(waiting)
        return confirms

    return hold(memory, actor, ask).done, waits


def said_by_lead(store: Store, proposals: Sequence[Step]) -> tuple[Confirms, list[str]]:
    """What the lead confirmed of these, and what it is asked about now."""
    confirmed, waits = store.do(_asked, tuple(proposals))
    return only(confirmed), waits


def _asked(tx: Transaction, proposals: Sequence[Step]) -> tuple[list[str], list[str]]:
    lead = roster.lead(tx)
    if lead.runtime == HUMAN:
        raise NotReady(
            "a person leads this team: no agent can be asked",
            next="drumline retro   # at a terminal, or with --yes",
        )
    tx.runs.lock()
    before = [each for each in tx.runs.judgements(RUN) if tx.now() - each.asked_at < HOLDS]
    decided = [key for each in before for key in _keys(each, "confirmed", "left")]
    open_ones = [each for each in before if each.open]
    new = [each for each in proposals if each.key not in decided][:MOST]
    if new and not open_ones:
        matter = Matter(RUN, JudgementKind.CONSOLIDATE, f"{tx.now():%Y-%m-%d}-{fingerprint(new)}")
        if tx.runs.judgement(matter) is None:
            tx.runs.ask(matter, asked(new), lead.name)
            tx.record("drumline", "judgement.asked", matter.name)
    confirmed = [key for each in before for key in _keys(each, "confirmed")]
    return confirmed, [each.key for each in new]


def _keys(judgement: Judgement, *names: str) -> list[str]:
    answer = judgement.answer or {}
    return [str(key) for name in names for key in answer.get(name, ())]
