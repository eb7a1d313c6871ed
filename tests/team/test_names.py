"""Which words can name a team, a member or a profile."""

import subprocess

import pytest

from drumline.team.text import is_name


@pytest.mark.requirement("TEAM-02")
@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("ada", True),
        ("a.b", True),
        ("lock", True),
        ("a.lock.b", True),
        ("a.locks", True),
        ("x.lock", False),
        ("a..b", False),
        (".a", False),
    ],
)
def test_a_name_is_taken_if_git_has_a_branch_for_it(name, taken):
    branch = f"refs/heads/drumline/{name}/work"
    asked = subprocess.run(["git", "check-ref-format", branch], check=False)
    assert (is_name(name), asked.returncode == 0) == (taken, taken)
