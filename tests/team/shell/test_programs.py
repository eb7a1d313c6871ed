"""The names of programs stand once more beside the table that finds their module: they must agree."""

import pytest

from drumline.team.shell import databases, hub, interpreters, programs, recipes


@pytest.mark.parametrize(
    ("family", "module"),
    [
        ("interpreters", interpreters),
        ("recipes", recipes),
        ("hub", hub),
        ("databases", databases),
    ],
)
def test_every_program_a_family_knows_is_sent_to_it(family, module):
    assert programs.FAMILIES[family] == frozenset(module.PROGRAMS)
