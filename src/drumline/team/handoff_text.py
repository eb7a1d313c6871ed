"""A handoff as files: the index in YAML, the summary in Markdown, and where they lie.

Nobody's words can break the form: in YAML they stand in quotes on one line each, and in Markdown a line
that would begin a heading, a fence or HTML is told apart by a backslash.
"""

import json
import re
from collections.abc import Iterable, Iterator

from drumline.team.document import Problem
from drumline.team.handoff import Handoff, Interface, Interfaces, Kept, Origin, facts, refuse
from drumline.team.quoting import spelled

INDEX, SUMMARY, FULL, CALL = "L1-index.yaml", "L2-summary.md", "L3-full", "handoff.yaml"
STATE = ".drumline"  # the folder of ours that folders of handoffs are in
INDEX_LINES, SUMMARY_LINES = 50, 200
MARK = "---"  # before and after the head of a summary
SECTIONS = ("Narrative", "Findings", "Blockers", "Recommendations", "Tools used")
NOTHING = "None."
_STRUCTURE = re.compile(r" {0,3}(?:#|<|```|~~~|-+\s*$|=+\s*$)")


def folder_of(origin: Origin, *, taken: bool) -> str:
    """Where a handoff's files go; a member's second task of a phase gets a folder of its own."""
    if not origin.run:
        return f"handoffs/{origin.task}/{origin.member}"
    own = f"{origin.member}.{origin.task}" if taken else origin.member
    return f"runs/{origin.run}/phase-{origin.phase}/{own}"


def summary_path(folder: str) -> str:
    """Where a handoff's summary is, as signals name it."""
    return f"{STATE}/{folder}/{SUMMARY}"


def render_index(handoff: Handoff, origin: Origin) -> str:
    """The L1 index."""
    return "".join(f"{each}\n" for each in _index(handoff, origin))


def render_summary(handoff: Handoff, origin: Origin) -> str:
    """The L2 summary: the index as its head, and five sections."""
    head = (MARK, *_index(handoff, origin), MARK, "", f"# {origin.task} by {origin.member}")
    return "".join(f"{each}\n" for each in (*head, *_body(handoff)))


def render_call(kept: Kept) -> str:
    """The call itself with what was noted of it, from which everything else can be made again."""
    origin = kept.origin._asdict() | {"task": str(kept.origin.task)}
    noted = {**origin, "version": kept.version, "fence": kept.fence, "at": kept.at.isoformat()}
    said = json.dumps({**noted, "handoff": facts(kept.handoff)}, ensure_ascii=False, indent=2)
    return f"{_printable(said)}\n"


def files_in(kept: Kept) -> dict[str, str]:
    """The files of a handoff that are made of the call alone; the one that signals name comes last."""
    return {
        INDEX: render_index(kept.handoff, kept.origin),
        CALL: render_call(kept),
        SUMMARY: render_summary(kept.handoff, kept.origin),
    }


def refuse_oversize(handoff: Handoff, origin: Origin) -> None:
    """Refuse a handoff whose index or summary would be longer than anybody reads."""
    whole = (
        ("the index", render_index(handoff, origin), INDEX_LINES),
        ("the summary", render_summary(handoff, origin), SUMMARY_LINES),
    )
    refuse(
        [
            Problem(
                1,
                what,
                f"{lines(text)} lines",
                f"at most {cap}; put the rest into a file and name it in full",
            )
            for what, text, cap in whole
            if lines(text) > cap
        ]
    )


def lines(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _index(handoff: Handoff, origin: Origin) -> Iterator[str]:
    for name, value in (("run", origin.run), ("phase", origin.phase)):
        if value:
            yield f"{name}: {_quoted(value)}"
    yield f"member: {_quoted(origin.member)}"
    yield f"task: {origin.task}"
    yield f"status: {handoff.status}"
    yield from _listed("files", map(_quoted, handoff.files))
    yield from _listed("decisions", map(_quoted, handoff.decisions))
    items = (
        f"{{severity: {each.severity}, what: {_quoted(each.what)}}}" for each in handoff.unresolved
    )
    yield from _listed("unresolved", items)
    yield from _interfaces(handoff.interfaces)
    if handoff.full:
        yield from _listed("full", map(_quoted, handoff.full))


def _interfaces(shared: Interfaces) -> Iterator[str]:
    parts = {
        "gives": map(_quoted, shared.gives),
        "changes": map(_quoted, shared.changes),
        "provides": map(_shape, shared.provides),
        "uses": map(_shape, shared.uses),
    }
    told = {name: said for name, items in parts.items() if (said := list(items))}
    if told:
        yield "interfaces:"
    for name, items in told.items():
        yield from (f"  {said}" for said in _listed(name, items))


def _shape(each: Interface) -> str:
    file = f", file: {_quoted(each.file)}" if each.file else ""
    return f"{{name: {_quoted(each.name)}, shape: {_quoted(each.shape)}{file}}}"


def _listed(name: str, items: Iterable[str]) -> Iterator[str]:
    each = list(items)
    yield f"{name}:" if each else f"{name}: []"
    yield from (f"  - {item}" for item in each)


def _quoted(text: str) -> str:
    """Text as a YAML scalar on one line, readable by whoever reads JSON or YAML."""
    return _printable(json.dumps(text, ensure_ascii=False))


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\n" else _number(one) for one in text)


def _number(one: str) -> str:
    return f"\\u{ord(one):04x}" if one <= "\uffff" else f"\\U{ord(one):08x}"


def _body(handoff: Handoff) -> Iterator[str]:
    told = (
        _story(handoff.narrative),
        *(
            [f"- {spelled(each)}" for each in items]
            for items in (
                handoff.findings,
                handoff.blockers,
                handoff.recommendations,
                handoff.tools,
            )
        ),
    )
    for title, said in zip(SECTIONS, told, strict=True):
        yield from ("", f"## {title}", "", *(said or [NOTHING]))


def _story(text: str) -> list[str]:
    """Somebody's paragraphs, none of whose lines can begin a section of ours or hide one."""
    return [_told_apart(spelled(each).rstrip()) for each in re.split(r"\r\n|\r|\n", text)]


def _told_apart(text: str) -> str:
    if not _STRUCTURE.match(text):
        return text
    return f"\\{text.lstrip()}"
