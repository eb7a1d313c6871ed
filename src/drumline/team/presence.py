"""Whether a team's rules hold, so that a person working alone notices nothing."""

from enum import StrEnum


class Enabled(StrEnum):
    """When role and team rules hold; those about destructive commands, secrets and audit do not ask."""

    AUTO = "auto"  # for whoever is on the team, and for nobody else
    NEVER = "never"
