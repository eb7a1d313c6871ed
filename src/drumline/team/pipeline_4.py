"""The pipeline of `constitution-4`: nine phases, most of the effort before the first line is written."""

from collections.abc import Mapping

from drumline.team.pipeline import (
    Challenge,
    CountedBy,
    Loop,
    Obligation,
    Phase,
    Pipeline,
    Zone,
)
from drumline.team.tier import Tier

MAXIMUM = Challenge(questions=3, alternative=True)
HIGH = Challenge(questions=2)
MEDIUM = Challenge(questions=1)
LONGER = 2  # reading and thinking leave no trace for long

MUST, SHOULD, MAY = Obligation.MANDATORY, Obligation.RECOMMENDED, Obligation.AS_NEEDED
THINKING = {"mcp__sequential-thinking__*": MUST}


def _tools(
    tavily: Obligation, context7: Obligation, github: Obligation
) -> Mapping[str, Obligation]:
    looking_up = {
        "mcp__tavily__*": tavily,
        "mcp__context7__*": context7,
        "mcp__github__*": github,
    }
    return THINKING | looking_up


PIPELINE = Pipeline(
    name="constitution-4",
    description="Nine phases: understand, design and doubt first, then build, test and join.",
    phases=(
        Phase(
            name="1",
            title="Discovery",
            zone=Zone.BEFORE,
            effort="max",
            loop=Loop.VALIDATION,
            tools=_tools(SHOULD, SHOULD, SHOULD),
        ),
        Phase(
            name="2",
            title="Deep research",
            zone=Zone.BEFORE,
            profile="researcher",
            most=3,
            counted=CountedBy.DOMAINS,
            effort="max",
            loop=Loop.VALIDATION,
            patience=LONGER,
            challenge=MEDIUM,
            verified=True,
            handoff=True,
            tools=_tools(MUST, MUST, MUST),
        ),
        Phase(
            name="3",
            title="Architecture",
            zone=Zone.BEFORE,
            profile="architect",
            effort="max",
            loop=Loop.PLANNING,
            patience=LONGER,
            challenge=MAXIMUM,
            verified=True,
            handoff=True,
            tools=_tools(MUST, MAY, MAY),
        ),
        Phase(
            name="4",
            title="Detailed design",
            zone=Zone.BEFORE,
            profile="architect",
            effort="high",
            loop=Loop.PLANNING,
            patience=LONGER,
            challenge=MAXIMUM,
            verified=True,
            handoff=True,
            tools=_tools(MUST, MUST, MAY),
        ),
        Phase(
            name="5",
            title="Plan validation",
            zone=Zone.BEFORE,
            profile="devils-advocate",  # exempt from being tried: doubt is its whole work
            effort="max",
            loop=Loop.PLANNING,
            patience=LONGER,
            handoff=True,
            tools=_tools(MAY, MAY, MAY),
        ),
        Phase(
            name="6",
            title="Implementation",
            zone=Zone.EXECUTION,
            profile="implementer",
            most=4,
            effort="high",
            challenge=HIGH,
            verified=True,
            reviewed=True,
            handoff=True,
            tools=_tools(MAY, MUST, MAY),
        ),
        Phase(
            name="7",
            title="Testing",
            zone=Zone.EXECUTION,
            profile="tester",
            most=2,
            effort="high",
            challenge=MEDIUM,
            verified=True,
            reviewed=True,
            handoff=True,
            tools=_tools(MAY, MAY, MAY),
        ),
        Phase(
            name="8",
            title="Integration",
            zone=Zone.EXECUTION,
            profile="integrator",
            effort="high",
            challenge=HIGH,
            verified=True,
            reviewed=True,
            handoff=True,
            tools=_tools(MAY, MAY, MAY),
        ),
        Phase(
            name="9",
            title="Delivery",
            zone=Zone.AFTER,
            effort="medium",
            tools=THINKING,
            delivers=True,
        ),
    ),
    paths={
        Tier.TRIVIAL: ("1", "6", "9"),
        Tier.STANDARD: ("1", "2", "3", "4", "6", "7", "9"),
        Tier.COMPLEX: ("1", "2", "3", "4", "5", "6", "7", "8", "9"),
    },
    embeds=True,
    judged_once=(Tier.TRIVIAL,),
    shares={Zone.BEFORE: 0.75, Zone.EXECUTION: 0.25},
)
