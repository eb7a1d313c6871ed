"""Our own git where a member writes: it runs nothing of the member's, sees nothing of ours, and ends with us."""

import os
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from drumline.errors import NotClean, Refused
from drumline.runtimes import beside, checkout, processes
from drumline.runtimes.fetching import fetch
from drumline.runtimes.git import attempt, script_inside
from drumline.runtimes.inspecting import state_of
from drumline.runtimes.looking import looking, writing
from tests.runtimes.cell import needs
from tests.runtimes.clones import (
    IDENTITY,
    commit,
    eventually,
    git,
    original,
    runner_of,
    running,
    seconds_of_its_own,
    waits_for_ever,
)

__all__ = ["original"]

pytestmark = pytest.mark.requirement("GUARD-20")


@pytest.fixture
def ada(original: Path, doors: Path, monkeypatch) -> Path:
    """Ada's checkout in a state of ours, with a neighbour and somebody's doors."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    door = doors / f"drumline-{os.getuid()}" / "home" / "brook"
    door.mkdir(parents=True)
    (door / "token").write_text("brook's")
    state = original / ".drumline"
    for name in ("ada", "brook"):
        checkout.clone(original, state / "checkouts" / name, name)
    (state / "state.db").write_text("ours")
    return state / "checkouts" / "ada"


AS_KIM = (
    "export GIT_AUTHOR_NAME=kim GIT_AUTHOR_EMAIL=kim@localhost"
    " GIT_COMMITTER_NAME=kim GIT_COMMITTER_EMAIL=kim@localhost"
)


def sh(folder: Path, script: str) -> None:
    assert os.system(f"{AS_KIM} && cd {folder} && {script}") == 0  # noqa: S605 - a test's own words


@needs("mounts")
def test_it_sees_neither_our_state_nor_doors_nor_neighbours(ada: Path, doors: Path):
    told = script_inside(ada, "ls", f"ls -A ../.. ..; cat ../../state.db {doors}/*/*/*/token || echo none", looking(ada))  # fmt: skip
    assert told.split() == ["..:", "ada", "../..:", "checkouts", "none"]


@needs("mounts")
def test_what_it_may_write_is_the_checkout_less_its_holes(ada: Path):
    held = writing(ada, checkout.holes_in(ada))
    script = "for each in .claude .git/hooks ..; do ! touch $each/x || exit 1; done; touch y"
    script_inside(ada, "touch", script, held)
    assert (ada / "y").exists()


COMMANDS = {
    "a repository inside": (
        "mkdir sub && cd sub && git init -q && echo 'f filter=x' > .gitattributes && echo a > f"
        " && git add . && git commit -qm s && git config filter.x.clean 'touch {mark}; cat'"
        " && sleep 1.1 && touch f && cd .. && git add sub && git commit -qm gitlink"
    ),
    "settings from elsewhere": (
        "mkdir .git/mine && cp -r .git/objects .git/refs .git/mine && cp .git/config .git/mine"
        " && git config --file .git/mine/config filter.x.clean 'touch {mark}; cat'"
        " && echo mine > .git/commondir && echo 'first filter=x' > .gitattributes && touch first"
    ),
}


@pytest.mark.parametrize("way", COMMANDS)
def test_no_command_of_the_members_is_run(ada: Path, tmp_path: Path, monkeypatch, way):
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    mark = tmp_path / "ran"
    sh(ada, COMMANDS[way].format(mark=mark))
    mark.unlink(missing_ok=True)
    held = writing(ada).adding(writable=[str(tmp_path)])  # so that it would be seen
    state_of(ada, held)
    assert not mark.exists()


@needs("mounts")
def test_a_fetch_brings_nothing_of_a_neighbours(ada: Path, original: Path):
    brook = ada.with_name("brook")
    mine, secret = commit(ada, "mine"), commit(brook, "secret")
    assert fetch(original, ada, "ada") == {"drumline/ada/work": mine}
    with (ada / ".git/objects/info/alternates").open("a") as borrowed:
        borrowed.write(f"{brook}/.git/objects\n")
    sh(ada, f"git update-ref refs/heads/drumline/ada/taken {secret}")
    with pytest.raises(Refused):
        fetch(original, ada, "ada")
    assert attempt(original, "cat-file", "-e", secret).code


def test_a_gitlink_that_moved_is_a_change(ada: Path):
    sh(ada, "git init -q sub && git -C sub commit -q --allow-empty -m one && git add sub && git commit -qm sub")  # fmt: skip
    assert state_of(ada).changed == ()
    sh(ada, "git -C sub commit -q --allow-empty -m two")
    assert state_of(ada).changed == ("sub",)


def test_what_it_starts_ends_with_it(ada: Path):
    long = seconds_of_its_own()
    script_inside(ada, "sleep", f"setsid sleep {long} > /dev/null 2>&1 &", looking(ada))
    eventually(lambda: [] if running(long) else [ada])


ACTS = {
    "a look": "state_of(Path({ada!r}))",
    "a fetch": "fetch(Path({original!r}), Path({ada!r}), 'ada')",
}


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_it_ends_with_us_even_where_it_waits_for_ever(ada: Path, original: Path, act):
    waits_for_ever(ada)
    with runner_of(act.format(ada=str(ada), original=str(original))) as runner:
        eventually(lambda: gits_in(ada))
        runner.kill()
        eventually(lambda: [] if gits_in(ada) else [ada])


def gits_in(folder: Path) -> list[Path]:
    """The processes of git that work in a checkout."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            words = (place / "cmdline").read_bytes()
            here = f"GIT_DIR={folder}/".encode() in (place / "environ").read_bytes()
        except OSError:
            continue
        if b"git\0" in words and (here or f"{folder}/.git".encode() in words):
            found.append(place)
    return found


