"""Who a process acts for: the variables set at launch, and how hooks read them back.

DRUMLINE_TEAM         the team's name
DRUMLINE_MEMBER       the member's name in it
DRUMLINE_ROLE         what the member is there: lead or teammate
DRUMLINE_MODEL        the model it runs on
DRUMLINE_PROVIDER     who serves that model
DRUMLINE_TRACE        the run all its records belong to
DRUMLINE_INCARNATION  which of the member's lives this is
DRUMLINE_STANDING     the file that says what it may do now

LOA_TEAM_ID, LOA_TEAM_MEMBER, LOA_CURRENT_MODEL, LOA_CURRENT_PROVIDER and LOA_TRACE_ID are read where
the first five's own name is not set. What nobody set is empty.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIXES = ("DRUMLINE_", "LOA_")
VARIABLES = {
    "team": "DRUMLINE_TEAM",
    "member": "DRUMLINE_MEMBER",
    "role": "DRUMLINE_ROLE",
    "model": "DRUMLINE_MODEL",
    "provider": "DRUMLINE_PROVIDER",
    "trace": "DRUMLINE_TRACE",
    "incarnation": "DRUMLINE_INCARNATION",
    "standing": "DRUMLINE_STANDING",
}
ALIASES = {
    "team": "LOA_TEAM_ID",
    "member": "LOA_TEAM_MEMBER",
    "model": "LOA_CURRENT_MODEL",
    "provider": "LOA_CURRENT_PROVIDER",
    "trace": "LOA_TRACE_ID",
}


class Identity:
    """Who a process acts for, as its launch said; what was not said is empty."""

    __slots__ = tuple(VARIABLES)

    team: str
    member: str
    role: str
    model: str
    provider: str
    trace: str
    incarnation: str
    standing: str

    def __init__(self, **facts: str) -> None:
        strange = sorted(facts.keys() - VARIABLES.keys())
        if strange:
            raise TypeError(f"an identity has no {', '.join(strange)}")
        for name in VARIABLES:
            object.__setattr__(self, name, facts.get(name, ""))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an identity does not change: {name} stays")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and environment(self) == environment(other)

    def __hash__(self) -> int:
        return hash(tuple(environment(self).values()))

    def __repr__(self) -> str:
        said = [f"{name}={getattr(self, name)!r}" for name in VARIABLES if getattr(self, name)]
        return f"Identity({', '.join(said)})"


def identity(environ: Mapping[str, str]) -> Identity:
    """The identity an environment states; our own name, even when empty, beats its alias."""
    return Identity(**{name: _stated(environ, name) for name in VARIABLES})


def environment(stated: Identity) -> dict[str, str]:
    """All variables of a launch; the empty ones too, so that no inherited alias speaks for them."""
    return {variable: getattr(stated, name) for name, variable in VARIABLES.items()}


def is_identity(name: str) -> bool:
    """Whether a variable is ours to set, so that nobody else may."""
    return name.startswith(PREFIXES)


def _stated(environ: Mapping[str, str], name: str) -> str:
    alias = ALIASES.get(name, "")
    return environ.get(VARIABLES[name], environ.get(alias, "") if alias else "")
