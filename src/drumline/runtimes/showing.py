"""The change that work brought, as whoever judges it reads it: from the user's repository, bounded."""

from collections.abc import Sequence
from pathlib import Path

from drumline.runtimes.git import attempt
from drumline.team.quoting import quoted
from drumline.team.review import Work
from drumline.team.secrets import redact

MOST = 60_000  # characters, of all that is judged at once
PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short")


def changes(repository: Path, works: Sequence[Work]) -> str:
    """What each work changed, quoted; where there is no room for all, it says how to see the rest."""
    room = MOST // max(1, len(works))
    return "\n".join(_change(repository, work, room) for work in works)


def _change(repository: Path, work: Work, room: int) -> str:
    done = attempt(repository, "diff", *PLAIN, work.base, work.merged, "--")
    if done.code:
        return f"What {work.name} brought cannot be shown: git diff {work.base} {work.merged}"
    text = redact(done.out.decode("utf-8", "replace"))
    cut = len(text) > room or bool(done.cut)
    more = f"\nThere is more of it: git diff {work.base} {work.merged}" if cut else ""
    if not text.strip():
        return f"{work.name} brought no change."
    return f"What {work.name} brought:\n{quoted(text[:room])}{more}"
