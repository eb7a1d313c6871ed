"""Run a command of the project itself, its tests or its set-up, in a checkout: confined and bounded."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from drumline.runtimes import bounded
from drumline.runtimes.beside import scratch
from drumline.runtimes.checkout import holes_in
from drumline.runtimes.looking import tied
from drumline.team.confinement import Confinement
from drumline.team.tail import tail

LONGEST = 600.0  # seconds
READ_BACK = 65_536  # bytes of which the tail is taken
OUT_OF_TIME = 124  # as timeout says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What holds for the project's commands: they execute what members wrote.

    confinement  what they may write and reach besides the checkout
    variables    what they see besides PATH, LANG, and a HOME and TMPDIR of their own
    before       the words of a launcher to put before them
    given_up     tells whether anybody still waits for them
    """

    confinement: Confinement = field(default_factory=Confinement)
    variables: Mapping[str, str] = field(default_factory=dict)
    seconds: float = LONGEST
    before: Sequence[str] = ()
    given_up: Callable[[], bool] = lambda: False


class Ran(NamedTuple):
    """How a command ended, and its last words."""

    code: int
    tail: str
    seconds: float


def run_command(argv: Sequence[str], folder: Path, terms: Terms) -> Ran:
    """Run a command in a checkout, with nothing else writable, to its end or the end of its time."""
    real = Path(os.path.realpath(folder))
    with scratch() as place:
        own = [str(place / name) for name in ("home", "tmp")]
        for each in own:
            Path(each).mkdir()
        held = terms.confinement.adding(writable=[str(real), *own], holes=holes_in(real))
        usual = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": own[0],
            "TMPDIR": own[1],
            "LANG": "C.UTF-8",
            "TERM": "dumb",
        }
        done = bounded.run(
            bounded.Command(
                argv=[*terms.before, *tied(held), *argv],
                folder=real,
                environ={**usual, **terms.variables},
                seconds=terms.seconds,
                most=READ_BACK,
                tail=True,
                given_up=terms.given_up,
            )
        )
    note = f"drumline: ended after {terms.seconds:g} s, {done.cut}" if done.cut else ""
    words = tail(done.out.decode("utf-8", "replace"), note)
    return Ran(OUT_OF_TIME if done.cut else done.code, words, done.seconds)
