"""Claims about agent CLIs on this machine: tried with the CLI that is here, and held against rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from drumline.control import runtime_claims
from drumline.errors import NotShown
from drumline.team.checkup import Line, ok, warning
from drumline.team.runtime_claim import ClaimId, RuntimeClaim, Trust, leaning, trusts
from drumline.wiring import cli_versions, open_store

if TYPE_CHECKING:
    from drumline.control.policy import PolicyFiles
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.document import Problem


def trusted(claims: Iterable[RuntimeClaim]) -> dict[ClaimId, Trust]:
    """How far each may be leaned on here; only CLIs that something is claimed of are asked."""
    listed = list(claims)
    return trusts(listed, cli_versions.versions(each.runtime for each in listed))


def problems(files: PolicyFiles, settings: Settings | None) -> list[Problem]:
    """The team's own rules that lean on what nobody has shown; without such rules no CLI is asked."""
    own = files.own()
    if own is None or own.root is None or not list(leaning(own.root, {})):
        return []
    return list(leaning(own.root, trusted(_claims(settings))))


def refuse_leaning(files: PolicyFiles, settings: Settings | None) -> None:
    """Refuse to put rules in force that lean on what nobody has shown."""
    if found := problems(files, settings):
        raise NotShown(
            f"{files.own_file} leans on what nobody has shown",
            why="\n".join(problem.at(files.own_file) for problem in found),
            next="prove the claims named above, or take those rules out; then: drumline policy check",
        )


def _claims(settings: Settings | None) -> list[RuntimeClaim]:
    if settings is None or settings.fresh:
        return []
    store = open_store(settings, reading=True)
    try:
        return store.ask(runtime_claims.page)
    finally:
        store.close()


def examined(store: Store) -> Iterator[Line]:
    """A line for each claim that may not be leaned on; one for all where there is none."""
    claims = store.ask(runtime_claims.page)
    found = trusted(claims)
    doubtful = [each for each in claims if found[each.id] in {Trust.UNVERIFIED, Trust.REFUTED}]
    if claims and not doubtful:
        yield ok("claims", f"{len(claims)} about agent CLIs, none unverified")
    for each in doubtful:
        said = f"{found[each.id]}: {each.says}"
        yield warning(f"claim: {each.id}", said, f"drumline claim prove {each.id}")
