"""Submodules come with a checkout, move with it, and what a member commits in one is kept with its work."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from drumline.errors import InTheWay, Refused
from drumline.runtimes import checkout
from drumline.runtimes.fetching import fetch
from drumline.runtimes.furnishing import furnish
from drumline.runtimes.inspecting import state_of
from drumline.runtimes.project_command import Terms
from drumline.runtimes.submodules import bring_back
from drumline.team.checkout_plan import CheckoutPlan
from tests.once import once
from tests.runtimes.cell import needs
from tests.runtimes.clones import begun, commit, git

FREELY = ["-c", "protocol.file.allow=always"]


@pytest.fixture
def nested(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with a submodule, which has one too; their origins are gone."""
    folder = tmp_path.resolve() / "original"
    shutil.copytree(once(tmp_path_factory, "nested", _nested), folder, symlinks=True)
    return folder


def _nested(place: Path) -> str:
    home, original = place.resolve(), Path(begun(place.resolve()))
    for name in ("inner", "outer"):
        subprocess.run(["git", "init", "-q", "-b", "main", str(home / name)], check=True)
        commit(home / name, f"{name}-file")
    git(home / "outer", *FREELY, "submodule", "--quiet", "add", str(home / "inner"), "in")
    git(home / "outer", "commit", "-qm", "in")
    git(original, *FREELY, "submodule", "--quiet", "add", str(home / "outer"), "lib/out")
    git(original, *FREELY, "submodule", "--quiet", "update", "--init", "--recursive")
    git(original, "commit", "-qm", "out")
    for name in ("inner", "outer"):
        (home / name).rename(home / f"{name}-gone")
    return str(original)


def furnished(nested: Path, member: str = "ada") -> Path:
    """A checkout whose submodules are filled."""
    folder = nested.parent / member
    checkout.clone(nested, folder, member)
    assert furnish(nested, folder, CheckoutPlan(), Terms()) == (True, ())
    return folder


def worked(folder: Path) -> str:
    """Commit in the innermost submodule, on no branch, and in all that hold it; what it stands at."""
    mine = commit(folder / "lib" / "out" / "in", "mine")
    for place in (folder / "lib" / "out", folder):
        git(place, "commit", "-qam", "mine")
    return mine


def test_submodules_come_from_the_repositorys_own_copies(nested: Path):
    folder = furnished(nested)
    assert (folder / "lib" / "out" / "outer-file").exists()
    assert (folder / "lib" / "out" / "in" / "inner-file").exists()
    assert state_of(folder).changed == ()


def test_a_submodule_shares_no_file_with_the_repository(nested: Path):
    folder = furnished(nested)
    mine = [path for path in (folder / ".git" / "modules").rglob("*") if path.is_file()]
    assert mine
    assert [path for path in mine if path.stat().st_nlink > 1] == []
    assert not list((folder / ".git" / "modules").rglob("alternates"))


def test_a_submodule_without_a_copy_is_said_and_left_empty(nested: Path):
    git(nested, "submodule", "--quiet", "deinit", "--force", "--all")
    (nested / ".git" / "modules").rename(nested.parent / "modules-gone")
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    assert furnish(nested, folder, CheckoutPlan(), Terms()) == (True, ("lib/out",))
    assert list((folder / "lib" / "out").iterdir()) == []
    assert state_of(folder).changed == ()


def test_a_submodule_whose_copy_lacks_the_commit_is_said(nested: Path):
    copy = nested / ".git" / "modules" / "lib" / "out"
    tip = git(nested / "lib" / "out", "rev-parse", "HEAD")
    git(nested / "lib" / "out", "update-ref", "HEAD", f"{tip}~1")
    for name in git(nested / "lib" / "out", "for-each-ref", "--format=%(refname)").split():
        git(nested / "lib" / "out", "update-ref", "-d", name)
    git(nested / "lib" / "out", "reflog", "expire", "--expire=now", "--all")
    (copy / "packed-refs").unlink(missing_ok=True)
    git(nested / "lib" / "out", "prune", "--expire=now")
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    assert furnish(nested, folder, CheckoutPlan(), Terms()).missing == ("lib/out",)
    assert state_of(folder).changed == ()


def test_without_submodules_none_is_filled(nested: Path):
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    assert furnish(nested, folder, CheckoutPlan(submodules=False), Terms()) == (True, ())
    assert list((folder / "lib" / "out").iterdir()) == []


