"""A prompt: sections in a fixed order, each made by the sources that have something to say in it.

A later step adds a source to a heading, or a heading to the order. A section nobody fills is left out,
and the others stay where they are.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput, Unknown
from drumline.team.assignment import Assignment
from drumline.team.ids import TaskId
from drumline.team.left_out import LeftOut

SHARE = 30  # per cent of the context window that a brief may take
LETTERS_A_TOKEN = 4

Counter = Callable[[str], int]


class Side(StrEnum):
    """Where a section goes: appended to the runtime's own system prompt, or said as the task."""

    SYSTEM = "system"
    TASK = "task"


class Heading(NamedTuple):
    """A section's place; `cut` tells how to make it smaller."""

    name: str
    title: str
    side: Side
    cut: str


class Source(NamedTuple):
    """Something that may have words for a section; no words, no section."""

    heading: Heading
    write: Callable[[Assignment], str]


class Section(NamedTuple):
    """A heading and the words below it."""

    heading: Heading
    words: str

    @property
    def text(self) -> str:
        return f"## {self.heading.title}\n\n{self.words}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a runtime is given: the system side and the task side."""

    task: TaskId
    member: str
    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...] = ()

    def text(self, side: Side) -> str:
        """One side exactly as a runtime gets it."""
        title = f"# Task {self.task}" if side is Side.TASK else f"# Team member {self.member}"
        parts = [section.text for section in self.sections if section.heading.side is side]
        return "\n".join([f"{title}\n", *parts])

    def part(self, name: str) -> str:
        """One section by its name, or a whole side."""
        if name in set(Side):
            return self.text(Side(name))
        for section in self.sections:
            if section.heading.name == name:
                return section.text
        there = ", ".join([*Side, *(section.heading.name for section in self.sections)])
        raise Unknown(f"no section {name[:60]!r} in this prompt", next=f"one of: {there}")


class Size(NamedTuple):
    """How much of a context one section takes."""

    heading: Heading
    characters: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How much a prompt takes, and how much it may."""

    sizes: tuple[Size, ...]
    tokens: int
    limit: int

    @property
    def too_many(self) -> int:
        return max(0, self.tokens - self.limit)


def composed(
    assignment: Assignment, headings: Sequence[Heading], sources: Iterable[Source]
) -> Prompt:
    """The prompt of an assignment, its sections in the order of the headings."""
    words: dict[Heading, list[str]] = {heading: [] for heading in headings}
    for source in sources:
        if said := source.write(assignment).strip("\n"):
            words[source.heading].append(said)
    return Prompt(
        task=assignment.task.id,
        member=assignment.seat.member.name,
        sections=tuple(
            Section(heading, "\n\n".join(said)) for heading, said in words.items() if said
        ),
        left_out=assignment.withheld.rows(),
    )


def about(text: str) -> int:
    """Tokens of a text when nobody counts them better."""
    return -(-len(text) // LETTERS_A_TOKEN)


def measured(prompt: Prompt, window: int, count: Counter = about) -> Measure:
    """What a prompt takes of a context window of so many tokens."""
    return Measure(
        sizes=tuple(
            Size(section.heading, len(section.text), count(section.text))
            for section in prompt.sections
        ),
        tokens=sum(count(prompt.text(side)) for side in Side),
        limit=window * SHARE // 100,
    )


def refuse_oversize(prompt: Prompt, measure: Measure) -> None:
    """Refuse a prompt that takes too much of its reader's mind, and say what to cut first."""
    if not measure.too_many:
        return
    largest = sorted(measure.sizes, key=lambda size: -size.tokens)
    lines = [f"{size.tokens:>9,}  {size.heading.title}" for size in largest]
    raise BadInput(
        f"the brief of {prompt.task} for {prompt.member} has about {measure.tokens:,} tokens,"
        f" {measure.too_many:,} too many",
        why=f"a brief may take {SHARE} % of the context window, here {measure.limit:,} tokens;"
        " the largest sections first:\n" + "\n".join(lines),
        next="\n".join(
            f"cut {size.heading.title!r}: {size.heading.cut}"
            for size in _enough(largest, measure.too_many)
        ),
    )


def _enough(largest: Sequence[Size], too_many: int) -> list[Size]:
    """The fewest sections that together hold what is too many."""
    chosen: list[Size] = []
    for size in largest:
        if sum(each.tokens for each in chosen) >= too_many:
            break
        chosen.append(size)
    return chosen
