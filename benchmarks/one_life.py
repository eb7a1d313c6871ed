"""One member's life without its conversation: the guard, the verbs and the confinement it would have."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.crowd import Crowd
from drumline.control import lives
from drumline.runtimes.runtime import Start
from drumline.runtimes.talk import Purse
from drumline.runtimes.witnessed import Witnessed
from drumline.surfaces.cli.mcp import MemberTools
from drumline.team.budget import Budgets
from drumline.team.life import WhyEnded
from drumline.team.turn import Opening
from drumline.wiring.members import LocalPost

DOORS = "XDG_RUNTIME_DIR"


@contextmanager
def begun(crowd: Crowd, member: str) -> Iterator[Start]:
    """All that a runner gives a conversation; ask for it where a loop runs, as the purse needs one."""
    with _doors_in(crowd.doors):
        post = LocalPost(crowd.settings, MemberTools)
        entry = post.entry(member)
        life = post.store.do(lives.begin, member, post.process(entry))
        quarters = post.quarters(entry, life)
        post.stand(entry, life, None)
        purse = Purse(post.guard(life, quarters), post, member)
        purse.open(Opening("0" * 64), Budgets())  # so that money is asked after, as in any turn
        guard = Witnessed(purse)
        try:
            yield post.start(entry, life, quarters, guard)
        finally:
            post.store.do(lives.end, life, WhyEnded.FINISHED)
            post.store.close()


@contextmanager
def _doors_in(folder: Path) -> Iterator[None]:
    before = os.environ.get(DOORS)
    os.environ[DOORS] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[DOORS]
        else:
            os.environ[DOORS] = before
