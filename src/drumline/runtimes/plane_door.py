"""The plane's own doorway: hooks of the sessions people start ask here, and leave their notes.

When a turn begins they ask what waits for its member, which then goes along with the prompt.

It saves each hook from loading the judge, and one process writes the trail for all sessions of a host.
Whoever lives in a member's process tree is turned away: its runner answers it.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from drumline.control import dispatch
from drumline.control.attribution import Grounds
from drumline.control.ports import Store
from drumline.errors import Conflict
from drumline.runtimes.ancestry import in_a_life
from drumline.runtimes.doorway import Doorway, Watch
from drumline.runtimes.runtime import Answer, Guard, Verbs
from drumline.team.settled import begun_turn

AGAIN = 5.0  # seconds
log = logging.getLogger(__name__)


class SessionVerbs:
    """What the plane does for sessions: it brings nudges; their own commands act by themselves.

    It has a store to itself, opened by the first prompt: a plane that waits for news lends its own to nobody.
    """

    def __init__(self, open_store: Callable[[], Store], grounds: Grounds) -> None:
        self._open_store, self._grounds = open_store, grounds
        self._opening, self._opened = threading.Lock(), list[Store]()

    @property
    def _store(self) -> Store:
        with self._opening:  # two prompts may come at once
            if not self._opened:
                self._opened.append(self._open_store())
            return self._opened[0]

    def close(self) -> None:
        for each in self._opened:
            each.close()

    def begins(self, turn: Mapping[str, Any]) -> Mapping[str, Any]:
        """The words of the nudge that waits for whose turn it is; from here on it is never said again."""
        if not self._store.ask(dispatch.anything_waits):
            return {}
        found = self._store.do(dispatch.take_by_hand, begun_turn(turn), self._grounds)
        if found is None:
            return {}
        return {"words": found.text, "receipt": [*found[:3]]}

    def heard(self, receipt: Any) -> None:
        """The words were given to the agent CLI."""
        self._store.do(dispatch.heard, *_key(receipt))

    def unheard(self, receipt: Any) -> None:
        """The hook that asked for the words was gone before they came."""
        self._store.do(dispatch.unheard, *_key(receipt))

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:
        del words, stdin, cwd
        return Answer(1, "", "refused: the plane carries out no commands\n")


def _key(receipt: Any) -> tuple[str, int, str]:
    """What names a nudge, as its receipt says it."""
    member, incarnation, fingerprint = receipt
    return str(member), int(incarnation), str(fingerprint)


@contextmanager
def answering(
    door: Path, guard: Guard, verbs: Verbs, told_in: Path, refused: Callable[[str], None]
) -> Iterator[None]:
    """Answer sessions for as long as this is entered; `told_in` is the file that says where.

    Who cannot be answered judges for itself: no trouble here keeps a plane from its members.
    """
    stopping, ready, told = threading.Event(), threading.Event(), threading.Event()

    async def serve() -> None:
        watch = Watch(lambda process: not in_a_life(process), refused)
        async with Doorway(door, guard, verbs, watch) as open_:
            unfinished = told_in.with_name(f".{told_in.name}")
            unfinished.write_text(str(open_.socket), "utf-8")
            unfinished.replace(told_in)
            told.set()
            ready.set()
            await asyncio.to_thread(stopping.wait)

    thread = threading.Thread(
        target=_kept_open, args=(serve, ready, stopping), name="plane-door", daemon=True
    )
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        if told.is_set():
            told_in.unlink(missing_ok=True)
        stopping.set()
        thread.join()


def _kept_open(
    serve: Callable[[], Coroutine[Any, Any, None]],
    ready: threading.Event,
    stopping: threading.Event,
) -> None:
    """Serve, and try again where that fails; each trouble is told once."""
    known = ""
    while not stopping.is_set():
        try:
            asyncio.run(serve())
        except Conflict:
            pass  # another plane answers here: one of the two is about to end
        except Exception as trouble:
            if str(trouble) != known:
                log.exception("people's own sessions are not answered")
            known = str(trouble)
        finally:
            ready.set()
        stopping.wait(AGAIN)
