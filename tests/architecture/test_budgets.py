"""Small by measure: what ruff cannot say about size and names. Each test tells everything that breaks its rule."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "drumline"
BANNED = re.compile(
    r"(?:^|_)(utils?|helpers?|common|misc|managers?|services?|handlers?|processors?|data|info|base|core|impl)(?:_|$)"
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def texts() -> dict[str, str]:
    found = sorted(SOURCE.rglob("*.py"))
    return {str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8") for path in found}


@cache
def modules() -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in texts().items()}


@cache
def named() -> list[tuple[str, Function | ast.ClassDef]]:
    """Every function and class, with its module's name."""
    return [
        (name, node)
        for name, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, Function | ast.ClassDef)
    ]


def names() -> Iterator[tuple[str, str]]:
    """Every name that somebody gave, in small letters with a line between its words."""
    yield from ((name, Path(name).stem) for name in modules())
    for name, node in named():
        yield name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name).lower()


def test_there_is_something_to_measure():
    assert len(modules()) > 500
    assert len(named()) > 5_000


def test_a_file_has_at_most_400_lines():
    lines = {name: len(text.splitlines()) for name, text in texts().items()}
    assert {name: count for name, count in lines.items() if count > 400} == {}


def test_a_function_has_at_most_40_lines():
    lines = [
        (name, node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for name, node in named()
        if isinstance(node, Function)
    ]
    assert [each for each in lines if each[-1] > 40] == []


def test_every_module_says_what_it_is_for():
    assert [name for name, module in modules().items() if not ast.get_docstring(module)] == []


def test_names_explain_themselves():
    assert [each for each in names() if BANNED.search(each[1])] == []


def test_comments_are_rare():
    lines = [line for text in texts().values() for line in text.splitlines()]
    comments = [line for line in lines if line.lstrip().startswith("#")]
    assert len(comments) <= 0.05 * len(lines)
