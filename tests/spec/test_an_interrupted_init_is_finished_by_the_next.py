"""Cut short at any file, `init` leaves no team rather than half of one, and the next run finishes it."""

from pathlib import Path

import pytest

from drumline.control.setup import Choice, carry_out, plan
from drumline.settings import for_new_team
from drumline.store.worktree import Worktree
from tests.surfaces.console import tree


class PowerCut(Exception):
    pass


class Flickering(Worktree):
    """A repository that goes dark when one more file would be made."""

    def __init__(self, root: Path, files: int) -> None:
        super().__init__(str(root), str(root / ".claude/team.yaml"))
        self.left = files

    def create(self, path: str, text: str) -> bool:
        self.left -= 1
        if self.left < 0:
            raise PowerCut
        return super().create(path, text)


def whole(root: Path) -> Worktree:
    return Worktree(str(root), for_new_team(str(root)).manifest)


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("files", range(15))
def test_cut_after_any_file_the_next_run_finishes(tmp_path, files):
    model, repo = tmp_path / "model", tmp_path / "repo"
    for folder in (model, repo):
        folder.mkdir()
    choice = Choice(name="atlas")
    carry_out(whole(model), plan(whole(model), choice))
    with pytest.raises(PowerCut):
        carry_out(Flickering(repo, files), plan(whole(repo), choice))
    assert not (repo / ".claude/team.yaml").exists()
    carry_out(whole(repo), plan(whole(repo), choice))
    assert tree(repo) == tree(model)