def test_a_new_task_moves_the_submodules_too(nested: Path):
    folder = furnished(nested)
    inner = nested / "lib" / "out"
    new = commit(inner, "newer")
    git(nested, "commit", "-qam", "newer")
    checkout.start_from(nested, folder, "ada", git(nested, "rev-parse", "HEAD"))
    assert git(folder / "lib" / "out", "rev-parse", "HEAD") == new
    assert state_of(folder).changed == ()
    assert os.path.lexists(folder / "lib" / "out" / "newer")


def test_work_in_a_submodule_is_not_deleted_with_the_checkout(nested: Path):
    folder = furnished(nested)
    work = folder / "lib" / "out" / "in"
    git(work, "switch", "-q", "-c", "mine")
    mine = commit(work, "mine")
    git(work, "switch", "-q", "--detach", "HEAD~1")
    with pytest.raises(Refused, match="lib/out/in"):
        checkout.remove(nested, folder, "ada")
    assert git(work, "cat-file", "-t", mine) == "commit"
    git(work, "branch", "-qD", "mine")
    checkout.remove(nested, folder, "ada")
    assert not folder.exists()


def test_uncommitted_work_in_a_submodule_is_a_change(nested: Path):
    folder = furnished(nested)
    (folder / "lib/out/in/inner-file").write_text("changed")
    (folder / "lib/out/new").write_text("new")
    assert state_of(folder).changed == ("lib/out/in/inner-file", "lib/out/new")


@pytest.fixture
def secret(nested: Path) -> Path:
    """A repository of the user's, elsewhere; a link in the tree leads there."""
    place = nested.parent / "elsewhere" / "secret"
    subprocess.run(["git", "init", "-q", "-b", "main", str(place)], check=True)
    commit(place, "told")
    (nested / "link").symlink_to(place.parent)
    return place


def listing(tree: Path, name: str, path: str, named: str) -> None:
    """Commit that a tree has a submodule, whatever stands there."""
    git(tree, "config", "-f", ".gitmodules", f"submodule.{name}.path", path)
    git(tree, "config", "-f", ".gitmodules", f"submodule.{name}.url", "./none")
    git(tree, "add", ".gitmodules")
    git(tree, "update-index", "--add", "--cacheinfo", f"160000,{named},{path}")
    git(tree, "commit", "-qm", path)


@pytest.mark.requirement("GUARD-20")
@pytest.mark.parametrize("led_by", ["its name", "a link"])
def test_no_submodule_is_filled_from_a_repository_elsewhere(
    nested: Path, secret: Path, led_by: str
):
    bare = secret.with_name("bare")
    git(secret, "clone", "-q", "--bare", str(secret), str(bare))
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    name, path = (str(bare), "mine") if led_by == "its name" else ("mine", "link/secret")
    listing(folder, name, path, git(secret, "rev-parse", "HEAD"))
    (folder / path).mkdir(parents=True)
    furnish(nested, folder, CheckoutPlan(), Terms())
    assert not (folder / path / "told").exists()


@pytest.mark.requirement("GUARD-20")
def test_no_submodule_inside_another_is_filled_through_a_link(nested: Path, secret: Path):
    outer = nested / "lib" / "out"
    listing(outer, "mine", "secret", git(secret, "rev-parse", "HEAD"))
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    git(folder, "rm", "-q", "--cached", "lib/out")
    listing(folder, "lib/out", "link", git(outer, "rev-parse", "HEAD"))
    (folder / "link").mkdir()
    assert furnish(nested, folder, CheckoutPlan(), Terms()).missing == ("link/secret",)
    assert (folder / "link" / "outer-file").exists()
    assert not (folder / "link" / "secret" / "told").exists()


@needs("landlock", "mounts")
@pytest.mark.requirement("GUARD-20")
def test_a_command_in_a_submodules_settings_writes_no_more_than_the_member(nested: Path):
    folder = furnished(nested)
    modules, tried = folder / ".git/modules/lib/out", ("tried", ".claude/x", ".git/hooks/x")
    wished = "; ".join(f"touch {folder}/{name}" for name in tried)
    git(folder / "lib/out", "config", "filter.x.smudge", f"{wished}; cat")
    (modules / "info").mkdir(exist_ok=True)
    (modules / "info/attributes").write_text("* filter=x\n")
    commit(nested / "lib/out", "newer")
    git(nested, "commit", "-qam", "newer")
    checkout.start_from(nested, folder, "ada", git(nested, "rev-parse", "HEAD"))
    assert [name for name in tried if (folder / name).exists()] == ["tried"]


