"""A bad manifest is refused whole: every problem is told, and no file or store is touched."""

import pytest

from tests.surfaces.console import drumline, tree, write

BAD = "team: atlas\nmembers:\n  - name: Ada\n    budget: -1\n"


@pytest.mark.requirement("TEAM-02")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("init", "--yes"), id="init"),
        pytest.param(("team", "check"), id="check"),
        pytest.param(("team", "show"), id="show"),
        pytest.param(("task", "list"), id="the board"),
    ],
)
def test_every_problem_is_told_and_nothing_is_touched(tmp_path, words):
    write(tmp_path, ".claude/team.yaml", BAD)
    before = tree(tmp_path)
    answer = drumline(*words, at=tmp_path)
    told = answer.out + answer.err
    assert answer.code == 1
    for problem in ("description: found nothing", "found 'Ada'", "found -1", "role: found nothing"):
        assert problem in told
    assert tree(tmp_path) == before
    assert "Traceback" not in told
