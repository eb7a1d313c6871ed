"""What a run does about work that is done: others look at it, and what they find is mended.

Somebody else is a member, else the lead, else a person: in this order, and never one whose hands the work
went through. Who audits has not reviewed it, as long as there is anybody else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from drumline.team.asking_moves import ABORT, ACCEPT, AGAIN, choice, named, person_says
from drumline.team.gate import Gate
from drumline.team.judgement import Judgement, JudgementKind, JudgementState, Matter
from drumline.team.moves import (
    AskPerson,
    AskReview,
    KeepReview,
    Mend,
    Move,
    Place,
    Seen,
    Start,
    Wait,
)
from drumline.team.pipeline import LOOP_LIMITS, Phase
from drumline.team.quoting import inline
from drumline.team.review import (
    Chain,
    Flaw,
    Opinion,
    Step,
    Word,
    at_gate,
    chains,
    demanded,
    missing,
    name_of,
    valid,
)
from drumline.team.task import TaskState
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.verdict_review import opinion

TITLE = 100
SHOWN = 20  # tasks that one question is about


class _Desk(NamedTuple):
    """How much everybody has before them, who was asked about which work, and who is here."""

    busy: Counter[str]
    asked: Mapping[tuple[JudgementKind, str], Sequence[Judgement]]
    here: Mapping[str, Place]


def chains_of(seen: Seen, phase: str = "") -> list[Chain]:
    """The work that others must look at: of one phase, or of all."""
    pipeline = seen.run.pipeline
    phases = {work.phase for work in seen.works}
    wanted = {each for each in phases if phase in {"", each} and demanded(pipeline, each)}
    tasks = ((each.task, each.key) for each in seen.tasks)
    return [chain for chain in chains(tasks, seen.works) if chain.works[0].phase in wanted]


def lacking(seen: Seen, phase: str = "") -> list[Chain]:
    """The work that did not pass every step, or is being mended."""
    return [
        chain for chain in chains_of(seen, phase) if chain.under_way or missing(seen.reviews, chain)
    ]


def unreviewed(seen: Seen, phase: str) -> list[Chain]:
    """The same, but for what the gate's own judgement is the review and the audit of."""
    return [chain for chain in lacking(seen, phase) if not at_gate(seen.run, chain.authors)]


def review_moves(seen: Seen, phase: Phase) -> list[Move]:
    """What is due about the work of a phase; what its gate judges is left to the gate."""
    due = [chain for chain in unreviewed(seen, phase.name) if not chain.under_way]
    if not due:
        return []
    desk = _Desk(_busy(seen), _asked(seen), {place.name: place for place in seen.places})
    return [move for chain in due for move in _due(seen, phase, chain, desk)]


def kept_at_gate(seen: Seen, phase: Phase, gate: Gate) -> list[Move]:
    """What an approved gate says of the work whose review and audit it is."""
    said = Opinion(Word.APPROVE, gate.summary or "approved at the gate")
    return [
        KeepReview(chain.present, step, said, gate.by)
        for chain in lacking(seen, phase.name)
        if at_gate(seen.run, chain.authors) and name_of(gate.by) not in chain.authors
        for step in missing(seen.reviews, chain)
    ]


def accepted(seen: Seen) -> list[Move]:
    """What a person says about work that is to be delivered, and that not everybody looked at who must."""
    left = lacking(seen)[:SHOWN]
    if not left:
        return []
    names = ", ".join(chain.present.name for chain in left)
    occasion = _occasion(seen, f"unreviewed/{names}", left[0])
    if choice(seen, occasion) == ACCEPT:
        return [keep for chain in left for keep in _by_person(seen, chain, occasion)]
    what = (
        f"{seen.run.name} cannot be delivered: nobody but its authors found all of this work good:"
        f" {names}. Look at it and accept it, or end the run."
    )
    return person_says(seen, AskPerson(occasion, what, (ACCEPT, ABORT)))


def _occasion(seen: Seen, about: str, chain: Chain) -> str:
    """The last occasion on which a person was asked about work, or another: an author's word counts for nothing."""
    times = sum(each.startswith(f"{about}/") for each in seen.asked)
    last, work = f"{about}/{times}", chain.present
    kept = [seen.reviews.get((work.task, step, work.version)) for step in Step]
    heard = any(each is not None and each.occasion == last for each in kept)
    return f"{about}/{times + 1}" if heard or not times else last


def _by_person(seen: Seen, chain: Chain, occasion: str) -> Iterator[Move]:
    said = Opinion(Word.APPROVE, "accepted as it is")
    for step in missing(seen.reviews, chain):
        yield KeepReview(chain.present, step, said, occasion=occasion)


def _due(seen: Seen, phase: Phase, chain: Chain, desk: _Desk) -> list[Move]:
    for step in Step:
        said = valid(seen.reviews, chain, step)
        if said is None:
            return _looked_at(seen, chain, step, desk)
        if not said.opinion.approves:
            return _mended(seen, phase, chain, said.opinion)
    return []


