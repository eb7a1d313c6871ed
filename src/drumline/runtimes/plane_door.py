"""The plane's own doorway: hooks of the sessions people start ask here, and leave their notes.

It saves each hook from loading the judge, and one process writes the trail for all sessions of a host.
Whoever lives in a member's process tree is turned away: its runner answers it.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from drumline.errors import Conflict
from drumline.runtimes.ancestry import in_a_life
from drumline.runtimes.doorway import Doorway, Watch
from drumline.runtimes.runtime import Answer, Guard

AGAIN = 5.0  # seconds


class NoVerbs:
    """A session's own commands act by themselves."""

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:
        del words, stdin, cwd
        return Answer(1, "", "refused: the plane carries out no commands\n")


@contextmanager
def answering(
    door: Path, guard: Guard, told_in: Path, refused: Callable[[str], None]
) -> Iterator[None]:
    """Answer sessions for as long as this is entered; `told_in` is the file that says where."""
    stopping, ready, told = threading.Event(), threading.Event(), threading.Event()

    async def serve() -> None:
        watch = Watch(lambda process: not in_a_life(process), refused)
        async with Doorway(door, guard, NoVerbs(), watch) as open_:
            unfinished = told_in.with_name(f".{told_in.name}")
            unfinished.write_text(str(open_.socket), "utf-8")
            unfinished.replace(told_in)
            told.set()
            ready.set()
            await asyncio.to_thread(stopping.wait)

    def run() -> None:
        while not stopping.is_set():
            with suppress(Conflict):  # another plane answers here: one of the two is about to end
                asyncio.run(serve())
            ready.set()
            stopping.wait(AGAIN)

    thread = threading.Thread(target=run, name="plane-door", daemon=True)
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        if told.is_set():
            told_in.unlink(missing_ok=True)
        stopping.set()
        thread.join()
