"""Every shape that a script of one command may have in bash is read for what it runs."""

import json
from pathlib import Path

import pytest

from tests.team.shell.test_walk_against_bash import check, really_ran, stage, told

__all__ = ["stage"]

SHAPES = [
    json.loads(line)
    for line in Path(__file__).with_name("shapes.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(autouse=True)
def read_file(stage):
    """A file that shapes read."""
    (stage / "s").write_text("x\n")


@pytest.mark.requirement("GUARD-02", "GUARD-03")
@pytest.mark.parametrize("shape", [each["shape"] for each in SHAPES if each["told"]])
def test_what_bash_runs_in_this_shape_was_told(shape, stage):
    assert not [effect for effect in told(shape, stage) if effect.kind == "undecided"]
    check(shape, stage)


@pytest.mark.requirement("GUARD-02", "GUARD-03")
@pytest.mark.parametrize("shape", [each["shape"] for each in SHAPES if not each["told"]])
def test_what_runs_in_this_shape_is_said_to_be_unknown(shape, stage):
    assert [effect for effect in told(shape, stage) if effect.kind == "undecided"]
    assert really_ran(shape, stage)
