"""The pipeline of `constitution-10`: phases P0 to P8, each with the skills that are its method."""

from drumline.team.pipeline import CountedBy, Loop, Phase, Pipeline, Zone
from drumline.team.tier import Tier

LONGER = 2  # reading and thinking leave no trace for long
DIMENSIONS = ("static", "behavioral", "relational", "impact")


def _skills(domain: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{domain}-{name}" for name in names)


PIPELINE = Pipeline(
    name="constitution-10",
    description="Nine phases whose skills are the method; a coordinator joins what analysts find.",
    phases=(
        Phase(
            name="P0",
            title="Pre-design",
            zone=Zone.BEFORE,
            domain="pre-design",
            loop=Loop.VALIDATION,
            skills=_skills("pre-design", "brainstorm", "validate", "feasibility"),
        ),
        Phase(
            name="P1",
            title="Design",
            zone=Zone.BEFORE,
            domain="design",
            profile="analyst",
            most=3,
            loop=Loop.FEASIBILITY,
            patience=LONGER,
            verified=True,
            skills=_skills("design", "architecture", "interface", "risk"),
        ),
        Phase(
            name="P2",
            title="Research",
            zone=Zone.BEFORE,
            domain="research",
            profile="researcher",
            most=3,
            counted=CountedBy.DOMAINS,
            coordinator="coordinator",
            loop=Loop.VALIDATION,
            patience=LONGER,
            verified=True,
            skills=(
                *_skills("research", "codebase", "external", "cc-verify"),
                "evaluation-criteria",
                *_skills("audit", *DIMENSIONS),
                "research-coordinator",
            ),
        ),
        Phase(
            name="P3",
            title="Plan",
            zone=Zone.BEFORE,
            domain="plan",
            profile="analyst",
            most=4,
            coordinator="coordinator",
            loop=Loop.PLANNING,
            patience=LONGER,
            verified=True,
            skills=_skills("plan", *DIMENSIONS),
        ),
        Phase(
            name="P4",
            title="Plan verify",
            zone=Zone.BEFORE,
            domain="plan-verify",
            profile="analyst",
            most=4,
            coordinator="coordinator",
            loop=Loop.PLANNING,
            patience=LONGER,
            verified=True,
            skills=_skills("plan-verify", *DIMENSIONS, "coordinator"),
        ),
        Phase(
            name="P5",
            title="Orchestrate",
            zone=Zone.EXECUTION,
            domain="orchestration",
            profile="analyst",
            most=4,
            coordinator="coordinator",
            loop=Loop.PLANNING,
            verified=True,
            skills=_skills("orchestrate", *DIMENSIONS, "coordinator"),
        ),
        Phase(
            name="P6",
            title="Execution",
            zone=Zone.EXECUTION,
            domain="execution",
            profile="implementer",
            most=4,
            verified=True,
            reviewed=True,
            skills=_skills("execution", "code", "infra", "impact", "review", "cascade"),
        ),
        Phase(
            name="P7",
            title="Verify",
            zone=Zone.EXECUTION,
            domain="verify",
            profile="analyst",
            most=4,
            verified=True,
            skills=_skills(
                "verify", "structural-content", "consistency", "quality", "cc-feasibility"
            ),
        ),
        Phase(
            name="P8",
            title="Delivery",
            zone=Zone.AFTER,
            domain="cross-cutting",
            skills=("delivery-pipeline",),
            delivers=True,
        ),
    ),
    paths={
        Tier.TRIVIAL: ("P0", "P6", "P8"),
        Tier.STANDARD: ("P0", "P1", "P2", "P3", "P6", "P7", "P8"),
        Tier.COMPLEX: ("P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"),
    },
    embeds=False,
    judged_once=(Tier.TRIVIAL,),
    subagents={Tier.TRIVIAL: ("P0",), Tier.STANDARD: ("P0", "P1")},
)
