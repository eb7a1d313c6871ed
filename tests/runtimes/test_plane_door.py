"""The plane's own door: whatever is wrong with it, the plane comes up, and answers once it can."""

import os
import signal
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from drumline.hooks.serving import SessionGuard
from drumline.runtimes import plane_door
from drumline.runtimes.subagents import NoVerbs
from drumline.settings import find
from drumline.wiring import open_store, planes
from tests.doorways import asked
from tests.running import until
from tests.surfaces.console import write
from tests.warned import warned

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read], owns: []}
"""
SPOILT = {
    "open to others": (lambda door, _: door.chmod(0o755), lambda door, _: door.chmod(0o700)),
    "nowhere to tell": (lambda _, told: told.mkdir(), lambda _, told: told.rmdir()),
}


@contextmanager
def entered(door: Path, told_in: Path):
    """A door that another thread holds open: one that is never entered fails the test."""
    inside, leaving = threading.Event(), threading.Event()

    def hold() -> None:
        guard = SessionGuard(str(door))
        with plane_door.answering(door, guard, NoVerbs(), told_in, lambda _: None):
            inside.set()
            leaving.wait()

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    assert inside.wait(30), "the plane waits for its door"
    try:
        yield
    finally:
        leaving.set()
        thread.join()


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize(("spoil", "mend"), SPOILT.values(), ids=SPOILT)
def test_a_door_that_cannot_be_opened_is_tried_again(doors, monkeypatch, spoil, mend):
    monkeypatch.setattr(plane_door, "AGAIN", 0.01)
    door, told_in = doors / "door", doors / "plane"
    door.mkdir(mode=0o700)
    spoil(door, told_in)
    with warned() as told, entered(door, told_in):
        mend(door, told_in)
        assert until(lambda: told_in.is_file() and told_in.read_text()) == str(door / "socket")
    assert [record.getMessage() for record in told.records] == [
        "people's own sessions are not answered"
    ]


@contextmanager
def in_use(store):
    """A store whose one connection another thread has, as a plane that waits for news has its own."""
    inside, leaving = threading.Event(), threading.Event()

    def hold(_tx) -> None:
        inside.set()
        leaving.wait()

    thread = threading.Thread(target=store.ask, args=(hold,), daemon=True)
    thread.start()
    inside.wait()
    try:
        yield
    finally:
        leaving.set()
        thread.join()


@pytest.mark.requirement("SYNC-07")
def test_a_prompt_waits_for_nothing_that_the_plane_waits_for(repository, doors, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    write(repository, ".claude/team.yaml", MANIFEST)
    settings, answers = find(str(repository)), []

    @contextmanager
    def beside(_holder):
        place = Path((repository / ".drumline" / "plane").read_text())
        door = SimpleNamespace(socket=place, token_file=place.with_name("token"))
        with in_use(store):
            answers.append(asked(door, ask="begin", turn={}))
        os.kill(os.getpid(), signal.SIGTERM)  # the plane comes down before its first pass
        yield

    with closing(open_store(settings)) as store:
        planes.be_plane(settings, store, beside)
    assert answers == [{}]
