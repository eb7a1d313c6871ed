"""What a tool is: a verb with a name, words for an agent, and a strict form for its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.actor import Actor
    from drumline.team.handoff import Handoff, Kept
    from drumline.team.ids import TaskId
    from drumline.team.subagent import Answered, Errand
    from drumline.team.task import Holder

Schema = dict[str, Any]
UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}
Arguments = Mapping[str, Any]


class Desk(Protocol):
    """Where a call sits down: the team's store, who is speaking, and who takes work in."""

    def here(self) -> Settings: ...

    def store(self) -> Store:
        """The team's store, to change something in it."""
        ...

    def library(self) -> Store:
        """The team's store, to look at."""
        ...

    def speaking(self, opened: Store, claimed: str = "") -> Actor: ...

    def choosing(self, opened: Store, member: str) -> Actor: ...

    def speaking_as(self, opened: Store, name: str, *, naming: str = "") -> Actor: ...

    def claimant(self, actor: Actor, member: str) -> Holder: ...

    def holder(self, actor: Actor, member: str, fence: int | None) -> Holder: ...

    def hand_in(self, task: TaskId, holder: Holder) -> bool: ...

    def hand_off(
        self, opened: Store, actor: Actor, task: TaskId, holder: Holder, handoff: Handoff
    ) -> Kept: ...

    def ask_subagent(self, errand: Errand) -> Answered: ...


class Effect(NamedTuple):
    """What calling a tool does, as clients are hinted."""

    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = True


LOOKS = Effect(reads_only=True)
CHANGES = Effect()
ADDS = Effect(repeatable=False)
REPLACES = Effect(destroys=True)


class Tool(NamedTuple):
    """One verb as agents call it."""

    name: str
    title: str
    description: str
    form: Schema
    effect: Effect
    run: Callable[[Desk, Arguments], Any]
    example: Arguments

    def entry(self) -> dict[str, Any]:
        """The tool as MCP lists it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.form,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.effect.reads_only,
                "destructiveHint": self.effect.destroys,
                "idempotentHint": self.effect.repeatable,
                "openWorldHint": False,
            },
        }


def form(*required: str, **fields: Schema) -> Schema:
    """The form of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(required),
        "additionalProperties": False,
    }


def words(says: str) -> Schema:
    return {"type": "string", "description": says}


def one_of(choices: list[str], says: str) -> Schema:
    return {"type": "string", "enum": choices, "description": says}


def whole(says: str, least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": says}


def yes_or_no(says: str) -> Schema:
    return {"type": "boolean", "description": says}


def several(each: Schema, says: str, *, least: int = 0) -> Schema:
    """A list; with `least` it may not be shorter."""
    found: Schema = {"type": "array", "items": each, "description": says}
    return {**found, "minItems": least} if least else found


def numbered(letter: str, says: str) -> Schema:
    """An id such as T-12."""
    pattern = f"^[{letter}{letter.lower()}]-[1-9][0-9]{{0,17}}$"
    return {
        "type": "string",
        "pattern": pattern,
        "examples": [f"{letter}-12"],
        "description": says,
    }


def span_in(said: Arguments, field: str) -> timedelta | None:
    """The span of time that a field tells, such as 15m, if it tells one."""
    found: str = said.get(field, "")
    return timedelta(**{UNITS[found[-1]]: int(found[:-1])}) if found else None


def at_most(usual: int) -> Schema:
    return {**whole("How many at most.", 1, 1000), "default": usual}


def page(usual: int) -> Schema:
    """How much is answered at once of what goes on."""
    says = "How many at most; when as many came, ask again with `after`."
    return {**at_most(usual), "description": says}


MEMBER = words("For which member. Leave it out if you are one: you speak only for yourself.")
FENCE = whole("The number `task_claim` gave: it names the claim you hold.", 0, 2**63 - 1)
LEASE: Schema = {
    "type": "string",
    "pattern": "^[0-9]{1,6}[smh]$",
    "examples": ["15m"],
    "description": "How long to hold it, such as 90s, 15m or 2h, if not as long as the team says.",
}
TASK = numbered("T", "The task's id.")
