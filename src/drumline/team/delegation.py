"""What a task says of how it is to be done: the fields `brief.…` of its metadata, and `verify`.

They are written by whoever plans the work, with `drumline task note TASK brief.plan=…`, and each may be
one text or a list. What else stands in the metadata never reaches a prompt.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem
from drumline.team.fields import Field, Kind, Many, NotTaken, Record, Schema, Value, line, matching
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree
from drumline.team.noise import without_noise
from drumline.team.server import SERVER
from drumline.team.task import NEEDS, NOTE, VERIFY
from drumline.team.task_fields import BRIEF, HANDOFF
from drumline.team.text import BODY_CAP, FILES_CAP, checked, is_name

PREFIX = f"{BRIEF}."


@dataclass(frozen=True, slots=True)
class OneOrMany:
    """A value, or a list of them; one alone may be left without brackets."""

    each: Kind
    what: str

    @property
    def allowed(self) -> str:
        return f"{self.each.allowed}, or a list of {self.what}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> tuple[Any, ...]:
        many = node if isinstance(node.value, tuple) else Node((node,), node.line)
        return Many(self.each, self.what, most=FILES_CAP).read(many, at, problems)

    def schema(self) -> Schema:
        return {"anyOf": [self.each.schema(), Many(self.each, self.what).schema()]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool the task wants used: which and with what, when, and why."""

    what: str
    when: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunicationPlan:
    """Who is told when the task is done, and whose word is waited for before it begins."""

    notify: tuple[str, ...] = ()
    awaits: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    def missing(self, *, depends: bool, waited_for: bool) -> str:
        """The field a task with neighbours lacks; a task that stands alone lacks none."""
        if waited_for and not self.notify:
            return f"{PREFIX}notify"
        if depends and not (self.notify or self.awaits):
            return f"{PREFIX}await"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """How a task is to be done, as far as its planner said so."""

    warnings: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    communication: CommunicationPlan = field(default_factory=CommunicationPlan)
    done: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    handoff: bool = False

    def without_noise(self) -> "tuple[Delegation, tuple[str, ...]]":
        """The same with a context that keeps to the work, and the titles of what left it."""
        parts = [without_noise(each) for each in self.context]
        kept = tuple(part.text for part in parts if part.text.strip())
        return replace(self, context=kept), tuple(each for part in parts for each in part.left_out)


def _said() -> Value:
    def take(value: object) -> str:
        if not isinstance(value, str):
            raise NotTaken
        try:
            return checked(value, "text", cap=BODY_CAP)
        except BadInput as error:
            raise NotTaken from error

    return Value("text", take, {"type": "string"})


def _named() -> Value:
    def take(value: object) -> str:
        if not isinstance(value, str) or not is_name(value):
            raise NotTaken
        return value

    return Value("a member's name or lead", take, {"type": "string"})


TEXTS = OneOrMany(_said(), "texts")
NAMES = OneOrMany(_named(), "names")
WORDS = OneOrMany(matching(r"[A-Za-z][A-Za-z0-9_.-]{0,39}", "a word such as findings"), "words")
SERVERS = OneOrMany(SERVER, "MCP servers")
ARGV = Many(line("a word of the command", 1000), "words of a command", least=1, most=FILES_CAP)
TOOL_USE = Record(
    (
        Field(name="what", kind=line(cap=500), required=True, says="The tool, and what to ask it."),
        Field(name="when", kind=line(cap=500), required=True, says="What calls for it."),
        Field(name="why", kind=line(cap=500), says="What it is good for."),
    )
)
FORM = Record(
    (
        Field(name="warnings", kind=TEXTS, says="What to mind before anything else."),
        Field(name="context", kind=TEXTS, says="What the member must know, and no more."),
        Field(name="interfaces", kind=TEXTS, says="What it must honour."),
        Field(name="plan", kind=TEXTS, says="The steps, in order."),
        Field(
            name="tools", kind=Many(TOOL_USE, "tools, each with what and when"), says="What to use."
        ),
        Field(name="notify", kind=NAMES, says="Who is told when it is done."),
        Field(name="await", kind=NAMES, says="Whose word to look for before it begins."),
        Field(name="fields", kind=WORDS, says="What the result holds, for those who are told."),
        Field(name="done", kind=TEXTS, says="How to tell that it is done."),
        Field(name="output", kind=TEXTS, says="What to hand in, and in which form."),
        Field(name="limits", kind=TEXTS, says="What not to do."),
    )
)


def read_delegation(task: TaskId, metadata: Mapping[str, Any]) -> Delegation:
    """What the metadata says, or a refusal that lists every problem of it."""
    given = {
        name.removeprefix(PREFIX): each
        for name, each in metadata.items()
        if name.startswith(PREFIX)
    }
    problems: list[Problem] = []
    values = FORM.read(tree(given), PREFIX.rstrip("."), problems)
    verify: tuple[Any, ...] = ()
    if VERIFY in metadata:
        verify = ARGV.read(tree(metadata[VERIFY]), VERIFY, problems)
    _refuse(task, problems)
    wants = HANDOFF in metadata
    return replace(_delegation(values, verify), needs=read_needs(task, metadata), handoff=wants)


def read_needs(task: TaskId, metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """The MCP servers a task says it needs, or a refusal that tells what else it says."""
    if NEEDS not in metadata:
        return ()
    problems: list[Problem] = []
    found = SERVERS.read(tree(metadata[NEEDS]), NEEDS, problems)
    _refuse(task, problems)
    return tuple(dict.fromkeys(found))


def _refuse(task: TaskId, problems: list[Problem]) -> None:
    if problems:
        raise BadInput(
            f"the brief of {task} has {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            why="\n".join(problem.sentence for problem in problems),
            next=f"drumline task note {task} FIELD=VALUE   # FIELD= removes one",
        )


def ignored(metadata: Iterable[str]) -> tuple[str, ...]:
    """The fields of the metadata that are no part of a brief."""
    return tuple(
        sorted(
            name
            for name in metadata
            if name not in {VERIFY, NOTE, NEEDS, HANDOFF} and not name.startswith(PREFIX)
        )
    )


def _delegation(values: dict[str, Any], verify: tuple[Any, ...]) -> Delegation:
    plan = CommunicationPlan(
        notify=tuple(dict.fromkeys(values.pop("notify", ()))),
        awaits=tuple(dict.fromkeys(values.pop("await", ()))),
        fields=values.pop("fields", ()),
    )
    tools = tuple(ToolUse(**each) for each in values.pop("tools", ()))
    return Delegation(**values, tools=tools, communication=plan, verify=verify)
