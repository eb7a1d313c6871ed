"""What members made is merged into the team's branch, and nothing of the user's own tree moves."""

import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest

from drumline.errors import Conflict, InTheWay, Refused, Unknown
from drumline.runtimes import checkout
from drumline.runtimes.beside import alone, in_turn
from drumline.runtimes.fetching import fetch
from drumline.runtimes.merging import MERGED, Author, Conflicted, Disapproved, Merged, Work, merge
from tests.runtimes.cell import tree
from tests.runtimes.clones import ada, commit, git, original

__all__ = ["ada", "original"]  # fixtures of the folder

ADA = Author("ada", "ada@example.com")


def handed_in(original: Path, folder: Path, name: str, text: str = "text\n") -> str:
    """A commit of a member, fetched."""
    made = commit(folder, name, text)
    fetch(original, folder, folder.name)
    return made


def merged(original: Path, made: str, message: str = "T-1") -> str:
    done = merge(original, Work(made, message, ADA))
    assert isinstance(done, Merged), done
    return done.commit


def test_a_merge_holds_both_sides_and_says_whose_work_it_is(original: Path, ada: Path):
    start, made = git(original, "rev-parse", "HEAD"), handed_in(original, ada, "mine")
    tip = merged(original, made, "T-1: what ada made\n\nMore words, ü.")
    assert git(original, "rev-parse", MERGED) == tip
    assert git(original, "log", "-1", "--format=%P|%an|%ae|%cn|%s|%b", tip) == (
        f"{start} {made}|ada|ada@example.com|drumline|T-1: what ada made|More words, ü."
    )
    assert git(original, "ls-tree", "--name-only", tip) == "first\nmine"


def test_results_of_two_members_meet(original: Path, ada: Path):
    brook = ada.with_name("brook")
    checkout.clone(original, brook, "brook")
    merged(original, handed_in(original, ada, "mine"))
    tip = merged(original, handed_in(original, brook, "theirs"))
    assert git(original, "ls-tree", "--name-only", tip) == "first\nmine\ntheirs"


def test_what_is_merged_already_changes_nothing(original: Path, ada: Path):
    made = handed_in(original, ada, "mine")
    tip = merged(original, made)
    before = tree(original / ".git")
    assert merged(original, made) == tip
    assert merged(original, git(original, "rev-parse", "HEAD")) == tip
    assert tree(original / ".git") == before


def test_the_branch_begins_at_the_repositorys_own_commit(original: Path):
    start = git(original, "rev-parse", "HEAD")
    assert merged(original, start) == start
    assert git(original, "rev-parse", MERGED) == start


def test_a_conflict_names_the_files_and_moves_nothing(original: Path, ada: Path):
    brook = ada.with_name("brook")
    checkout.clone(original, brook, "brook")
    tip = merged(original, handed_in(original, ada, "first", "ada's\n"))
    other = handed_in(original, brook, "first", "brook's\n")
    assert merge(original, Work(other, "T-2", ADA)) == Conflicted(("first",))
    assert git(original, "rev-parse", MERGED) == tip


def test_the_users_tree_index_and_branch_stay_as_they_are(original: Path, ada: Path):
    made = handed_in(original, ada, "first", "ada's\n")
    (original / "first").write_text("being edited\n")
    (original / "staged").write_text("staged\n")
    git(original, "add", "staged")
    (original / "untracked").write_text("untracked\n")
    git(original, "switch", "-q", "-c", "topic")
    hook = original / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {original}/hooked\n")
    hook.chmod(0o755)
    before = {name: text for name, text in tree(original).items() if not name.startswith(".git/")}
    own = [(original / ".git" / name).read_bytes() for name in ("HEAD", "index")]
    merged(original, made)
    after = {name: text for name, text in tree(original).items() if not name.startswith(".git/")}
    assert after == before
    assert [(original / ".git" / name).read_bytes() for name in ("HEAD", "index")] == own


def test_a_branch_that_is_checked_out_is_not_moved_under_its_user(original: Path, ada: Path):
    merged(original, git(original, "rev-parse", "HEAD"))
    made = handed_in(original, ada, "mine")
    git(original, "switch", "-q", "drumline/merged")
    with pytest.raises(Conflict, match="checked out") as refused:
        merge(original, Work(made, "T-1", ADA))
    git(original, *refused.value.next.split()[3:])
    merged(original, made)
    assert git(original, "status", "--porcelain") == ""


MERGE = """
import sys
sys.path[:0] = {path!r}
from pathlib import Path
from drumline.runtimes.merging import Author, Work, merge
for commit in sys.argv[2:]:
    merge(Path(sys.argv[1]), Work(commit, commit, Author("ada", "ada@example.com")))
"""


