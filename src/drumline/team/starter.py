"""The texts a new team starts with: its manifest, its memories, its policy."""

import re
from collections.abc import Iterator

from drumline.team.presets import preset
from drumline.team.profile import denies
from drumline.team.text import is_name
from drumline.team.topology import Seat, Topology

LEARNINGS = ("Codebase Patterns", "Gotchas", "Preferences", "Cross-Agent Notes")
DECISIONS = ("Architecture", "Conventions")
POLICY = '{\n  "version": "1.0.0",\n  "constraints": []\n}\n'


def slug(folder: str) -> str:
    """A team's name made of a folder's."""
    made = re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-")[:64].strip("-")
    return made if is_name(made) else "team"


def manifest_text(topology: Topology, *, team: str, constitution: str) -> str:
    """A manifest a person can read and change."""
    lines = [
        *(f"# {line}" for line in topology.says),
        "# After a change: drumline team check",
        f"team: {_word(team)}",
        f'description: "The {team} project"',
        "",
        f"constitution: {constitution}",
        f"lead: {topology.lead}  # a member's name, or human",
        "enabled: auto  # team rules hold only for sessions that are members",
        "",
        "language:",
        "  people: English",
        "  artefacts: English",
        "",
        "defaults:",
        "  model: sonnet",
        "  budget: 0.50  # USD, for each member",
        "  permission-mode: dontAsk",
        "",
        "members:",
    ]
    for seat in topology.seats:
        lines += [*_member(seat, constitution), ""]
    return "\n".join(lines)


def learnings_text(member: str) -> str:
    return _headed(f"Learnings: {member}", LEARNINGS)


def decisions_text() -> str:
    return _headed("Team Decisions", DECISIONS)


def _headed(title: str, sections: tuple[str, ...]) -> str:
    return "\n\n".join([f"# {title}", *(f"## {section}" for section in sections)]) + "\n"


def _member(seat: Seat, constitution: str) -> Iterator[str]:
    name = seat.profiles.get(constitution, "")
    shipped = preset(constitution, name)
    tools = [rule for rule in seat.tools if not (shipped and denies(shipped.profile, rule))]
    owns = ", ".join(f'"{glob}"' for glob in seat.owns)
    yield f"  - name: {seat.name}"
    yield f'    role: "{seat.role}"'
    if name:
        yield f"    profile: {name}"
    if seat.model:
        yield f"    model: {seat.model}"
    if seat.budget:
        yield f"    budget: {seat.budget:.2f}"
    yield f"    tools: [{', '.join(tools)}]"
    yield f"    owns: [{owns}]"


def _word(name: str) -> str:
    """Quoted where YAML would take the name for a number or a switch."""
    return (
        name
        if re.fullmatch(r"[a-z][a-z0-9-]*", name) and name not in {"true", "false", "null"}
        else f'"{name}"'
    )
