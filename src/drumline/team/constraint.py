"""A constraint's form: every field of a registry, what it allows, and its JSON Schema.

Built-in constraints and a team's own have one form. A new optional field is a minor version: a registry
of our own major version and a later minor one is told so, instead of being half understood.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading, shown
from drumline.team.fields import (
    Field,
    Kind,
    Many,
    Record,
    Schema,
    choice,
    joined,
    line,
    matching,
    switch,
)
from drumline.team.match_tools import WAYS_TO_SPAWN
from drumline.team.own_rules import clauses, empty_clauses, strange_settings

VERSION = "1.3.0"
RULE_TYPES = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "ALWAYS", "NEVER")
SEVERITIES = ("critical", "high", "medium", "low")
LAYERS = ("advisory", "judge", "kernel")
SAFETY = "safety"  # rules of this category hold for everyone, and no team takes them out
ROLES = ("lead", "teammate")

ID = matching(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+", "an id such as C-TEAM-004")
WORD = matching(r"[a-z][a-z0-9_-]{0,60}", "a word of a-z 0-9 _ -")
SEMVER = matching(r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}", "a version such as 1.1.0")
SAID = line(cap=600)
TEXTS = Many(line(cap=500), "texts", least=1)


@dataclass(frozen=True, slots=True)
class Free:
    """A mapping whose names are the writer's own."""

    each: Kind
    what: str

    @property
    def allowed(self) -> str:
        return f"a mapping of {self.what}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> dict[str, object]:
        if not isinstance(node.value, Mapping):
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return {}
        return {
            name: self.each.read(found, joined(at, name), problems)
            for name, found in node.value.items()
        }

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.each.schema()}


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value: what a tool is given is the tool's business."""

    allowed: str = "any value"

    def read(self, node: Node, at: str, problems: list[Problem]) -> object:
        if isinstance(node.value, Mapping):
            return {name: self.read(each, at, problems) for name, each in node.value.items()}
        if isinstance(node.value, tuple):
            return [self.read(each, at, problems) for each in node.value]
        return node.value

    def schema(self) -> Schema:
        return {}


@dataclass(frozen=True, slots=True)
class TextOr:
    """A text, or the longer form."""

    text: Kind
    form: Kind

    @property
    def allowed(self) -> str:
        return f"{self.text.allowed}, or {self.form.allowed}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> object:
        return (self.text if isinstance(node.value, str) else self.form).read(node, at, problems)

    def schema(self) -> Schema:
        return {"anyOf": [self.text.schema(), self.form.schema()]}


def _texts(name: str, says: str) -> Field:
    return Field(name=name, kind=TEXTS, says=says)


def _flag(name: str, says: str) -> Field:
    return Field(name=name, kind=switch(), says=says)


