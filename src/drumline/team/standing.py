"""Where a member stands when it calls a tool: who it is, what it holds, how far it may go."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNVERIFIED, PAUSED = "unverified", "paused"
MAY_CHANGE = frozenset({"", "exempt", "approved"})
LEAD, TEAMMATE = "lead", "teammate"
STRONGEST = ("opus", "o1-pro", "gpt-5-pro")  # parts of the names of the dearest models


class Standing:
    """What the judge knows of the caller; an empty role means: not on a team.

    What is written but means nothing counts as the narrower of its readings. `subagent` is the profile
    of whoever calls in the member's name, and `profile_tools` its own list beside the member's.
    """

    __slots__ = (
        "branches",
        "delegating",
        "denied_tools",
        "files",
        "integrator",
        "isolation",
        "lost_servers",
        "member",
        "mode",
        "owns",
        "phase",
        "preset",
        "profile_tools",
        "protocol",
        "reads_only",
        "repository",
        "role",
        "root",
        "startable",
        "subagent",
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
        self.mode = str(facts.get("mode") or "")  # of the run its team is at
        self.protocol = str(facts.get("protocol") or "")
        self.delegating = facts.get("delegating") is True
        self.integrator = facts.get("integrator") is True
        self.owns = _texts(facts.get("owns")) or ()
        self.branches = _texts(facts.get("branches")) or ()
        self.files = _texts(facts.get("files"))  # None: no task limits it
        self.tools = _tools(facts)
        self.lost_servers = _texts(facts.get("lost_servers")) or ()
        self.denied_tools = _texts(facts.get("denied_tools")) or ()
        startable = facts.get("startable")
        self.startable = startable if isinstance(startable, dict) else {}
        self.reads_only = facts.get("reads_only") is True
        self.subagent, self.profile_tools = "", _tools({})
        if profile := facts.get("subagent"):
            self._hold_to(str(profile))

    @property
    def on_a_team(self) -> bool:
        return bool(self.role)

    def of_profile(self, profile: str) -> Mapping[str, object]:
        """What is written of a profile whose subagents this caller may start."""
        found = self.startable.get(profile)
        return found if isinstance(found, dict) else {}

    def of_subagent(self, profile: str) -> Standing:
        """Where a subagent stands: where its starter does, held to its own profile too."""
        found = Standing.__new__(Standing)
        for name in self.__slots__:
            setattr(found, name, getattr(self, name))
        found._hold_to(profile)  # noqa: SLF001 - one of us
        return found

    def _hold_to(self, profile: str) -> None:
        held = self.of_profile(profile)
        self.subagent, self.profile_tools = profile, _tools(held)
        self.denied_tools = (*self.denied_tools, *(_texts(held.get("denied_tools")) or ()))


def is_strongest(model: str) -> bool:
    """Whether a model is one of the dearest, which are the lead's unless a profile names them."""
    return any(part in model.lower() for part in STRONGEST)


def _role(said: object) -> str:
    if not said:
        return ""
    return said if isinstance(said, str) and said in {LEAD, TEAMMATE} else TEAMMATE


def _tools(facts: Mapping[str, object]) -> tuple[str, ...] | None:
    """A list of tools; None for all of them."""
    said = facts.get("tools")
    return () if _strange(said) else _texts(said)


def _strange(value: object) -> bool:
    return value is not None and not isinstance(value, str | list | tuple)


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        return None
    return tuple(item for item in value if isinstance(item, str))