def _mended(seen: Seen, phase: Phase, chain: Chain, said: Opinion) -> list[Move]:
    """Mend it, as often as the phase's loop allows; then a person decides."""
    times = len(chain.menders)
    if times < min(LOOP_LIMITS[phase.loop], seen.run.pipeline.iterations):
        return [Mend(chain, said)]
    occasion = _occasion(seen, f"mending/{chain.root.id}/{times}", chain)
    decided = choice(seen, occasion)
    if decided == AGAIN:
        return [Mend(chain, said)]
    if decided == ACCEPT:
        return list(_by_person(seen, chain, occasion))
    what = (
        f"{chain.root.id} {inline(one_line(chain.root.title, TITLE))} was mended {times} times and is"
        f" still not found good: {inline(one_line(said.summary, PATTERN_CAP))}"
    )
    return person_says(seen, AskPerson(occasion, what, (AGAIN, ACCEPT, ABORT)))


def _looked_at(seen: Seen, chain: Chain, step: Step, desk: _Desk) -> list[Move]:
    """The word of somebody else, or what is to be done to have it."""
    busy, asked = desk.busy, desk.asked.get((step.kind, chain.present.name), [])
    last = asked[-1] if asked else None
    if last is not None and last.state is JudgementState.ANSWERED:
        return [KeepReview(chain.present, step, opinion(last.answer or {}), last.by)]
    if last is not None and last.open and last.asked in desk.here:
        return [_awaited(desk.here[last.asked], last)]
    place = _other(seen, chain, step, busy, {each.asked for each in asked})
    if place is None:
        return _person(seen, chain, step)
    busy[place.name] += 1
    matter = Matter(seen.run.name, step.kind, chain.present.name, len(asked) + 1)
    started: list[Move] = [] if place.running else [Start((place.name,))]
    return [*started, AskReview(matter, chain, place.name)]


def _asked(seen: Seen) -> dict[tuple[JudgementKind, str], list[Judgement]]:
    """Whoever was asked about each version of work, one after the other."""
    found: dict[tuple[JudgementKind, str], list[Judgement]] = {}
    for (kind, subject, _), each in sorted(seen.judgements.items(), key=lambda item: item[0][2]):
        found.setdefault((kind, subject), []).append(each)
    return found


def _awaited(place: Place, asked: Judgement) -> Move:
    stopped = "" if place.running else f", and is not to run: drumline member start {place.name}"
    unable = f", and cannot go on: {named([place])}" if place.unable else ""
    why = f"{place.name} is asked to {asked.matter.kind} {asked.matter.subject}{stopped}{unable}"
    return Wait(why, person=bool(stopped or unable))


def _other(seen: Seen, chain: Chain, step: Step, busy: Counter[str], but: set[str]) -> Place | None:
    """Who is best to look at it: members before the lead, the free before the busy; nobody where none could.

    Whom somebody stopped in this phase is let alone, and so is who gave no answer.
    """
    run = seen.run
    here = (run.phase, run.iteration)
    reviewed = valid(seen.reviews, chain, Step.REVIEW) if step is Step.AUDIT else None
    out = {*chain.authors, *but, *([name_of(reviewed.by)] if reviewed else ())}
    fit = [
        place
        for place in seen.places
        if place.name not in out and (place.running or place.may_start(*here))
    ]
    same = chain.root.profile
    return min(
        fit,
        key=lambda place: (
            place.name == run.lead,
            busy[place.name],
            not place.running,
            place.profile == same,
        ),
        default=None,
    )


def _busy(seen: Seen) -> Counter[str]:
    """How much everybody has before them."""
    held = [each.task.owner for each in seen.tasks if each.task.state is TaskState.IN_PROGRESS]
    asked = [each.asked for each in seen.judgements.values() if each.open]
    return Counter([*filter(None, held), *asked])


def _person(seen: Seen, chain: Chain, step: Step) -> list[Move]:
    """Nobody on the team is somebody else: a person looks at it."""
    work = chain.present
    occasion = _occasion(seen, f"{step}/{work.name}", chain)
    said = seen.asked.get(occasion)
    if said is not None and said.choice in set(Word):
        word = Word(said.choice)
        flaws = (Flaw(said.words or "Nothing more was said."),) if word is Word.CHANGES else ()
        found = Opinion(word, said.words or word.value, flaws)
        return [KeepReview(work, step, found, occasion=occasion)]
    what = (
        f"{seen.run.name}: nobody is left on the team to {step} {work.task}"
        f" {inline(one_line(chain.root.title, TITLE))}: {', '.join(sorted(chain.authors))} had a hand in it."
        f" What do you say, who had none? What it brought: {_where(chain)}"
    )
    options = (Word.APPROVE.value, Word.CHANGES.value, ABORT)
    return person_says(seen, AskPerson(occasion, what, options))


def _where(chain: Chain) -> str:
    shown = [f"git diff {work.base} {work.merged}" for work in chain.works if work.merged]
    return "; ".join(shown) or "nothing was committed"
