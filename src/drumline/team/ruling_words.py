"""A ruling in the words that members hear, and the ruling on a call that nobody could rule on."""

from _collections_abc import Mapping  # what `collections` brings beside it would slow every hook

ALLOWED: Mapping[str, str] = {"decision": "allow"}
UNJUDGED = "a call the guard could not judge"
TELL_THE_LEAD = "try a simpler call, and tell the lead"


def refusal(ruling: Mapping[str, str]) -> str:
    """What was refused, by which rule, why, and what to do instead."""
    said = f"refused: {ruling.get('what', '')} [{ruling.get('constraint', '')}]"
    return f"{said}\nwhy: {ruling.get('why', '')}\nnext: {ruling.get('next', '')}"


def unjudged(why: str, what: str = UNJUDGED, way_out: str = TELL_THE_LEAD) -> dict[str, str]:
    """No ruling is a refusal."""
    return {
        "decision": "deny",
        "constraint": "C-TEAM-008",
        "what": what,
        "why": why,
        "next": way_out,
    }
