"""Whatever leads say, members do and people answer: a run keeps its promises, on every store."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from drumline.control import (
    board,
    coordinating,
    gate_facts,
    judgements,
    lives,
    questions,
    reviewing,
    runs,
)
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team.gate import GateState
from drumline.team.judgement import MOST_TRIES, JudgementKind
from drumline.team.moves import Deliver
from drumline.team.next_moves import next_moves
from drumline.team.pipeline import LOOP_LIMITS, Loop
from drumline.team.pipelines import Pipelines
from drumline.team.reduced_scope import REDUCE
from drumline.team.review import MENDS, Step
from drumline.team.run import RunState
from drumline.team.task import TaskState
from drumline.team.tier import Tier
from tests.living import begin, claim_in
from tests.stores import seat
from tests.words import BOSS, holds

PROFILES = {
    "lea": "",
    "ada": "implementer",
    "brook": "analyst",
    "cleo": "researcher",
    "dora": "coordinator",
}
POINTS = ("quality", "issues", "conflicts")
UNREADABLE = {"verdict": "maybe"}
WHOLE = Pipelines().find("constitution-10")
SHORT = replace(WHOLE, paths=dict.fromkeys(Tier, ("P6", "P8")))  # larger runs come to their end too


def a_task(key, after=()):
    return {
        "key": key, "title": f"part {key}", "body": "", "files": [f"parts/{key}"],
        "after": list(after), "verify": [],
    }  # fmt: skip


ROUNDS = 60  # more than any history needs to end
YES = ("approve", "accept as it is", "start", "again")
LOOKED = {"verdict": "approve", "summary": "looked at", "findings": []}
AGREED = {
    JudgementKind.CLASSIFY: {
        "files": 3, "modules": 1, "domains": 1, "why": "seen", "tasks": [a_task("1")],
    },
    JudgementKind.PLAN: {"why": "so", "tasks": [a_task("1")]},
    JudgementKind.JUDGE: {
        "verdict": "approve",
        "points": [{"point": name, "holds": "yes", "why": "read"} for name in POINTS],
        "summary": "looked at",
        "guidance": "",
        "tasks": [],
    },
    JudgementKind.REVIEW: LOOKED,
    JudgementKind.AUDIT: LOOKED,
}  # fmt: skip
tasks = st.sampled_from(
    [[], [a_task("1")], [a_task("1"), a_task("2")], [a_task("1"), a_task("2", "1")]]
)


@st.composite
def answers(draw, kind):
    """An answer of the lead's: mostly readable, of any meaning."""
    if draw(st.integers(0, 9)) == 0:
        return UNREADABLE
    if kind is JudgementKind.CLASSIFY:
        files, modules = draw(st.sampled_from([(1, 1), (3, 1), (9, 4)]))
        return {
            "files": files, "modules": modules, "domains": 2, "why": "seen", "tasks": draw(tasks),
        }  # fmt: skip
    if kind is JudgementKind.PLAN:
        return {"why": "so", "tasks": draw(tasks)}
    if kind in {JudgementKind.REVIEW, JudgementKind.AUDIT}:
        word = draw(st.sampled_from([*["approve"] * 3, "changes wanted"]))
        return {"verdict": word, "summary": "looked at", "findings": []}
    held = draw(st.sampled_from(["yes", "yes", "yes", "no"]))
    return {
        "verdict": draw(st.sampled_from([*["approve"] * 10, *["iterate"] * 5, "abort"])),
        "points": [{"point": name, "holds": held, "why": "read"} for name in POINTS],
        "summary": "looked at",
        "guidance": "",
        "tasks": draw(tasks),
    }


def everything(tx, seen):
    """A look that leaves nothing out."""
    run, tasks, handoffs = seen.run, seen.tasks, tx.handoffs.of_run(seen.run.name)
    return seen._replace(
        judgements={
            (each.matter.kind, each.matter.subject, each.matter.attempt): each
            for each in tx.runs.judgements(run.name)
        },
        understandings=tx.understandings.of_run(run.name),
        known=[*gate_facts.known(tx, run, tasks, handoffs), *reviewing.quality(seen)],
        findings=coordinating.findings(run, tasks, handoffs),
    )


class Watched(Database):
    """A store that says when something is done to it."""

    def __init__(self, engine, team, hear):
        super().__init__(engine, team)
        self.hear = hear

    def do(self, verb, *words, **more):
        self.hear()
        return super().do(verb, *words, **more)


