"""Reviews carried out: who is asked about work, what is kept of the answer, and what is mended."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from drumline.control import board
from drumline.errors import NotReady
from drumline.team import judging_review
from drumline.team.draft import NewTask
from drumline.team.gate import Point, PointName
from drumline.team.ids import TaskId
from drumline.team.judgement import JudgementKind
from drumline.team.moves import Seen
from drumline.team.review import MENDS, Chain, Opinion, Review, Step, Work, at_gate, missing, valid
from drumline.team.review_moves import chains_of, lacking, unreviewed
from drumline.team.secrets import redact
from drumline.team.task import VERIFY
from drumline.team.text import BODY_CAP, PATTERN_CAP, TITLE_CAP, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.judgement import Matter
    from drumline.team.moves import AskReview, KeepReview, Mend
    from drumline.team.run import Run

GONE = "whoever was asked is not on the team any more"
SHOWN = 10
TOLD = 50  # more than there is room for


def looked_at(tx: Transaction, run: Run) -> dict[str, Any]:
    """What was done in a run, and what was said of it."""
    said = {(each.task, each.step, each.version): each for each in tx.reviews.of_run(run.name)}
    return {"works": tx.reviews.works(run.name), "reviews": said}


def seen_work(tx: Transaction, run: Run) -> Seen:
    """A run as far as its work and what was said of it go."""
    return Seen(run, tasks=tx.runs.tasks(run.name), **looked_at(tx, run))


def ask(tx: Transaction, seen: Seen, move: AskReview) -> None:
    """Ask somebody else; who was asked before and left is not waited for any more."""
    matter = move.matter
    for each in seen.judgements.values():
        same = each.matter._replace(attempt=matter.attempt) == matter
        waited = tx.runs.judgement(each.matter) if same and each.open else None
        if waited is not None:
            tx.runs.save_judgement(waited.given_up(GONE))
            tx.record(seen.run.name, "judgement.failed", each.matter.name)
    chain, before = move.chain, _before(seen, move.chain)
    body = tx.tasks.body(chain.root.id)
    prompt = judging_review.asked(Step(matter.kind.value), chain, seen.run.goal, body, before)
    tx.runs.ask(matter, redact(prompt), move.of)
    tx.record(seen.run.name, f"{matter.kind}.asked", f"{matter.subject} of {move.of}")


def _before(seen: Seen, chain: Chain) -> list[Opinion]:
    """What was found in the versions that were mended since."""
    kept = [
        seen.reviews.get((work.task, step, work.version))
        for work in chain.works[:-1]
        for step in Step
    ]
    return [each.opinion for each in kept if each is not None and not each.opinion.approves]


def keep(tx: Transaction, seen: Seen, move: KeepReview) -> None:
    """Keep a verdict; what a person said is signed by the person."""
    by = move.by
    if move.occasion:
        asked = tx.runs.questions(seen.run.name)[move.occasion]
        found = tx.questions.get(asked.question)
        by = (found.by if found is not None else None) or "a person"
    said = move.opinion
    told = said._replace(
        summary=redact(said.summary),
        flaws=tuple(each._replace(what=redact(each.what)) for each in said.flaws),
    )
    work = move.work
    review = Review(
        seen.run.name, work.task, move.step, work.version, by, told, occasion=move.occasion
    )
    tx.reviews.keep(review)
    word = "approved" if told.approves else "wants-changes"
    tx.record(by, f"{move.step}.{word}", work.name)


def mend(tx: Transaction, run: Run, move: Mend, actor: Actor, fields: Mapping[str, Any]) -> TaskId:
    """Put a task on the board that mends another's work, with what was found in it."""
    root = move.chain.root
    asked = [f"Mend the work of {root.id}. What others found in it:"]
    body = "\n".join([*asked, *judging_review.found(move.opinion), "", tx.tasks.body(root.id)])
    draft = NewTask(
        title=one_line(f"Mend {root.id}: {root.title}", TITLE_CAP),
        body=redact(body)[:BODY_CAP],
        files=root.files,
        priority=root.priority,
        profile=root.profile,
        run=run.name,
    )
    task = board.add(tx, actor, draft)
    tx.runs.add_task(run, task.id, f"{MENDS}{root.id}")
    check = tx.tasks.fields(root.id).get(VERIFY)
    tx.tasks.merge(task.id, {**fields, **({VERIFY: check} if check else {})})
    tx.record(run.name, "run.mends", f"{task.id} for {root.id}")
    return task.id


