"""A commit with secrets is refused by the guard's own process, and nothing it leaves shows them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.hooks import guard
from drumline.hooks.commit_scan import RULE, scan_commit
from drumline.store.policies import Policies, libraries
from drumline.team import registry
from drumline.team.call import Call
from drumline.team.judge import judge
from drumline.team.standing import Standing
from tests.hooks.gits import Git, new_git
from tests.team.judging import POLICY, WORLD
from tests.team.made_up import TOKEN

pytestmark = pytest.mark.requirement("GUARD-18")

ADD_AND_COMMIT = "git add -A && git commit -m x"
LEAD = {"DRUMLINE_MEMBER": "ada", "DRUMLINE_ROLE": "lead"}


@pytest.fixture
def git(tmp_path) -> Git:
    made = new_git(tmp_path / "repo")
    state = made.root / ".drumline"
    state.mkdir()
    (state / ".gitignore").write_text("*\n")
    policy = {**POLICY, "libraries": libraries()}
    Policies(str(made.root), str(state)).publish(registry.digest(policy), policy)
    return made


def asked(git: Git, command: str, **who: str) -> subprocess.CompletedProcess[bytes]:
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": str(git.root),
    }
    return subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", guard.__file__, str(git.root / ".drumline")],
        input=json.dumps(event).encode(),
        capture_output=True,
        env={"PATH": os.defpath, "HOME": str(git.root), **who},
        check=False,
        timeout=60,
    )


def reason(done: subprocess.CompletedProcess[bytes]) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    return str(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"])


def trail(git: Git) -> str:
    path = git.root / ".drumline" / "audit" / "current.jsonl"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("who", [{}, LEAD], ids=["a person", "the lead"])
def test_a_commit_is_refused_with_file_and_line(git, who):
    git.write("src/conf.py", f"a\nb\nt = '{TOKEN}'\n")
    git.write("src/more.py", f"t = '{TOKEN}'\n")
    git.write(".env", "A=1\n")
    assert reason(asked(git, ADD_AND_COMMIT, **who)) == (
        "refused: committing 2 secrets and 1 protected file [C-SAFE-004]\n"
        "why: .env protected file; src/conf.py:3 GitHub token; src/more.py:1 GitHub token\n"
        "next: take them out of the commit: git restore --staged FILE; "
        "mark a false alarm with the comment drumline: allow-secret"
    )


def test_the_value_appears_nowhere(git):
    git.write(f"out/{TOKEN}.txt", f"{TOKEN}\npassword = '{TOKEN}'\n")
    command = f"{ADD_AND_COMMIT} -m 'for {TOKEN}' && cat <<'E' > n\n{TOKEN}\nE"
    done = asked(git, command)
    assert "[C-SAFE-004]" in reason(done)
    assert '"refused":"C-SAFE-004"' in trail(git)
    for left in (done.stdout.decode(), done.stderr.decode(), trail(git)):
        assert TOKEN not in left
        assert TOKEN[4:] not in left


def test_a_clean_commit_passes_and_leaves_no_line(git):
    git.write("b.py", "clean\n")
    assert reason(asked(git, ADD_AND_COMMIT)) == ""
    assert trail(git) == ""


def test_many_hits_are_told_in_part(git):
    git.write("b.py", f"t = '{TOKEN}'\n" * 14)
    said = reason(asked(git, ADD_AND_COMMIT))
    assert "committing 14 secrets" in said
    assert said.count("GitHub token") == 10
    assert "; and 4 more\n" in said


def test_a_commit_that_cannot_be_scanned_passes_with_a_note(git):
    assert reason(asked(git, "git merge nowhere")) == ""
    (line,) = map(json.loads, trail(git).splitlines())
    assert line["note"] == (
        "the commit was not scanned for secrets: nowhere is not here before the command runs"
    )
    assert "refused" not in line


def ruled(git: Git, command: str, *, fail: str = "open"):
    """The judge in this process, and the same scan after it."""
    rules = [{**each, "fail": fail} for each in POLICY["constraints"] if "applies" not in each]
    policy = {**POLICY, "constraints": rules}
    call = Call("Bash", {"command": command}, str(git.root))
    return scan_commit(judge(call, Standing({}, str(git.root)), policy, WORLD), call, policy, WORLD)


def test_where_the_rule_fails_closed_it_does_not_pass(git):
    found = ruled(git, "git merge nowhere", fail="closed")
    assert (found.allowed, found.constraint) == (False, "C-SAFE-004")
    assert found.what == "a commit that was not scanned"
    assert "nowhere is not here" in found.why
    assert found.next


def test_the_judge_in_process_says_the_same_as_the_hook(git):
    git.write("b.py", f"t = '{TOKEN}'\n")
    assert ruled(git, ADD_AND_COMMIT).sentence() == reason(asked(git, ADD_AND_COMMIT))
    assert ruled(git, "git add -A").allowed
    assert ruled(git, "git push --force origin main").constraint == "C-SAFE-003"


def test_the_way_out_is_the_same_with_and_without_a_compiled_rule():
    (rule,) = [each for each in POLICY["constraints"] if each["id"] == RULE["id"]]
    assert rule["next"] == RULE["next"]


def loaded(git: Git, command: str) -> set[str]:
    """The modules a process has after ruling on a command."""
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(Path(guard.__file__).parents[2])!r})\n"
        "from drumline.hooks.ruling import rule, rules_for\n"
        "from drumline.team.call import Call\n"
        "from drumline.team.identity import Identity\n"
        f"call = Call('Bash', {{'command': {command!r}}}, {str(git.root)!r})\n"
        f"rule(call, rules_for({str(git.root / '.drumline')!r}, Identity()))\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_a_command_that_commits_nothing_pays_nothing(git):
    costs = {"subprocess", "tempfile", "drumline.team.scan", "drumline.hooks.repository"}
    assert not costs & loaded(git, "git add . && git push && ls commit")
    assert costs <= loaded(git, "git commit -m x")
    assert not {"typing", "dataclasses", "enum"} & loaded(git, "git add .") - loaded(git, "ls")
