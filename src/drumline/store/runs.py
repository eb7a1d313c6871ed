"""The rows of runs, of what the lead is asked in them, and of their gates."""

import json
from functools import lru_cache
from typing import Any

from drumline.store.engine import Row, from_rows, instant, moment, packed, remembered
from drumline.store.session import Session
from drumline.store.tasks import task_of
from drumline.team import pipeline_record
from drumline.team.gate import Gate, GateState, Point
from drumline.team.ids import QuestionId, TaskId, run_name, run_number
from drumline.team.judgement import Judgement, JudgementKind, JudgementState, Matter
from drumline.team.pipeline import Pipeline
from drumline.team.run import Asked, Run, RunState, RunTask
from drumline.team.run_mode import RunMode
from drumline.team.tier import Tier

NEWEST = 2**62
KNOWN_PIPELINES = 16  # that need not be read anew
_KINDS = {kind.value: kind for kind in JudgementKind}
_STATES = {state.value: state for state in JudgementState}


@from_rows
def as_run(row: Row) -> Run:
    """A row of `runs` as the noun it is."""
    return Run(
        name=run_name(row["number"]),
        goal=row["goal"],
        pipeline=_pipeline(row["pipeline"]),
        lead=row["lead"],
        task=TaskId(row["task"]),
        started_by=row["starter"],
        started_at=instant(row["started_at"]),
        state=RunState(row["state"]),
        tier=Tier(row["tier"]) if row["tier"] else None,
        chosen=bool(row["chosen"]),
        phase=row["phase"],
        iteration=row["iteration"],
        modules=row["modules"],
        domains=row["domains"],
        why=row["why"],
        base=row["base"],
        branch=row["branch"],
        commit=row["delivered"],
        ended_at=moment(row["ended_at"]),
        mode=RunMode(row.get("mode") or RunMode.DEFAULT),
    )


@lru_cache(maxsize=KNOWN_PIPELINES)
def _pipeline(text: str) -> Pipeline:
    """The pipeline a row holds: it is long, and hardly ever another."""
    return pipeline_record.from_facts(json.loads(text))


@from_rows
def as_judgement(row: Row) -> Judgement:
    """A row of `judgements` as the noun it is."""
    return Judgement(
        matter=Matter(row["run"], _KINDS[row["kind"]], row["subject"], row["attempt"]),
        prompt=row["prompt"],
        asked_at=instant(row["asked_at"]),
        state=_STATES[row["state"]],
        answer=json.loads(row["answer"]) if row["answer"] is not None else None,
        by=row["author"],
        tries=row["tries"],
        incarnation=row["incarnation"],
        words=row["words"],
        ended_at=moment(row["ended_at"]),
        asked=row["lead"],
    )


@from_rows
def as_gate(row: Row) -> Gate:
    """A row of `gates` as the noun it is."""
    return Gate(
        run=row["run"],
        phase=row["phase"],
        iteration=row["iteration"],
        opened_at=instant(row["opened_at"]),
        state=GateState(row["state"]),
        points=tuple(Point(*each) for each in json.loads(row["points"])),
        summary=row["summary"],
        guidance=row["guidance"],
        by=row["author"],
        ended_at=moment(row["ended_at"]),
    )


@from_rows
def as_run_task(row: Row) -> RunTask:
    """A task with what its run keeps of it."""
    return RunTask(
        task_of(row),
        row["run_phase"] or "",
        row["run_iteration"] or 0,
        row["run_key"] or "",
        row["run_failures"] or 0,
    )


known_task, known_judgement = remembered(as_run_task), remembered(as_judgement)


