"""The manifest: who is on the team. One table of fields gives both the check and the JSON Schema."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from drumline.errors import BadManifest
from drumline.team.checkout_plan import CHECKOUT, CheckoutPlan, placed_twice
from drumline.team.document import Node, Odd, Problem, Reading, shown
from drumline.team.fields import (
    Field,
    Many,
    Record,
    Schema,
    choice,
    line,
    matching,
    number,
    whole,
)
from drumline.team.language import Language
from drumline.team.member import HUMAN
from drumline.team.ownership import GLOB_RULE, GLOB_SHAPE
from drumline.team.presence import Enabled
from drumline.team.rights import CONSTITUTIONS, DEFAULT_CONSTITUTION
from drumline.team.server import SERVER
from drumline.team.settings import SETTINGS, TeamSettings, settings_said
from drumline.team.text import NAME_SHAPE
from drumline.team.tools import RULE, may_write

RESERVED = (HUMAN, "lead", "all", "*", "merged", "kept")  # the last two name branches of ours
RUNTIMES = ("claude", "codex", "scripted", "command")
CLAUDES = frozenset({"sonnet", "opus", "haiku"})  # names that only Claude Code knows
PERMISSION_MODES = ("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions")
NEEDED = {"scripted": "scenario", "command": "command"}  # what a runtime cannot do without

NAME_RULE = "a name: 1 to 64 of a-z 0-9 . _ -, a letter or digit at both ends, no .. in it nor .lock at its end"

NAME = matching(NAME_SHAPE, NAME_RULE)
MEMBER_NAME = matching(NAME_SHAPE, f"{NAME_RULE}; not {', '.join(RESERVED)}", but=RESERVED)
MODEL = matching(r"[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99}", "a model's name, such as sonnet")
BUDGET = number("a number above 0, at most 10,000, in USD", above=0, most=10_000)
MODE = choice(*PERMISSION_MODES)
TOOL = matching(RULE, 'a tool, such as Read or "Bash(git:*)"')
GLOB = matching(GLOB_SHAPE, GLOB_RULE)

DEFAULTS = Record(
    (
        Field(
            name="model", kind=MODEL, default="sonnet", says="The model of members that name none."
        ),
        Field(name="budget", kind=BUDGET, default=0.50, says="USD a member may spend."),
        Field(
            name="permission-mode", kind=MODE, default="dontAsk", says="How tools are permitted."
        ),
    )
)
MEMBER = Record(
    (
        Field(name="name", kind=MEMBER_NAME, required=True, says="Unique on the team."),
        Field(name="role", kind=line(), required=True, says="What it is responsible for."),
        Field(
            name="tools", kind=Many(TOOL, "tools", least=1), required=True, says="What it may use."
        ),
        Field(
            name="owns",
            kind=Many(GLOB, "globs"),
            required=True,
            says="Files it is responsible for.",
        ),
        Field(name="runtime", kind=choice(*RUNTIMES), default="claude", says="Where it lives."),
        Field(name="profile", kind=NAME, says="Its agent profile, .claude/agents/NAME.md."),
        Field(name="model", kind=MODEL, says="Instead of defaults.model."),
        Field(name="budget", kind=BUDGET, says="Instead of defaults.budget."),
        Field(name="permission-mode", kind=MODE, says="Instead of defaults.permission-mode."),
        Field(
            name="scenario",
            kind=line(cap=500),
            says="What a scripted member plays: a file of the repository, or one of ours.",
        ),
        Field(
            name="command",
            kind=Many(line("a word", 2000), "words", least=1),
            says="The program of a member whose runtime is command.",
        ),
        Field(
            name="arguments",
            kind=Many(line("a word", 2000), "words"),
            says="More words for its agent CLI, before ours.",
        ),
        Field(
            name="ports",
            kind=Many(whole(1, 65_535), "ports"),
            says="The TCP ports its processes may reach, where the kernel can tell; left out: any.",
        ),
        Field(
            name="mcp",
            kind=Many(SERVER, "MCP servers"),
            says="Servers of .mcp.json it is given; of their tools it may use those on its list.",
        ),
    )
)
LANGUAGE = Record(
    (
        Field(name="people", kind=line(cap=40), default="English", says="Spoken to people."),
        Field(name="artefacts", kind=line(cap=40), default="English", says="Written in files."),
    )
)
MANIFEST = Record(
    (
        Field(name="team", kind=NAME, required=True, says="The team's name."),
        Field(name="description", kind=line(), required=True, says="The project in one line."),
        Field(
            name="members",
            kind=Many(MEMBER, "members", least=1, most=2000),
            required=True,
            says="Who.",
        ),
        Field(name="defaults", kind=DEFAULTS, says="For members that say nothing else."),
        Field(name="lead", kind=NAME, default=HUMAN, says="A member's name, or human."),
        Field(
            name="constitution",
            kind=choice(*CONSTITUTIONS),
            default=DEFAULT_CONSTITUTION,
            says="The preset of rules the team works by.",
        ),
        Field(name="language", kind=LANGUAGE, says="Reaches every prompt."),
        Field(
            name="enabled",
            kind=choice(*Enabled),
            default=Enabled.AUTO.value,
            says="When team rules hold: auto means for sessions that are members and no others, never for none.",
        ),
        Field(name="settings", kind=SETTINGS, says="Numbers of the team."),
        Field(name="checkout", kind=CHECKOUT, says="How a member's checkout is set up."),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberEntry:
    """One member as the manifest declares it, defaults filled in."""

    name: str
    role: str
    tools: tuple[str, ...]
    owns: tuple[str, ...]
    runtime: str = "claude"
    profile: str = ""
    model: str = "sonnet"
    budget: float = 0.50
    permission_mode: str = "dontAsk"
    scenario: str = ""
    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    ports: tuple[int, ...] | None = None
    mcp: tuple[str, ...] = ()

    @property
    def model_told(self) -> str:
        """The model its CLI is told; one that means nothing to that CLI is left to its own choice."""
        return "" if self.model in CLAUDES and self.runtime != "claude" else self.model

    @property
    def writes(self) -> bool:
        return may_write(self.tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Who is on the team, who leads it and which rules it chose."""

    team: str
    description: str
    members: tuple[MemberEntry, ...]
    lead: str = HUMAN
    constitution: str = DEFAULT_CONSTITUTION
    language: Language = field(default_factory=Language)
    enabled: Enabled = Enabled.AUTO
    settings: TeamSettings = field(default_factory=TeamSettings)
    checkout: CheckoutPlan = field(default_factory=CheckoutPlan)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def member(self, name: str) -> MemberEntry | None:
        return next((member for member in self.members if member.name == name), None)

    def line(self, *names: str) -> int:
        """The line of the first of these fields that was written down."""
        return next((self.lines[name] for name in names if name in self.lines), 1)


