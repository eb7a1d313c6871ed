"""What was handed in is verified by us: on that commit, confined, within its time."""

import os
import sys
from pathlib import Path

import pytest

from drumline.errors import BadInput, Refused, Unknown
from drumline.runtimes.project_command import Terms
from drumline.runtimes.verifying import Check, verify, verify_merged
from drumline.team.checkout_plan import CheckoutPlan
from drumline.team.confinement import Confinement
from tests.runtimes.cell import needs, tree
from tests.runtimes.clones import (
    ada,
    commit,
    eventually,
    git,
    original,
    runner_of,
    running,
    seconds_of_its_own,
)
from tests.team.made_up import TOKEN

__all__ = ["ada", "original"]  # fixtures of the folder


def sh(folder: Path, script: str, **terms):
    """Verify the commit a checkout is at with a script."""
    check = Check(["sh", "-c", script], git(folder, "rev-parse", "HEAD"))
    return verify(check, folder, Terms(**terms))


def test_what_ends_well_passes(ada: Path):
    done = sh(ada, "test -f first && echo fine")
    assert (done.passed, done.code, done.tail) == (True, 0, "fine")
    assert done.seconds > 0


def test_what_fails_does_not_and_its_last_words_are_kept(ada: Path):
    done = sh(ada, "echo out; echo err >&2; exit 3")
    assert (done.passed, done.code, done.tail) == (False, 3, "out\nerr")


def test_a_command_that_is_not_there_does_not_pass(ada: Path):
    done = verify(Check(["no-such-command"], git(ada, "rev-parse", "HEAD")), ada, Terms())
    assert not done.passed
    assert done.code in {126, 127}  # as a shell says it: one on the path could not be looked at


def test_no_words_are_refused(ada: Path):
    with pytest.raises(BadInput):
        verify(Check([], git(ada, "rev-parse", "HEAD")), ada, Terms())


@needs("landlock")
def test_the_members_code_writes_only_in_the_checkout(original: Path, ada: Path, tmp_path: Path):
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    before = tree(original)
    script = f"! touch {outside}/x && ! touch {original}/x && touch $HOME/x $TMPDIR/x"
    assert sh(ada, script).passed
    assert list(outside.iterdir()) == []
    assert tree(original) == before
    more = Confinement(writable=[str(outside)])
    assert sh(ada, f"touch {outside}/x", confinement=more).passed


@needs("landlock", "mounts")
def test_what_stays_the_leads_stays_so_while_verifying(ada: Path):
    assert sh(ada, "! touch .claude/x && ! touch .git/hooks/x && ! git config a.b c").passed


def test_no_variable_of_ours_is_seen_inside(ada: Path, monkeypatch):
    monkeypatch.setenv("MY_SETTING", "ours")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "ours")
    done = sh(ada, "env", variables={"GIVEN": "yes", "SOME_TOKEN": "never"})
    names = {line.partition("=")[0] for line in done.tail.splitlines()}
    assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "GIVEN"}  # fmt: skip


def test_at_its_time_limit_it_ends_with_all_it_started(ada: Path):
    long = seconds_of_its_own()
    stubborn = f"sh -c 'trap \"\" TERM HUP INT; while :; do sleep {long}; done' &"
    done = sh(ada, f"{stubborn} echo begun; sleep {long}", seconds=2.0)
    assert (done.passed, done.code) == (False, 124)
    assert done.tail == "begun\ndrumline: ended after 2 s, its time was over"
    assert done.seconds < 20
    gone(long)


LEFT = {"in its group": "", "in a session of its own": "setsid "}


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("way", LEFT)
def test_what_it_leaves_running_ends_with_it(ada: Path, way):
    long = seconds_of_its_own()
    begun = f"{LEFT[way]}sh -c 'echo > .git/left; exec sleep {long}'"
    done = sh(ada, f"{begun} & while ! test -s .git/left; do :; done; echo done", seconds=60.0)
    assert (done.passed, done.tail) == (True, "done")
    assert done.seconds < 30
    gone(long)


@pytest.mark.requirement("RUN-07")
def test_it_ends_with_whoever_runs_it(ada: Path):
    long = seconds_of_its_own()
    words = ["sh", "-c", f"setsid sleep {long} & exec sleep {long}"]
    with runner_of(f"run_command({words!r}, Path({str(ada)!r}), Terms())") as runner:
        eventually(lambda: running(long)[1:])
        runner.kill()
        gone(long)


@needs("processes")
@pytest.mark.requirement("RUN-07")
def test_a_check_sees_no_process_but_its_own(ada: Path):
    assert sh(ada, f"! test -e /proc/{os.getpid()} && test -e /proc/1").passed


