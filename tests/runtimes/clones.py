"""Repositories to make checkouts of, and git as a test speaks it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest

from drumline.runtimes import checkout
from tests.once import once

IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "ada"), ("EMAIL", "ada@example.com"))
}
NAMING_ITS_ORIGINAL = (".git/config", ".git/objects/info/alternates")


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | IDENTITY,
    )
    return done.stdout.strip()


def commit(folder: Path, name: str, text: str = "text\n") -> str:
    (folder / name).write_text(text)
    git(folder, "add", name)
    git(folder, "commit", "-qm", name)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def original(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit on main."""
    folder = tmp_path.resolve() / "original"
    shutil.copytree(once(tmp_path_factory, "original", begun), folder, symlinks=True)
    return folder


def begun(place: Path) -> str:
    """Make that repository in a folder; where it is."""
    folder = place / "original"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    commit(folder, "first")
    for sample in (folder / ".git" / "hooks").glob("*.sample"):
        sample.unlink()  # git never runs them, and each copy would bring them along
    return str(folder)


@pytest.fixture
def ada(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ada's checkout of it, and what making that left in the original."""
    folder = original.parent / "ada"
    made = Path(once(tmp_path_factory, "ada", partial(_cloned, tmp_path_factory)))
    tip = "original/.git/refs/heads/main"
    assert (made.parent / tip).read_text() == (original.parent / tip).read_text()  # nothing is lost
    shutil.copytree(made.parent, original.parent, symlinks=True, dirs_exist_ok=True)
    for name in NAMING_ITS_ORIGINAL:
        told = (folder / name).read_text()
        (folder / name).write_text(told.replace(str(made.parent), str(original.parent)))
    return folder


def _cloned(places: pytest.TempPathFactory, place: Path) -> str:
    source, folder = place.resolve() / "original", place.resolve() / "ada"
    shutil.copytree(once(places, "original", begun), source, symlinks=True)
    checkout.clone(source, folder, "ada")
    return str(folder)


def waits_for_ever(folder: Path) -> Path:
    """Let git wait for ever for what a checkout borrows, where no look beforehand finds out; by which file."""
    lent = folder / "lent" / "info"
    lent.mkdir(parents=True)
    os.mkfifo(lent / "alternates")
    borrows = folder / ".git/objects/info/alternates"
    borrows.write_text(f"{lent.parent}\n{borrows.read_text()}")
    return borrows


def eventually(look: Callable[[], list[Path]], seconds: float = 30.0) -> list[Path]:
    """The first answer that says something."""
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.01)
    return found


def running(word: str) -> list[Path]:
    """The processes, seen from outside, that have this among their words; choose one nobody else has."""
    return [place for place, words in _words_of_all() if word.encode() in words.split(b"\0")]


def naming(folder: Path) -> list[Path]:
    """The processes that were started with words about this folder."""
    return [place for place, words in _words_of_all() if str(folder).encode() in words]


def _words_of_all() -> Iterator[tuple[Path, bytes]]:
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with suppress(OSError):
                yield place, (place / "cmdline").read_bytes()


def seconds_of_its_own() -> str:
    """How long to sleep, as no other process does."""
    return f"6{uuid4().int % 10**9:09}"


@contextmanager
def runner_of(words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours that does this, to be killed while it does."""
    needed = (
        "from pathlib import Path",
        "from drumline.runtimes.inspecting import state_of",
        "from drumline.runtimes.fetching import fetch",
        "from drumline.runtimes.project_command import Terms, run_command",
    )
    started = subprocess.Popen([sys.executable, "-c", "\n".join((*needed, words))])
    try:
        yield started
    finally:
        started.kill()
        started.wait()
