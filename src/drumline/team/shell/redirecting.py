"""Where a step's output goes behind its redirections."""

from __future__ import annotations

from drumline.team.shell.said import either_of, ways_of
from drumline.team.shell.syntax import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.syntax import Redirect


def is_descriptor(operator: str, target: str) -> bool:
    return operator.endswith("&") and (target.isdecimal() or target == "-")


def still_printed(said: str, redirects: Sequence[Redirect]) -> str:
    """What a step prints behind its redirections: what goes to another descriptor may come back."""
    outgoing = [each for each in redirects if _goes_elsewhere(each)]
    if outgoing and all(map(_is_to_a_file, outgoing)):
        return ""
    return either_of(said, (*ways_of(said), "")) if outgoing else said


def _goes_elsewhere(redirect: Redirect) -> bool:
    written = ">" in redirect.operator and not redirect.descriptor
    return written or redirect.descriptor == "1"


def _is_to_a_file(redirect: Redirect) -> bool:
    target = redirect.target[0] if len(redirect.target) == 1 else None
    name = target.text if isinstance(target, Text) else "/dev/"
    is_file = not name.startswith(("/dev/", "/proc/")) or name == "/dev/null"
    return is_file and not is_descriptor(redirect.operator, name)
