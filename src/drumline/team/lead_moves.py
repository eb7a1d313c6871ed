"""A lead that works itself: a small change takes no other member, where the team allows it."""

from dataclasses import replace

from drumline.team.moves import Place, Seen
from drumline.team.pipeline import Phase
from drumline.team.tier import Tier


def working_lead(seen: Seen, tier: Tier | None) -> Place | None:
    """The lead, where it does the work of a change of this size itself."""
    if not seen.lead_works or tier is not Tier.TRIVIAL:
        return None
    return next((place for place in seen.places if place.name == seen.run.lead), None)


def as_worked(seen: Seen, phase: Phase) -> tuple[Seen, Phase]:
    """A phase and whoever is there for it: all of it the lead's, where the lead works itself."""
    lead = working_lead(seen, seen.run.tier)
    if lead is None:
        return seen, phase
    alone = replace(phase, profile=lead.profile, least=1, most=1, coordinator="")
    return seen._replace(places=[lead], assigns=True), alone
