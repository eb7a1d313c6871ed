"""A large run in the midst of its execution, put into a store row by row, each with the event that made it."""

from datetime import timedelta
from typing import Any

from drumline.control import board, lives, postings, registration, roster, runs
from drumline.control.ports import Transaction
from drumline.store.database import Database
from drumline.store.engine import Engine
from drumline.store.migrations import migrate
from drumline.team.context import Holding, Section
from drumline.team.draft import NewTask
from drumline.team.handoff import REQUIRED, Handoff, Origin
from drumline.team.ids import TaskId
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.life import LEASE, Life, Process
from drumline.team.member import Member
from drumline.team.moves import GOAL
from drumline.team.pipelines import Pipelines
from drumline.team.posting import Wanted
from drumline.team.review import Opinion, Review, Step, Word
from drumline.team.rights import CONSTITUTIONS, Charter
from drumline.team.run import Run
from drumline.team.signal import Outcome
from drumline.team.task import Holder
from drumline.team.task_fields import HANDOFF, PHASE
from drumline.team.tier import Tier
from drumline.team.understanding import Stage, Terms, Understanding, Whose

TEAM, LEAD, NAME, BUILD = "atlas", "lea", "run-1", "P6"
BOSS = roster.person("bench")
SAID = {"files": 9, "modules": 4, "domains": 3, "why": "seen", "tasks": []}
ANALYSIS = {
    "task": "Afterwards the part does what its page says, in every case that the page names.",
    "position": "It is one of many parts that are mended at once; the tests of all follow.",
    "upstream": "The design of the phase before, and the list of what is broken.",
    "interfaces": "No interface changes; what is called stays as it is called.",
    "effects": "Whoever calls it gets what the page promised.",
    "risks": "A caller may lean on what was broken; I look at each before.",
    "files": ["p/1.py", "tests/test_1.py"],
    "tasks": [],
    "dependants": [],
}
PLAN = {
    "files": ["p/1.py"],
    "changes": "The check comes before the change",
    "risk": "low",
    "steps": ["Write the test", "Mend it", "Run all tests"],
}
OPINION = {"verdict": "approve", "summary": "It does what it says.", "findings": []}
GOOD = Opinion(Word.APPROVE, "It does what it says, and the tests show it.")


def found_run(engine: Engine, members: int, tasks: int, undone: int) -> Database:
    """A store with a complex run in execution; what is done was handed off, reviewed and audited."""
    migrate(engine)
    store = Database(engine, TEAM)
    names = [f"m{number}" for number in range(members)]
    _seat(store, names)
    started = {name: store.do(lives.begin, name, _process(at)) for at, name in enumerate(names)}
    wanted = runs.Begin("Mend it all", Pipelines().find("constitution-10"), "0" * 40)
    run = store.do(runs.begin, BOSS, wanted._replace(tier=Tier.COMPLEX, branch="main"))
    run = store.do(_under_way, run, names)
    ids = store.do(_plan, run, tasks)
    for first in range(0, tasks - undone, members):
        done = ids[first : min(first + members, tasks - undone)]
        store.do(_done, run, dict(zip(done, started.values(), strict=False)))
    held = dict(zip(ids[tasks - undone :], started.values(), strict=False))
    store.do(_held, run, held)
    return store


def _seat(store: Database, names: list[str]) -> None:
    everyone = [Member(name=LEAD, lead=True, runtime="scripted")]
    everyone += [Member(name=name, profile="implementer", runtime="scripted") for name in names]
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=tuple(everyone),
        home="bench:/",
        place="bench:/",
        digest="-",
    )
    store.do(registration.register, said)


def _process(at: int) -> Process:
    return Process(host="bench", pid=at + 1, pid_start="7", runtime="scripted")


def _under_way(tx: Transaction, run: Run, names: list[str]) -> Run:
    """Classified and in its execution, with everyone at work on the first version of its context."""
    _asked(tx, Matter(NAME, JudgementKind.CLASSIFY, GOAL), LEAD, SAID)
    kept = run._replace(tier=Tier.COMPLEX, phase=BUILD, iteration=1, modules=4, domains=3)
    tx.runs.save(kept)
    tx.contexts.add(NAME, 1, (Section("Goal", "Mend it all."),), LEAD, "")
    for name in (LEAD, *names):
        postings.want(tx, BOSS, name, Wanted.RUNNING)
        tx.tasks.merge(run.task, {f"started.{name}": [BUILD, 1]})
    for name in names:
        tx.contexts.keep(NAME, Holding(name, 2, 1, 1, 1, 1, needs=None))
    tx.record(NAME, "run.entered", NAME)
    return kept


def _plan(tx: Transaction, run: Run, tasks: int) -> list[TaskId]:
    made = []
    for number in range(tasks):
        draft = NewTask(
            title=f"Mend part {number}", run=NAME, profile="implementer", files=(f"p/{number}.py",)
        )
        task = board.add(tx, BOSS, draft)
        tx.runs.add_task(run, task.id, str(number))
        tx.tasks.merge(task.id, {PHASE: BUILD, HANDOFF: REQUIRED})
        made.append(task.id)
    tx.record(NAME, "run.planned", NAME)
    return made


def _held(tx: Transaction, run: Run, held: dict[TaskId, Life]) -> None:
    """Taken by members that were allowed to begin."""
    for task, life in held.items():
        holder = Holder(life.member, life.incarnation)
        board.claim(tx, BOSS, task, holder, lease=LEASE + timedelta(hours=1))
        whose = Whose(NAME, task, life.member, life.incarnation)
        new = Understanding(whose, run.phase, Terms(1, plans=True))
        tx.understandings.begin(new)
        said = new._replace(stage=Stage.APPROVED, analysis=ANALYSIS, plan=PLAN)
        tx.understandings.save(said)
        for kind in (JudgementKind.VERIFY, JudgementKind.APPROVE):
            _asked(tx, Matter(NAME, kind, whose.name), LEAD, OPINION)
        tx.record(life.member, "understanding.approved", whose.name)


def _done(tx: Transaction, run: Run, done: dict[TaskId, Life]) -> None:
    """Taken, handed off, completed, and found good by two others."""
    _held(tx, run, done)
    for task, life in done.items():
        handoff = Handoff(
            status=Outcome.COMPLETE,
            narrative="It is mended, and the tests of all parts pass.",
            files=(f"p/{int(task)}.py",),
            decisions=("The interface stays as it is.",),
            unresolved=(),
        )
        origin = Origin(task, life.member, NAME, BUILD)
        kept = tx.handoffs.add(origin, 1, f"runs/{NAME}/phase-{BUILD}/{task}", handoff)
        tx.tasks.merge(task, {"handed-off": kept.version})
        tx.record(life.member, "task.handed-off", str(task))
        board.complete(tx, BOSS, task, Holder(life.member, life.incarnation))
    for work in tx.reviews.works(NAME)[-len(done) :]:
        for step, by in ((Step.REVIEW, "m0"), (Step.AUDIT, "m1")):
            other = by if by not in work.authors else "m2"
            _asked(tx, Matter(NAME, step.kind, work.name), other, OPINION)
            tx.reviews.keep(Review(NAME, work.task, step, work.version, other, GOOD))
            tx.record(other, f"{step}.approved", work.name)


def _asked(tx: Transaction, matter: Matter, of: str, answer: dict[str, Any]) -> None:
    """Somebody was asked, at the length that prompts have, and answered."""
    asked = tx.runs.ask(matter, "Look at this, and say what you find. " * 100, of)
    tx.runs.save_judgement(asked.taken(of, 1).answered(answer, of))
    tx.record(of, "judgement.answered", matter.name)
