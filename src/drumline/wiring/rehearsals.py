"""What a rehearsal is made of: a scenario by name or file, a CLI, and a folder that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from drumline.errors import Unknown

if TYPE_CHECKING:
    from drumline.runtimes.rehearsal.stage import Rehearsed
    from drumline.team.scenario import Scenario


class Wish(NamedTuple):
    """Which CLI plays, as whom, on which model, and where; what is empty is found."""

    runtime: str
    cli: str = ""
    member: str = ""
    model: str = ""
    folder: str = ""


def rehearse(name: str, wish: Wish, tell: Callable[[str], None]) -> Rehearsed:
    """Play a scenario to a real CLI; its folder is kept only where one was named. `tell` hears how far it is."""
    from drumline.runtimes.programs import program
    from drumline.runtimes.rehearsal import stage
    from drumline.runtimes.rehearsal.launch import Options

    scenario, cli = find_scenario(name), program(wish.runtime, wish.cli)
    options = Options(member=wish.member, model=wish.model, tell=tell)
    tell(f"starting {wish.runtime}")
    if wish.folder:
        folder = Path(wish.folder).resolve()
        return stage.rehearse(scenario, cli, wish.runtime, folder, options)
    # what a stopped CLI still writes must not turn a finished rehearsal into an error
    with tempfile.TemporaryDirectory(prefix="drumline-", ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve() / "rehearsal"
        return stage.rehearse(scenario, cli, wish.runtime, folder, options)


def find_scenario(name: str, root: str = "") -> Scenario:
    """A scenario of ours by its name, or one of the user's by its file, seen from a repository's root."""
    from drumline.store.manifests import read_file
    from drumline.team.scenario import accepted

    ours = _shipped()
    path = Path(root, name)
    if name in ours and not path.is_file():
        return accepted(read_file(ours[name]), name)
    if not path.is_file():
        raise Unknown(
            f"no scenario {name[:80]!r}",
            why="it is neither a file nor one of ours",
            next=f"name a file, or one of {', '.join(ours)}",
        )
    return accepted(read_file(path), name)


def _shipped() -> dict[str, Path]:
    from drumline import runtimes

    folder = Path(str(runtimes.__file__)).with_name("scenarios")
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}
