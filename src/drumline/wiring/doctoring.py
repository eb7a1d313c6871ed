"""What a probe of an agent CLI is made of, and the proofs that are kept so that launches need not repeat them."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
OF_CLAUDE = frozenset({"sonnet", "opus", "haiku"})


def probe(runtime: str, named: str, tell: Callable[[str], None]) -> Probed:
    """Play every probe of a runtime to the CLI that was named, or is found."""
    from drumline.runtimes import probes_cli
    from drumline.runtimes.probes_member import Terms
    from drumline.runtimes.programs import program
    from drumline.runtimes.rehearsal.launch import Cli

    cli = Cli(program(runtime, named), runtime)
    with _crashes_unlogged():
        return probes_cli.probe_all(cli, Terms(hook=_any_hook()), tell)


def proved(settings: Settings, entry: MemberEntry) -> Proof:
    """Whether this member's CLI, started as the member's is, has refused a forbidden call.

    What was proved is kept; what was not is played now, which takes seconds: from a loop, call it in
    a thread. A failure is never kept: the next launch tries again.
    """
    from drumline.runtimes import probes_cli

    if entry.runtime not in AGENTS:
        return _no_agent(entry)
    cli, terms = _cli(entry), _terms(settings, entry)
    version = probes_cli.version_of(cli)
    place = _place(settings, probes_cli.key_of(cli, version, terms))
    if kept := _kept(place):
        return kept
    found = probes_cli.canary(cli, terms)
    if found.passed:
        _keep(place, found, {"runtime": cli.runtime, "program": cli.program, "version": version})
    return found


def kept_proof(settings: Settings, entry: MemberEntry) -> Proof | None:
    """The proof of an earlier canary that is still good; None where one would have to be played."""
    from drumline.runtimes import probes_cli

    if entry.runtime not in AGENTS:
        return _no_agent(entry)
    cli, terms = _cli(entry), _terms(settings, entry)
    version = probes_cli.version_of(cli)
    return _kept(_place(settings, probes_cli.key_of(cli, version, terms)))


def _no_agent(entry: MemberEntry) -> Proof:
    from drumline.team.probe import Proof

    detail = f"the runtime {entry.runtime} has no agent CLI with hooks to prove"
    return Proof(name=CANARIES, passed=True, detail=detail)


def _cli(entry: MemberEntry) -> Cli:
    from drumline.runtimes.programs import program
    from drumline.runtimes.rehearsal.launch import Cli

    return Cli(program(entry.runtime), entry.runtime)


def _terms(settings: Settings, entry: MemberEntry) -> Terms:
    """A member's launch, as far as it is the member's own."""
    from drumline.runtimes.probes_member import Terms

    foreign = entry.runtime != "claude" and entry.model in OF_CLAUDE
    return Terms(
        hook=hook_words(settings),
        tools=entry.tools,
        permission_mode=entry.permission_mode,
        model="" if foreign else entry.model,
        arguments=entry.arguments,
    )


def _any_hook() -> list[str]:
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