def read_manifest(reading: Reading) -> tuple[Manifest | None, tuple[Problem, ...]]:
    """The manifest, or every problem of it in the order of its lines."""
    problems = list(reading.problems)
    if reading.root is None:
        return None, tuple(problems)
    values = MANIFEST.read(reading.root, "", problems)
    problems += _twins(reading.root)
    problems += _lost_lead(reading.root)
    problems += _unplayable(reading.root)
    problems += placed_twice(reading.root)
    if problems:
        return None, tuple(sorted(problems, key=lambda problem: problem.line))
    return _manifest(values, dict(_lines(reading.root, ""))), ()


def accepted(reading: Reading, file: str) -> Manifest:
    """The manifest, or a refusal that lists every problem of it."""
    manifest, problems = read_manifest(reading)
    if manifest is None:
        raise BadManifest([problem.at(file) for problem in problems])
    return manifest


def schema() -> Schema:
    """The manifest's JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Drumline team manifest",
        **MANIFEST.schema(),
    }


def _twins(root: Node) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, name in enumerate(_names(root)):
        if name is None or not isinstance(name.value, str):
            continue
        if name.value in first:
            found = f"{shown(name.value)}, already on line {first[name.value]}"
            allowed = "a name no other member has"
            yield Problem(name.line, f"members[{index}].name", found, allowed)
        first.setdefault(name.value, name.line)


def _lost_lead(root: Node) -> Iterator[Problem]:
    lead = root.fields().get("lead")
    values = [name.value for name in _names(root) if name]
    known = [HUMAN, *(value for value in values if isinstance(value, str))]
    if lead is not None and isinstance(lead.value, str) and lead.value not in known:
        allowed = shown(Odd(", ".join(known)))
        yield Problem(lead.line, "lead", f"{shown(lead.value)}, who is no member", allowed)


def _unplayable(root: Node) -> Iterator[Problem]:
    """A runtime of ours needs to be told what to play or run."""
    members = root.fields().get("members")
    for index, member in enumerate(members.items() if members else ()):
        fields = member.fields()
        runtime = fields.get("runtime")
        needed = NEEDED.get(str(runtime.value)) if runtime is not None else None
        if runtime is not None and needed and needed not in fields:
            allowed = f"what a member of the runtime {runtime.value} needs"
            yield Problem(member.line, f"members[{index}].{needed}", "nothing", allowed)


def _names(root: Node) -> list[Node | None]:
    members = root.fields().get("members")
    return [member.fields().get("name") for member in members.items()] if members else []


def _lines(node: Node, at: str) -> Iterator[tuple[str, int]]:
    if at:
        yield at, node.line
    for name, inner in node.fields().items():
        yield from _lines(inner, f"{at}.{name}" if at else name)
    for index, inner in enumerate(node.items()):
        yield from _lines(inner, f"{at}[{index}]")


def _manifest(values: dict[str, Any], lines: Mapping[str, int]) -> Manifest:
    defaults = {row.name: row.default for row in DEFAULTS.fields} | values.pop("defaults", {})
    members = tuple(
        MemberEntry(**{_attribute(name): value for name, value in (defaults | member).items()})
        for member in values.pop("members")
    )
    return Manifest(
        members=members,
        language=Language(**values.pop("language", {})),
        enabled=Enabled(values.pop("enabled", Enabled.AUTO)),
        settings=settings_said(values.pop("settings", {})),
        checkout=CheckoutPlan(**values.pop("checkout", {})),
        lines=lines,
        **values,
    )


def _attribute(name: str) -> str:
    return name.replace("-", "_")
