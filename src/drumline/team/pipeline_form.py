"""The form of a pipeline: every field, what it allows, and how the document becomes the noun."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading, shown
from drumline.team.fields import (
    Field,
    Keyed,
    Many,
    Record,
    Schema,
    choice,
    line,
    matching,
    number,
    switch,
    whole,
)
from drumline.team.manifest import NAME_RULE
from drumline.team.pipeline import (
    EFFORTS,
    Challenge,
    CountedBy,
    Loop,
    Obligation,
    Phase,
    Pipeline,
    Zone,
)
from drumline.team.pipeline_check import flaws
from drumline.team.text import NAME_SHAPE
from drumline.team.tier import Tier

MOST_PHASES = 50
MOST_MEMBERS = 100
MOST_ITERATIONS = 20
MOST_PATIENCE = 12
MOST_QUESTIONS = 7  # one for each kind of challenge

NAME = matching(NAME_SHAPE, NAME_RULE)
PHASE_NAME = matching(
    r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}",
    'a phase\'s name, 1 to 32 of letters, digits, _ and -; quote a number: "1"',
)
PATTERN = matching(
    r"[A-Za-z*][A-Za-z0-9_.*?-]{0,199}", "a tool's name or pattern, such as mcp__github__*"
)
SHARE = number("a number above 0, at most 1", above=0, most=1)


def _by_tier(says: str, *, required: bool) -> Record:
    names = Many(PHASE_NAME, "phases", least=int(required), most=MOST_PHASES)
    return Record(
        tuple(
            Field(name=tier, kind=names, required=required, says=says.format(tier=tier))
            for tier in Tier
        )
    )


CHALLENGE = Record(
    (
        Field(
            name="questions", kind=whole(0, MOST_QUESTIONS), default=0, says="How many are asked."
        ),
        Field(
            name="alternative",
            kind=switch(),
            default=False,
            says="Whether another way of doing it is demanded.",
        ),
    )
)
PHASE = Record(
    (
        Field(name="name", kind=PHASE_NAME, required=True, says="Unique in the pipeline."),
        Field(name="title", kind=line(), required=True, says="What is done in it."),
        Field(
            name="zone",
            kind=choice(*Zone),
            required=True,
            says="Before, in or after execution; no phase goes back to an earlier one.",
        ),
        Field(name="domain", kind=NAME, says="The field that its skills belong to."),
        Field(name="profile", kind=NAME, says="Who works in it; left out: the lead alone."),
        Field(name="least", kind=whole(1, MOST_MEMBERS), default=1, says="How many work at least."),
        Field(
            name="most",
            kind=whole(1, MOST_MEMBERS),
            says="How many work at most; left out: as many as at least.",
        ),
        Field(
            name="counted",
            kind=choice(*CountedBy),
            default=CountedBy.MODULES.value,
            says="What decides how many work, between least and most.",
        ),
        Field(
            name="coordinator",
            kind=NAME,
            says="The profile of whoever joins the findings once all are in.",
        ),
        Field(
            name="effort",
            kind=choice(*EFFORTS),
            says="For runtimes that know one; left out: theirs.",
        ),
        Field(
            name="loop",
            kind=choice(*Loop),
            default=Loop.EXECUTION.value,
            says="Which limit holds for doing it again.",
        ),
        Field(
            name="challenge",
            kind=CHALLENGE,
            says="How hard the members' understanding is tried; needs verified.",
        ),
        Field(
            name="verified",
            kind=switch(),
            default=False,
            says="Whether members show that they understand before they work.",
        ),
        Field(
            name="handoff",
            kind=switch(),
            default=False,
            says="Whether each of its tasks closes only once it was handed off.",
        ),
        Field(
            name="reviewed",
            kind=switch(),
            default=False,
            says="Whether its tasks' work is reviewed, then audited, by others than its authors.",
        ),
        Field(
            name="human", kind=switch(), default=False, says="Whether a person decides at its gate."
        ),
        Field(
            name="patience",
            kind=whole(1, MOST_PATIENCE),
            default=1,
            says="How many of the team's stall-after pass before each step about work that stands still.",
        ),
        Field(
            name="tools",
            kind=Keyed(PATTERN, choice(*Obligation), "tools to obligations"),
            says="How much tools are to be used: mandatory, recommended or as needed.",
        ),
        Field(name="skills", kind=Many(NAME, "skills"), says="Its methods."),
        Field(
            name="delivers",
            kind=switch(),
            default=False,
            says="Whether it hands the whole over: the last phase of every path, and no other.",
        ),
    )
)
SHARES = Record(tuple(Field(name=zone, kind=SHARE, says=f"The share of {zone}.") for zone in Zone))
PIPELINE = Record(
    (
        Field(name="pipeline", kind=NAME, required=True, says="Its name, which no preset has."),
        Field(name="description", kind=line(), required=True, says="What it is for."),
        Field(
            name="phases",
            kind=Many(PHASE, "phases", least=1, most=MOST_PHASES),
            required=True,
            says="In the order in which they are gone through.",
        ),
        Field(
            name="paths",
            kind=_by_tier("The phases of a {tier} change.", required=True),
            required=True,
            says="Which phases a change of each size goes through.",
        ),
        Field(
            name="subagents",
            kind=_by_tier("The phases of a {tier} change done so.", required=False),
            says="Which phases the lead does with subagents of its own, without members.",
        ),
        Field(
            name="iterations",
            kind=whole(1, MOST_ITERATIONS),
            default=3,
            says="How often a phase is done at most.",
        ),
        Field(
            name="embeds",
            kind=switch(),
            default=True,
            says="Whether briefs carry the shared context whole, rather than say where it is.",
        ),
        Field(
            name="shares",
            kind=SHARES,
            says="The share of the cost that is meant for each zone; together 1.",
        ),
        Field(
            name="judged_once",
            kind=Many(choice(*Tier), "sizes", most=len(Tier)),
            says="The sizes of change whose review and audit are one judgement, at the gate.",
        ),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a pipeline must fit: the profiles there are, and who has which name already."""

    profiles: Collection[str]
    taken: Mapping[str, str] = field(default_factory=dict)


