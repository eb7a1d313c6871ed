"""What a commit would hold, looked up in real repositories before it is made."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from drumline.hooks.repository import LONGEST_FILE
from drumline.hooks.staged import Found, would_commit
from drumline.team import registry
from drumline.team.call import Call
from drumline.team.commits import acts_of
from drumline.team.scan import PROTECTED, protected_by
from tests.hooks.gits import Git, new_git
from tests.team.judging import WORLD
from tests.team.made_up import TOKEN

pytestmark = pytest.mark.requirement("GUARD-18")

RULES = protected_by(registry.compiled(registry.built_in()))
SECRET = f"t = '{TOKEN}'\n"
GITHUB = "GitHub token"


@pytest.fixture
def git(tmp_path, monkeypatch) -> Git:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return new_git(tmp_path / "repo")


def looked_at(git: Git, command: str, *, folder: str = "", seconds: float = 60.0) -> Found:
    cwd = str(git.root / folder) if folder else str(git.root)
    acts = acts_of(Call("Bash", {"command": command}, cwd), WORLD)
    return would_commit(acts, RULES, time.monotonic() + seconds)


def scanned(git: Git, command: str, *, folder: str = "") -> list[str]:
    """Where something was found; everything could be looked at."""
    found = looked_at(git, command, folder=folder)
    assert found.unscanned == ""
    return [f"{hit.place()} {hit.kind}" for hit in found.hits]


# the index


def test_what_is_staged_is_scanned(git):
    git.write("conf/x.py", f"a\n{SECRET}")
    git("add", ".")
    assert scanned(git, "git commit -m x") == [f"conf/x.py:2 {GITHUB}"]


def test_only_added_lines_count(git):
    git.commit(old_py=SECRET)
    git.write("old.py", f"{SECRET}more\n")
    assert scanned(git, "git commit -am x") == []


def test_a_moved_file_is_not_a_new_one(git):
    git.commit(old_py=SECRET + "x\n" * 20)
    git("mv", "old.py", "new.py")
    assert scanned(git, "git commit -m x") == []


def test_the_first_commit_of_a_repository_is_scanned(tmp_path):
    root = tmp_path / "fresh"
    root.mkdir()
    git = Git(root)
    git("init", "-q")
    git.write("x.py", SECRET)
    git("add", ".")
    assert scanned(git, "git commit -m first") == [f"x.py:1 {GITHUB}"]


def test_a_repository_made_by_the_same_command_is_scanned(tmp_path):
    git = Git(tmp_path / "none")
    git.write("x.py", SECRET)
    git.write(".env", "A=1")
    git.write(".gitignore", ".env\n")
    assert scanned(git, "git init && git add . && git commit -m x") == [f"x.py:1 {GITHUB}"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".env", [f".env {PROTECTED}"]),
        ("deploy/.env.production", [f"deploy/.env.production {PROTECTED}"]),
        (".env.example", []),
        ("keys/id_ed25519", [f"keys/id_ed25519 {PROTECTED}"]),
        ("keys/id_ed25519.pub", []),
        ("src/environment.py", []),
    ],
)
def test_a_protected_file_is_found_by_its_name(git, name, expected):
    git.write(name, "A=1\n")
    git("add", "-f", ".")
    assert scanned(git, "git commit -m x") == expected
    git("reset", "-q")
    assert scanned(git, "git add . && git commit -m x") == expected


def test_taking_a_protected_file_out_is_no_hit(git):
    git.commit(_env="A=1")
    assert scanned(git, "git rm --cached .env && git commit -m x") == []
    git("rm", "-q", "--cached", ".env")
    assert scanned(git, "git commit -m x") == []


@pytest.mark.parametrize(
    "name", ["é ü.py", 'a"b\\c.py', "tab\tnew.py", "日本.py", "-x.py", "a\nnext: b.py"]
)
def test_a_strange_name_is_told_as_it_is(git, name):
    git.write(name, SECRET)
    (hit,) = looked_at(git, "git add -A && git commit -m x").hits
    assert hit.file == name
    assert hit.place().isprintable()
    git("add", "-A")
    assert looked_at(git, "git commit -m x").hits == [hit]


def test_a_name_that_is_not_utf_8_is_found(git):
    path = os.fsencode(git.root) + b"/\xff.py"
    Path(os.fsdecode(path)).write_text(SECRET)
    (hit,) = looked_at(git, "git add -A && git commit -m x").hits
    assert os.fsencode(hit.file) == b"\xff.py"
    git("add", "-A")
    assert looked_at(git, "git commit -m x").hits == [hit]


# what the command itself stages


def test_added_and_committed_in_one_command(git):
    git.write("a.py", f"one\ntwo\n{SECRET}")
    git.write("sub/n.py", SECRET)
    both = [f"a.py:3 {GITHUB}", f"sub/n.py:1 {GITHUB}"]
    assert scanned(git, "git add . && git commit -m x") == both
    assert scanned(git, "git add -A; git commit -m x", folder="sub") == both
    assert scanned(git, "git add . && git commit -m x", folder="sub") == both[1:]
    assert scanned(git, "cd sub && git add . && git commit -m x") == both[1:]
    assert scanned(git, "git -C sub add . && git commit -m x") == both[1:]
    assert scanned(git, "git add -u && git commit -m x") == both[:1]
    assert scanned(git, "git add *.py && git commit -m x") == both
    assert scanned(git, "git commit -am x") == both[:1]
    assert scanned(git, "git commit -m x") == []


def test_an_ignored_file_is_not_added_unless_forced(git):
    git.write(".gitignore", "*.log\n")
    git.write("x.log", SECRET)
    assert scanned(git, "git add . && git commit -m x") == []
    assert scanned(git, "git add -f x.log && git commit -m x") == [f"x.log:1 {GITHUB}"]


def test_what_a_person_ignores_everywhere_is_not_added(git, tmp_path):
    git.write(".env", "A=1")
    ignore = tmp_path / "home" / ".config" / "git" / "ignore"
    ignore.parent.mkdir(parents=True)
    ignore.write_text(".env\n")
    assert scanned(git, "git add . && git commit -m x") == []
    ignore.rename(tmp_path / "elsewhere")
    assert scanned(git, "git add . && git commit -m x") == [f".env {PROTECTED}"]
    git("config", "core.excludesFile", str(tmp_path / "elsewhere"))
    assert scanned(git, "git add . && git commit -m x") == []
    git("config", "--unset", "core.excludesFile")
    git.write(".git/info/exclude", ".env\n")
    assert scanned(git, "git add . && git commit -m x") == []


def test_a_commit_of_paths_holds_these_alone(git):
    git.write("b.py", SECRET)
    git("add", "b.py")
    git.write("a.py", f"{SECRET}")
    assert scanned(git, "git commit -m x a.py") == [f"a.py:1 {GITHUB}"]
    git.write("a.py", "clean\n")
    assert scanned(git, "git commit -m x a.py") == []
    assert scanned(git, "git commit -i a.py -m x") == [f"b.py:1 {GITHUB}"]
    git.write("c.py", SECRET)
    assert scanned(git, "git add c.py && git commit -m x c.py") == [f"c.py:1 {GITHUB}"]


def test_the_way_out_is_open_in_the_same_command(git):
    git.write("x.py", SECRET)
    git.write(".env", "A=1")
    git("add", "-A")
    found = [f".env {PROTECTED}", f"x.py:1 {GITHUB}"]
    assert scanned(git, "git commit -m x") == found
    assert scanned(git, "git restore --staged .env x.py && git commit -m x") == []
    assert scanned(git, "git restore --staged .env && git commit -m x") == found[1:]
    assert scanned(git, "git reset -q HEAD x.py; git commit -m x") == found[:1]
    assert scanned(git, "git reset x.py; git commit -m x") == found[:1]
    assert scanned(git, "git reset && git commit -m x") == []
    assert scanned(git, "git add -A && git restore --staged .env x.py && git commit -m x") == []
    assert scanned(git, "git restore --staged .env && git add -A && git commit -m x") == found
    git.write("x.py", "clean\n")
    assert scanned(git, "git commit -m x") == found
    assert scanned(git, "git add x.py && git commit -m x") == found[:1]
    assert scanned(git, "git commit -am x") == found[:1]


def test_what_the_command_writes_before_it_stages_is_scanned_as_it_will_be(git):
    assert scanned(git, f'echo "{SECRET.strip()}" > n.py; git add n.py; git commit -m x') == [
        f"n.py:1 {GITHUB}"
    ]
    git.write("n.py", SECRET)
    clean = "cat > n.py <<'E'\nclean\nE\ngit add n.py && git commit -m x"
    assert scanned(git, clean) == []
    assert scanned(git, "rm n.py && git add -A && git commit -m x") == []
    assert scanned(git, "git add -A && git commit -m x && rm n.py") == [f"n.py:1 {GITHUB}"]


@pytest.mark.parametrize(
    "way",
    [
        "cp src.txt b.txt",
        "mv src.txt b.txt",
        "cat src.txt > b.txt",
        "cat src.txt | tee b.txt",
        "sed s/a/b/ src.txt > b.txt",
        "python3 -c \"open('b.txt','w').write(open('src.txt').read())\"",
    ],
)
def test_what_the_command_writes_from_another_file_is_scanned_as_that_file(git, way):
    git.write(".git/info/exclude", "src.txt\n")
    git.write("src.txt", SECRET)
    assert scanned(git, f"{way}; git add b.txt; git commit -m x") == [f"b.txt:1 {GITHUB}"]
    git.write("src.txt", "clean\n")
    assert scanned(git, f"{way}; git add b.txt; git commit -m x") == []


@pytest.mark.parametrize(
    "command",
    [
        "git commit --allow-empty -F note.txt",
        "git commit --allow-empty -F - < note.txt",
        "cat note.txt | git commit --allow-empty -F -",
        "git tag -F note.txt v1",
        "git notes add -F note.txt",
    ],
)
def test_a_message_from_a_file_is_scanned(git, command):
    git.write(".git/info/exclude", "note.txt\n")
    git.write("note.txt", SECRET)
    assert scanned(git, command) == [f"commit message:1 {GITHUB}"]
    git.write("note.txt", "clean\n")
    assert scanned(git, command) == []


def test_a_message_that_comes_in_is_scanned(git):
    command = f"git commit --allow-empty -F - <<'E'\nsee {TOKEN}\nE"
    assert [place.partition(":")[0] for place in scanned(git, command)] == ["commit message"]
    assert scanned(git, f"git tag -m 'see {TOKEN}' v1") == [f"commit message:1 {GITHUB}"]


def test_what_is_staged_by_its_object_alone_is_said(git):
    command = f"git update-index --add --cacheinfo 100644,{'a' * 40},x; git commit -m x"
    assert "object alone" in looked_at(git, command).unscanned


def test_a_message_is_scanned_too(git):
    assert scanned(git, f"git commit --allow-empty -m 'see {TOKEN}'") == [
        f"commit message:1 {GITHUB}"
    ]


# history


def test_an_amended_commit_is_scanned_whole(git):
    git.commit(b_py=SECRET)
    assert scanned(git, "git commit --amend --no-edit") == [f"b.py:1 {GITHUB}"]
    assert scanned(git, "git rm -q --cached b.py && git commit --amend --no-edit") == []
    assert scanned(git, "git commit --amend --no-edit a.py") == [f"b.py:1 {GITHUB}"]
    git.write("b.py", "clean\n")
    assert scanned(git, "git commit -a --amend --no-edit") == []
    assert scanned(git, "git commit --amend --no-edit b.py") == []


def test_the_first_commit_amended_is_scanned_whole(tmp_path):
    git = Git(tmp_path / "one")
    git.write("x.py", SECRET)
    git("init", "-q")
    git.commit()
    assert scanned(git, "git commit --amend --no-edit") == [f"x.py:1 {GITHUB}"]


def test_commits_folded_into_one_are_scanned_together(git):
    git.commit(b_py=SECRET)
    git.commit(c_py="x")
    assert scanned(git, "git reset --soft HEAD~2 && git commit -m x") == [f"b.py:1 {GITHUB}"]
    assert scanned(git, "git reset HEAD~2 && git commit -m x") == []
    assert scanned(git, "git reset HEAD~2 && git add -A && git commit -m x") == [f"b.py:1 {GITHUB}"]


@pytest.fixture
def branched(git: Git) -> Git:
    """On main, beside a branch `side` with a secret."""
    git("checkout", "-q", "-b", "side")
    git.commit(side_py=f"a\n{SECRET}")
    git("checkout", "-q", "main")
    git.commit(main_py="x")
    return git


@pytest.mark.parametrize(
    "command",
    [
        "git merge side",
        "git merge --no-ff -m 'take it' side",
        "git merge --squash side && git commit -m x",
        "git cherry-pick side",
        "git cherry-pick main..side",
        "git cherry-pick -n side && git commit -m x",
        "git rebase side",
        "git pull && git merge side",
    ],
)
def test_what_another_branch_brings_is_scanned(branched, command):
    assert scanned(branched, command) == [f"side.py:2 {GITHUB}"]


def test_a_merge_is_scanned_from_the_branch_it_is_made_on(branched):
    branched("checkout", "-q", "side")
    assert scanned(branched, "git merge main") == []
    for switch in ("git switch main", "git checkout main", "git checkout -q -b new main"):
        assert scanned(branched, f"{switch} && git merge side") == [f"side.py:2 {GITHUB}"]
    assert scanned(branched, "git checkout main && git merge -") == []


def test_a_branch_with_nothing_in_common_is_scanned_whole(git):
    git("checkout", "-q", "--orphan", "apart")
    git.commit(z_py=SECRET)
    git("checkout", "-q", "main")
    command = "git merge --allow-unrelated-histories apart"
    assert scanned(git, command) == [f"z.py:1 {GITHUB}"]


def test_a_merge_half_done_is_scanned_as_it_stands(branched):
    branched("merge", "-q", "--no-commit", "--no-ff", "side")
    assert scanned(branched, "git commit --no-edit") == [f"side.py:2 {GITHUB}"]
    assert scanned(branched, "git merge --continue") == [f"side.py:2 {GITHUB}"]


def test_taking_back_the_removal_of_a_secret_is_found(git):
    git.commit(b_py=SECRET)
    git.commit(b_py="clean\n")
    assert scanned(git, "git revert HEAD --no-edit") == [f"b.py:1 {GITHUB}"]
    assert scanned(git, "git revert HEAD~1 --no-edit") == []


def test_a_patch_is_scanned_before_it_is_applied(branched):
    patch = branched("format-patch", "-1", "side", "--stdout")
    branched.write("1.patch", patch + "\n")
    assert scanned(branched, "git am 1.patch") == [f"side.py:2 {GITHUB}"]


def test_what_cannot_be_known_before_is_said(git):
    found = looked_at(git, "git merge nowhere")
    assert (found.hits, found.unscanned) == ([], "nowhere is not here before the command runs")
    assert "is not there" in looked_at(git, "git clone u new && git -C new commit").unscanned


# places


def test_a_linked_worktree_has_an_index_of_its_own(git, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Git(tmp_path / "linked")
    linked.write("w.py", SECRET)
    linked("add", ".")
    assert scanned(linked, "git commit -m x") == [f"w.py:1 {GITHUB}"]
    assert scanned(git, "git commit -m x") == []
    assert scanned(git, f"git -C {linked.root} commit -m x") == [f"w.py:1 {GITHUB}"]


def test_a_submodule_is_a_repository_of_its_own(git, tmp_path):
    other = new_git(tmp_path / "other")
    git("submodule", "--quiet", "add", str(other.root), "mod")
    module = Git(git.root / "mod")
    module.write("m.py", SECRET)
    assert scanned(git, "git add -A && git commit -m x") == []
    assert scanned(git, "cd mod && git add -A && git commit -m x") == [f"m.py:1 {GITHUB}"]


def test_two_repositories_in_one_command_are_both_scanned(git, tmp_path):
    other = new_git(tmp_path / "other")
    git.write("x.py", SECRET)
    other.write("y.py", SECRET)
    each = "git add -A && git commit -m x"
    assert scanned(git, f"(cd {other.root} && {each}); {each}") == [
        f"x.py:1 {GITHUB}",
        f"y.py:1 {GITHUB}",
    ]
    assert scanned(git, f"cd {other.root} && {each}") == [f"y.py:1 {GITHUB}"]


def test_a_folder_reached_through_a_link_is_the_same(git, tmp_path):
    (tmp_path / "link").symlink_to(git.root)
    linked = Git(tmp_path / "link")
    assert scanned(linked, f"echo {TOKEN} > n.py && git add . && git commit -m x") == [
        f"n.py:1 {GITHUB}"
    ]


def test_a_link_is_not_followed(git, tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text(SECRET)
    (git.root / "link").symlink_to(outside)
    os.mkfifo(git.root / "pipe")
    assert scanned(git, "git add -A && git commit -m x") == []


@pytest.mark.parametrize("options", [["--object-format=sha256"], []])
def test_repositories_of_every_form_are_read(tmp_path, options):
    git = new_git(tmp_path / "other", *options)
    git("config", "core.splitIndex", "true")
    git("update-index", "--split-index")
    git.write("a.py", SECRET)
    git.write("n.py", SECRET)
    both = [f"a.py:1 {GITHUB}", f"n.py:1 {GITHUB}"]
    assert scanned(git, "git add -A && git commit -m x") == both
    git("add", "-A")
    assert scanned(git, "git commit -m x") == both
    assert scanned(git, "git commit --amend") == both


def test_a_shallow_clone_is_read(branched, tmp_path):
    branched(
        "clone",
        "-q",
        "--depth=1",
        "--no-single-branch",
        f"file://{branched.root}",
        str(tmp_path / "s"),
    )
    shallow = Git(tmp_path / "s")
    shallow.write("n.py", SECRET)
    assert scanned(shallow, "git add . && git commit -m x") == [f"n.py:1 {GITHUB}"]
    assert scanned(shallow, "git cherry-pick origin/side")


# what the repository says


PROGRAMS = {
    "core.fsmonitor": "{touch}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{touch}",
    "core.sshCommand": "{touch}",
    "core.alternateRefsCommand": "{touch}",
    "diff.external": "{touch}",
    "diff.evil.command": "{touch}",
    "diff.evil.textconv": "{touch}",
    "filter.evil.clean": "{touch}",
    "filter.evil.smudge": "{touch}",
    "filter.evil.process": "{touch}",
    "filter.evil.required": "true",
    "gpg.program": "{touch}",
    "log.showSignature": "true",
    "pager.diff": "{touch}",
    "pager.log": "{touch}",
    "alias.diff": "!{touch}",
    "alias.rev-parse": "!{touch}",
    "merge.evil.driver": "{touch}",
    "extensions.partialClone": "evil",
    "remote.evil.url": "ext::{touch}",
    "remote.evil.uploadpack": "{touch}",
    "protocol.ext.allow": "always",
}


@pytest.fixture
def evil(branched: Git, tmp_path: Path) -> Git:
    """A repository that starts a program wherever its settings can."""
    mark = tmp_path / "started"
    touch = tmp_path / "touch"
    touch.write_text(f"#!/bin/sh\necho $0 $* >> {mark}\ncat\n")
    touch.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "reference-transaction"):
        (hooks / name).symlink_to(touch)
    branched.write(".gitattributes", "* diff=evil filter=evil merge=evil\n")
    settings = {"touch": str(touch), "hooks": str(hooks)}
    text = []
    for key, value in PROGRAMS.items():
        section, _, name = key.rpartition(".")
        head, _, sub = section.partition(".")
        quoted = f'[{head} "{sub}"]' if sub else f"[{head}]"
        text.append(f'{quoted}\n\t{name} = "{value.format(**settings)}"\n')
    with (branched.root / ".git" / "config").open("a") as file:
        file.write("".join(text))
    return branched


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m x", ["staged.py:1"]),
        ("git commit -am x", ["a.py:1", "staged.py:1"]),
        ("git add -A && git commit -m x", ["a.py:1", "new.py:1", "staged.py:1"]),
        ("git commit -m x a.py", ["a.py:1"]),
        ("git merge side", ["side.py:2"]),
        ("git cherry-pick side", ["side.py:2"]),
        ("git commit --amend", ["staged.py:1"]),
        ("git add a.py && git restore --staged a.py && git commit -m x", ["staged.py:1"]),
    ],
)
def test_nothing_the_repository_names_is_started(evil, tmp_path, monkeypatch, command, expected):
    for name in ("a.py", "new.py", "staged.py"):
        evil.write(name, SECRET)
    with monkeypatch.context() as inside:
        inside.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        settings = evil.root / ".git" / "config"
        kept = settings.read_text()
        settings.write_text("")
        evil("add", "staged.py")
        settings.write_text(kept)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(tmp_path / "touch"))
    monkeypatch.setenv("GIT_PAGER", str(tmp_path / "touch"))
    assert not (tmp_path / "started").exists()
    found = looked_at(evil, command)
    assert not (tmp_path / "started").exists(), (tmp_path / "started").read_text()
    assert (found.unscanned, [hit.place() for hit in found.hits]) == ("", expected)


def test_git_by_itself_would_start_them(evil, tmp_path):
    evil.write("a.py", SECRET)
    subprocess.run(["git", "diff"], cwd=evil.root, capture_output=True, check=False)
    assert (tmp_path / "started").exists()


def test_a_missing_object_is_not_fetched(evil, tmp_path):
    gone = evil("-c", "core.fsmonitor=false", "rev-parse", "side:side.py")
    (evil.root / ".git" / "objects" / gone[:2] / gone[2:]).unlink()
    assert looked_at(evil, "git merge side").unscanned
    assert not (tmp_path / "started").exists()


def test_a_submodule_starts_nothing(git, tmp_path):
    other = new_git(tmp_path / "other")
    git("submodule", "--quiet", "add", str(other.root), "mod")
    git("commit", "-qm", "mod")
    touch = tmp_path / "touch"
    touch.write_text(f"#!/bin/sh\necho >> {tmp_path / 'started'}\n")
    touch.chmod(0o755)
    Git(git.root / "mod")("config", "core.fsmonitor", str(touch))
    git.write("mod/a.py", "changed\n")
    (tmp_path / "started").unlink(missing_ok=True)
    assert scanned(git, "git commit -am x") == []
    assert scanned(git, "git add -A && git commit -m x") == []
    assert not (tmp_path / "started").exists()


def test_a_file_declared_binary_is_still_read(git):
    git.write(".gitattributes", "* -diff binary\n")
    git.write("x.py", SECRET)
    git("add", "-A")
    assert scanned(git, "git commit -m x") == [f"x.py:1 {GITHUB}"]


def test_looking_changes_nothing(git):
    git.write("a.py", SECRET)
    git.write("n.py", SECRET)
    os.utime(git.root / "a.py", (1, 1))
    before = {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted((git.root / ".git").rglob("*"))
        if path.is_file()
    }
    scanned(git, "git add -A && git commit -am x && git merge HEAD")
    after = {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted((git.root / ".git").rglob("*"))
        if path.is_file()
    }
    assert before == after


def test_our_own_folder_is_gone_afterwards(git, tmp_path, monkeypatch):
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    scanned(git, "git commit -m x")
    looked_at(git, "git commit -m x", seconds=0.001)
    assert list(place.iterdir()) == []


# bounds


def test_a_huge_file_is_bounded_by_size_and_its_name_still_counts(git):
    line = b"x" * 99 + b"\n"
    for name in ("big.txt", ".env"):
        with git.write(name, b"").open("wb") as file:
            for _ in range(LONGEST_FILE // 100_000 + 2):
                file.write(line * 1000)
    git.write("small.py", SECRET)
    expected = [f".env {PROTECTED}", f"small.py:1 {GITHUB}"]
    assert scanned(git, "git add -A && git commit -m x") == expected
    git("add", "-A")
    assert scanned(git, "git commit -m x") == expected


def test_eight_megabytes_are_scanned_without_being_held(git):
    import resource  # noqa: PLC0415 - only this test measures

    line = "some = words + that * are - code  # and a remark\n"
    git.write("many.py", line * (8 * 1024 * 1024 // len(line)) + SECRET)
    git("add", "-A")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    number = 8 * 1024 * 1024 // len(line) + 1
    assert scanned(git, "git commit -m x") == [f"many.py:{number} {GITHUB}"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


def test_what_takes_too_long_is_given_up_and_said(git):
    found = looked_at(git, "git commit -m x", seconds=-1)
    assert (found.hits, found.unscanned) == ([], "it took too long")


def test_what_was_found_before_time_was_up_counts(git, tmp_path, monkeypatch):
    for name in ("x.py", "y.py"):
        git.write(name, SECRET)
    git("add", "-A")
    real = shutil.which("git")
    stuck = Git(tmp_path / "bin").write(
        "git",
        f'#!/bin/sh\ncase "$*" in *" diff "*) {real} "$@"; exec tail -f /dev/null;; esac\n'
        f'exec {real} "$@"\n',
    )
    stuck.chmod(0o755)
    monkeypatch.setattr("drumline.hooks.repository.PROGRAMS", (str(stuck.parent), "/usr/bin"))
    found = looked_at(git, "git commit -m x", seconds=1.5)
    assert [hit.place() for hit in found.hits] == ["x.py:1"]
    assert found.unscanned == "it took too long"


def test_git_that_is_not_there_is_said(git, monkeypatch):
    monkeypatch.setattr("drumline.hooks.repository.PROGRAMS", ())
    monkeypatch.setenv("PATH", "/nowhere:.:relative")
    git.write("git", "#!/bin/sh\ntouch started\n").chmod(0o755)
    assert "cannot be started" in looked_at(git, "git commit -m x").unscanned
    assert not (git.root / "started").exists()
