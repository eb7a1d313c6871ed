"""What every command and hook pays for before it does anything."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.console import drumline


def loaded_by(statement: str, at: Path | None = None) -> set[str]:
    code = f"import sys\n{statement}\nprint()\nprint(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=at, capture_output=True, text=True, check=True
    )
    return set(found.stdout.splitlines()[-1].split())


HEAVY = {"asyncio", "rich", "ruamel.yaml", "psycopg", "pydantic", "msgspec", "importlib.resources"}


def test_the_package_itself_loads_nothing():
    before = loaded_by("pass")
    assert loaded_by("import drumline") - before == {"drumline"}


def test_hooks_load_nothing_heavy():
    assert not (HEAVY | {"click", "dataclasses"}) & loaded_by("import drumline.hooks")


@pytest.mark.parametrize("noun", ["status", "task", "mail", "events", "store"])
def test_a_command_loads_nothing_heavy(noun):
    loaded = loaded_by(
        f"import drumline.surfaces.cli.{noun}, drumline.store.database, drumline.store.sqlite"
    )
    assert not HEAVY & loaded


NOT_FOR_STATUS = {
    "drumline.team.draft",
    "drumline.team.fields",
    "drumline.team.message",
    "drumline.team.ownership",
    "drumline.control.board",
    "drumline.store.adding",
    "dataclasses",
    "difflib",
}


def test_status_loads_nothing_of_letters_file_sets_and_adding(repository):
    assert drumline("init", "--yes", at=repository).code == 0
    assert drumline("task", "add", "first", "--files", "src/**", at=repository).code == 0
    loaded = loaded_by(
        "from drumline.surfaces.cli.main import root\nroot(['status'], standalone_mode=False)",
        at=repository,
    )
    assert "drumline.store.tasks" in loaded
    assert not (HEAVY | NOT_FOR_STATUS) & loaded


@pytest.mark.parametrize(("runtime", "read"), [("claude", True), ("codex", False)])
def test_a_nest_reads_what_takes_longest_of_the_runtimes_its_team_has(repository, runtime, read):
    pytest.importorskip("claude_agent_sdk", reason="no claude: install the extra of that name")
    assert drumline("init", "--yes", at=repository).code == 0
    manifest = repository / ".claude" / "team.yaml"
    said = manifest.read_text()
    manifest.write_text(said.replace("    profile:", f"    runtime: {runtime}\n    profile:"))
    loaded = loaded_by(
        "from drumline.settings import find\n"
        "from drumline.wiring.planes import _read_runners\n"
        "_read_runners(find('.'))",
        at=repository,
    )
    assert ("claude_agent_sdk" in loaded) is read
