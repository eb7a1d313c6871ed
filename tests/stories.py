"""Runs that go as a test tells: a lead that judges, a person that answers and a member that works, by their verbs."""

from typing import Any

from drumline.control import board, judgements, lives, protocol, questions, reflecting, runs
from drumline.control.protocol import Looked
from drumline.store.database import Database
from drumline.team.actor import Actor, Role
from drumline.team.life import WhyEnded
from drumline.team.pipeline import Phase, Pipeline, Zone
from drumline.team.task import Holder
from drumline.team.tier import Tier
from tests.living import begin
from tests.stores import seat
from tests.understanding import ANALYSIS
from tests.words import BOSS

POINTS = [{"point": name, "holds": "yes", "why": ""} for name in ("quality", "issues", "conflicts")]
PHASES = {
    "build": Phase(name="build", title="Build", zone=Zone.EXECUTION, profile="implementer"),
    "shown": Phase(
        name="build", title="Build", zone=Zone.EXECUTION, profile="implementer", verified=True
    ),
    "seen": Phase(
        name="build", title="Build", zone=Zone.EXECUTION, profile="implementer", reviewed=True
    ),
    "again": Phase(name="again", title="Polish", zone=Zone.EXECUTION, profile="implementer"),
    "check": Phase(name="check", title="Check", zone=Zone.EXECUTION, profile="tester"),
    "over": Phase(name="over", title="Hand over", zone=Zone.AFTER, delivers=True),
}


class Story:
    """A run whose lead and members do what a case tells."""

    def __init__(self, store: Database) -> None:
        self.store = store

    def begins(self, *phases: str, constitution: str = "constitution-10") -> None:
        seat(
            self.store,
            constitution=constitution,
            profiles={"ada": "implementer", "lea": ""},
            lead="lea",
        )
        found = (*(PHASES[name] for name in phases), PHASES["over"])
        path = tuple(each.name for each in found)
        short = Pipeline(
            name="short", description="x", phases=found, paths=dict.fromkeys(Tier, path)
        )
        self.store.do(runs.begin, BOSS, runs.Begin("Have a part", short, "0" * 40))
        self.lead = begin(self.store, "lea")

    def looks(self) -> None:
        self.store.do(runs.advance, "run-1")

    def lead_says(self, given: Any) -> str:
        """The lead answers what it is asked next; what it was told then."""
        self.looks()
        asked = self.store.do(judgements.take, self.lead)
        assert asked is not None
        self.store.do(judgements.answer, self.lead, asked.matter, given)
        return asked.prompt

    def another_says(self, given: Any) -> None:
        """Whoever is to look at the work says what it finds."""
        self.looks()
        [asked] = [
            each for each in self.store.ask(runs.look, "run-1").judgements.values() if each.open
        ]
        life = begin(self.store, asked.asked)
        self.store.do(judgements.take, life)
        self.store.do(judgements.answer, life, asked.matter, given)

    def person_says(self, choice: str) -> None:
        self.looks()
        [question] = self.store.ask(questions.page)
        self.store.do(questions.answer, BOSS, question.id, choice)

    def sized(self, files: int = 3, modules: int = 2) -> str:
        said = {"files": files, "modules": modules, "domains": 1, "why": "x", "tasks": []}
        return self.lead_says(said)

    def planned(self, *phases: str) -> None:
        self.begins(*phases)
        self.sized()
        self.lead_says({"why": "x", "tasks": []})
        self.looks()

    def takes(self) -> Any:
        self.life = begin(self.store, "ada")
        open_tasks = [each.task for each in self.store.ask(runs.look, "run-1").tasks]
        task = next(each for each in open_tasks if each.ready)
        self.holder = Holder("ada", self.life.incarnation)
        self.held = self.store.do(board.claim, BOSS, task.id, self.holder)
        self.store.do(protocol.begin, self.life, self.held, ())
        return self.held

    def submits(self, **changes: Any) -> None:
        actor = Actor("ada", Role.TEAMMATE, self.life.incarnation)
        said = {**ANALYSIS, **changes}
        self.store.do(protocol.submit, actor, self.held.id, said, Looked())

    def plans(self, plan: Any) -> None:
        actor = Actor("ada", Role.TEAMMATE, self.life.incarnation)
        self.store.do(protocol.plan, actor, self.held.id, plan)

    def completes(self, account: str = "") -> None:
        if account:
            said = {"task_result": {"status": "completed", "summary": account}}
            self.store.do(reflecting.keep, self.life, self.held, said)
        self.store.do(board.complete, BOSS, self.held.id, self.holder)
        self.store.do(lives.end, self.life, WhyEnded.STOPPED)

    def fails(self) -> None:
        self.takes()
        self.store.do(board.fail, BOSS, self.held.id, self.holder, "it did not work")
        self.store.do(lives.end, self.life, WhyEnded.CRASHED)