def test_no_link_is_followed_when_it_is_tidied_up(ada: Path, tmp_path: Path):
    """As Python itself did before 3.11.8, where a folder does not let go of what is in it."""
    other = tmp_path / "other"
    other.write_text("mine")
    other.chmod(0o640)
    left = (
        "mkdir $TMPDIR/shut && ln -s {} $TMPDIR/shut/link && chmod 500 $TMPDIR/shut && echo $TMPDIR"
    )
    done = sh(ada, left.format(other))
    assert done.passed
    assert not Path(done.tail).exists()
    assert other.stat().st_mode & 0o777 == 0o640


def gone(word: str) -> None:
    eventually(lambda: [] if running(word) else [Path()])


def test_of_endless_output_the_end_is_kept(ada: Path):
    done = sh(ada, "yes padding | head -c 5000000; echo the end")
    assert done.passed
    assert len(done.tail) == 4_000
    assert done.tail.endswith("\nthe end")


def test_secrets_and_escapes_do_not_get_into_the_tail(ada: Path):
    done = sh(ada, f"printf '\\033[31mred\\033[0m\\rkey {TOKEN}\\a\\n'")
    assert TOKEN not in done.tail
    assert done.tail == "red\nkey [redacted]"


NOT_THE_COMMIT = {
    "another commit": "git commit -q --allow-empty -m more",
    "a changed file": "echo x > first",
    "a new file": "echo x > new",
    "a hidden change": "git update-index --assume-unchanged first; echo x > first",
}
IDENTIFIED = (
    "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a; "
)


@pytest.mark.parametrize("way", NOT_THE_COMMIT)
def test_only_the_commit_handed_in_is_verified(ada: Path, way):
    check = Check(["sh", "-c", "touch .git/ran"], git(ada, "rev-parse", "HEAD"))
    assert os.system(f"cd {ada} && {IDENTIFIED} {NOT_THE_COMMIT[way]}") == 0  # noqa: S605
    with pytest.raises(Refused, match=r"not at|not clean"):
        verify(check, ada, Terms())
    assert not (ada / ".git" / "ran").exists()


@pytest.mark.parametrize("way", NOT_THE_COMMIT)
def test_nor_does_it_pass_when_it_changed_meanwhile(ada: Path, way):
    with pytest.raises(Refused, match=r"not at|not clean") as refused:
        sh(ada, IDENTIFIED + NOT_THE_COMMIT[way])
    assert "while it was verified" in refused.value.why


def test_a_merged_commit_is_verified_in_a_checkout_of_its_own(original: Path, tmp_path: Path):
    tip = commit(original, "second")
    commit(original, "third")
    (original / "untracked").write_text("user's\n")
    place = tmp_path.resolve() / "checks" / "merged"
    check = Check(["sh", "-c", "echo $(ls); git rev-parse HEAD"], tip)
    done = verify_merged(check, original, place, Terms())
    assert done.tail == f"drumline first second\n{tip}"
    assert [path.name for path in place.parent.iterdir()] == [".merged.lock"]


def test_the_fresh_checkout_is_furnished_where_a_plan_says_so(original: Path, tmp_path: Path):
    (original / ".env").write_text("setting\n")
    plan = CheckoutPlan(copy=(".env",), setup=(("sh", "-c", "cat .env > .git/made"),))
    check = Check(["cat", ".git/made"], git(original, "rev-parse", "HEAD"))
    assert verify_merged(check, original, tmp_path / "merged", Terms(), plan).tail == "setting"


def test_what_fails_after_the_merge_leaves_nothing_either(original: Path, tmp_path: Path):
    check = Check(
        ["sh", "-c", "mkdir -p a/b; chmod 0 a; exit 1"], git(original, "rev-parse", "HEAD")
    )
    assert not verify_merged(check, original, tmp_path / "checks" / "merged", Terms()).passed
    assert [path.name for path in (tmp_path / "checks").iterdir()] == [".merged.lock"]


def test_a_commit_the_repository_does_not_have_is_not_verified(original: Path, tmp_path: Path):
    with pytest.raises(Unknown):
        verify_merged(Check(["true"], "0123456789" * 4), original, tmp_path / "merged", Terms())


def test_a_launcher_of_the_callers_stands_before_the_command(ada: Path):
    before = [sys.executable, "-c", "import os, sys; print('first', flush=True); os.execvp(sys.argv[1], sys.argv[1:])"]  # fmt: skip
    assert sh(ada, "echo then", before=before).tail == "first\nthen"
