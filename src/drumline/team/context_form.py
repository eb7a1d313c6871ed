"""A context as Markdown: a head with its version, and a heading of the second level for each section.

What is written is read back unchanged: a line of a section that looks like such a heading is written with
a backslash before it, and inside a code block nothing is a heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team.context import CAP, Section, Sections, checked_sections
from drumline.team.fences import fenced
from drumline.team.prompt import SHARE, Counter, about

LONGEST = 1_000_000
SHOWN = 80
LARGEST = 5  # sections that a refusal names

_HEAD = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_VERSION = re.compile(r"\s*version:[ \t]*(?:GC-v)?([1-9][0-9]{0,8})\s*")
_HEADING = re.compile(r"##[ \t]+(\S.*)")
_ALIKE = re.compile(r"\\*##[ \t]")


class Draft(NamedTuple):
    """What somebody wrote: sections, and the version they were written from or for, if it was said."""

    sections: Sections
    version: int | None = None


def render(version: int, sections: Iterable[Section]) -> str:
    """The one text of a version."""
    return f"---\nversion: {version}\n---\n\n" + written(sections)


def written(sections: Iterable[Section]) -> str:
    """Sections without the head."""
    return "\n".join(f"## {each.name}\n\n{escaped(each.text)}\n" for each in sections)


def escaped(text: str) -> str:
    """The words of a section as they stand below a heading."""
    return "\n".join(
        f"\\{line}" if not code and _ALIKE.match(line) else line
        for line, code in fenced(text.split("\n"))
    )


def parse(text: str) -> Draft:
    """Read what was written; whatever would be lost is refused."""
    if len(text) > LONGEST:
        raise BadInput(
            f"a context of {len(text):,} characters", next="put what few need into files"
        )
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head = _HEAD.match(text)
    return Draft(
        checked_sections(_sections(text[head.end() :] if head else text)),
        _version(head[1]) if head else None,
    )


def _version(head: str) -> int:
    if found := _VERSION.fullmatch(head):
        return int(found[1])
    raise BadInput(
        f"the head says {head.strip()[:SHOWN]!r}",
        why="it may say one thing: the version that was edited",
        next="say version: 3, or leave the head out",
    )


def _sections(text: str) -> Iterator[Section]:
    name, lines = "", list[str]()
    for line, code in fenced(text.split("\n")):
        heading = None if code else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line[1:] if not code and line[:1] == "\\" and _ALIKE.match(line) else line)
            continue
        yield from _ended(name, lines)
        name, lines = heading[1].rstrip(" \t"), []
    yield from _ended(name, lines)


def _ended(name: str, lines: list[str]) -> Iterator[Section]:
    words = "\n".join(lines)
    if name:
        yield Section(name, words)
    elif words.strip():
        raise BadInput(
            f"words before the first section: {words.strip()[:SHOWN]!r}",
            why="they belong to no section, so nobody would be told when they change",
            next="begin with a line such as: ## Goal",
        )


def refuse_oversize(sections: Sequence[Section], window: int, count: Counter = about) -> None:
    """Refuse a version that alone takes as much of a reader's mind as a whole brief may."""
    limit, whole = window * SHARE // 100, written(sections)
    tokens = count(whole)
    if tokens <= limit and len(whole) <= CAP:
        return
    sizes = sorted(((count(written([each])), each.name) for each in sections), reverse=True)
    largest = "\n".join(f"{size:>9,}  {name}" for size, name in sizes[:LARGEST])
    raise BadInput(
        f"the context has about {tokens:,} tokens in {len(whole):,} characters",
        why=f"it may take {SHARE} % of the context window, here {limit:,} tokens, and {CAP:,}"
        f" characters; the largest sections first:\n{largest}",
        next=f"cut {sizes[0][1]!r} first: put what few need into a file, and name the file",
    )
