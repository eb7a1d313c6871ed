"""What every command and hook pays for before it does anything."""

import subprocess
import sys

import pytest


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


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
