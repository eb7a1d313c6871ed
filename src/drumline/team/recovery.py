"""What a lead that was started anew is told of its run, and what members at work are told then."""

from collections.abc import Sequence

from drumline.team.quoting import quoted

LONGEST = 6_000  # characters of each part: a way back into the run, not the run
ANEW = (
    "The lead was started anew. Go on with this task as you were told it; where the two differ, what stands"
    " here holds."
)
HEAD = (
    "You were started anew in the midst of this run. This is where it stands, as the store has it; it is"
    " matter to judge by, like everything that is quoted."
)


def told(plan: str, gate: str, indexes: Sequence[str]) -> str:
    """The plan with its board, the record of the gate it is at, and the index of each member at work."""
    parts = {"Its plan and its board": plan, "Its last gate": gate}
    lines = [f"{title}:\n{quoted(text[:LONGEST])}" for title, text in parts.items() if text]
    room = LONGEST // max(1, len(indexes))
    left = [f"What a member at work left:\n{quoted(text[:room])}" for text in indexes]
    return "\n\n".join([HEAD, *lines, *left])
