"""What a probe of an agent CLI is made of, and the proofs that are kept so that launches need not repeat them."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drumline.wiring import manifest_of
from drumline.wiring.guards import hook_words
from drumline.wiring.home import state_folder

if TYPE_CHECKING:
    from drumline.runtimes.probes_member import Terms
    from drumline.runtimes.rehearsal.launch import Cli
    from drumline.settings import Settings
    from drumline.team.manifest import MemberEntry
    from drumline.team.probe import Probed, Proof

AGENTS = ("claude", "codex")
CANARIES = "canary"


def probe(
    runtime: str, named: str, settings: Settings | None, tell: Callable[[str], None]
) -> Probed:
    """Play every probe of a runtime to the CLI that was named, or is found.

    The one that is found is also proved for each member of this repository's team that lives in it.
    """
    from drumline.runtimes import probes_cli
    from drumline.runtimes.probes_member import Terms

    cli = _cli(runtime, named)
    with _crashes_unlogged():
        found = probes_cli.probe_all(cli, Terms(hook=runner_hook()), tell)
    if named or settings is None:
        return found
    own = tuple(_members_proofs(settings, runtime, tell))
    return replace(found, proofs=(*found.proofs, *own))


def probe_one(runtime: str, name: str, named: str = "") -> tuple[str, Proof]:
    """Play one probe to the CLI that was named, or is found; its version, and what came of it."""
    from drumline.runtimes import probes_cli
    from drumline.runtimes.probes_member import Terms

    cli = _cli(runtime, named)
    with _crashes_unlogged():
        found = probes_cli.probe_one(cli, Terms(hook=runner_hook()), name)
    return probes_cli.version_of(cli), found


def catalogue(runtime: str) -> dict[str, str]:
    """What can be shown of a runtime."""
    from drumline.runtimes import probes_cli

    return probes_cli.catalogue(runtime)


def proved(settings: Settings, entry: MemberEntry) -> Proof:
    """Whether this member's CLI, started as the member's is, has refused a forbidden call.

    What was proved is kept; what was not is played now, which takes seconds: from a loop, call it in
    a thread. A failure is never kept: the next launch tries again.
    """
    from drumline.runtimes import probes_cli

    if entry.runtime not in AGENTS:
        return _no_agent(entry)
    cli, terms = _cli(entry.runtime), _terms(settings, entry)
    said = probes_cli.version_of(cli)
    place = _place(settings, probes_cli.key_of(cli, said, terms))
    if kept := _kept(place):
        return kept
    found = probes_cli.canary(cli, terms)
    if found.passed:
        _keep(place, found, {"runtime": cli.runtime, "program": cli.program, "version": said})
    return found


def kept_proofs(
    settings: Settings, entries: Sequence[MemberEntry], said: str
) -> Iterator[tuple[MemberEntry, Proof | None]]:
    """The proofs that are kept and still good for members of one runtime, whose CLI has this version."""
    from drumline.runtimes import probes_cli

    for entry in entries:
        if settings.fresh:  # nothing is kept, and looking must not begin to
            yield entry, None
            continue
        key = probes_cli.key_of(_cli(entry.runtime), said, _terms(settings, entry))
        yield entry, _kept(_place(settings, key))


def _members_proofs(
    settings: Settings, runtime: str, tell: Callable[[str], None]
) -> Iterator[Proof]:
    for entry in manifest_of(settings).members:
        if entry.runtime == runtime:
            tell(f"playing the canary of {entry.name}")
            yield replace(proved(settings, entry), name=f"{CANARIES} of {entry.name}")


def _no_agent(entry: MemberEntry) -> Proof:
    from drumline.team.probe import Proof

    detail = f"the runtime {entry.runtime} has no agent CLI with hooks to prove"
    return Proof(name=CANARIES, passed=True, detail=detail)


def _cli(runtime: str, named: str = "") -> Cli:
    from drumline.runtimes.programs import program
    from drumline.runtimes.rehearsal.launch import Cli

    return Cli(program(runtime, named), runtime)


def _terms(settings: Settings, entry: MemberEntry) -> Terms:
    """A member's launch, as far as it is the member's own."""
    from drumline.runtimes.probes_member import Terms

    return Terms(
        hook=hook_words(settings),
        tools=entry.tools,
        permission_mode=entry.permission_mode,
        model=entry.model_told,
        arguments=entry.arguments,
    )


def runner_hook() -> list[str]:
    """Our hook where there is no repository: it asks the runner, and never a state folder."""
    import sys

    from drumline.hooks import guard

    return [sys.executable, "-I", "-S", str(guard.__file__), os.devnull]


def _place(settings: Settings, key: str) -> Path:
    return Path(state_folder(settings), CANARIES, f"{key}.json")


def _kept(place: Path) -> Proof | None:
    """The proof in a file; None where there is none that can be read."""
    from drumline.team.probe import Proof

    try:
        told = json.loads(place.read_text("utf-8"))
        when, version = str(told["proved_at"]), str(told["version"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return Proof(name=CANARIES, passed=True, detail=f"proved with {version} at {when}")


def _keep(place: Path, proof: Proof, about: dict[str, Any]) -> None:
    """Write a proof whole; of two that were found at once either may stay."""
    place.parent.mkdir(mode=0o700, exist_ok=True)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    unfinished.write_text(json.dumps({**about, "detail": proof.detail, "proved_at": now}), "utf-8")
    unfinished.replace(place)


@contextmanager
def _crashes_unlogged() -> Iterator[None]:
    """Guards crash here on purpose: what is logged of it is no news."""
    logger, silence = logging.getLogger("drumline.runtimes"), logging.NullHandler()
    logger.addHandler(silence)
    try:
        yield
    finally:
        logger.removeHandler(silence)
