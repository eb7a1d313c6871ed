"""A manifest changed by its lines: a member's are added or taken away, and every other byte stays.

Where a member's lines are the YAML parser tells; what it cannot tell is refused, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from drumline.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator

BY_HAND = "edit the file by hand, then: drumline team check"


def with_member(text: str, entry: Sequence[str]) -> str:
    """The text with one more member behind the last."""
    lines, members = _lines(text), _members(text)
    last = members[-1]
    first = _first_line(lines, last)
    indent = " " * lines[first].index("-")
    place = _behind_its_comments(lines, _last_line(lines, last) + 1, indent)
    apart = len(members) > 1 and not lines[first - 1].strip()
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    new = [*([end] if apart else []), *(f"{indent}{line}{end}" for line in entry)]
    before = lines[:place]
    if not before[-1].endswith("\n"):
        before = [*before[:-1], before[-1] + end]
        new[-1] = new[-1].removesuffix(end)
    return "".join([*before, *new, *lines[place:]])


def without_member(text: str, name: str) -> str:
    """The text without one member; comments outside its lines stay."""
    lines, members = _lines(text), _members(text)
    gone = next((each for each in members if _named(each) == name), None)
    if gone is None:
        raise Conflict(f"{name} has no lines of its own in the manifest", next=BY_HAND)
    first, end = _first_line(lines, gone), _last_line(lines, gone) + 1
    if gone is members[-1]:
        first -= not lines[first - 1].strip()  # the blank line that parted it from the one before
        if end == len(lines) and not lines[-1].endswith("\n"):
            lines[first - 1] = lines[first - 1].rstrip("\r\n")
    elif not lines[end].strip() and not lines[first - 1].lstrip().startswith("#"):
        end += 1  # the one after it is parted from what stands before as this one was
    return "".join([*lines[:first], *lines[end:]])


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def _members(text: str) -> list[Any]:
    """The nodes of the members, each on lines of its own."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - 60 ms that most commands never need
    from ruamel.yaml.nodes import MappingNode, SequenceNode  # noqa: PLC0415 - as above

    root = YAML(typ="rt", pure=True).compose(text)
    fields = root.value if isinstance(root, MappingNode) else []
    found = [value for key, value in fields if key.value == "members"]
    if not found or not isinstance(found[0], SequenceNode) or found[0].flow_style:
        raise Conflict(
            "the manifest's members do not stand on lines of their own",
            why="they are written in one pair of brackets, where no line can be added or taken away",
            next=BY_HAND,
        )
    members: list[Any] = found[0].value
    return members


def _named(member: Any) -> str:
    return next((str(value.value) for key, value in member.value if key.value == "name"), "")


def _first_line(lines: Sequence[str], member: Any) -> int:
    """The line of a member's dash, which may stand alone above its fields."""
    first = int(member.start_mark.line)
    while not lines[first].lstrip(" ").startswith("-"):
        first -= 1
    return first


def _last_line(lines: Sequence[str], member: Any) -> int:
    """The last line that says something of a member: where a block ends the parser only knows what follows."""
    ends = [int(mark.line) - (mark.column == 0) for mark in _ends(member)]
    last: int = max(int(member.start_mark.line), *ends)
    while not lines[last].strip():
        last -= 1
    return last


def _behind_its_comments(lines: Sequence[str], place: int, indent: str) -> int:
    """Behind comments that are indented like a member's fields: they are its own."""
    while place < len(lines) and lines[place].startswith(f"{indent} "):
        if not lines[place].lstrip().startswith("#"):
            break
        place += 1
    return place


def _ends(node: Any) -> Iterator[Any]:
    """Where the words of a node end, all the way down."""
    if not isinstance(node.value, list) or node.flow_style:
        yield node.end_mark
        return
    for each in node.value:
        for inner in each if isinstance(each, tuple) else (each,):
            yield from _ends(inner)
