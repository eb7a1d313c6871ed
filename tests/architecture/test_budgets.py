"""Small by measure: what ruff cannot say about size and names."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "drumline"
MODULES = sorted(SOURCE.rglob("*.py"))
BANNED = re.compile(
    r"(?:^|_)(utils?|helpers?|common|misc|managers?|services?|handlers?|processors?|data|info|base|core|impl)(?:_|$)"
)


def relative(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_file_has_at_most_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_function_has_at_most_40_lines(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > 40
    ]
    assert long == []


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_names_explain_themselves(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [path.stem] + [
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name).lower()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    assert [name for name in names if BANNED.search(name)] == []


def test_comments_are_rare():
    lines = [line for path in MODULES for line in path.read_text(encoding="utf-8").splitlines()]
    comments = [line for line in lines if line.lstrip().startswith("#")]
    assert len(comments) <= 0.05 * len(lines)
