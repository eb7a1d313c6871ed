"""Which versions of agent CLIs are on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from drumline.errors import DrumlineError


def versions(runtimes: Iterable[str]) -> dict[str, str]:
    """The version of each runtime's CLI that is here; one that cannot be asked is left out."""
    found = {}
    for runtime in set(runtimes):
        with suppress(DrumlineError):
            found[runtime] = version(runtime)[0]
    return found


def version(runtime: str) -> tuple[str, str]:
    """The version of a runtime's CLI on this machine, and where it is."""
    from drumline.runtimes import probes_cli
    from drumline.runtimes.programs import program
    from drumline.runtimes.rehearsal.launch import Cli

    cli = Cli(program(runtime, ""), runtime)
    return probes_cli.version_of(cli), cli.program
