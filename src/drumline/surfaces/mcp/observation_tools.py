"""Observations as tools: saying what was noticed on the way, and seeing what others noticed."""

from __future__ import annotations

from drumline.control import observations, views
from drumline.surfaces.mcp.tool import (
    ADDS,
    LOOKS,
    MEMBER,
    Arguments,
    Desk,
    Tool,
    form,
    one_of,
    words,
)
from drumline.team.handoff import Severity

RUN = words("Another run than the one at work.")


def _add(desk: Desk, said: Arguments) -> views.Facts:
    store, member = desk.store(), said.get("member", "")
    actor = desk.speaking(store, member)
    severity, run = Severity(said["severity"]), said.get("run", "")
    return store.do(observations.observe, actor, severity, said["text"], run).facts()


def _list(desk: Desk, said: Arguments) -> list[views.Facts]:
    return [each.facts() for each in desk.library().ask(observations.listed, said.get("run", ""))]


OBSERVATIONS = (
    Tool(
        "observation_add",
        "Say what you noticed on the way",
        "What is wrong with how the work goes, or with what it builds on: high and critical ones reach the"
        " next wave of work, and while a critical one is open no phase is approved.",
        form(
            "severity",
            "text",
            severity=one_of([each.value for each in Severity], "How grave it is."),
            text=words("What you noticed, in a few sentences."),
            run=RUN,
            member=MEMBER,
        ),
        ADDS,
        _add,
        {"severity": "high", "text": "The store has no index on owner: every claim scans it."},
    ),
    Tool(
        "observation_list",
        "See what was noticed in a run",
        "What members noticed, how grave it is, which wave of work was told of it, and what became of it.",
        form(run=RUN),
        LOOKS,
        _list,
        {},
    ),
)
