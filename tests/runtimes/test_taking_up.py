"""A checkout is brought to where the team's work is before a task, and nothing that is in it is lost by that."""

from pathlib import Path

import pytest

from drumline.runtimes import checkout
from drumline.runtimes.fetching import fetch
from drumline.runtimes.inspecting import state_of
from drumline.runtimes.post import Quarters
from drumline.settings import find
from drumline.wiring.quarters import Houses
from tests.runtimes.clones import commit, git, original
from tests.surfaces.console import write

__all__ = ["original"]  # a fixture of the folder

pytestmark = pytest.mark.requirement("RUN-05")
WORK = "drumline/ada/work"


@pytest.fixture
def ada(original: Path) -> Path:
    write(original, ".claude/team.yaml", "team: atlas\n")
    folder = original / ".drumline" / "checkouts" / "ada"
    checkout.clone(original, folder, "ada")
    return folder


def taken_up(original: Path, ada: Path) -> tuple[str, ...]:
    quarters = Quarters(work=ada, own=True, home=ada, temporary=ada, door=ada, diary=ada)
    return Houses(find(str(original))).bring_up(quarters, "ada")


def branches(original: Path) -> str:
    return git(original, "for-each-ref", "--format=%(refname:short)", "refs/heads/drumline")


def test_nothing_is_fetched_while_all_is_known(original: Path, ada: Path):
    git(ada, "branch", "drumline/ada/idea")
    assert taken_up(original, ada) == ()
    assert branches(original) == ""


def test_it_stands_on_the_teams_work_afterwards(original: Path, ada: Path):
    work = commit(ada, "mine")
    fetch(original, ada, "ada")
    git(original, "branch", "drumline/merged", work)
    git(ada, "switch", "-q", "--detach", "HEAD^")
    assert taken_up(original, ada) == ()
    assert state_of(ada).head == work != git(original, "rev-parse", "HEAD")


def test_what_was_never_fetched_is_before_it_moves(original: Path, ada: Path):
    work = commit(ada, "mine")
    assert taken_up(original, ada) == ()
    assert git(original, "rev-parse", WORK) == work
    assert state_of(ada).head == git(original, "rev-parse", "HEAD")


def test_what_another_branch_of_its_own_holds_is_fetched_too(original: Path, ada: Path):
    git(ada, "switch", "-qc", "drumline/ada/idea")
    idea = commit(ada, "idea")
    git(ada, "switch", "-q", WORK)
    assert taken_up(original, ada) == ()
    assert git(original, "rev-parse", "drumline/ada/idea") == idea


def test_a_branch_that_cannot_be_fetched_keeps_it_from_no_task(original: Path, ada: Path):
    git(ada, "switch", "-qc", "drumline/ada/idea")
    idea = commit(ada, "idea")
    git(ada, "switch", "-q", WORK)
    work = commit(ada, "mine")
    lost = ada / ".git" / "objects" / idea[:2] / idea[2:]
    lost.chmod(0o600)
    lost.write_bytes(b"damaged")
    assert taken_up(original, ada) == ()
    assert git(original, "rev-parse", WORK) == work
    assert state_of(ada).head == git(original, "rev-parse", "HEAD")


def test_what_the_repository_holds_for_a_while_only_is_kept_when_the_checkout_leaves_it(
    original: Path, ada: Path
):
    fetch(original, ada, "ada")
    git(original, "switch", "-q", WORK)
    work = commit(ada, "mine")
    assert fetch(original, ada, "ada") == {WORK: work}
    git(original, "switch", "-q", "main")
    assert taken_up(original, ada) == ()
    git(original, "update-ref", "-d", f"refs/fetched/{WORK}")
    assert git(original, "for-each-ref", f"--contains={work}")


def test_what_stands_on_no_branch_is_kept_too(original: Path, ada: Path):
    git(ada, "switch", "-q", "--detach")
    work = commit(ada, "lost")
    assert taken_up(original, ada) == ()
    assert git(original, "rev-parse", f"refs/fetched/{work}") == work


def test_uncommitted_work_keeps_it_where_it_is_and_what_is_committed_is_fetched(
    original: Path, ada: Path
):
    work = commit(ada, "mine")
    (ada / "half.txt").write_text("half")
    assert taken_up(original, ada) == ("half.txt",)
    assert git(original, "rev-parse", WORK) == work == state_of(ada).head
