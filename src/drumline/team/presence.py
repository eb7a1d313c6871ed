"""Whether the team's rules apply to a session, so that a person working alone notices nothing."""

from enum import StrEnum


class Enabled(StrEnum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def applies(enabled: Enabled, *, member: str) -> bool:
    """Whether role and team rules hold for a session that says it is `member` (or nobody).

    Rules about destructive commands, secrets and audit do not ask: they hold wherever installed.
    """
    if enabled is Enabled.AUTO:
        return bool(member)
    return enabled is Enabled.ALWAYS