class Runs:
    """One team's runs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_runs")

    def next_number(self) -> int:
        found = self._session.write("counters", "next_number", name="run", step=1)
        return int(found[0]["value"])

    def add(self, run: Run) -> Run:
        rows = self._session.write(
            "runs",
            "add_run",
            number=run_number(run.name),
            goal=run.goal,
            pipeline=packed(pipeline_record.facts(run.pipeline)),
            lead=run.lead,
            task=int(run.task),
            tier=run.tier.value if run.tier else None,
            chosen=int(run.chosen),
            base=run.base,
            branch=run.branch,
            starter=run.started_by,
        )
        if run.mode is not RunMode.DEFAULT:
            self._session.write("run_modes", "add_run_mode", run=run.name, mode=run.mode.value)
        return as_run(rows[0])._replace(mode=run.mode)

    def get(self, name: str) -> Run | None:
        rows = self._session.read("get_run", number=run_number(name))
        return as_run(rows[0]) if rows else None

    def page(self, *, most: int) -> list[Run]:
        rows = self._session.read("list_runs", before=NEWEST, most=most)
        return [as_run(row) for row in rows]

    def mode_at_work(self) -> RunMode:
        rows = self._session.read("mode_at_work")
        return RunMode(rows[0]["mode"]) if rows else RunMode.DEFAULT

    def working(self) -> list[str]:
        return [run_name(row["number"]) for row in self._session.read("working_runs")]

    def save(self, run: Run) -> Run:
        rows = self._session.write(
            "runs",
            "save_run",
            number=run_number(run.name),
            state=run.state.value,
            tier=run.tier.value if run.tier else None,
            phase=run.phase,
            iteration=run.iteration,
            modules=run.modules,
            domains=run.domains,
            why=run.why,
            delivered=run.commit,
            pipeline=packed(pipeline_record.facts(run.pipeline)),
            over=int(run.over),
        )
        return as_run(rows[0])._replace(mode=run.mode)

    def add_task(self, run: Run, task: TaskId, key: str) -> None:
        where = {"run": run.name, "phase": run.phase, "iteration": run.iteration}
        self._session.write("run_tasks", "add_run_task", number=int(task), key=key, **where)

    def tasks(self, run: str) -> list[RunTask]:
        return [known_task(row) for row in self._session.read("tasks_of_run", run=run)]

    def phase_of(self, task: TaskId) -> str:
        rows = self._session.read("phase_of_task", number=int(task))
        return str(rows[0]["phase"]) if rows else ""

    def count_failure(self, run: Run, task: TaskId) -> None:
        where = {"run": run.name, "phase": run.phase, "iteration": run.iteration}
        self._session.write("run_tasks", "count_failure", number=int(task), **where)

    def ask(self, matter: Matter, prompt: str, lead: str) -> Judgement:
        rows = self._session.write(
            "judgements", "add_judgement", prompt=prompt, lead=lead, **_key(matter)
        )
        return as_judgement(rows[0])

    def judgement(self, matter: Matter) -> Judgement | None:
        rows = self._session.read("get_judgement", **_key(matter))
        return as_judgement(rows[0]) if rows else None

    def judgements(self, run: str) -> list[Judgement]:
        return [as_judgement(row) for row in self._session.read("judgements_of_run", run=run)]

    def judgements_to_go_by(self, run: str) -> list[Judgement]:
        return [known_judgement(row) for row in self._session.read("judgements_to_go_by", run=run)]

    def asked_of(self, lead: str) -> list[Judgement]:
        return [as_judgement(row) for row in self._session.read("judgements_for", lead=lead)]

    def save_judgement(self, judgement: Judgement) -> Judgement:
        answer = None if judgement.answer is None else packed(judgement.answer)
        rows = self._session.write(
            "judgements",
            "save_judgement",
            prompt=judgement.prompt,
            state=judgement.state.value,
            answer=answer,
            author=judgement.by,
            incarnation=judgement.incarnation,
            tries=judgement.tries,
            words=judgement.words,
            over=int(not judgement.open),
            **_key(judgement.matter),
        )
        return as_judgement(rows[0])

    def open_gate(self, run: Run, points: tuple[Point, ...]) -> Gate:
        where = {"run": run.name, "phase": run.phase, "iteration": run.iteration}
        return as_gate(self._session.write("gates", "add_gate", points=packed(points), **where)[0])

    def gate(self, run: str, phase: str, iteration: int) -> Gate | None:
        rows = self._session.read("get_gate", run=run, phase=phase, iteration=iteration)
        return as_gate(rows[0]) if rows else None

    def gates(self, run: str) -> list[Gate]:
        return [as_gate(row) for row in self._session.read("gates_of_run", run=run)]

    def close_gate(self, gate: Gate) -> Gate:
        rows = self._session.write(
            "gates",
            "close_gate",
            run=gate.run,
            phase=gate.phase,
            iteration=gate.iteration,
            state=gate.state.value,
            points=packed(gate.points),
            summary=gate.summary,
            guidance=gate.guidance,
            author=gate.by,
        )
        return as_gate(rows[0])

    def add_question(self, run: str, occasion: str, question: QuestionId) -> None:
        self._session.write(
            "run_questions", "add_run_question", run=run, occasion=occasion, question=int(question)
        )

    def questions(self, run: str) -> dict[str, Asked]:
        return {
            row["occasion"]: Asked(
                QuestionId(row["number"]), row["state"], row["choice"], row["what"], row["words"]
            )
            for row in self._session.read("questions_of_run", run=run)
        }


def _key(matter: Matter) -> dict[str, Any]:
    return {**matter._asdict(), "kind": matter.kind.value}
