"""Whichever way a script may go and whatever files it finds: what it may do is ruled on, what it cannot do is not."""

import pytest

from tests.team.commands import rows
from tests.team.test_commands import wrong


@pytest.mark.requirement("GUARD-02", "GUARD-03", "GUARD-08", "GUARD-16")
@pytest.mark.parametrize(
    "commands", ["ways", "lists", "printers", "searches", "variables", "options"]
)
@pytest.mark.parametrize(
    ("role", "isolation"), [("teammate", "shared"), ("teammate", "own"), ("lead", "shared")]
)
def test_every_way_through_a_command_is_ruled_on_and_no_other(commands, role, isolation):
    whose = (role, isolation)
    found = [row for row in rows.own(commands) if (row["role"], row["isolation"]) == whose]
    assert found
    assert wrong(found, role, isolation=isolation) == []
