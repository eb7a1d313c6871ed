"""What a run does before its strategy changes: a person is asked, and nothing is paid for meanwhile."""

from collections.abc import Iterator

from drumline.team.judgement import Judgement
from drumline.team.moves import Ask, AskPerson, End, Enter, Move, Reclassify, Said, Seen, Wait
from drumline.team.pipeline import Pipeline
from drumline.team.quoting import quoted
from drumline.team.run import Run, RunState
from drumline.team.strategy import ABORT, StrategicQuestion, question_in, tier_in
from drumline.team.tier import Tier

TIER = "tier/"  # occasions on which a person is asked how large the change is
LEAD = "lead/"  # occasions on which the lead asks
MOST_ASKED = 3  # questions of the lead's about one matter
GO_ON_AS, STAY = "go on as {}", "stay {}"


def unsettled(seen: Seen, found: Judgement) -> list[Move]:
    """What must be settled with a person before an answer of the lead's is acted on."""
    asked, tier = question_in(found.answer), tier_in(found.answer)
    about = f"{found.matter.kind}/{found.matter.subject}/{found.matter.attempt}"
    if asked is not None and (moves := _asked(seen, found, asked, f"{LEAD}{about}")):
        return moves
    if tier is None or tier is seen.run.tier or seen.run.tier is None:
        return []
    occasion = f"{TIER}{tier}/{about}/{found.tries}"
    why = str((found.answer or {}).get("why") or (found.answer or {}).get("summary") or "")
    what = f"{found.by} proposes it:\n{quoted(why)}"
    if seen.asked.get(occasion, Said()).choice:
        return []
    if any(not each.choice for each in of_its_size(seen).values()):  # one such question at a time
        return [Wait("a person is asked how large this change is")]
    return [reclassification(seen.run, tier, occasion, what)]


def of_its_size(seen: Seen) -> dict[str, Said]:
    """What people were asked about how large the change is, by the occasion."""
    return {name: said for name, said in seen.asked.items() if name.startswith(TIER)}


def _asked(seen: Seen, found: Judgement, asked: StrategicQuestion, about: str) -> list[Move]:
    """Ask for the lead, then ask the lead again; one that only asks is taken at its word at last."""
    occasion = f"{about}/{found.tries}"
    said = seen.asked.get(occasion)
    if said is None:
        if sum(each.startswith(f"{about}/") for each in seen.asked) >= MOST_ASKED:
            return []
        what = (
            f"{found.by} asks, before it goes on with {found.matter.subject}:\n{quoted(asked.what)}"
        )
        return [AskPerson(occasion, what, (*asked.options, ABORT), asked.recommended)]
    if said.choice == ABORT:
        return [End(RunState.ABORTED, f"a person aborted, asked: {asked.what}")]
    return [Ask(found.matter)] if said.choice else [Wait("a person is asked what the lead asks")]


def reclassification(run: Run, tier: Tier, occasion: str, why: str) -> AskPerson:
    """The question whether a run goes on as another size."""
    now = run.tier or tier
    what = (
        f"{run.name} goes by the path of a {now} change. Shall it go on as a {tier} one?"
        f" What was done stays. From the next phase on: {_ahead(run.pipeline, tier, run.phase)}"
        f" instead of {_ahead(run.pipeline, now, run.phase)}.\n{why}"
    )
    return AskPerson(occasion, what, (GO_ON_AS.format(tier), STAY.format(now), ABORT))


def steered(seen: Seen, moves: list[Move]) -> list[Move]:
    """The moves of a run, held against what people said of its size."""
    run = seen.run
    if run.state is not RunState.WORKING or run.tier is None or not run.phase:
        return moves
    asked = of_its_size(seen)
    if any(said.choice == ABORT for said in asked.values()):
        return [End(RunState.ABORTED, "a person aborted, asked how large this change is")]
    said = list(_chosen(asked))
    if said and said[-1] is not run.tier:
        return [Reclassify(said[-1])]
    if all(each.choice for each in asked.values()):
        return moves
    staying = [each for each in moves if not isinstance(each, Enter) or each.phase == run.phase]
    if len(staying) == len(moves):
        return moves
    return [*staying, Wait("a person is asked how large this change is")]


def _chosen(asked: dict[str, Said]) -> Iterator[Tier]:
    """What people said the size is, oldest first."""
    for name, said in asked.items():
        tier = Tier(name.removeprefix(TIER).partition("/")[0])
        if said.choice == GO_ON_AS.format(tier):
            yield tier


def _ahead(pipeline: Pipeline, tier: Tier, phase: str) -> str:
    names, found = [], pipeline.after(tier, phase) if phase else pipeline.path(tier)[0]
    while found is not None:
        names.append(found.name)
        found = pipeline.after(tier, found.name)
    return " > ".join(names) or "nothing"