class RunMachine(RuleBasedStateMachine):
    """One run in a team whose lead, members and people do anything they can."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test
    pipeline = WHOLE
    looked = None

    @initialize(tier=st.sampled_from([None, *Tier]))
    def begin_it(self, tier):
        self.place, self.clock = self.stores[0]()
        self.store = Watched(self.place.open().engine, "atlas", self.look_again)
        seat(self.store, profiles=PROFILES, lead="lea")
        self.lives = {name: begin(self.store, name) for name in PROFILES}
        wanted = runs.Begin("Mend it", self.pipeline, "0" * 40, tier)
        self.name = self.store.do(runs.begin, BOSS, wanted).name

    def teardown(self):
        if hasattr(self, "store"):
            if self.pipeline is SHORT:
                self.all_agree_until_it_is_over()
            assert list(Caretaker(self.store.engine).check()) == []
            self.place.close()

    def all_agree_until_it_is_over(self):
        """Wherever a history left a run, it comes to its end once everybody works and says yes."""
        for _ in range(ROUNDS):
            if self.run.over:
                break
            for life in map(self.living, PROFILES):
                while asked := self.store.do(judgements.take, life):
                    self.store.do(judgements.answer, life, asked.matter, AGREED[asked.matter.kind])
            for task in self.ready():
                self.work(task)
            for question in self.store.ask(questions.page):
                choice = next(each for each in YES if each in question.options)
                self.store.do(questions.answer, BOSS, question.id, choice)
            self.drive()
        assert self.run.over, self.store.ask(runs.waiting_for, self.name)
        self.nothing_is_delivered_without_both_verdicts_of_others()

    def work(self, task, *, well=True):
        member = next(name for name, profile in PROFILES.items() if profile == task.profile)
        claim_in(self.store, self.living(member), task)
        if well:
            self.store.do(board.complete, BOSS, task.id, holds(member))
        else:
            self.store.do(board.fail, BOSS, task.id, holds(member), "it did not work")

    @property
    def run(self):
        return self.seen.run

    @property
    def seen(self):
        """The run as it is: what nothing was done to since is not looked at again."""
        if self.looked is None:
            self.looked = self.store.ask(runs.look, self.name)
        return self.looked

    def look_again(self):
        self.looked = None

    @rule(data=st.data(), kill=st.integers(0, 12), driven=st.integers(0, 4))
    def somebody_does_something(self, data, kill, driven):
        """Of those who can do anything one does; now and then nobody looks at the run afterwards."""
        able = [
            *(
                [self.somebody_answers]
                if any(each.open for each in self.seen.judgements.values())
                else ()
            ),
            *([self.member_works] if self.ready() else ()),
            *([self.person_answers] if self.store.ask(questions.page) else ()),
        ]
        if kill == 0:
            self.kill_lead()
        elif able:
            data.draw(st.sampled_from(able))(data)
        if driven:
            self.drive()

    @precondition(lambda self: self.run.state is RunState.WORKING)
    @rule()
    def a_person_stops_it_and_lets_it_go_on(self):
        self.store.do(runs.stop, BOSS, self.name)
        assert self.store.do(runs.advance, self.name) == []
        self.store.do(runs.resume, BOSS, self.name)

    def drive(self):
        left = self.store.do(runs.advance, self.name)
        if any(isinstance(move, Deliver) for move in left):
            self.store.do(runs.delivered, self.name, "f" * 40)

    def somebody_answers(self, data):
        """Whoever is asked: the lead, or who looks at others' work."""
        asked = {each.asked for each in self.seen.judgements.values() if each.open}
        life = self.living(data.draw(st.sampled_from(sorted(asked))))
        found = self.store.do(judgements.take, life)
        if found is not None:
            given = data.draw(answers(found.matter.kind))
            self.store.do(judgements.answer, life, found.matter, given)

    def living(self, name):
        """A member in its present life: whom the run ended begins anew."""
        if name not in {each.member for each in self.store.ask(lambda tx: tx.lives.open())}:
            self.lives[name] = begin(self.store, name)
        return self.lives[name]

    def kill_lead(self):
        """In the midst of a judgement, if there is one."""
        self.store.do(judgements.take, self.lives["lea"])
        self.store.do(lives.end, self.lives["lea"], lives.WhyEnded.CRASHED, "killed")
        self.lives["lea"] = begin(self.store, "lea")

    def ready(self):
        return [each.task for each in self.seen.tasks if each.task.ready and not self.run.over]

    def member_works(self, data):
        self.work(data.draw(st.sampled_from(self.ready())), well=data.draw(st.integers(0, 5)) > 0)

    def person_answers(self, data):
        question = data.draw(st.sampled_from(self.store.ask(questions.page)))
        often = [each for each in question.options if each != "abort"] * 4
        choice = data.draw(st.sampled_from([*often, *question.options]))
        self.store.do(questions.answer, BOSS, question.id, choice)

    @invariant()
    def no_phase_begins_without_approval(self):
        """Each phase before the present one was approved, or passed by its limit's rule, or accepted by a person."""
        run, seen = self.run, self.seen
        if not run.phase or run.tier is None:
            return
        path = [phase.name for phase in run.pipeline.path(run.tier)]
        for name in path[: path.index(run.phase)]:
            gates = [gate for gate in seen.gates.values() if gate.phase == name]
            last = max(gates, key=lambda gate: gate.iteration)
            passed = last.state is GateState.APPROVED or f"gaps.{name}" in self.fields()
            assert passed, f"{name} was left behind unapproved"
        begun = {each.phase for each in seen.tasks} - {""}
        assert begun <= set(path[: path.index(run.phase) + 1])

    @invariant()
    def loops_and_failures_are_bounded(self):
        seen, run = self.seen, self.run
        again = sum(said.choice in {"again", REDUCE} for said in seen.asked.values())
        for gate in seen.gates.values():
            loop = run.pipeline.phase(gate.phase).loop
            most = LOOP_LIMITS[loop] + (loop is Loop.EXECUTION)
            assert gate.iteration <= min(most, run.pipeline.iterations) + again
        assert all(each.failures <= 4 + again for each in seen.tasks)
        calls = [each.tries for each in self.store.ask(lambda tx: tx.runs.judgements(self.name))]
        assert all(tries <= MOST_TRIES * (1 + again) for tries in calls)

    @invariant()
    def a_run_goes_on_is_over_or_waits_for_somebody(self):
        run, seen = self.run, self.seen
        if run.over:
            states = {each.task.state for each in seen.tasks}
            assert states <= {TaskState.COMPLETED, TaskState.CANCELLED}
            assert self.store.ask(runs.open_questions, self.name) == []
            return
        assert next_moves(seen), "nothing is to be done and nobody is waited for"
        if self.store.ask(runs.waiting_for, self.name):
            asked = self.store.ask(runs.open_questions, self.name)
            judged = any(each.open for each in seen.judgements.values())
            undone = any(
                each.task.state in {TaskState.PENDING, TaskState.IN_PROGRESS} for each in seen.tasks
            )
            assert asked or judged or undone

    @invariant()
    def what_a_look_leaves_out_decides_nothing(self):
        """Whatever was answered for good, and what a gate would know before there is one, changes no move."""
        assert next_moves(self.store.ask(everything, self.seen)) == next_moves(self.seen)

    @invariant()
    def nothing_is_delivered_without_both_verdicts_of_others(self):
        """Said without the code that decides it: of each work as it is, by none who had a hand in it."""
        run, seen = self.run, self.seen
        if run.state is not RunState.DELIVERED:
            return
        keys = {each.task.id: each.key for each in seen.tasks}
        for work in (each for each in seen.works if run.pipeline.phase(each.phase).reviewed):
            root = keys[work.task].removeprefix(MENDS) if MENDS in keys[work.task] else work.task
            same = [
                each
                for each in seen.works
                if str(root) in {str(each.task), keys[each.task].removeprefix(MENDS)}
            ]
            hands, last = {name for each in same for name in each.authors}, same[-1]
            said = {
                each.step: each
                for each in seen.reviews.values()
                if (each.task, each.version) == (last.task, last.version)
            }
            assert said.keys() == set(Step), f"{last.name} was delivered unseen"
            assert all(each.opinion.approves and each.by not in hands for each in said.values())

    def fields(self):
        return self.store.ask(lambda tx: tx.tasks.fields(self.run.task))


@pytest.mark.requirement("PIPE-03", "PIPE-04", "PIPE-05", "PIPE-08", "PIPE-14")
@pytest.mark.parametrize("path", [WHOLE, SHORT], ids=["whole", "short"])
def test_any_history_of_a_run_keeps_its_promises(play, path):
    class Machine(RunMachine):
        pipeline = path

    play(Machine, 25, 60)
