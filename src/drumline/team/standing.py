"""Where a member stands when it calls a tool: who it is, what it holds, how far it may go."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNVERIFIED, PAUSED = "unverified", "paused"
MAY_CHANGE = frozenset({"", "exempt", "approved"})


class Standing:
    """What the judge knows of the caller; an empty role means: not on a team."""

    __slots__ = (
        "branches",
        "denied_tools",
        "files",
        "integrator",
        "isolation",
        "member",
        "owns",
        "phase",
        "preset",
        "protocol",
        "role",
        "root",
        "tools",
    )

    def __init__(self, facts: Mapping[str, object], root: str) -> None:
        self.root = str(facts.get("root") or root)
        self.member = str(facts.get("member") or "")
        self.role = str(facts.get("role") or "")
        self.isolation = str(facts.get("isolation") or "shared")
        self.preset = str(facts.get("preset") or "")
        self.phase = str(facts.get("phase") or "")
        self.protocol = str(facts.get("protocol") or "")
        self.integrator = facts.get("integrator") is True
        self.owns = _texts(facts.get("owns")) or ()
        self.branches = _texts(facts.get("branches")) or ()
        self.files = _texts(facts.get("files"))  # None: no task limits it
        self.tools = _texts(facts.get("tools"))  # None: all of them
        self.denied_tools = _texts(facts.get("denied_tools")) or ()

    @property
    def on_a_team(self) -> bool:
        return bool(self.role)


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list | tuple):
        return None
    return tuple(item for item in value if isinstance(item, str))
