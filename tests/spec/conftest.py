"""What the specification stands on."""

import pytest

from tests.running import scripted, team


@pytest.fixture
def running(tmp_path, doors):
    """A way to have a team of ada, or of more, play a scenario."""
    opened = []

    def start(scenario, *tasks, names=("ada",), more="", settings="", begin=True):
        manager = team(tmp_path / "r", doors, scripted(*names, more=more), scenario, settings)
        found = manager.__enter__()
        opened.append(manager)
        for words in tasks:
            found.run("task", "add", *words)
        if begin:
            found.run("member", "start", "--all")
        return found

    yield start
    for manager in opened:
        manager.__exit__(None, None, None)
