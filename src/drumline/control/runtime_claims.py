"""Claims about agent CLIs: made by anybody, shown by a probe, corrected by another claim."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.roster import living
from drumline.control.runs import may_steer
from drumline.errors import BadInput, Conflict, Unknown
from drumline.team.actor import Actor
from drumline.team.request import signed
from drumline.team.runtime_claim import MOST, SAYS_CAP, ClaimId, RuntimeClaim
from drumline.team.secrets import redact
from drumline.team.text import PATTERN_CAP, checked, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.probe import Proof

LISTED = 12


class Claimed(NamedTuple):
    """What is said of a runtime, and the probe that would show it."""

    runtime: str
    probe: str
    says: str
    corrects: ClaimId | None = None


def claim(tx: Transaction, actor: Actor, said: Claimed, catalogue: Collection[str]) -> RuntimeClaim:
    """Keep a claim; it is not believed before its probe, one of the catalogue, showed it."""
    living(tx, actor)
    words = redact(checked(said.says.strip(), "the claim", cap=SAYS_CAP))
    if said.probe not in catalogue:
        shown = ", ".join(sorted(catalogue)[:LISTED])
        raise BadInput(
            f"no probe {said.probe[:80]!r} of {said.runtime}",
            why=f"a claim names what would show it, such as: {shown}",
            next=f"drumline claim probes {said.runtime}",
        )
    if len(tx.claims.page(most=MOST)) >= MOST:
        raise Conflict(f"there are {MOST} claims already", next="drumline claim list")
    if said.corrects is not None and find(tx, said.corrects).runtime != said.runtime:
        raise BadInput(
            f"{said.corrects} is about another runtime", next=f"drumline claim show {said.corrects}"
        )
    made = tx.claims.add(said.runtime, said.probe, words, signed(actor), said.corrects)
    tx.record(actor, "claim.made", str(made.id))
    return made


def tried(
    tx: Transaction, actor: Actor, number: ClaimId, version: str, proof: Proof
) -> RuntimeClaim:
    """Keep what the probe of a claim came to, and with which version of its CLI."""
    may_steer(tx, actor)
    find(tx, number)
    detail = one_line(redact(proof.detail), PATTERN_CAP)
    found = tx.claims.tried(number, version, detail, passed=proof.passed)
    tx.record(actor, "claim.shown" if proof.passed else "claim.refuted", f"{number}: {version}")
    return found


def find(tx: Transaction, number: ClaimId) -> RuntimeClaim:
    """One claim, as it is now."""
    if found := tx.claims.get(number):
        return found
    raise Unknown(f"no claim {number} in team {tx.team}", next="drumline claim list")


def page(tx: Transaction) -> list[RuntimeClaim]:
    """Every claim, oldest first."""
    return tx.claims.page(most=MOST)
