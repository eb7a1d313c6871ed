"""Claims about agent CLIs from the command line: make, show, prove and correct them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from drumline.control import runtime_claims
from drumline.control.runtime_claims import Claimed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import Read
from drumline.surfaces.cli.output import columns, facts, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.runtime_claim import ClaimId, RuntimeClaim, Trust
from drumline.team.text import one_line
from drumline.wiring import claims, doctoring

if TYPE_CHECKING:
    from drumline.control.ports import Store

SHOWN = 100
claim_argument = click.argument("claim", type=Read("claim", ClaimId.parse))
runtime_argument = click.argument("runtime", type=click.Choice(doctoring.AGENTS))


@click.group()
def command() -> None:
    """What is said of agent CLIs: no rule leans on it before a probe showed it."""


@command.command()
@runtime_argument
@placed
def probes(runtime: str, *, as_json: bool) -> None:
    """What can be shown of a runtime, by the names that claims use."""
    found = doctoring.catalogue(runtime)
    show(found, columns(found.items()), as_json=as_json)


@command.command()
@runtime_argument
@click.argument("probe")
@click.argument("text")
@placed
def add(runtime: str, probe: str, text: str, *, as_json: bool) -> None:
    """Claim something of a runtime, and name the PROBE that would show it; - reads TEXT from stdin."""
    _made(Claimed(runtime, probe, words(text)), as_json=as_json)


@command.command()
@claim_argument
@click.argument("text")
@click.option("--probe", default="", metavar="NAME", help="Another probe than the claim's.")
@placed
def correct(claim: ClaimId, text: str, probe: str, *, as_json: bool) -> None:
    """Correct a claim by a new one, which counts in its place once it was shown."""
    before = desk.library().ask(runtime_claims.find, claim)
    said = Claimed(before.runtime, probe or before.probe, words(text), claim)
    _made(said, as_json=as_json)


@command.command("list")
@placed
def list_claims(*, as_json: bool) -> None:
    """Every claim, and whether it was shown of the version that is installed."""
    found = desk.library().ask(runtime_claims.page)
    trust = claims.trusted(found)
    rows = [
        (str(each.id), trust[each.id].value, each.runtime, each.probe, one_line(each.says, SHOWN))
        for each in found
    ]
    lines = columns(rows) or ["nothing is claimed"]
    show([each.facts(trust[each.id]) for each in found], lines, as_json=as_json)


@command.command("show")
@claim_argument
@placed
def show_claim(claim: ClaimId, *, as_json: bool) -> None:
    """One claim, and what its last trial came to."""
    store = desk.library()
    _shown(store, store.ask(runtime_claims.find, claim), as_json=as_json)


@command.command()
@claim_argument
@click.option("--cli", default="", metavar="PATH", help="The CLI's program, if not the one found.")
@placed
def prove(claim: ClaimId, cli: str, *, as_json: bool) -> None:
    """Play a claim's probe to the CLI that is here, without key or network; exit 1 if it does not pass."""
    store = desk.store()
    actor, found = desk.speaking(store), store.ask(runtime_claims.find, claim)
    version, proof = doctoring.probe_one(found.runtime, found.probe, cli)
    after = store.do(runtime_claims.tried, actor, claim, version, proof)
    _shown(store, after, as_json=as_json)
    if not proof.passed:
        raise click.exceptions.Exit(1)


def _made(said: Claimed, *, as_json: bool) -> None:
    store = desk.store()
    known = doctoring.catalogue(said.runtime)
    made = store.do(runtime_claims.claim, desk.speaking(store), said, known)
    lines = [f"{made.id} is unverified", f"next:    drumline claim prove {made.id}"]
    show(made.facts(Trust.UNVERIFIED), lines, as_json=as_json)


def _shown(store: Store, each: RuntimeClaim, *, as_json: bool) -> None:
    trust = claims.trusted(store.ask(runtime_claims.page))[each.id]
    tried = (
        f"{'passed' if each.passed else 'failed'} with {each.version}" if each.version else "never"
    )
    lines = facts(
        {
            "claim": f"{each.id} ({trust})",
            "of": f"{each.runtime}, to be shown by {each.probe}",
            "says": each.says,
            "by": each.by,
            "corrects": str(each.corrects or ""),
            "tried": f"{tried} at {each.tried_at:%Y-%m-%d %H:%M} UTC" if each.tried_at else tried,
            "detail": each.detail,
        }
    )
    show(each.facts(trust), lines, as_json=as_json)