def fetched_branches(original: Path, ada: Path, many: int) -> list[str]:
    """Commits that lie beside each other, each with a file of its own."""
    made = []
    for number in range(many):
        git(ada, "switch", "-qc", f"drumline/ada/{number}", "origin/main")
        made.append(commit(ada, f"file-{number}"))
    fetch(original, ada, "ada")
    return made


def test_many_who_merge_at_once_lose_nothing(original: Path, ada: Path):
    made = fetched_branches(original, ada, 12)
    words = [sys.executable, "-c", MERGE.format(path=sys.path), str(original)]
    each = [subprocess.Popen([*words, *made[first::4]]) for first in range(4)]
    assert [one.wait(timeout=120) for one in each] == [0] * 4
    assert git(original, "ls-tree", "--name-only", MERGED).count("file-") == 12
    assert git(original, "rev-list", "--count", "--merges", MERGED) == "12"


def test_who_was_late_merges_in_turn_and_approves_only_once_more(original: Path, ada: Path):
    made = fetched_branches(original, ada, 6)
    all_at_once, seen = Barrier(len(made), timeout=60), Counter[str]()

    def merge_one(mine: str) -> None:
        def approve(_new: str, _base: str) -> bool:
            seen[mine] += 1
            if seen[mine] == 1:
                all_at_once.wait()
            return True

        merge(original, Work(mine, mine, ADA), approve=approve, turn=partial(alone, ada))

    with ThreadPoolExecutor(len(made)) as pool:
        list(pool.map(merge_one, made))
    assert sorted(seen.values()) == [1, 2, 2, 2, 2, 2]
    assert git(original, "rev-list", "--count", "--merges", MERGED) == "6"


def test_who_waits_for_its_turn_in_vain_goes_on_beside_the_others(ada: Path):
    with alone(ada), in_turn(ada, seconds=0.1):
        pass
    with in_turn(ada, seconds=60), pytest.raises(BlockingIOError), alone(ada, wait=False):
        pass


def test_histories_with_nothing_in_common_are_refused(original: Path, ada: Path):
    git(ada, "switch", "-q", "--orphan", "drumline/ada/alone")
    made = handed_in(original, ada, "mine")
    with pytest.raises(Refused, match="cannot be merged") as refused:
        merge(original, Work(made, "T-1", ADA))
    assert "unrelated" in refused.value.why


def test_a_commit_nobody_fetched_cannot_be_merged(original: Path, ada: Path):
    made = commit(ada, "mine")
    with pytest.raises(Unknown):
        merge(original, Work(made, "T-1", ADA))


def test_an_old_git_is_refused_in_words(original: Path, tmp_path: Path, monkeypatch):
    start = git(original, "rev-parse", "HEAD")
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho git version 2.37.9\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent), prepend=":")
    with pytest.raises(Refused, match="cannot merge") as refused:
        merge(original, Work(start, "T-1", ADA))
    assert "2.38" in refused.value.next


@pytest.mark.requirement("BOARD-12")
def test_a_merge_nobody_approves_of_moves_nothing(original: Path, ada: Path):
    before = merged(original, handed_in(original, ada, "one"))
    seen: list[str] = []

    def refuse(commit: str, base: str) -> bool:
        assert base == before
        seen.append(commit)
        return False

    found = merge(original, Work(handed_in(original, ada, "two"), "T-2", ADA), approve=refuse)
    assert found == Disapproved(seen[0])
    assert git(original, "rev-parse", MERGED) == before


@pytest.mark.requirement("RUN-05")
def test_a_branch_of_the_users_that_is_in_the_way_is_named(original: Path, ada: Path):
    git(original, "branch", "drumline")
    with pytest.raises(InTheWay) as refused:
        merge(original, Work(handed_in(original, ada, "mine"), "T-1", ADA))
    assert "branch -m drumline" in refused.value.next


@pytest.mark.requirement("RUN-05")
def test_whoever_approves_sees_what_its_own_merge_stands_on_whoever_else_merges(
    original: Path, ada: Path
):
    mine, other = handed_in(original, ada, "mine"), handed_in(original, ada, "other")
    tip = merged(original, mine)
    seen: list[tuple[str, str]] = []

    def approve(commit: str, base: str) -> bool:
        merged(original, other)
        seen.append((commit, base))
        return True

    assert merge(original, Work(mine, "T-1", ADA), approve=approve) == Merged(tip)
    assert seen == [(tip, tip)]


def test_a_git_that_is_too_old_is_refused_until_it_is_another(
    original: Path, tmp_path, monkeypatch
):
    work = Work(git(original, "rev-parse", "HEAD"), "T-1", ADA)
    real, ours = shutil.which("git"), tmp_path / "git"
    ours.write_text("#!/bin/sh\necho git version 2.30.2\n")
    ours.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(Refused, match="this git cannot merge without a working tree"):
        merge(original, work)
    ours.write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    assert isinstance(merge(original, work), Merged)
