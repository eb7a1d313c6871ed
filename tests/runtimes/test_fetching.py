"""A member's branches arrive in the repository; nothing else of its checkout does, whatever it holds."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from drumline.errors import BadInput, Refused
from drumline.runtimes import checkout
from drumline.runtimes.fetching import Bounds, fetch, fetch_current
from tests.runtimes.cell import needs, tree
from tests.runtimes.clones import ada, commit, git, naming, original, waits_for_ever

__all__ = ["ada", "original"]  # fixtures of the folder


def references(repository: Path, *but: str) -> set[str]:
    """Every reference with what it names, but for those below some names."""
    told = git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return {line for line in told if not line.startswith(but or ("-",))}


def evil(folder: Path, *touched: Path) -> Path:
    """A program that writes where it must not, and then does nothing more."""
    program = folder / "evil"
    program.write_text(
        "#!/bin/sh\n" + "".join(f"touch {path}\n" for path in touched) + 'exec "$@"\n'
    )
    program.chmod(0o755)
    return program


def test_the_members_branches_are_brought_with_their_commits(original: Path, ada: Path):
    work = commit(ada, "mine")
    git(ada, "switch", "-qc", "drumline/ada/side")
    side = commit(ada, "more")
    assert fetch(original, ada, "ada") == {"drumline/ada/side": side, "drumline/ada/work": work}
    assert git(original, "rev-parse", "drumline/ada/work", "drumline/ada/side") == f"{work}\n{side}"
    assert git(original, "fsck", "--connectivity-only", "--no-dangling") == ""


def test_only_what_is_new_is_carried(original: Path, ada: Path):
    before = set((original / ".git" / "objects").rglob("*"))
    commit(ada, "mine", "new\n")
    fetch(original, ada, "ada")
    new = [path for path in (original / ".git" / "objects").rglob("*") if path not in before]
    assert sum(path.is_file() for path in new) == 3  # a commit, a tree and a file


def test_no_other_name_is_brought(original: Path, ada: Path):
    commit(ada, "mine")
    for name in ("refs/heads/main", "refs/heads/drumline/brook/work", "refs/heads/drumline/merged"):
        git(ada, "update-ref", name, "HEAD")
    git(ada, "tag", "v1")
    git(ada, "update-ref", "refs/replace/" + git(ada, "rev-parse", "HEAD~1"), "HEAD")
    own = "refs/heads/drumline/ada/"
    before = references(original, own)
    fetch(original, ada, "ada")
    assert references(original, own) == before
    assert not (original / ".git" / "FETCH_HEAD").exists()


def test_a_rewritten_branch_is_brought_as_it_is_now(original: Path, ada: Path):
    commit(ada, "mine")
    fetch(original, ada, "ada")
    git(ada, "reset", "-q", "--hard", "HEAD~1")
    again = commit(ada, "other")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": again}
    assert git(original, "rev-parse", "drumline/ada/work") == again


def test_a_branch_the_member_deleted_stays_in_the_repository(original: Path, ada: Path):
    git(original, "config", "fetch.prune", "true")
    work = commit(ada, "mine")
    fetch(original, ada, "ada")
    git(ada, "switch", "-qc", "drumline/ada/other")
    git(ada, "branch", "-qD", "drumline/ada/work")
    assert fetch(original, ada, "ada") == {"drumline/ada/other": work}
    assert git(original, "rev-parse", "drumline/ada/work") == work


HOSTILE = {
    "a hook for packing": ("uploadpack.packObjectsHook", "{evil}"),
    "a watcher of files": ("core.fsmonitor", "{evil}"),
    "a command for alternates": ("core.alternateRefsCommand", "{evil}"),
    "a partial clone": ("remote.origin.uploadpack", "{evil}"),
    "hooks elsewhere": ("core.hooksPath", "{folder}"),
}


@needs("landlock")
@pytest.mark.parametrize("way", HOSTILE)
def test_no_setting_of_a_checkout_writes_outside(original: Path, ada: Path, tmp_path: Path, way):
    place = tmp_path.resolve()
    outside = place / "outside"
    outside.mkdir()
    program = evil(place, outside / "reached", original / "reached", ada / "reached")
    name, value = HOSTILE[way]
    git(ada, "config", name, value.format(evil=program, folder=place))
    work = commit(ada, "mine", "mine\n")
    for path in (outside / "reached", original / "reached", ada / "reached"):
        path.unlink(missing_ok=True)  # the commit above ran it too, and was not confined
    own = "refs/heads/drumline/ada/"
    before = references(original, own), tree(original / ".git" / "hooks")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": work}
    assert (references(original, own), tree(original / ".git" / "hooks")) == before
    assert list(outside.iterdir()) == []
    assert not (original / "reached").exists()
    assert not (ada / "reached").exists()


@needs("landlock")
def test_what_reads_a_checkout_can_write_nothing(original: Path, ada: Path, monkeypatch):
    """Where git would read the checkout another program stands, and tries to write."""
    place = ada.parent
    commit(ada, "mine")
    shim = place / "bin" / "git"
    shim.parent.mkdir()
    shim.write_text(
        '#!/bin/sh\ncase " $* " in *" fetch "*|*" init "*|*rev-parse*) ;; *upload-pack*)\n'
        f"for path in {place}/reached {ada}/reached {original}/.git/refs/heads/reached; do\n"
        "touch $path || echo held >&2\ndone; exit 1;; esac\n"
        f'exec {shutil.which("git")} "$@"\n'
    )
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent), prepend=":")
    with pytest.raises(Refused) as refused:
        fetch(original, ada, "ada")
    assert refused.value.why.count("held") == 3
    assert [*place.rglob("reached"), *original.rglob("reached")] == []


def test_alternates_that_lead_elsewhere_move_nothing(original: Path, ada: Path, tmp_path: Path):
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True)
    theirs = commit(other, "theirs")
    with (ada / ".git/objects/info/alternates").open("a") as file:
        file.write(f"{other}/.git/objects\n")
    git(ada, "update-ref", "refs/heads/main", theirs)
    work = commit(ada, "mine")
    before = references(original, "refs/heads/drumline/ada/")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": work}
    assert references(original, "refs/heads/drumline/ada/") == before


def test_a_damaged_object_is_not_taken(original: Path, ada: Path):
    blob = git(ada, "rev-parse", "HEAD:first")
    listed = f"100644 blob {blob}\t.git\n"
    made = subprocess.run(
        ["git", "-C", str(ada), "mktree"], input=listed, capture_output=True, text=True, check=False
    )
    if made.returncode:  # a newer git makes none by this way
        pytest.skip(made.stderr)
    bad = git(ada, "commit-tree", "-m", "bad", made.stdout.strip())
    git(ada, "update-ref", "refs/heads/drumline/ada/bad", bad)
    with pytest.raises(Refused, match="cannot be fetched") as refused:
        fetch(original, ada, "ada")
    assert "hasDotgit" in refused.value.why
    assert git(original, "for-each-ref", "refs/heads/drumline") == ""


def test_more_than_the_bound_is_not_taken_and_leaves_nothing(original: Path, ada: Path):
    (ada / "large").write_bytes(os.urandom(3 << 20))
    git(ada, "add", "large")
    git(ada, "commit", "-qm", "large")
    before = tree(original / ".git")
    with pytest.raises(Refused) as refused:
        fetch(original, ada, "ada", bounds=Bounds(most=1 << 20))
    assert "too large" in refused.value.why.lower()
    assert tree(original / ".git") == before
    assert list(ada.parent.glob(".ada.landing-*")) == []
    assert fetch(original, ada, "ada", bounds=Bounds(most=8 << 20))


def test_a_checkout_that_never_answers_is_given_up_and_nobody_waits_on(original: Path, ada: Path):
    commit(ada, "mine")
    waits_for_ever(ada)
    with pytest.raises(Refused) as refused:
        fetch(original, ada, "ada", bounds=Bounds(seconds=1.0))
    assert "time was over" in refused.value.why
    assert naming(ada) == []


def test_too_many_branches_are_refused(original: Path, ada: Path):
    lines = "".join(f"create refs/heads/drumline/ada/b{n} HEAD\n" for n in range(201))
    subprocess.run(
        ["git", "-C", str(ada), "update-ref", "--stdin"], input=lines, text=True, check=True
    )
    with pytest.raises(Refused, match="202 branches"):
        fetch(original, ada, "ada")
    assert git(original, "for-each-ref", "refs/heads/drumline") == ""


def test_a_history_that_is_cut_is_fetched_into_as_well(original: Path, tmp_path: Path):
    commit(original, "second")
    shallow, folder = tmp_path.resolve() / "shallow", tmp_path.resolve() / "brook"
    subprocess.run(["git", "clone", "-q", "--depth=1", original.as_uri(), str(shallow)], check=True)
    checkout.clone(shallow, folder, "brook")
    work = commit(folder, "mine")
    assert fetch(shallow, folder, "brook") == {"drumline/brook/work": work}
    assert git(shallow, "log", "--format=%s", "drumline/brook/work") == "mine\nsecond"


def test_a_member_without_a_proper_name_is_refused(original: Path, ada: Path):
    for name in ("*", "../main", ""):
        with pytest.raises(BadInput):
            fetch(original, ada, name)


def test_a_branch_that_a_person_stands_on_is_kept_aside_until_it_is_free(original: Path, ada: Path):
    first = commit(ada, "mine")
    fetch(original, ada, "ada")
    git(original, "switch", "-q", "drumline/ada/work")
    second = commit(ada, "more")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": second}
    assert git(original, "rev-parse", "HEAD", "refs/fetched/drumline/ada/work") == (
        f"{first}\n{second}"
    )
    assert git(original, "status", "--porcelain") == ""
    checkout.start_from(original, ada, "ada", first)  # what was kept aside is not lost
    git(original, "switch", "-q", "main")
    third = commit(ada, "most")
    fetch(original, ada, "ada")
    assert git(original, "rev-parse", "drumline/ada/work") == third
    assert git(original, "for-each-ref", "refs/fetched") == ""


def test_while_a_branch_of_the_users_is_in_the_way_all_are_kept_aside(original: Path, ada: Path):
    git(original, "branch", "drumline")
    work = commit(ada, "mine")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": work}
    assert git(original, "rev-parse", "refs/fetched/drumline/ada/work") == work
    git(original, "branch", "-m", "drumline", "another")
    fetch(original, ada, "ada")
    assert git(original, "rev-parse", "drumline/ada/work") == work
    assert git(original, "for-each-ref", "refs/fetched") == ""


def test_one_branch_is_brought_though_another_is_broken(original: Path, ada: Path):
    work = commit(ada, "mine")
    inner = bytes.fromhex(git(ada, "rev-parse", "HEAD^{tree}"))
    made = subprocess.run(
        ["git", "hash-object", "-w", "--literally", "-t", "tree", "--stdin"],
        cwd=ada,
        input=b"40000 .git\0" + inner,
        capture_output=True,
        check=True,
    )
    broken = git(ada, "commit-tree", made.stdout.decode().strip(), "-p", "HEAD", "-m", "x")
    git(ada, "update-ref", "refs/heads/drumline/ada/broken", broken)
    with pytest.raises(Refused, match=r"drumline/ada/\* cannot be fetched"):
        fetch(original, ada, "ada")
    assert fetch(original, ada, "ada", only="work") == {"drumline/ada/work": work}


def test_a_branch_that_git_has_no_name_for_here_is_kept_aside(original: Path, ada: Path):
    fetch(original, ada, "ada")
    git(ada, "branch", "-m", "drumline/ada/work/parser")
    new = commit(ada, "mine")
    assert fetch(original, ada, "ada") == {"drumline/ada/work/parser": new}
    assert git(original, "for-each-ref", "--format=%(refname)", "--contains", new) == (
        f"refs/fetched/{new}"
    )


def test_the_commit_a_checkout_stands_at_is_brought_whatever_names_it(original: Path, ada: Path):
    git(ada, "switch", "-q", "--detach")
    new = commit(ada, "mine")
    assert fetch_current(original, ada) == new
    assert git(original, "rev-parse", f"refs/fetched/{new}") == new
