"""Work that is handed in: what it brings is its member's, and what others did stays in it."""

import os
import subprocess
from pathlib import Path

import pytest

from drumline.errors import NotAllowed
from drumline.runtimes.bringing import (
    Bringing,
    refuse_change_of_all,
    refuse_other_names,
    refuse_trespass,
    users_commit,
)
from drumline.runtimes.merging import tip_of
from drumline.team.trespass import Trespass
from tests.runtimes.clones import git, original

__all__ = ["original"]  # a fixture of the folder
pytestmark = pytest.mark.requirement("GUARD-07", "RUN-05")


@pytest.fixture
def repository(original: Path) -> Path:
    """A team's branch and the user's own, which went on since."""
    (original / "docs").mkdir()
    changed(original, "docs/a.md", "old\n")
    git(original, "branch", "drumline/merged")
    git(original, "branch", "drumline/ada/work")
    return original


def changed(folder: Path, name: str, text: str) -> str:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", name)
    return git(folder, "rev-parse", "HEAD")


def by_ada(folder: Path, name: str, text: str) -> str:
    """What ada commits on her branch; the user stays on main."""
    git(folder, "switch", "-q", "drumline/ada/work")
    new = changed(folder, name, text)
    git(folder, "switch", "-q", "main")
    return new


def merged(folder: Path, one: str, other: str, tree: str = "") -> str:
    made = tree or git(folder, "merge-tree", "--write-tree", one, other).splitlines()[0]
    return git(folder, "commit-tree", made, "-p", one, "-p", other, "-m", "merge")


def bringing(folder: Path, kept: str = "", owns: str = "parts/") -> Bringing:
    def trespasses(changes):
        return [Trespass(each.path, "no") for each in changes if not each.path.startswith(owns)]

    known = (tip_of(folder), users_commit(folder), kept)
    return Bringing(folder, "ada", kept, tuple(filter(None, known)), trespasses)


def refused(folder: Path, candidate: str, **more: str) -> str:
    with pytest.raises(NotAllowed) as refusal:
        refuse_change_of_all(bringing(folder, **more), tip_of(folder), candidate)
    return refusal.value.why


def test_a_merge_that_leaves_out_what_the_user_did_is_refused(repository: Path):
    work = by_ada(repository, "parts/one", "by ada\n")
    mends = changed(repository, "docs/a.md", "new\n")
    assert (
        refused(repository, merged(repository, work, mends, f"{work}^{{tree}}")) == "docs/a.md: no"
    )


def test_one_that_leaves_out_only_the_users_older_commits_is_refused_too(repository: Path):
    work = by_ada(repository, "parts/one", "by ada\n")
    mends = changed(repository, "docs/a.md", "new\n")
    changed(repository, "docs/b.md", "newer\n")
    assert (
        refused(repository, merged(repository, work, mends, f"{work}^{{tree}}")) == "docs/a.md: no"
    )


def test_a_merge_that_leaves_out_what_it_is_to_bring_in_is_refused(repository: Path):
    git(repository, "switch", "-qc", "side")
    kept = changed(repository, "docs/b.md", "kept\n")
    work = by_ada(repository, "parts/one", "by ada\n")
    candidate = merged(repository, work, kept, f"{work}^{{tree}}")
    assert refused(repository, candidate, kept=kept) == "docs/b.md: no"


def test_what_the_user_did_may_be_merged(repository: Path):
    work = by_ada(repository, "parts/one", "by ada\n")
    candidate = merged(repository, work, changed(repository, ".claude/team.yaml", "new\n"))
    refuse_trespass(bringing(repository), candidate)
    refuse_change_of_all(bringing(repository), tip_of(repository), candidate)


@pytest.mark.parametrize(
    ("name", "refusal"),
    [("docs/a.md", ""), (".claude/team.yaml", ".claude/team.yaml: no")],
    ids=["anybody's", "the lead's"],
)
def test_a_conflict_with_the_users_work_is_settled_but_for_the_leads_files(
    repository: Path, name: str, refusal: str
):
    git(repository, "switch", "-q", "drumline/merged")
    changed(repository, name, "by the team\n")
    git(repository, "switch", "-q", "main")
    theirs = changed(repository, name, "by the user\n")
    git(repository, "switch", "-q", "--detach", "drumline/merged")
    (repository / name).write_text("both\n")
    git(repository, "add", "--all")
    tree = git(repository, "write-tree")
    git(repository, "reset", "-q", "--hard")
    git(repository, "switch", "-q", "main")
    candidate = merged(repository, "drumline/merged", theirs, tree)
    if refusal:
        assert refused(repository, candidate) == refusal
    else:
        refuse_change_of_all(bringing(repository), tip_of(repository), candidate)


@pytest.mark.parametrize("how", [(), ("--detach",)], ids=["on the branch", "at its commit"])
def test_a_person_who_looks_at_refused_work_makes_it_nobodys_but_its_members(
    repository: Path, how: tuple[str, ...]
):
    work = by_ada(repository, "docs/a.md", "by ada\n")
    git(repository, "switch", "-q", *how, "drumline/ada/work")
    with pytest.raises(NotAllowed):
        refuse_trespass(bringing(repository), work)


def signed(folder: Path, author: str, committer: str) -> str:
    """A new commit by two people."""
    names = {
        f"GIT_{role}_{part}": value
        for role, name in (("AUTHOR", author), ("COMMITTER", committer))
        for part, value in (("NAME", name), ("EMAIL", f"{name}@localhost"))
    }
    words = ("git", "commit-tree", "-p", "drumline/merged", "-m", "x", "drumline/merged^{tree}")
    done = subprocess.run(words, cwd=folder, env=os.environ | names, capture_output=True, text=True, check=True)  # fmt: skip
    return done.stdout.strip()


@pytest.mark.parametrize("people", [("kim", "ada"), ("ada", "kim")], ids=["author", "committer"])
def test_new_commits_in_another_name_are_refused(repository: Path, people: tuple[str, str]):
    work = signed(repository, *people)
    git(repository, "branch", "-f", "drumline/ada/work", work)
    with pytest.raises(NotAllowed) as refusal:
        refuse_other_names(bringing(repository), work)
    author, committer = people
    said = f"{work[:12]}: by {author} <{author}@localhost>, committed by {committer} <{committer}@localhost>"
    assert refusal.value.why == said


def test_a_members_own_commits_and_what_people_keep_may_come_in(repository: Path):
    refuse_other_names(bringing(repository), signed(repository, "ada", "ada"))
    theirs = signed(repository, "kim", "kim")
    git(repository, "branch", "other", theirs)
    refuse_other_names(bringing(repository), theirs)