@pytest.mark.requirement("RUN-05", "RUN-14")
def test_what_is_committed_in_submodules_is_there_for_whoever_has_the_work(nested: Path):
    folder = furnished(nested)
    mine = worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    bring_back(nested, folder, work)
    shutil.rmtree(folder)
    for copy in ("lib/out", "lib/out/in"):
        git(nested / copy, "prune", "--expire=now")
    git(nested, "merge", "-q", work)
    brook = furnished(nested, "brook")
    assert git(brook / "lib" / "out" / "in", "rev-parse", "HEAD") == mine


def test_a_submodule_the_repository_has_no_copy_of_stays_where_it_is(nested: Path):
    folder = furnished(nested)
    mine = worked(folder)
    git(nested, "submodule", "--quiet", "deinit", "--force", "--all")
    (nested / ".git" / "modules").rename(nested.parent / "modules-gone")
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    bring_back(nested, folder, work)
    assert git(folder / "lib" / "out" / "in", "rev-parse", "HEAD") == mine
    with pytest.raises(Refused, match="lib/out"):
        checkout.remove(nested, folder, "ada")


@pytest.mark.requirement("RUN-05", "RUN-14")
def test_what_a_submodule_leaves_keeps_a_name_when_a_task_moves_it(nested: Path):
    folder = furnished(nested)
    before = git(nested, "rev-parse", "HEAD")
    mine = worked(folder)
    fetch(nested, folder, "ada")
    checkout.start_from(nested, folder, "ada", before)
    inner = folder / "lib" / "out" / "in"
    assert git(inner, "rev-parse", "HEAD") != mine
    assert git(inner, "for-each-ref", f"--contains={mine}")
    with pytest.raises(Refused, match="lib/out/in"):
        checkout.remove(nested, folder, "ada")


def test_what_a_submodule_leaves_has_no_second_name(nested: Path):
    folder = furnished(nested)
    commit(nested / "lib" / "out", "newer")
    git(nested, "commit", "-qam", "newer")
    checkout.start_from(nested, folder, "ada", git(nested, "rev-parse", "HEAD"))
    assert git(folder / "lib" / "out", "for-each-ref", "refs/left") == ""


@pytest.mark.requirement("RUN-05", "RUN-14")
def test_what_the_work_names_comes_back_wherever_its_submodule_stands_by_then(nested: Path):
    folder = furnished(nested)
    mine = worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    git(folder / "lib" / "out" / "in", "switch", "-q", "--detach", "HEAD~1")
    bring_back(nested, folder, work)
    assert git(nested / "lib" / "out" / "in", "for-each-ref", f"--contains={mine}")


def test_what_came_without_a_name_before_gets_one(nested: Path):
    folder = furnished(nested)
    mine = worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    inner = ("lib", "out", "in")
    git(nested.joinpath(*inner), "fetch", "-q", str(folder.joinpath(*inner)), "HEAD")
    bring_back(nested, folder, work)
    assert git(nested.joinpath(*inner), "for-each-ref", f"--contains={mine}")


def test_a_submodule_that_may_be_shallow_comes_whole_and_its_work_back(nested: Path):
    git(nested, "config", "-f", ".gitmodules", "submodule.lib/out.shallow", "true")
    git(nested, "commit", "-qam", "shallow")
    folder = furnished(nested)
    assert git(folder / "lib" / "out", "rev-parse", "--is-shallow-repository") == "false"
    worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    bring_back(nested, folder, work)
    named = git(folder / "lib" / "out", "rev-parse", "HEAD")
    assert git(nested / "lib" / "out", "for-each-ref", f"--contains={named}")


def test_work_comes_back_and_is_known_of_where_the_user_has_no_files_of_the_submodule(nested: Path):
    folder = furnished(nested)
    worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    shutil.rmtree(nested / "lib" / "out")
    bring_back(nested, folder, work)
    checkout.remove(nested, folder, "ada")
    assert not folder.exists()


@pytest.mark.requirement("GUARD-20")
def test_nothing_is_brought_into_a_repository_that_is_no_submodule(nested: Path):
    other = nested / "vendor" / "big"
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True)
    commit(other, "first")
    folder = furnished(nested)
    git(folder, *FREELY, "submodule", "--quiet", "add", str(other), "vendor/big")
    commit(folder / "vendor" / "big", "mine")
    git(folder, "add", "vendor/big")
    git(folder, "commit", "-qm", "mine")
    bring_back(nested, folder, fetch(nested, folder, "ada")["drumline/ada/work"])
    assert git(other, "for-each-ref", "refs/fetched") == ""


