"""A pipeline as a Mermaid flowchart: phases in their zones, and the gates between them."""

from collections.abc import Iterator
from itertools import pairwise

from drumline.team.pipeline import Phase, Pipeline, Zone
from drumline.team.tier import Tier

_SPOKEN = frozenset(" ,.-_/")  # besides letters and digits: what no Mermaid label takes for its own


def as_mermaid(pipeline: Pipeline, tier: Tier | None = None) -> str:
    """The path of one tier with who decides at each gate; or all phases, and whose way goes where."""
    phases = pipeline.phases if tier is None else pipeline.path(tier)
    ids = {phase.name: f"n{index}" for index, phase in enumerate(phases)}
    lines = ["flowchart TD"]
    for zone in Zone:
        inside = [phase for phase in phases if phase.zone is zone]
        if inside:
            lines.append(f'  subgraph {zone}_zone["{zone}"]')
            lines += [f'    {ids[phase.name]}["{_label(phase)}"]' for phase in inside]
            lines.append("  end")
    ways = _ways(pipeline) if tier is None else _gates(phases)
    lines += [f'  {ids[start]} -->|"{said}"| {ids[end]}' for start, end, said in ways]
    return "\n".join([*lines, ""])


def _label(phase: Phase) -> str:
    return f"{_quoted(f'{phase.name} {phase.title}')}<br/>{_quoted(_staff(phase))}"


def _staff(phase: Phase) -> str:
    """Who works in a phase, and how many."""
    if phase.lead_only:
        return "lead"
    joined = f", then {phase.coordinator}" if phase.coordinator else ""
    return f"{phase.numbers} {phase.profile}{joined}"


def decider(phase: Phase) -> str:
    """Who decides whether the next phase begins."""
    return "a person" if phase.human else "the lead"


def _gates(path: tuple[Phase, ...]) -> Iterator[tuple[str, str, str]]:
    for before, after in pairwise(path):
        yield before.name, after.name, decider(before)


def _ways(pipeline: Pipeline) -> Iterator[tuple[str, str, str]]:
    found: dict[tuple[str, str], list[Tier]] = {}
    for tier in Tier:
        path = pipeline.paths[tier]
        for step in pairwise(path):
            found.setdefault(step, []).append(tier)
    for (start, end), tiers in found.items():
        yield start, end, "every" if len(tiers) == len(Tier) else ", ".join(tiers)


def _quoted(text: str) -> str:
    """Anybody's words in a label, where they are words and nothing else."""
    return "".join(each if each.isalnum() or each in _SPOKEN else f"#{ord(each)};" for each in text)
