"""The agent profiles a constitution ships, as values and as the files `init` writes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from drumline.team.finding import Finding, Level
from drumline.team.profile import Profile, read_profile
from drumline.team.sheet import Sheet

FOLDER = ".claude/agents"


class MemoryRight(StrEnum):
    """How a role adds to the team's memory."""

    OWN_SECTION = "writes its own section of the team's memory"
    RELAYED = "reports findings to the lead, who writes them to the team's memory"
    READ_ONLY = "reads the team's memory and adds nothing to it"


LEVELS: Mapping[int, str] = {
    0: "exempt from impact analysis",
    1: "impact analysis against all ten points, three attempts",
    2: "impact analysis against seven points, three attempts",
    3: "impact analysis against five points, two attempts",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetProfile:
    """A shipped profile with the rights its constitution gives it."""

    profile: Profile
    level: int
    memory: MemoryRight
    edits: bool = False
    duties: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.profile.name


def render(preset: PresetProfile) -> str:
    """The profile as an agent file: a head the runtime reads, a body the agent reads."""
    profile = preset.profile
    head = [
        "---",
        f"name: {profile.name}",
        f'description: "{profile.description}"',
        f"tools: {', '.join(profile.tools or ())}",
        *([f"disallowedTools: {', '.join(profile.denied)}"] if profile.denied else []),
        f"model: {profile.model}",
        "---",
    ]
    edits = "may edit the files its task names" if preset.edits else "edits no project file"
    rights = (
        f"Protocol level {preset.level}: {LEVELS[preset.level]}.",
        f"Files: {edits}.",
        f"Memory: {preset.memory}.",
    )
    body = [f"# {profile.name}", "", *(f"- {line}" for line in (*preset.duties, *rights))]
    return "\n".join([*head, "", *body, ""])


def drift(
    presets: Iterable[PresetProfile], sheets: Iterable[Sheet], *, constitution: str
) -> Iterator[Finding]:
    """Where the profiles on disk differ from the shipped ones; a changed body is nobody's business."""
    here = {read_profile(sheet).name: sheet for sheet in sheets}
    missing = []
    for preset in presets:
        if sheet := here.get(preset.name):
            yield from _differences(preset.profile, sheet, constitution)
        else:
            missing.append(preset.name)
    if missing:
        said = f"{constitution} also ships {', '.join(missing)}: drumline init writes them"
        yield Finding(level=Level.NOTE, file=FOLDER, message=said)


def _differences(shipped: Profile, sheet: Sheet, constitution: str) -> Iterator[Finding]:
    found = read_profile(sheet)
    for field, ours, theirs in (
        ("tools", shipped.tools, found.tools),
        ("disallowedTools", shipped.denied, found.denied),
        ("model", (shipped.model,), (found.model or "inherit",)),
    ):
        if said := _difference(ours, theirs):
            message = f"{field} of {shipped.name} changed against {constitution}: {said}"
            yield Finding(
                level=Level.NOTE,
                file=sheet.file,
                line=sheet.line(field),
                field=field,
                message=message,
            )


def _difference(ours: tuple[str, ...] | None, theirs: tuple[str, ...] | None) -> str:
    if theirs is None:
        return "every tool is allowed here"
    added = sorted(set(theirs) - set(ours or ()))
    gone = sorted(set(ours or ()) - set(theirs))
    parts = [f"with {', '.join(added)}"] if added else []
    parts += [f"without {', '.join(gone)}"] if gone else []
    return ", ".join(parts)
