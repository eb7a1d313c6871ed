"""Another size for a run in its midst: asked for by whoever steers, decided by a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import questions, run_questions, runs
from drumline.errors import Conflict
from drumline.team.actor import Actor
from drumline.team.question import WORDS_CAP, Question
from drumline.team.quoting import quoted
from drumline.team.request import signed
from drumline.team.run import RunState
from drumline.team.strategy_moves import TIER, reclassification
from drumline.team.text import checked
from drumline.team.tier import Tier

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def propose(tx: Transaction, actor: Actor, name: str, tier: Tier, why: str = "") -> Question:
    """Put the question whether a run goes on as another size; one at a time."""
    runs.may_steer(tx, actor)
    checked(why, "the reason", cap=WORDS_CAP, empty=True)
    tx.runs.lock()
    run = runs.find(tx, name)
    if run.state is not RunState.WORKING or run.tier is None or not run.phase:
        raise Conflict(
            f"{run.name} is {run.state}" + ("" if run.phase else ", and in no phase yet"),
            why="only a run that is under way can go on as another size",
            next=f"drumline run show {run.name}",
        )
    if tier is run.tier:
        raise Conflict(
            f"{run.name} is {tier} already",
            why="nothing would be otherwise",
            next=f"drumline run show {run.name}",
        )
    asked = tx.runs.questions(run.name)
    if still := [each for each in asked if each.startswith(TIER) and asked[each].open]:
        raise Conflict(
            f"{asked[still[0]].question} asks how large {run.name} is already",
            why="a person decides one such question before the next",
            next=f"drumline question show {asked[still[0]].question}",
        )
    occasion = f"{TIER}{tier}/asked/{len(asked) + 1}"
    told = f"{signed(actor)} asks for it" + (f":\n{quoted(why)}" if why.strip() else ".")
    run_questions.ask_person(
        tx, runs.look(tx, run.name), reclassification(run, tier, occasion, told)
    )
    return questions.find(tx, tx.runs.questions(run.name)[occasion].question)
