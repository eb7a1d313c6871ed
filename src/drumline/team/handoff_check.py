"""What is wrong with an index or a summary, whoever wrote it: every violation, with its line."""

import re
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from drumline.team.document import Problem, Reading, shown
from drumline.team.fences import fenced, unclosed
from drumline.team.fields import Field, Record, Value, line, matching
from drumline.team.handoff import INDEX_FIELDS, name
from drumline.team.handoff_text import INDEX_LINES, MARK, SECTIONS, SUMMARY_LINES, lines

PHASE_SHAPE = r"[A-Za-z0-9_-]{1,64}"
_HEADING = re.compile(r" {0,3}##[ \t]+(.*?)[ \t#]*")


class ReadYaml(Protocol):
    """Reads a text as YAML, however hostile, into a tree that remembers its lines."""

    def __call__(self, text: str, *, first_line: int = 1) -> Reading: ...


def _phase() -> Value:
    named = matching(PHASE_SHAPE, "a phase's name or number")

    def take(value: object) -> object:
        return named.take(str(value) if type(value) is int else value)

    return Value(named.allowed, take, named.schema())


INDEX_FORM = Record(
    (
        Field(name="run", kind=name(), says="The run it belongs to."),
        Field(name="phase", kind=_phase(), says="The phase it belongs to."),
        Field(name="member", kind=name(), says="Whose it is."),
        Field(
            name="task",
            kind=matching(r"T-[1-9][0-9]{0,17}", "a task such as T-12"),
            says="Of what.",
        ),
        Field(name="version", kind=line(cap=40), says="Which version of it."),
        *INDEX_FIELDS,
    )
)


class Checked(NamedTuple):
    """What was found wrong, and what the index says where it could be read."""

    problems: tuple[Problem, ...]
    said: Mapping[str, object]


def check_index(text: str, read: ReadYaml) -> Checked:
    """An L1 index: its form, and its length."""
    return _index(text, read, first_line=1, cap=INDEX_LINES)


def check_summary(text: str, read: ReadYaml) -> Checked:
    """An L2 summary: its head, its sections, and its length."""
    problems = _too_long(text, SUMMARY_LINES)
    written = text.removeprefix("\ufeff").split("\n")
    end = _end_of_head(written)
    if end is None:
        begun = written[0].rstrip() == MARK
        found = "a head that never ends" if begun else shown(written[0])
        problems.append(
            Problem(1, "", found, f"a head between two lines {MARK}, as the index has it")
        )
        return Checked((*problems, *_sections(written, 0)), {})
    head = _index("\n".join(written[1:end]), read, first_line=2, cap=INDEX_LINES)
    return Checked((*problems, *head.problems, *_sections(written, end + 1)), head.said)


def compare(index: Mapping[str, object], head: Mapping[str, object]) -> list[Problem]:
    """Where the head of a summary does not repeat the index beside it."""
    names = [field.name for field in INDEX_FORM.fields]
    return [
        Problem(1, each, "something else than in the index", "the same words as in the index")
        for each in names
        if index.get(each) != head.get(each)
    ]


def _index(text: str, read: ReadYaml, *, first_line: int, cap: int) -> Checked:
    problems = _too_long(text, cap, first_line)
    reading = read(text, first_line=first_line)
    problems += reading.problems
    values = INDEX_FORM.read(reading.root, "", problems) if reading.root else {}
    return Checked(tuple(sorted(problems, key=lambda each: each.line)), values)


def _too_long(text: str, cap: int, first_line: int = 1) -> list[Problem]:
    found = lines(text)
    over = Problem(
        first_line + cap, "", f"{found} lines", f"at most {cap}; the rest goes into a file"
    )
    return [over] if found > cap else []


def _end_of_head(written: list[str]) -> int | None:
    if written[0].rstrip() != MARK:
        return None
    return next((at for at, said in enumerate(written) if at and said.rstrip() == MARK), None)


def _sections(written: list[str], start: int) -> list[Problem]:
    """Sections that are missing, there twice, or empty."""
    wanted = {title.lower(): title for title in SECTIONS}
    found, problems = _headings(written, start)
    seen: dict[str, int] = {}
    ends = [*(at for at, _ in found), len(written)][1:]
    for (at, title), end in zip(found, ends, strict=True):
        known = wanted.get(title.lower())
        if known is None:
            continue
        if known in seen:
            said = f"a second section, the first is on line {seen[known]}"
            problems.append(Problem(at + 1, known, said, "each section once"))
        elif not any(each.strip() for each in written[at + 1 : end]):
            problems.append(Problem(at + 1, known, "nothing", "words, or None."))
        seen.setdefault(known, at + 1)
    last = max(1, len(written) - (not written[-1]))
    missing = [title for title in SECTIONS if title not in seen]
    problems += [Problem(last, title, "no such section", f"## {title}") for title in missing]
    return problems


def _headings(written: list[str], start: int) -> tuple[list[tuple[int, str]], list[Problem]]:
    """The second-level headings outside code, and a fence that swallows the rest."""
    found = [
        (at, heading[1])
        for at, (said, code) in enumerate(fenced(written[start:]), start)
        if not code and (heading := _HEADING.fullmatch(said.rstrip()))
    ]
    begun = unclosed("\n".join(written[start:]))
    problem = Problem(start + begun, "", "a fence that is never closed", "a line that closes it")
    return found, [problem] if begun else []
