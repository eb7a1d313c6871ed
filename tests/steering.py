"""Runs without a plane, for tests: begun, looked at and judged verb by verb."""

from dataclasses import replace

import pytest

from drumline.control import (
    board,
    judgements,
    runs,
)
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.moves import GOAL
from drumline.team.pipelines import Pipelines
from tests.living import begin, claim_in
from tests.stores import seat
from tests.words import BOSS, holds

PIPELINE = Pipelines().find("constitution-10")
BY_PEOPLE = replace(PIPELINE, phases=tuple(replace(each, human=True) for each in PIPELINE.phases))
P6_BY_PEOPLE = replace(
    PIPELINE, phases=tuple(replace(each, human=each.name == "P6") for each in PIPELINE.phases)
)
COMMIT = "0" * 40
PART = {"key": "1", "title": "a part", "body": "", "files": [], "after": [], "verify": []}
SMALL = {"files": 1, "modules": 1, "domains": 1, "why": "seen", "tasks": [PART]}
PASSED = {
    "verdict": "approve", "summary": "looked at", "guidance": "", "tasks": [],
    "points": [
        {"point": name, "holds": "yes", "why": "read"} for name in ("quality", "issues", "conflicts")
    ],
}  # fmt: skip
CLASSIFY = Matter("run-1", JudgementKind.CLASSIFY, GOAL)


@pytest.fixture
def led(store):
    """A team with a lead that judges and one who works."""
    seat(store, profiles={"lea": "", "ada": "implementer"}, lead="lea")
    return store


def start(store, goal="Mend it", pipeline=PIPELINE, **more):
    return store.do(runs.begin, BOSS, runs.Begin(goal, pipeline, COMMIT, **more))


def drive(store):
    return store.do(runs.advance, "run-1")


def answered(store, life, answer):
    asked = store.do(judgements.take, life)
    return store.do(judgements.answer, life, asked.matter, answer)


def at_gate(store, **more):
    """A small run whose work is done and waits to be judged."""
    start(store, **more)
    drive(store)
    lead, life = begin(store, "lea"), begin(store)
    answered(store, lead, SMALL)
    drive(store)
    task = store.ask(runs.look, "run-1").tasks[0].task
    claim_in(store, life, task)
    store.do(board.complete, BOSS, task.id, holds("ada"))
    drive(store)
    return lead
