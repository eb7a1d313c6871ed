"""Handing in: a commit brings only what its member may change, however it was made."""

import pytest

from tests.running import ANSWER, WRITES_A_FILE, team, until

SCRIPT = '        - tool: {name: Bash, input: {command: "python3 ~/made.py"}}\n' + ANSWER.format(
    files='["src/a"]'
)
PLAY = "scenario: x\nmembers:\n  ada:\n    - again: true\n      steps:\n" + SCRIPT
BOTH = PLAY + WRITES_A_FILE.split("members:\n")[1].replace("  any:", "  brook:")
GIT = """\
import os, subprocess
def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout.strip()
"""
LINKS = """\
os.makedirs("docs", exist_ok=True); open("docs/a.md", "a").write("by ada"); git("add", "docs")
git("commit", "-qm", "docs")
head = git("rev-parse", "HEAD")
git("rm", "-rq", "--cached", ".claude")
git("update-index", "--add", "--cacheinfo", "160000," + head + ",.claude")
git("commit", "--allow-empty", "-qm", "zone")
"""
UNDOES = """\
tree = git("rev-parse", "origin/main^{tree}")
made = git("commit-tree", tree, "-p", "origin/main", "-p", "HEAD", "-m", "looks like a merge")
git("checkout", "-qB", "drumline/ada/work", made)
"""
NOTES = """\
again = os.path.exists(os.path.expanduser("~/again")); open(os.path.expanduser("~/again"), "w").close()
git("reset", "-q", "--hard", "origin/main")
open("grimoires/loa/NOTES.md", "a" if again else "w").write("second\\n")
git("commit", "-qam", "notes")
"""
WORKS = """\
os.makedirs("src", exist_ok=True); open("src/a", "a").write("by ada"); git("add", "src")
git("commit", "-qm", "work")
"""
LEAVES_OUT = (
    WORKS
    + """\
if os.path.exists(os.path.expanduser("~/theirs")):
    theirs = open(os.path.expanduser("~/theirs")).read()
    made = git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-p", theirs, "-m", "merge main")
    git("reset", "-q", "--hard", made)
"""
)
IN_ANOTHER_NAME = (
    "os.environ['GIT_AUTHOR_NAME'] = os.environ['GIT_COMMITTER_NAME'] = 'kim'\n" + WORKS
)


def member(name, owns):
    return (
        f"  - {{name: {name}, role: Builds, runtime: scripted, scenario: play.yaml,"
        f" tools: [Read, Write, Edit, Bash], owns: ['{owns}']}}\n"
    )


def script(found, text):
    home = found.root / ".drumline" / "homes" / "ada"
    home.mkdir(parents=True, exist_ok=True)
    (home / "made.py").write_text(GIT + text)


def refused(found):
    handed = [line for line in found.diary("ada") if line["what"] == "handed in"]
    return next((line["text"] for line in handed if not line["accepted"]), "")


@pytest.mark.requirement("GUARD-07", "GUARD-11", "RUN-05")
def test_files_of_others_and_of_the_lead_are_not_merged(tmp_path, doors):
    with team(tmp_path / "r", doors, member("ada", "src/**"), PLAY) as found:
        script(found, LINKS)
        found.run("task", "add", "one", "--files", "src/**")
        found.run("member", "start", "ada")
        said = until(lambda: refused(found))
        assert ".claude: this folder is the lead's" in said
        assert "docs/a.md: " in said
        assert not found.git("for-each-ref", "refs/heads/drumline/merged")


@pytest.mark.requirement("GUARD-07", "RUN-05")
def test_a_merge_that_undoes_what_others_did_is_not_merged(tmp_path, doors):
    members = member("ada", "src/**") + member("brook", "parts/**")
    with team(tmp_path / "r", doors, members, BOTH) as found:
        script(found, UNDOES)
        found.run("task", "add", "one")
        found.run("member", "start", "brook")
        until(lambda: found.states()["T-1"] == "completed")
        found.run("member", "stop", "brook")
        found.run("task", "add", "two")
        found.run("member", "start", "ada")
        assert "parts/T-1.txt" in until(lambda: refused(found))
        assert found.git("show", "drumline/merged:parts/T-1.txt") == "by brook\n"


@pytest.mark.requirement("GUARD-11", "RUN-05")
def test_a_commit_adds_to_an_append_only_file_and_never_rewrites_it(tmp_path, doors):
    with team(tmp_path / "r", doors, member("ada", "**"), PLAY) as found:
        notes = found.root / "grimoires/loa/NOTES.md"
        notes.parent.mkdir(parents=True)
        notes.write_text("first\n")
        found.git("add", "--all")
        found.git("commit", "--quiet", "--message=notes")
        script(found, NOTES)
        found.run("task", "add", "one")
        found.run("member", "start", "ada")
        assert "grimoires/loa/NOTES.md: " in until(lambda: refused(found))
        until(lambda: found.states()["T-1"] == "completed")
        assert found.git("show", "drumline/merged:grimoires/loa/NOTES.md") == "first\nsecond\n"


@pytest.mark.requirement("GUARD-07", "GUARD-11", "RUN-05")
@pytest.mark.parametrize(
    ("name", "owns"), [("play.yaml", "src/**"), (".claude/team.yaml", "**")], ids=["any", "lead's"]
)
def test_a_merge_that_undoes_what_the_user_did_is_not_merged(tmp_path, doors, name, owns):
    with team(tmp_path / "r", doors, member("ada", owns), PLAY) as found:
        script(found, LEAVES_OUT)
        found.run("task", "add", "one")
        found.run("member", "start", "ada")
        until(lambda: found.states()["T-1"] == "completed")
        (found.root / name).write_text((found.root / name).read_text() + "# the user's own\n")
        found.git("commit", "-qam", "by the user")
        theirs = found.git("rev-parse", "HEAD").strip()
        (found.root / ".drumline" / "homes" / "ada" / "theirs").write_text(theirs)
        found.run("task", "add", "two")
        assert f"{name}: " in until(lambda: refused(found))


@pytest.mark.requirement("RUN-05")
def test_commits_in_the_name_of_somebody_else_are_not_merged(tmp_path, doors):
    with team(tmp_path / "r", doors, member("ada", "src/**"), PLAY) as found:
        script(found, IN_ANOTHER_NAME)
        found.run("task", "add", "one")
        found.run("member", "start", "ada")
        assert "by kim <ada@localhost>" in until(lambda: refused(found))
        assert not found.git("for-each-ref", "refs/heads/drumline/merged")
