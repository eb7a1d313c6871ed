"""A member's own word as a tool, and what waits for it."""

from __future__ import annotations

from drumline.control import reports, views
from drumline.errors import BadInput
from drumline.surfaces.mcp.tool import (
    CHANGES,
    LEASE,
    MEMBER,
    Arguments,
    Desk,
    Tool,
    form,
    one_of,
    span_in,
    words,
)
from drumline.team.actor import Role
from drumline.team.report import Saying, Stands

LASTING = {**LEASE, "description": "How long it holds, from 1m to 60m, if not as long as usual."}


def _report(desk: Desk, said: Arguments) -> views.Facts:
    store, member = desk.store(), said.get("member", "")
    actor = desk.speaking(store, member)
    if not member and actor.role is Role.PERSON:
        raise BadInput("whose agenda?", next="name the member: `member`")
    name = member or actor.name
    if "state" not in said:
        return store.do(reports.ask, actor, name).facts()
    saying = Saying(Stands(said["state"]), said.get("why", ""), span_in(said, "for"))
    return store.do(reports.report, actor, name, saying).facts()


REPORTS = (
    Tool(
        "report",
        "See what waits for you, or say how you stand",
        "Without `state`: everything that waits for you now, each with the next command. With it: your word"
        " that you are working, blocked or done; you are left alone about it for a while.",
        form(
            state=one_of([each.value for each in Stands], "How you stand."),
            why=words("What blocks you, or a word more."),
            member=MEMBER,
            **{"for": LASTING},
        ),
        CHANGES,
        _report,
        {"state": "blocked", "why": "T-7 is not merged", "for": "30m"},
    ),
)
