"""Where a member stands when it calls a tool: who it is, what it holds, how far it may go."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNVERIFIED, PAUSED = "unverified", "paused"
MAY_CHANGE = frozenset({"", "exempt", "approved"})
LEAD, TEAMMATE = "lead", "teammate"


class Standing:
    """What the judge knows of the caller; an empty role means: not on a team.

    What is written but means nothing counts as the narrower of its readings.
    """

    __slots__ = (
        "branches",
        "denied_tools",
        "files",
        "integrator",
        "isolation",
        "lost_servers",
        "member",
        "owns",
        "phase",
        "preset",
        "protocol",
        "repository",
        "role",
        "root",
        "tools",
    )

    def __init__(self, facts: Mapping[str, object], root: str) -> None:
        self.root = str(facts.get("root") or root)
        self.repository = str(facts.get("repository") or self.root)
        self.member = str(facts.get("member") or "")
        self.role = _role(facts.get("role"))
        self.isolation = "own" if facts.get("isolation") == "own" else "shared"
        self.preset = str(facts.get("preset") or "")
        self.phase = str(facts.get("phase") or "")
        self.protocol = str(facts.get("protocol") or "")
        self.integrator = facts.get("integrator") is True
        self.owns = _texts(facts.get("owns")) or ()
        self.branches = _texts(facts.get("branches")) or ()
        self.files = _texts(facts.get("files"))  # None: no task limits it
        self.tools = () if _strange(facts.get("tools")) else _texts(facts.get("tools"))  # None: all
        self.lost_servers = _texts(facts.get("lost_servers")) or ()
        self.denied_tools = _texts(facts.get("denied_tools")) or ()

    @property
    def on_a_team(self) -> bool:
        return bool(self.role)


def _role(said: object) -> str:
    if not said:
        return ""
    return said if isinstance(said, str) and said in {LEAD, TEAMMATE} else TEAMMATE


def _strange(value: object) -> bool:
    return value is not None and not isinstance(value, str | list | tuple)


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        return None
    return tuple(item for item in value if isinstance(item, str))
