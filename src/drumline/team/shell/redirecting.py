"""Where a step's output goes behind its redirections."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE
from drumline.team.shell.said import or_else
from drumline.team.shell.syntax import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.syntax import Redirect

_STREAMS = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}


def still_printed(said: str, redirects: Sequence[Redirect]) -> str:
    """What a step prints behind its redirections; what goes to another descriptor may come back."""
    here = {"1"}  # the descriptors that lead to where the step prints
    files = True
    for redirect in redirects:
        numbers = _numbers(redirect)
        source = _source(redirect)
        if "1" in numbers:
            files = source == ""
        here = here | numbers if source in here else here - numbers
    if "1" in here:
        return said
    if here:
        return or_else(said, "", HOLE)
    return "" if files else or_else(said, "")


def _numbers(redirect: Redirect) -> set[str]:
    """The descriptors that are led elsewhere."""
    if redirect.operator.startswith("&"):
        return {"1", "2"}
    return {redirect.descriptor or ("1" if ">" in redirect.operator else "0")}


def _source(redirect: Redirect) -> str:
    """The descriptor that is copied; nothing for a file, and a mark where nobody can tell."""
    target = redirect.target[0] if len(redirect.target) == 1 else None
    name = target.text if isinstance(target, Text) else HOLE
    if name == "/dev/null":
        return ""
    if name.startswith(("/dev/", "/proc/")):
        return _STREAMS.get(name, name.rpartition("/")[2] if "/fd/" in name else HOLE)
    return name.removesuffix("-") or HOLE if redirect.operator.endswith("&") else _unless_file(name)


def _unless_file(name: str) -> str:
    return HOLE if name == HOLE else ""


def is_descriptor(operator: str, target: str) -> bool:
    return operator.endswith("&") and (target.isdecimal() or target == "-")
