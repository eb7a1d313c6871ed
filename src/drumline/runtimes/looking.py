"""What we are shown where our own programs meet a member's checkout: the checkout, and nothing of ours.

What such a program reads there may make it the member's: it then finds what the member itself would.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from drumline.runtimes import leash
from drumline.runtimes.confine import launcher
from drumline.team.confinement import Confinement

CHECKOUTS = "checkouts"  # the folder, in our state, in which every checkout is made


def doors() -> Path:
    """Where the members of this user meet their runners; there may be no such folder yet."""
    base = os.environ.get("XDG_RUNTIME_DIR") or "/tmp"  # noqa: S108 - a folder of our own in it, checked
    return Path(os.path.realpath(base)) / f"drumline-{os.getuid()}"


def looking(checkout: Path) -> Confinement:
    """Nothing to write, nobody to reach, and of our state and doors only this checkout to see."""
    real = Path(os.path.realpath(checkout))
    state = [real.parent.parent] if real.parent.name == CHECKOUTS else []
    hidden = [str(folder) for folder in (*state, doors()) if folder.is_dir()]
    return Confinement(ports=(), hidden=hidden, shown=[str(real)])


def writing(checkout: Path, holes: Iterable[str] = ()) -> Confinement:
    """The same with the checkout to write, less the holes that are there."""
    there = [hole for hole in holes if os.path.lexists(hole)]
    return looking(checkout).adding(writable=[os.path.realpath(checkout)], holes=there)


def tied(held: Confinement) -> list[str]:
    """The words before a program that runs for us where members write: it never outlives its bounded run."""
    return launcher(held, leash.OF_THE_RUN)
