"""What commits hold, looked at whole: nothing in them is too odd to be seen."""

import time
from base64 import b64encode

import pytest

from drumline.hooks.changes import Commits
from drumline.hooks.repository import LONGEST_FILE
from drumline.team import registry
from drumline.team.scan import MESSAGE, protected_by
from tests.hooks.gits import new_git
from tests.team.made_up import TOKEN

pytestmark = pytest.mark.requirement("GUARD-18")
RULES = protected_by(registry.compiled(registry.built_in()))
LINE = f"t = '{TOKEN}'\n"


@pytest.fixture
def git(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return new_git(tmp_path / "repo")


def hits(git, named="HEAD~1..HEAD"):
    return {(hit.file, hit.line) for hit in Commits(str(git.root), named, time.monotonic() + 60).hits(RULES)}  # fmt: skip


@pytest.mark.parametrize("named", ["HEAD~1..HEAD", "HEAD~1...HEAD"])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(b"\0" + LINE.encode(), 1, id="a NUL first"),
        pytest.param(LINE.encode("utf-16"), 1, id="two bytes a letter"),
        pytest.param(b"." * LONGEST_FILE + b"\n" + LINE.encode(), 2, id="too long for a diff"),
        pytest.param(b"\0\npassword = 'correct-horse-7Battery'\n", 2, id="text behind a NUL"),
    ],
)
def test_a_file_is_looked_at_though_git_calls_it_binary(git, content, line, named):
    git.write("f.bin", content)
    git("add", "-A")
    git("commit", "-qm", "work")
    assert hits(git, named) == {("f.bin", line)}


def test_what_looks_like_a_password_among_bytes_that_are_no_text_is_chance(git):
    git.write("f.bin", b"\0\xff\xfe\x80\nab\xfe password = 'correct-horse-7Battery'\n")
    git("add", "-A")
    git("commit", "-qm", "work")
    assert not hits(git)


@pytest.mark.parametrize("named", ["HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD"])
def test_a_message_is_looked_at(git, named):
    git("commit", "-q", "--allow-empty", "-m", "work", "-m", LINE)
    assert {file for file, _ in hits(git, named)} == {MESSAGE}


SAID = f"aws = {TOKEN}\n".encode()
IN_SEVEN_BITS = b"+" + b64encode(SAID.decode().strip().encode("utf-16-be")).rstrip(b"=") + b"-"
ODD = {
    "another header": (b"\nx-note " + SAID.rstrip(), b"work\n"),
    "letters that git would change": (b"\nencoding IBM037", b"work\n\n" + SAID),
    "letters that only git reads": (b"\nencoding UTF-7", b"work\n\n" + IN_SEVEN_BITS + b"\n"),
    "behind a NUL": (b"", b"work\0\n" + SAID),
}


@pytest.mark.parametrize(("header", "message"), ODD.values(), ids=ODD)
@pytest.mark.parametrize("named", ["HEAD~1..HEAD", "HEAD~1...HEAD"])
def test_a_commit_is_looked_at_as_git_keeps_it_and_as_git_shows_it(git, named, header, message):
    git("commit", "-q", "--allow-empty", "-m", "work")
    head = git("cat-file", "commit", "HEAD").partition("\n\n")[0].replace(" +", " -").encode()
    raw = git.write("raw", head + header + b"\n\n" + message)
    git("reset", "-q", git("hash-object", "--literally", "-t", "commit", "-w", str(raw)))
    assert {file for file, _ in hits(git, named)} == {MESSAGE}


def test_what_every_commit_says_is_no_secret(git):
    git("tag", "-am", "tagged", "v1")
    git("switch", "-qc", "side", "HEAD~0")
    git("commit", "-q", "--allow-empty", "-m", "side")
    git("switch", "-q", "main")
    git("commit", "-q", "--allow-empty", "-m", "work")
    git("merge", "-q", "--no-ff", "-m", "both", "side")
    assert not hits(git, "HEAD~1..HEAD")


def test_a_files_name_is_looked_at(git):
    git.write(f"{TOKEN}.txt", "a")
    git("add", "-A")
    git("commit", "-qm", "work")
    assert hits(git) == {(f"{TOKEN}.txt", 0)}
