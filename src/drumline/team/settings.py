"""The numbers of a team: what a manifest says under `settings`, and what holds where it says nothing."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from drumline.team.fields import Field, Many, Record, line, matching, switch, whole
from drumline.team.keeping import KEEPING, MEMORY, Keeping, keeping_said
from drumline.team.rhythm import USUAL, Rhythm
from drumline.team.rhythm_fields import FIELDS as RHYTHM
from drumline.team.rhythm_fields import rhythm_said
from drumline.team.rights import LEASE_BY_HAND, USUAL_LEASE
from drumline.team.span import SPAN, span_of

LOOPBACK = "127.0.0.1"
NO_ENDPOINT = "none"
PORT_SHAPE = r"[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
VARIABLE = matching(r"[A-Za-z_][A-Za-z0-9_]{0,99}", "a variable's name")
ENDPOINT = matching(
    rf"{NO_ENDPOINT}|127\.0\.0\.1:(?:{PORT_SHAPE})",
    f"{LOOPBACK}:PORT, where 0 is any free port, or {NO_ENDPOINT}; other hosts are never served",
)
SETTINGS = Record(
    (
        Field(name=LEASE_BY_HAND, kind=SPAN, default="15m", says="A claim made by hand lasts."),
        Field(name="turn-limit", kind=SPAN, default="1h", says="A turn lasts, at most."),
        Field(
            name="stop-wait",
            kind=SPAN,
            default="15s",
            says="A member that is asked to stop comes to its end by itself, at most.",
        ),
        Field(
            name="approval-wait",
            kind=SPAN,
            default="5m",
            says="A call that a person must approve waits for the answer, at most.",
        ),
        Field(
            name="handoff-refusals",
            kind=whole(1, 20),
            default=3,
            says="A task is refused for want of its handoff so often before a person is asked.",
        ),
        Field(
            name="human-gates",
            kind=Many(line("a phase", 40), "phases", most=100),
            says="Phases at whose gate a person decides, whoever leads and whatever the pipeline says.",
        ),
        Field(name="max-parallel", kind=whole(1, 2000), default=8, says="Members at work at once."),
        Field(
            name="scripted-per-process",
            kind=whole(1, 2000),
            default=1,
            says="Scripted members that share a runner's process.",
        ),
        Field(
            name="context-window",
            kind=whole(1_000, 100_000_000),
            default=200_000,
            says="Tokens a session holds; the budget of skill descriptions follows it.",
        ),
        Field(
            name="environment",
            kind=Many(VARIABLE, "names"),
            says="Variables of yours that members' processes see too.",
        ),
        Field(
            name="server-environment",
            kind=Many(VARIABLE, "names"),
            says="Variables of yours that only an MCP server sees whose registration names them.",
        ),
        Field(name="lead-works", kind=switch(), default=False, says="The lead may edit files."),
        Field(
            name="endpoint",
            kind=ENDPOINT,
            default=f"{LOOPBACK}:0",
            says="Where a plane answers HTTP, from its next start; port 0 is any free one.",
        ),
        *RHYTHM,
        Field(name="memory", kind=MEMORY, says="How much members remember, and for how long."),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings:
    """The numbers of a team."""

    lease_by_hand: timedelta = USUAL_LEASE
    turn_limit: timedelta = timedelta(hours=1)
    approval_wait: timedelta = timedelta(minutes=5)
    stop_wait: timedelta = timedelta(seconds=15)
    handoff_refusals: int = 3
    human_gates: tuple[str, ...] = ()
    max_parallel: int = 8
    scripted_per_process: int = 1
    context_window: int = 200_000
    environment: tuple[str, ...] = ()
    server_environment: tuple[str, ...] = ()
    lead_works: bool = False
    endpoint: str = f"{LOOPBACK}:0"
    rhythm: Rhythm = USUAL
    memory: Keeping = KEEPING

    @property
    def port(self) -> int | None:
        """The port of the endpoint, 0 for any free one; None where there is to be none."""
        return None if self.endpoint == NO_ENDPOINT else int(self.endpoint.rpartition(":")[2])

    @property
    def skill_budget(self) -> int:
        """Characters the descriptions of all skills may take together."""
        return max(self.context_window * 2 // 100, 16_000)


def settings_said(values: dict[str, Any]) -> TeamSettings:
    """The settings of a manifest that was found to be in order."""
    given: dict[str, Any] = {name.replace("-", "_"): value for name, value in values.items()}
    rhythm = {name: given.pop(name) for name in Rhythm._fields if name in given}
    for span in ("lease_by_hand", "turn_limit", "approval_wait", "stop_wait"):
        if span in given:
            given[span] = span_of(given[span])
    memory = keeping_said(given.pop("memory", {}))
    return TeamSettings(rhythm=rhythm_said(rhythm), memory=memory, **given)