CLAUSE = Record(
    (
        _texts("tool", "The tool called, by name or glob."),
        Field(name="input", kind=Free(TEXTS, "names to globs"), says="What the tool is given."),
        _texts("skill", "The skill called, without prefix and arguments."),
        _texts("isolation", "Whether the member has a checkout of its own: own or shared."),
        _texts("program", "A program that runs, however it was started."),
        _texts("words", "Together with program: a word it is given, by glob."),
        _texts("without", "Together with program: a word that makes it harmless."),
        _texts("git", "What git does: commit, push, force-push, discard, config, ref and so on."),
        _texts("ref", "Together with git: the branch it concerns, or one that is not named."),
        _texts("ref_is", "Together with git: the branch it names."),
        _texts("except_ref", "Together with git: refs and keys that are spared."),
        _texts("on", "Together with git: the branch switched to before, in the same command."),
        _flag("not_own", "Together with git: a ref that is not the member's."),
        _texts("write", "A path that is written, by glob from the repository's root."),
        _texts(
            "how", "Together with write: write, edit, append, delete, attributes, folder, into."
        ),
        _texts("read", "A path that is read."),
        _texts("except", "Paths that are spared."),
        Field(name="outside", kind=choice("owns", "files"), says="A write beyond these."),
        _flag("in_project", "A write to a file of the repository."),
        _flag("identity", "A variable that says who the caller is."),
        _flag("delete_tree", "A recursive delete of something that can be missed."),
        _texts("danger", "A harm the shell judge knows, by glob."),
        _texts("undecided", "What cannot be told: anything, tree, git, or unread for its size."),
        _flag("tools_list", "A tool the member's own list does not have."),
        _flag("lost_server", "A call while the task does without an MCP server it needs."),
        _flag("unverified", "A change before the member may change anything."),
        Field(
            name="spawn",
            kind=Many(choice(*WAYS_TO_SPAWN), "ways", least=1),
            says="A subagent started otherwise than its profile says.",
        ),
        _flag("reads_only", "A change by a subagent that was asked only to read."),
    )
)
APPLIES = Record(
    (
        Field(name="roles", kind=Many(choice(*ROLES), "roles", least=1), says="lead, teammate."),
        _flag("members", "Whoever is on a team."),
        _flag("subagents", "Only calls that a subagent makes."),
        _texts("isolation", "own or shared."),
        _texts("presets", "Constitutions under which it holds."),
        _texts("phases", "Phases in which it holds."),
        _texts("modes", "Modes of runs in which it holds."),
    )
)
CONDITION = Record(
    (
        Field(name="when", kind=WORD, required=True, says="What must be the case."),
        Field(name="override_text", kind=SAID, required=True, says="What it says then."),
        Field(name="override_rule_type", kind=choice(*RULE_TYPES), says="What kind it is then."),
    )
)
PROBE = Record(
    (
        Field(name="command", kind=line(cap=4000), says="A shell command."),
        Field(name="tool", kind=line(cap=100), says="A tool instead of the shell."),
        Field(name="input", kind=Anything(), says="What the tool is given."),
        Field(name="role", kind=choice(*ROLES), says="Who calls; by default whom the rule binds."),
        Field(name="isolation", kind=choice("own", "shared"), says="By default shared."),
        Field(name="preset", kind=WORD, says="The constitution in force."),
        Field(name="protocol", kind=WORD, says="How far its understanding is verified."),
        Field(name="mode", kind=WORD, says="The mode of the run its team is at."),
        _texts("owns", "Globs of the files it owns."),
        _texts("files", "Globs of its task's files."),
        _texts("tools", "Its tools."),
        _texts("lost_servers", "MCP servers its task needs and does without."),
        Field(name="subagent", kind=line(cap=100), says="The profile of its subagent that calls."),
        Field(name="startable", kind=Anything(), says="The profiles it may start, by name."),
        _flag("reads_only", "The subagent was asked only to read."),
    )
)
MANY_PROBES = Many(TextOr(Anything(), PROBE), "commands or calls")
PROBES = Record(
    (
        Field(name="refuse", kind=MANY_PROBES, required=True, says="What it must refuse."),
        Field(name="allow", kind=MANY_PROBES, required=True, says="What it must let through."),
    )
)
GAP = Record(
    (
        Field(name="layer", kind=choice(*LAYERS), required=True, says="Where it does not hold."),
        Field(name="reason", kind=SAID, required=True, says="Why it cannot."),
    )
)
CONSTRAINT = Record(
    (
        Field(name="id", kind=ID, required=True, says="Unique; a built-in id replaces that rule."),
        Field(name="name", kind=WORD, required=True, says="A short name."),
        Field(name="rule_type", kind=choice(*RULE_TYPES), required=True, says="How binding it is."),
        Field(name="text", kind=SAID, required=True, says="The rule in one sentence."),
        Field(name="why", kind=SAID, required=True, says="Its reason; a refusal quotes it."),
        Field(name="severity", kind=choice(*SEVERITIES), required=True, says="How grave."),
        Field(name="category", kind=WORD, required=True, says="agent_teams, safety, process, …"),
        Field(name="source", kind=SAID, required=True, says="Where it comes from."),
        Field(name="render", kind=WORD, required=True, says="The section it is rendered into."),
        Field(name="condition", kind=CONDITION, says="When it says something else."),
        Field(name="applies", kind=APPLIES, says="Whom it binds; without it, everyone."),
        Field(name="refuse", kind=Many(CLAUSE, "clauses"), required=True, says="Any of these."),
        Field(name="fail", kind=choice("open", "closed"), default="open", says="If unreadable."),
        Field(name="next", kind=SAID, required=True, says="The way out; a refusal names it."),
        Field(name="probes", kind=PROBES, required=True, says="What proves it."),
        Field(name="gaps", kind=Many(GAP, "gaps"), says="Layers that cannot hold it, and why."),
        _flag("enabled", "False switches one of the team's own rules off."),
    )
)
REGISTRY = Record(
    (
        Field(name="version", kind=SEMVER, required=True, says="Of the form, not of the rules."),
        Field(
            name="settings",
            kind=Free(TextOr(line(cap=100), Many(line(cap=300), "texts")), "names to texts"),
            says="Lists the clauses name in braces.",
        ),
        Field(name="constraints", kind=Many(CONSTRAINT, "constraints"), says="The rules."),
    )
)