def test_what_a_killed_one_left_unfinished_is_tidied_up(ada: Path):
    left = [
        ada.with_name(f".ada.{kind}-0123abcd") for kind in ("making", "landing", "fresh", "going")
    ]
    for folder in (*left, ada.with_name(".brook.fresh-0123abcd")):
        (folder / "inner").mkdir(parents=True)
    with beside.alone(ada.with_name("brook")):  # somebody is at work there
        beside.tidy(ada.parent)
    kept = {path.name for path in ada.parent.iterdir()}
    assert kept == {"ada", "brook", ".ada.lock", ".brook.lock", ".brook.fresh-0123abcd"}


@pytest.mark.requirement("RUN-07")
def test_git_that_is_killed_from_outside_is_asked_again(ada: Path):
    kept = ada / ".git/kept"
    shutil.copy(ada / ".git/objects/info/alternates", kept)
    borrows = waits_for_ever(ada)
    with ThreadPoolExecutor() as pool:
        told = pool.submit(state_of, ada)
        eventually(lambda: gits_in(ada))
        kept.replace(borrows)
        for each in launchers_of(ada):
            os.kill(each, signal.SIGKILL)
        assert told.result() == (git(ada, "rev-parse", "HEAD"), "drumline/ada/work", ())


def launchers_of(folder: Path) -> list[int]:
    """The children of this process that hold a git in a checkout."""
    mine = [
        pid
        for pid in processes.everyone()
        if (processes.parent_and_start(pid) or (0, 0))[0] == os.getpid()
    ]
    return [
        pid for pid in mine if str(folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize(("age", "left"), [(60, False), (0, True)])
def test_a_lock_that_is_old_is_taken_away_and_a_young_one_is_not(ada: Path, age, left):
    lock = ada / ".git/index.lock"
    lock.touch()
    then = lock.stat().st_mtime - age
    os.utime(lock, (then, then))
    checkout.unlock(ada, "ada")
    assert lock.exists() is left


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("place", ["index", "HEAD", "packed-refs", "refs/heads/drumline/ada/work"])
def test_a_lock_of_one_who_was_killed_stops_no_new_task(ada: Path, original: Path, place):
    (ada / f".git/{place}.lock").touch()
    tip = commit(original, "second")
    checkout.start_from(original, ada, "ada", tip)
    assert state_of(ada).head == tip


def test_whatever_lies_in_the_place_of_a_lock_goes_and_nothing_it_leads_to(
    ada: Path, original: Path, tmp_path: Path
):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    (ada / ".git/index.lock/inner").mkdir(parents=True)
    (ada / ".git/index.lock/inner/link").symlink_to(kept)
    (ada / ".git/HEAD.lock").symlink_to(kept)
    tip = commit(original, "second")
    checkout.start_from(original, ada, "ada", tip)
    assert state_of(ada).head == tip
    assert (kept / "file").exists()


@pytest.mark.parametrize(
    "name", [".gitignore", ".gitattributes", ".git/refs/heads/drumline/ada/x", ".git/logs/HEAD"]
)
def test_a_pipe_that_git_would_wait_for_is_named_at_once(ada: Path, original: Path, name):
    (ada / name).unlink(missing_ok=True)
    os.mkfifo(ada / name)
    with pytest.raises(NotClean) as refusal:
        checkout.start_from(original, ada, "ada", commit(original, "second"))
    assert refusal.value.files == (name,)
    assert "cannot be read" in refusal.value.why


def test_nothing_is_fetched_past_a_pipe_that_git_would_wait_for(ada: Path, original: Path):
    os.mkfifo(ada / ".git/refs/heads/drumline/ada/x")
    with pytest.raises(NotClean):
        fetch(original, ada, "ada")


def test_pipes_of_other_names_are_nobodys_business(ada: Path):
    os.mkfifo(ada / "pipe")
    assert state_of(ada).changed == ()