def test_what_the_user_has_anyway_is_fetched_from_nobody(nested: Path):
    folder = furnished(nested)
    commit(folder, "mine")
    bring_back(nested, folder, fetch(nested, folder, "ada")["drumline/ada/work"])
    assert git(nested / "lib" / "out", "for-each-ref", "refs/fetched") == ""


def test_work_comes_back_into_a_copy_that_lies_in_the_tree_as_once(nested: Path):
    outer = nested / "lib" / "out"
    git(outer, "config", "--unset", "core.worktree")
    (outer / ".git").unlink()
    (nested / ".git" / "modules" / "lib" / "out").rename(outer / ".git")
    folder = nested.parent / "ada"
    checkout.clone(nested, folder, "ada")
    furnish(nested, folder, CheckoutPlan(), Terms())
    mine = commit(folder / "lib" / "out", "mine")
    git(folder, "commit", "-qam", "mine")
    bring_back(nested, folder, fetch(nested, folder, "ada")["drumline/ada/work"])
    assert git(outer, "for-each-ref", f"--contains={mine}")


def test_work_comes_back_into_the_copy_of_the_linked_tree_the_user_works_in(nested: Path):
    linked = nested.parent / "linked"
    git(nested, "worktree", "add", "-q", str(linked))
    git(linked, "config", "submodule.lib/out.url", str(nested / ".git" / "modules" / "lib" / "out"))
    git(linked, *FREELY, "submodule", "--quiet", "update", "--init", "lib/out")
    folder = nested.parent / "ada"
    checkout.clone(linked, folder, "ada")
    furnish(linked, folder, CheckoutPlan(), Terms())
    mine = commit(folder / "lib" / "out", "mine")
    git(folder, "commit", "-qam", "mine")
    bring_back(linked, folder, fetch(linked, folder, "ada")["drumline/ada/work"])
    assert git(linked / "lib" / "out", "for-each-ref", f"--contains={mine}")


def test_a_folder_that_is_listed_as_a_submodule_is_none(nested: Path):
    folder = furnished(nested)
    git(folder, "config", "-f", ".gitmodules", "submodule.lib.path", "lib")
    git(folder, "commit", "-qam", "lib")
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    bring_back(nested, folder, work)
    assert git(nested, "for-each-ref", "refs/fetched") == ""


def test_a_list_of_submodules_that_cannot_be_read_is_refused(nested: Path):
    folder = furnished(nested)
    (folder / ".gitmodules").write_text("[submodule")
    git(folder, "commit", "-qam", "broken")
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    with pytest.raises(Refused, match="gitmodules"):
        bring_back(nested, folder, work)


def test_a_copy_of_the_users_that_is_damaged_is_the_users_to_mend(nested: Path):
    folder = furnished(nested)
    worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    (nested / ".git" / "modules" / "lib" / "out" / "HEAD").unlink()
    with pytest.raises(InTheWay, match="lib/out"):
        bring_back(nested, folder, work)
    assert git(nested, "for-each-ref", "refs/fetched") == ""


def test_a_commit_nobody_has_is_refused_with_its_submodule(nested: Path):
    folder = furnished(nested)
    git(folder, "update-index", "--cacheinfo", f"160000,{'1' * 40},lib/out")
    git(folder, "commit", "-qm", "nowhere")
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    with pytest.raises(Refused, match="lib/out") as told:
        bring_back(nested, folder, work)
    assert "check out a commit in it that others have" in told.value.next


@pytest.mark.requirement("GUARD-20")
@pytest.mark.parametrize("inside", ["", "lib/out"])
def test_nothing_is_unpacked_from_a_bundle_in_place_of_a_repository(nested: Path, inside: str):
    folder = furnished(nested)
    mine = worked(folder)
    work = fetch(nested, folder, "ada")["drumline/ada/work"]
    made = nested.parent / "made"
    git(folder / inside, "bundle", "create", "-q", str(made), "HEAD", "--all")
    kept = folder / inside / ".git"
    kept.rename(nested.parent / "gone")
    shutil.copy(made, kept)
    with pytest.raises(Refused):
        bring_back(nested, folder, work) if inside else fetch(nested, folder, "ada")
    assert mine not in git(nested / "lib" / "out", "for-each-ref")
