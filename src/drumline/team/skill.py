"""Skills: methods an agent can call up, and what their descriptions cost before anyone calls."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from drumline.team.finding import Finding, Level
from drumline.team.profile import BUILT_IN
from drumline.team.sheet import Sheet, head_findings

KNOWN = (
    *("name", "description", "when_to_use", "argument-hint", "arguments"),
    *("disable-model-invocation", "user-invocable", "allowed-tools", "disallowed-tools", "model"),
    *("effort", "context", "agent", "hooks", "paths", "shell", "license", "metadata"),
)
FOLDER = ".claude/skills"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A method under a name; `cost` is how many characters every session pays for it."""

    name: str
    cost: int
    agent: str = ""


def read_skill(sheet: Sheet) -> Skill:
    """The skill a file describes; one that only people call costs nothing beforehand."""
    hidden = sheet.flag("disable-model-invocation")
    described = sheet.text("description").strip() or _first_paragraph(sheet.body)
    cost = len(described) + len(sheet.text("when_to_use").strip())
    return Skill(
        name=sheet.text("name").strip() or sheet.name,
        cost=0 if hidden else cost,
        agent=sheet.text("agent").strip(),
    )


def fallen_out(skills: Iterable[Skill], budget: int) -> tuple[Skill, ...]:
    """The skills past the budget when they are loaded in the order of their names."""
    loaded = sorted((skill for skill in skills if skill.cost), key=lambda skill: skill.name)
    sums = accumulate(skill.cost for skill in loaded)
    return tuple(skill for skill, total in zip(loaded, sums, strict=True) if total > budget)


def skill_findings(
    sheets: Sequence[Sheet], *, profiles: Container[str], budget: int
) -> Iterator[Finding]:
    """What to say about the skills of a repository, one by one and together."""
    for sheet in sheets:
        yield from head_findings(sheet, KNOWN, ())
        agent = read_skill(sheet).agent
        if agent and agent not in profiles and agent not in BUILT_IN:
            said = f"{sheet.name} names the agent {agent}, a profile that does not exist"
            yield Finding(
                level=Level.WARNING,
                file=sheet.file,
                line=sheet.line("agent"),
                field="agent",
                message=said,
            )
    if sheets:
        yield _budget([read_skill(sheet) for sheet in sheets], budget)


def _budget(skills: Sequence[Skill], budget: int) -> Finding:
    total = sum(skill.cost for skill in skills)
    count = "1 skill" if len(skills) == 1 else f"{len(skills)} skills"
    said = f"{count}, descriptions {total:,} of {budget:,} characters"
    lost = fallen_out(skills, budget)
    if lost:
        said += f"; these fall out: {', '.join(skill.name for skill in lost)}"
    level = Level.WARNING if lost else Level.NOTE
    return Finding(level=level, file=FOLDER, field="description", message=said)


def _first_paragraph(body: str) -> str:
    paragraphs = (part.strip() for part in body.split("\n\n"))
    return next((part for part in paragraphs if part and not part.startswith("#")), "")
