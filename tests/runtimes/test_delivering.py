"""What a run delivers is its own merge, and nothing of the user's own is taken for it or lost to it."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from drumline.errors import Conflict, InTheWay
from drumline.runtimes.checkout import current_commit
from drumline.runtimes.delivering import (
    branch_here,
    deliver,
    refuse_beside,
    refuse_elsewhere,
    revert,
    uncommitted,
)
from drumline.runtimes.git import attempt
from drumline.runtimes.merging import MERGED
from tests.runtimes.clones import IDENTITY, ada, commit, git, original
from tests.runtimes.test_merging import handed_in, merged

__all__ = ["ada", "original"]  # fixtures of the folder


@pytest.mark.requirement("PIPE-20")
def test_a_run_that_brought_nothing_never_takes_back_a_merge_of_the_users_own(original: Path):
    start = git(original, "rev-parse", "HEAD")
    git(original, "switch", "--quiet", "-c", "aside")
    commit(original, "own", "by the user\n")
    git(original, "switch", "--quiet", "-")
    git(original, "merge", "--quiet", "--no-ff", "-m", "the user's own", "aside")
    as_it_was = current_commit(original)
    delivery = deliver(original, "run-1", "run-1: nothing", start)
    with pytest.raises(Conflict, match="brought no change by a merge of ours") as refused:
        revert(original, "run-1", delivery, start)
    assert "you merged its work yourself" in refused.value.why
    assert current_commit(original) == as_it_was


@pytest.mark.requirement("PIPE-12")
def test_a_run_is_delivered_though_another_teams_run_of_its_name_was(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "one"))
    deliver(original, "run-1", "run-1: one")
    git(original, "update-ref", "-d", MERGED)
    base = current_commit(original)
    merged(original, handed_in(original, ada, "two"))
    made = deliver(original, "run-1", "run-1: two", base)
    assert (original / "two").exists()
    assert deliver(original, "run-1", "run-1: two", base) == made, "it was delivered twice"


@pytest.mark.requirement("PIPE-20")
def test_taking_a_run_back_leaves_a_half_done_revert_of_the_users_own_alone(
    original: Path, ada: Path
):
    merged(original, handed_in(original, ada, "made"))
    delivery = deliver(original, "run-1", "run-1: made")
    for text in ("1\n", "2\n", "3\n"):
        commit(original, "own", text)
    attempt(original, "revert", "HEAD~1")
    (original / "own").write_text("half resolved\n")
    with pytest.raises(InTheWay, match="revert of your own is not finished"):
        revert(original, "run-1", delivery)
    assert (original / "own").read_text() == "half resolved\n"
    assert git(original, "rev-parse", "REVERT_HEAD")


@pytest.mark.requirement("PIPE-20", "RECOVER-03")
def test_a_run_that_was_taken_back_is_not_taken_back_twice(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "made"))
    delivery = deliver(original, "run-1", "run-1: made")
    undone = revert(original, "run-1", delivery)
    commit(original, "own", "by the user\n")
    assert revert(original, "run-1", delivery) == undone, "whoever was killed half-way asks again"
    git(original, "revert", "--no-edit", undone)
    assert (original / "made").exists()
    assert revert(original, "run-1", delivery) != undone
    assert not (original / "made").exists()


@pytest.mark.requirement("PIPE-20")
def test_a_run_is_taken_back_where_it_was_delivered(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "made"))
    delivery, branch = deliver(original, "run-1", "run-1: made"), branch_here(original)
    git(original, "switch", "--quiet", "-c", "elsewhere")
    with pytest.raises(InTheWay, match=f"you are on elsewhere, and the run was begun on {branch}"):
        refuse_beside(original, branch, delivery)
    git(original, "branch", "--quiet", "-D", branch)
    refuse_beside(original, branch, delivery)


@pytest.mark.requirement("PIPE-12")
def test_what_the_user_commits_while_a_merge_is_looked_at_is_kept_and_delivered_onto(
    original: Path, ada: Path
):
    merged(original, handed_in(original, ada, "made"))
    looked_at: list[str] = []

    def commits(_new: str, base: str) -> None:
        looked_at.append(base)
        if len(looked_at) == 1:
            commit(original, "own")

    delivery = deliver(original, "run-1", "run-1: made", refuse=commits)
    assert looked_at[-1] == git(original, "rev-parse", f"{delivery}^1") != looked_at[0]
    assert (original / "own").exists()
    assert (original / "made").exists()


@pytest.mark.requirement("PIPE-12")
def test_who_commits_whenever_a_merge_is_looked_at_is_told_so(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "made"))
    names = iter("abc")

    def commits(_new: str, _base: str) -> None:
        commit(original, next(names))

    with pytest.raises(InTheWay, match="your branch moved"):
        deliver(original, "run-1", "run-1: made", refuse=commits)
    assert not (original / "made").exists()


@pytest.mark.requirement("PIPE-12")
def test_a_merge_of_the_users_own_that_is_not_finished_stands_in_the_way(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "made"))
    git(original, "switch", "--quiet", "-c", "aside")
    commit(original, "own")
    git(original, "switch", "--quiet", "-")
    git(original, "merge", "--quiet", "--no-ff", "--no-commit", "aside")
    with pytest.raises(InTheWay, match="a merge of your own is not finished") as refused:
        deliver(original, "run-1", "run-1: made")
    assert "a run is delivered by a commit" in refused.value.why


@pytest.mark.requirement("PIPE-12")
def test_who_is_on_no_branch_is_told_which_one_to_switch_to(original: Path):
    git(original, "switch", "--quiet", "--detach")
    with pytest.raises(InTheWay, match="you are on no branch") as refused:
        refuse_elsewhere(original, "main")
    assert refused.value.next.endswith("switch main")


@pytest.mark.requirement("PIPE-12")
def test_the_way_out_told_to_who_has_files_in_the_way_makes_way(original: Path, ada: Path):
    merged(original, handed_in(original, ada, "made"))
    (original / "made").write_text("the user's own, in no commit\n")
    with pytest.raises(InTheWay) as refused:
        deliver(original, "run-1", "run-1: made")
    way = refused.value.next.partition("#")[0]
    subprocess.run(shlex.split(way), check=True, capture_output=True, env=os.environ | IDENTITY)
    assert deliver(original, "run-1", "run-1: made") == current_commit(original)


@pytest.mark.requirement("PIPE-12", "PIPE-20")
@pytest.mark.parametrize("place", [".gitconfig", ".config/git/config"])
def test_a_delivery_and_its_taking_back_are_the_users_own_who_told_git_once_for_all(
    original: Path, ada: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
):
    settings = tmp_path / "home" / place
    settings.parent.mkdir(parents=True)
    settings.write_text("[user]\n\tname = Kim\n\temail = kim@localhost\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    merged(original, handed_in(original, ada, "made"))
    delivery = deliver(original, "run-1", "run-1: made")
    undone = revert(original, "run-1", delivery)
    written = git(original, "show", "--no-patch", "--format=%an %ae", delivery, undone)
    assert written.split("\n") == ["Kim kim@localhost"] * 2


@pytest.mark.requirement("PIPE-12")
def test_what_the_user_has_not_committed_is_named_but_for_what_is_ours_or_ignored(original: Path):
    assert uncommitted(original) == []
    (original / "first").write_text("changed\n")
    (original / "name with blanks").write_text("new\n")
    (original / ".drumline").mkdir()
    (original / ".drumline" / "state.db").touch()
    (original / ".gitignore").write_text("*.log\n")
    (original / "some.log").touch()
    assert uncommitted(original) == ["first", ".gitignore", "name with blanks"]


@pytest.mark.requirement("PIPE-12")
def test_another_git_at_work_in_the_checkout_is_not_taken_for_changes_of_the_users(
    original: Path, ada: Path
):
    merged(original, handed_in(original, ada, "made"))
    (original / ".git" / "index.lock").touch()
    with pytest.raises(InTheWay, match="another git is at work"):
        deliver(original, "run-1", "run-1: made")
    (original / ".git" / "index.lock").unlink()
    deliver(original, "run-1", "run-1: made")
    assert (original / "made").exists()


@pytest.mark.requirement("PIPE-20")
def test_a_run_of_which_nothing_is_left_is_not_taken_back_and_the_user_is_told_so(
    original: Path, ada: Path
):
    merged(original, handed_in(original, ada, "made"))
    delivery = deliver(original, "run-1", "run-1: made")
    git(original, "rm", "--quiet", "made")
    git(original, "commit", "--quiet", "--message=mine")
    before = current_commit(original)
    with pytest.raises(Conflict, match="nothing that run-1 brought is left"):
        revert(original, "run-1", delivery)
    assert current_commit(original) == before
    assert uncommitted(original) == []