def read_registry(
    reading: Reading, base: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Problem]]:
    """A registry's values, and everything wrong with it; `base` is the one it is put on top of."""
    problems = list(reading.problems)
    if reading.root is None:
        return {}, problems
    values = REGISTRY.read(reading.root, "", problems)
    problems += _strange_version(reading.root)
    problems += _twins(reading.root)
    problems += _not_theirs(reading.root, base.get("constraints", ()))
    known = set(base.get("settings", ())) | set(values.get("settings", {}))
    problems += _lost_settings(reading.root, known)
    problems += strange_settings(reading.root, base.get("settings", {}))
    problems += empty_clauses(reading.root)
    return values, sorted(problems, key=lambda problem: problem.line)


def accepted(reading: Reading, file: str, base: Mapping[str, Any]) -> dict[str, Any]:
    """A registry's values, or a refusal that lists every problem of it."""
    values, problems = read_registry(reading, base)
    if problems:
        raise BadInput(
            f"{file} has {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            why="\n".join(problem.at(file) for problem in problems),
            next="mend the lines named above, then: drumline policy check",
        )
    found: dict[str, Any] = json.loads(json.dumps(values))  # lists, as JSON has them
    return found


def not_json(text: str) -> Problem | None:
    """Why a text is not the strict JSON a registry is written in, which a YAML reader would let pass."""
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        return Problem(error.lineno, "", f"no JSON ({error.msg})", "one JSON object")
    except (ValueError, RecursionError) as error:
        return Problem(_line_of(str(error), text), "", f"no JSON ({error})", "one JSON object")
    return None


def schema() -> Schema:
    """The registry's JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Drumline constraint registry",
        **REGISTRY.schema(),
    }


def _no_number(word: str) -> object:
    raise ValueError(word)


def _line_of(word: str, text: str) -> int:
    return text.partition(word)[0].count("\n") + 1 if word in text else 1


def _strange_version(root: Node) -> Iterator[Problem]:
    version = root.fields().get("version")
    if version is None or not isinstance(version.value, str):
        return
    ours, theirs = VERSION.split("."), version.value.split(".")
    if theirs[0] != ours[0] or (
        theirs[1:2] and theirs[1].isdecimal() and int(theirs[1]) > int(ours[1])
    ):
        allowed = f"{ours[0]}.0.0 to {VERSION}, which this Drumline understands"
        yield Problem(version.line, "version", shown(version.value), allowed)


def _twins(root: Node) -> Iterator[Problem]:
    seen: dict[object, int] = {}
    constraints = root.fields().get("constraints")
    for index, each in enumerate(constraints.items() if constraints else ()):
        name = each.fields().get("id")
        if name is not None and name.value in seen:
            found = f"{shown(name.value)}, already on line {seen[name.value]}"
            yield Problem(name.line, f"constraints[{index}].id", found, "an id no other has")
        elif name is not None and isinstance(name.value, str):
            seen[name.value] = name.line


def _not_theirs(root: Node, built_in: Iterable[Mapping[str, Any]]) -> Iterator[Problem]:
    """Rules for everyone are not a team's to change."""
    fixed = {each["id"] for each in built_in if each["category"] == SAFETY}
    constraints = root.fields().get("constraints")
    for index, each in enumerate(constraints.items() if constraints else ()):
        name = each.fields().get("id")
        if name is not None and name.value in fixed:
            found = f"{shown(name.value)}, which holds for everyone"
            yield Problem(name.line, f"constraints[{index}].id", found, "an id of the team's own")


def _lost_settings(root: Node, known: set[str]) -> Iterator[Problem]:
    """`{name}` in a clause must be a setting."""
    for at, clause in clauses(root):
        for word, values in clause.fields().items():
            for value in values.items():
                name = value.value
                if isinstance(name, str) and name[:1] == "{" and name.strip("{}") not in known:
                    yield Problem(
                        value.line, f"{at}.{word}", shown(name), "a setting's name in braces"
                    )