def read_pipeline(reading: Reading, around: Around) -> tuple[Pipeline | None, tuple[Problem, ...]]:
    """The pipeline, or every problem of it in the order of its lines."""
    problems = list(reading.problems)
    if reading.root is None:
        return None, tuple(problems)
    values = PIPELINE.read(reading.root, "", problems)
    problems += flaws(reading.root, around.profiles)
    problems += _name_taken(reading.root, around.taken)
    if problems:
        return None, tuple(sorted(problems, key=lambda problem: problem.line))
    return _pipeline(values), ()


def refused(file: str, problems: Collection[Problem]) -> BadInput:
    """The refusal that lists every problem of a pipeline."""
    return BadInput(
        f"{file} has {len(problems)} problem{'' if len(problems) == 1 else 's'}",
        why="\n".join(problem.at(file) for problem in problems),
        next="mend the lines named above, then: drumline pipeline check",
    )


def schema() -> Schema:
    """The pipeline's JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Drumline pipeline",
        **PIPELINE.schema(),
    }


def _name_taken(root: Node, taken: Mapping[str, str]) -> list[Problem]:
    name = root.fields().get("pipeline")
    if name is None or not isinstance(name.value, str) or name.value not in taken:
        return []
    found = f"{shown(name.value)}, which is the name of {taken[name.value]}"
    return [Problem(name.line, "pipeline", found, "a name no other pipeline has")]


def _pipeline(values: dict[str, Any]) -> Pipeline:
    return Pipeline(
        name=values.pop("pipeline"),
        phases=tuple(map(_phase, values.pop("phases"))),
        paths={Tier(tier): path for tier, path in values.pop("paths").items()},
        subagents={Tier(tier): names for tier, names in values.pop("subagents", {}).items()},
        shares={Zone(zone): share for zone, share in values.pop("shares", {}).items()},
        judged_once=tuple(map(Tier, values.pop("judged_once", ()))),
        **values,
    )


def _phase(values: dict[str, Any]) -> Phase:
    least = values.get("least", 1)
    return Phase(
        zone=Zone(values.pop("zone")),
        counted=CountedBy(values.pop("counted", CountedBy.MODULES)),
        loop=Loop(values.pop("loop", Loop.EXECUTION)),
        challenge=Challenge(**values.pop("challenge", {})),
        tools={name: Obligation(much) for name, much in values.pop("tools", {}).items()},
        most=values.pop("most", least),
        **values,
    )
