"""A drainer's hand: a process that clears away and claims files while its drainer is at the store.

Files and the store take about as long as each other: with a hand, a long line is through in half the time.
Whatever becomes of the drainer, the hand puts back what is left of its claims; what the store has taken in
is known there when it comes again.
"""

import marshal
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from drumline.store.spool_files import (
    INCOMING,
    Done,
    Taken,
    clear_away,
    give_all_back,
    is_folder,
    new_folder,
    take,
)
from drumline.team.settled import Hints, SettledTurn

SOURCE = Path(__file__).parents[2]
START = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from drumline.store.spool_hand import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"
)
PATIENCE = 30  # seconds for an errand: after that, a hand is as good as lost
_LENGTH = 8  # bytes that say how long a word is


class HandLost(Exception):
    """The hand has ended, and not by its drainer's will."""


class Errand(NamedTuple):
    """What is to be claimed where, once a batch that is done is cleared away.

    `held` are the folders of the claims that the drainer has meanwhile.
    """

    spool: str
    folder: str
    held: Sequence[str]
    names: Sequence[str]
    owners: Sequence[int]
    done: Done = Done()


class Hand:
    """One errand at a time: what it brought is asked for before it is sent again."""

    def __init__(self, spool: str) -> None:
        self._spool = spool
        self._folder = ""  # for what it is out to claim
        self._done, self._clearing = Done(), Done()
        spelling = f"utf8={sys.flags.utf8_mode}"  # of paths: the same on both sides
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own words
                [sys.executable, "-I", "-S", "-X", spelling, "-c", START, str(SOURCE)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # what a terminal says is for its drainer
            )
        except OSError as error:
            raise HandLost from error
        self._errands = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    @property
    def folders(self) -> tuple[str, ...]:
        """Where claims are that are the hand's to finish."""
        return (self._folder, *self._done.folders, *self._clearing.folders)

    def leave(self, done: Done) -> None:
        """Have a batch cleared away on the next errand."""
        self._done = done

    def send(self, errand: Errand) -> None:
        """Let it go and claim, and clear away what was left for it."""
        words = (*errand[:-1], tuple(self._done))
        self._done, self._clearing, self._folder = Done(), self._done, errand.folder
        try:
            _say(self._errands, words)
        except OSError as error:
            raise HandLost from error

    def brought(self) -> tuple[str, list[Taken]]:
        """What was claimed, and in which folder: that is the drainer's from here on."""
        if not self._folder:
            return "", []
        answered = select.poll()  # `select` knows no descriptor beyond 1,023
        answered.register(self._answers, select.POLLIN)
        found = _heard(self._answers) if answered.poll(PATIENCE * 1000) else None
        if found is None:
            self._process.kill()
            raise HandLost
        folder, self._folder, self._clearing = self._folder, "", Done()
        return folder, [_as_taken(*each) for each in found]

    def let_go(self) -> None:
        """Finish what it was to do, end it, and put back what it had claimed."""
        back = [self._folder]
        try:
            self.brought()
        except HandLost:
            back += self._clearing.folders  # what of it was cleared away, nobody can say
        clear_away(self._spool, self._done)
        for pipe in (self._errands, self._answers):
            with suppress(OSError):
                pipe.close()
        self._ended()
        for folder in back:
            give_all_back(folder, os.path.join(self._spool, INCOMING))

    def _ended(self) -> None:
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Run errands until whoever sent them is gone; then put back what neither has finished."""
    errand = Errand("", "", (), (), ())
    with suppress(OSError):
        while (words := _heard(asked)) is not None:
            errand = Errand(*words)
            _say(answers, [_as_words(taken) for taken in run(errand)])
    for folder in (*errand.held, errand.folder):
        give_all_back(folder, os.path.join(errand.spool, INCOMING))


def run(errand: Errand) -> list[Taken]:
    """Clear away, then claim; what came of the names that still were there."""
    clear_away(errand.spool, Done(*errand.done))
    incoming = os.path.join(errand.spool, INCOMING)
    if not errand.names or not is_folder(incoming):
        return []
    try:
        new_folder(errand.spool, errand.folder)
    except OSError:
        return []  # the drainer will see for itself
    found = (take(incoming, errand.folder, name, errand.owners) for name in errand.names)
    return [taken for taken in found if taken is not None]


def _as_words(taken: Taken) -> tuple[Any, ...]:
    """What was claimed in words that pass between processes: `marshal` knows no nouns of ours."""
    name, turn, why_not, found = taken
    return name, turn and (*turn[:-1], tuple(turn.hints)), why_not, found


def _as_taken(name: str, turn: Any, why_not: str, found: dict[str, Any]) -> Taken:
    if turn is None:
        return Taken(name, None, why_not, found)
    return Taken(name, SettledTurn(*turn)._replace(hints=Hints(*turn[-1])))


def _say(pipe: IO[bytes], words: Any) -> None:
    text = marshal.dumps(words)
    pipe.write(len(text).to_bytes(_LENGTH, "big") + text)
    pipe.flush()


def _heard(pipe: IO[bytes]) -> Any:
    """What the other side says; None when it is gone."""
    length = int.from_bytes(pipe.read(_LENGTH), "big")
    text = pipe.read(length)
    if not length or len(text) < length:
        return None
    return marshal.loads(text)  # noqa: S302 - our own process says it