def quality(seen: Seen) -> list[Point]:
    """What is known of the work of a phase that is to be judged: who looked at it, or that nobody did."""
    run = seen.run
    found = chains_of(seen, run.phase) if run.phase else []
    if not found:
        return []
    if short := unreviewed(seen, run.phase):
        why = one_line("; ".join(_lack(seen, chain) for chain in short[:SHOWN]), PATTERN_CAP)
        return [Point(PointName.QUALITY, holds=False, why=why, by="drumline")]
    settled = (chain for chain in found if not missing(seen.reviews, chain))
    told = [_told(seen, chain) for chain in islice(settled, TOLD)]
    left = [str(chain.root.id) for chain in found if missing(seen.reviews, chain)]
    once = [f"this judgement is the review and the audit of {', '.join(left)}"] if left else []
    return [Point(PointName.QUALITY, why=one_line("; ".join([*told, *once]), PATTERN_CAP))]


def _lack(seen: Seen, chain: Chain) -> str:
    if chain.under_way:
        return f"{chain.root.id} is being mended"
    steps = " and ".join(missing(seen.reviews, chain))
    return f"{chain.root.id} lacks the {steps} of somebody who did not do it"


def _told(seen: Seen, chain: Chain) -> str:
    said = [valid(seen.reviews, chain, step) for step in Step]
    by = ", ".join(f"{each.step} by {each.by}" for each in said if each is not None)
    return f"{chain.root.id}: {by}"


def refuse_unreviewed(tx: Transaction, run: Run, phase: str = "") -> None:
    """Refuse what may not follow before others found the work good; at a gate that is its judge's to say."""
    seen = seen_work(tx, run)
    short = [
        chain
        for chain in lacking(seen, phase)
        if not (phase and not chain.under_way and at_gate(run, chain.authors))
    ]
    if short:
        raise NotReady(
            f"{run.name} has work that others did not find good",
            why="; ".join(_lack(seen, chain) for chain in short[:SHOWN]),
            next=f"drumline run show {run.name}   # who is asked",
        )


def work_judged(tx: Transaction, matter: Matter) -> Sequence[Work]:
    """The work that a judgement is about, as far as its judge must see it whole."""
    run = tx.runs.get(matter.run)
    if run is None:
        return ()
    seen = seen_work(tx, run)
    if matter.kind is JudgementKind.JUDGE:
        found = [chain for chain in lacking(seen, matter.subject) if at_gate(run, chain.authors)]
    elif matter.kind in {step.kind for step in Step}:
        found = [chain for chain in chains_of(seen) if chain.present.name == matter.subject]
    else:
        return ()
    return [work for chain in found for work in chain.works if work.merged]


def facts(review: Review) -> dict[str, Any]:
    """A verdict as every surface shows it."""
    said = review.opinion
    return {
        "task": str(review.task),
        "step": review.step.value,
        "version": review.version,
        "by": review.by,
        "approves": said.approves,
        "verdict": said.word.value,
        "summary": said.summary,
        "findings": [each._asdict() for each in said.flaws],
        "at": review.at.isoformat() if review.at else None,
    }


def of_task(tx: Transaction, task: TaskId) -> list[dict[str, Any]]:
    """What was said of a task's work, oldest first."""
    return [facts(each) for each in tx.reviews.of_task(task)]


def of_run(tx: Transaction, run: str) -> list[dict[str, Any]]:
    """The same of all tasks of a run."""
    return [facts(each) for each in tx.reviews.of_run(run)]
