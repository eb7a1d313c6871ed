"""An idle member that is called anew while nothing could be had goes to it with the next look."""

import asyncio
from contextlib import closing

import pytest

from drumline.control import board
from drumline.runtimes.runner import Runner
from drumline.settings import find
from drumline.surfaces.cli.inside import MemberVerbs
from drumline.team.ids import TaskId
from drumline.team.posting import Wanted
from drumline.team.task import Holder
from drumline.wiring.members import LocalPost
from tests.running import PATIENCE, scripted, team
from tests.words import BOSS

TASK = TaskId(1)


class OneLook:
    """What a runner sees: work that it cannot have, and a task given to it while it tries; then nothing new."""

    plane = True

    def __init__(self, post):
        self._post = post
        self._looks = 0

    def wanted(self, member):
        assert member == "ada"
        return Wanted.RUNNING

    def ready_for(self, member):
        return member == "ada"

    def nudged(self, member):
        return member != "ada"

    def judges(self, member):
        return member != "ada"

    def calls(self, member):
        """The first who asks has not claimed yet; from then on there is what it was given."""
        assert member == "ada"
        self._looks += 1
        return frozenset({"ready"} if self._looks == 1 else {"ready", "given"})

    async def news(self):
        if self._post is None:
            await asyncio.Event().wait()
        post, self._post = self._post, None
        life = post.store.ask(lambda tx: tx.lives.of("ada", most=1)[0])
        post.store.do(board.claim, BOSS, TASK, Holder("ada", life.incarnation))


async def done(post):
    """Live until the task is completed."""
    living = asyncio.ensure_future(Runner(post, "ada", OneLook(post)).live())
    try:
        while str(post.store.ask(lambda tx: tx.tasks.get(TASK).state)) != "completed":
            assert not living.done(), living.exception()
            await asyncio.sleep(0.1)
    finally:
        living.cancel()
        await asyncio.wait([living])


@pytest.mark.requirement("BOARD-04", "SYNC-13")
def test_a_task_given_while_a_claim_finds_nothing_is_taken_up_at_once(tmp_path, doors, monkeypatch):
    with team(
        tmp_path / "r", doors, scripted("ada"), settings="constitution: constitution-4\n"
    ) as found:
        found.run("task", "add", "Say hello")
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
        post = LocalPost(find(str(found.root)), MemberVerbs)
        with closing(post.store):
            asyncio.run(asyncio.wait_for(done(post), PATIENCE))
        assert found.states() == {"T-1": "completed"}
