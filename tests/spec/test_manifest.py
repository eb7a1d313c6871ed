"""The specification holds both ways: every kept promise has a test, every spec test a promise."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.spec.requirements import REQUIREMENTS, State, read

TESTS = Path(__file__).parents[1]


def marks(tree: ast.AST) -> Iterator[ast.Call]:
    """Every `pytest.mark.requirement(…)` in a module."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "requirement"
        ):
            yield node


def named_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        argument.value
        for call in marks(tree)
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


@cache
def all_named() -> dict[str, set[str]]:
    """Which test files name which promise."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for name in named_in(path):
            found.setdefault(name, set()).add(path.name)
    return found


def test_every_named_promise_exists():
    assert sorted(all_named().keys() - REQUIREMENTS.keys()) == []


@pytest.mark.parametrize("name", [n for n, r in REQUIREMENTS.items() if r.state != State.PLANNED])
def test_every_kept_promise_has_a_test(name):
    assert all_named().get(name), f"{name} is {REQUIREMENTS[name].state} but no test names it"


def test_a_planned_promise_has_no_test_that_claims_it():
    planned = {name for name, kept in REQUIREMENTS.items() if kept.state == State.PLANNED}
    assert sorted(planned & all_named().keys()) == []


@pytest.mark.parametrize("name", [n for n, r in REQUIREMENTS.items() if r.state == State.PARTIAL])
def test_a_partial_promise_says_what_is_missing(name):
    assert REQUIREMENTS[name].missing


@pytest.mark.parametrize(
    "path",
    sorted(set((TESTS / "spec").glob("test_*.py")) - {Path(__file__)}),
    ids=lambda path: path.stem,
)
def test_every_spec_test_names_its_promise(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module_wide = any(
        isinstance(node, ast.Assign)
        and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        )
        for node in tree.body
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = any(next(marks(decorator), None) for decorator in node.decorator_list)
            assert own or module_wide, f"{path.name}: {node.name} names no promise"


def test_the_list_is_the_whole_list():
    shared = TESTS.parents[1] / "shared" / "requirements.md"
    if not shared.exists():
        pytest.skip("the requirements document is not beside this clone")
    lines = shared.read_text(encoding="utf-8").splitlines()
    theirs = {line.split()[1] for line in lines if line.startswith("| ") and "-" in line.split()[1]}
    assert {name for name in theirs if name[-1].isdigit()} == REQUIREMENTS.keys()


def test_a_promise_cannot_stand_twice():
    with pytest.raises(ValueError, match="twice"):
        read("A-1 held 1 :: once\nA-1 held 1 :: again")
