"""What the repository has already is not fetched again, and nothing is believed of a checkout for that."""

from pathlib import Path

import pytest

from drumline.errors import Refused
from drumline.runtimes import checkout
from drumline.runtimes.fetching import fetch, fetch_news
from drumline.runtimes.inspecting import standing_of, state_of
from tests.runtimes.clones import ada, commit, git, original

__all__ = ["ada", "original"]  # fixtures of the folder

WORK = "refs/heads/drumline/ada/work"
NOWHERE = Path("/nobody/made/this")


def test_a_checkout_without_news_is_not_read(original: Path, ada: Path):
    work = commit(ada, "mine")
    fetch(original, ada, "ada")
    there = standing_of(ada).branches
    assert fetch_news(original, NOWHERE, "ada", there) == {"drumline/ada/work": work}


def test_news_of_any_branch_are_fetched(original: Path, ada: Path):
    fetch(original, ada, "ada")
    git(ada, "switch", "-qc", "drumline/ada/side")
    side = commit(ada, "more")
    found = fetch_news(original, ada, "ada", standing_of(ada).branches)
    assert found["drumline/ada/side"] == git(original, "rev-parse", "drumline/ada/side") == side


def test_a_checkout_that_tells_of_no_branch_is_read(original: Path, ada: Path):
    work = commit(ada, "mine")
    assert fetch_news(original, ada, "ada", {}) == {"drumline/ada/work": work}


@pytest.mark.parametrize("name", [WORK, "refs/heads/main", "refs/heads/drumline/brook/work"])
def test_only_the_members_own_branches_in_the_repository_count(original: Path, name):
    """A checkout may call any commit its work, and any name: it is read where the repository differs."""
    git(original, "update-ref", "refs/heads/drumline/brook/work", "HEAD")
    said = {name: git(original, "rev-parse", "HEAD")}
    with pytest.raises(Refused):
        fetch_news(original, NOWHERE, "ada", said)


def test_what_was_kept_aside_is_brought_home_though_nothing_is_new(original: Path, ada: Path):
    fetch(original, ada, "ada")
    git(original, "switch", "-q", "drumline/ada/work")
    second = commit(ada, "more")
    fetch_news(original, ada, "ada", standing_of(ada).branches)
    assert git(original, "rev-parse", "refs/fetched/drumline/ada/work") == second
    git(original, "switch", "-q", "main")
    fetch_news(original, ada, "ada", standing_of(ada).branches)
    assert git(original, "rev-parse", "drumline/ada/work") == second
    assert git(original, "for-each-ref", "refs/fetched") == ""


def test_one_look_tells_the_state_and_the_teams_branches(original: Path, ada: Path):
    git(ada, "branch", "private")
    git(ada, "branch", "drumline/ada/side")
    for name in (f"# team {WORK} 0", f"\n# team {WORK} 1"):  # files whose names look like answers
        (ada / name).parent.mkdir(parents=True)
        (ada / name).write_text("mine\n")
    start = git(original, "rev-parse", "HEAD")
    state, branches = standing_of(ada)
    assert state == state_of(ada)
    assert len(state.changed) == 2
    assert branches == {WORK: start, "refs/heads/drumline/ada/side": start}


def test_what_stands_where_the_leads_own_would_is_left_as_it_is(original: Path, ada: Path):
    """A commit may have a link or a file of that name, and a new task begins on it all the same."""
    (original / "drumline").write_text("a file\n")
    (original / ".claude").symlink_to("nowhere")
    git(original, "add", "--all", "--force")
    git(original, "commit", "-qm", "odd ones")
    fetch(original, ada, "ada")
    (ada / "drumline").rmdir()
    (ada / ".claude").rmdir()
    checkout.start_from(original, ada, "ada", git(original, "rev-parse", "HEAD"))
    assert (ada / "drumline").is_file()
    assert (ada / ".claude").is_symlink()
    assert not (ada / "nowhere").exists()
