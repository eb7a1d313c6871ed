"""A notebook: Markdown that people write by hand, read as entries and changed without touching the rest.

All that is not changed stays as it is, byte for byte: line ends, headings nobody knows, prose, fences,
comments. An entry is a list item at the margin with all that belongs to it.
"""

import re
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

BOM = "\ufeff"
TOP = 2  # headings of this level name the section; deeper ones only divide it

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"[-*+][ \t]+\S")
_MARK = re.compile(r"[-*+][ \t]+")
_NO_WORDS = re.compile(r"[-*+][ \t]*$")  # what an editor leaves that begins the next item by itself
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")  # ```so``` is code within a line
_HTML = re.compile(r" {0,3}</?[A-Za-z]")
_AS_IT_IS = re.compile(r" {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_FIELD = re.compile(r"[A-Za-z_][\w-]*:(?: |$)")
_CONFLICT = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$")
_SENDER = re.compile(r"\(from ([^()\n]{1,80})\)\s*")
_STAMP = re.compile(r"\(((?:added|decided|archived|promoted): [^()]*)\)$")
_PARTS = re.compile(r", (?=(?:by|why): )")


class Kind(StrEnum):
    """What a stretch of lines is."""

    HEADING = "heading"
    ENTRY = "entry"
    VERBATIM = "verbatim"  # a fence, a comment, front matter: nothing in it is an entry
    PROSE = "prose"
    BLANK = "blank"


class Block(NamedTuple):
    """Lines of one kind, from `first` to before `end`; `level` and `title` are a heading's.

    What is not `closed` goes on to the end of the file, and would swallow what is written after it.
    """

    kind: Kind
    first: int
    end: int
    level: int = 0
    title: str = ""
    closed: bool = True


class Entry(NamedTuple):
    """One entry: its words, the section it stands in, who sent it, and its stamps.

    `first` and `end` say which lines it takes.
    """

    text: str
    section: str
    first: int
    end: int
    sender: str = ""
    stamps: tuple[tuple[str, str], ...] = ()

    @property
    def lines(self) -> int:
        return self.end - self.first

    @property
    def added(self) -> date | None:
        return self.day("added")

    def day(self, stamp: str) -> date | None:
        """The day that a stamp names; none where it names none, or there is no such stamp."""
        try:
            return date.fromisoformat(self.said(stamp))
        except ValueError:
            return None

    def said(self, stamp: str) -> str:
        return next((value for name, value in self.stamps if name == stamp), "")


class Notebook:
    """The lines of one file; a change is a new notebook."""

    def __init__(self, text: str) -> None:
        self._mark = BOM if text.startswith(BOM) else ""
        *whole, last = text.removeprefix(BOM).split("\n")
        self._lines = [f"{line}\n" for line in whole] + ([last] if last else [])

    @property
    def text(self) -> str:
        return self._mark + "".join(self._lines)

    @property
    def lines(self) -> list[str]:
        """The lines with their ends, the first with its mark."""
        return [self._mark + self._lines[0], *self._lines[1:]] if self._lines else []

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(_blocks([_bare(line) for line in self._lines]))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries())

    @property
    def opening(self) -> str:
        """What stands before the first section and the first entry: a title, and what is said of it all."""
        own = (Kind.ENTRY, Kind.HEADING)
        ends = (x.first for x in self.blocks if not x.closed or (x.kind in own and x.level != 1))
        return self._of(self._lines[: next(ends, len(self._lines))]).text

    @property
    def in_conflict(self) -> bool:
        """Whether git merged the file and nobody chose between the two sides yet."""
        marks = {found[0][0] for line in self._lines if (found := _CONFLICT.match(_bare(line)))}
        return {"<", ">"} <= marks

    def raw(self, part: Entry | Block) -> str:
        """A part exactly as it is written, its last line end left out."""
        return "".join(self._lines[part.first : part.end]).rstrip("\r\n")

    def with_entry(self, section: str, words: str) -> "Notebook":
        """The notebook with one more entry at the end of a section; a section that is missing is made."""
        heading = f"## {section}"
        found = self._place(_titled(heading))
        if found is not None:
            return self.inserted(found, words.split("\n"))
        place = self._before_unclosed(len(self._lines))
        gap = [""] if place and self._lines[place - 1].strip() else []
        return self.inserted(place, [*gap, heading, *words.split("\n")])

    def without(self, *entries: Entry) -> "Notebook":
        """The notebook without the lines of some of its entries."""
        gone = {at for entry in entries for at in range(entry.first, entry.end)}
        return self._of([line for at, line in enumerate(self._lines) if at not in gone])

    def replaced(self, entry: Entry, words: str) -> "Notebook":
        """The notebook with other words in an entry's place."""
        rest = self.without(entry)
        return rest.inserted(entry.first, words.split("\n"))

    def end_of(self, section: str) -> int:
        """The line behind the last one of a section, or of all where there is none such."""
        found = self._place(section)
        return self._before_unclosed(len(self._lines)) if found is None else found

    def inserted(self, place: int, words: list[str]) -> "Notebook":
        """The notebook with more lines before one of its own."""
        end = "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"
        before, after = self._lines[:place], self._lines[place:]
        new = [f"{line}{end}" for line in words]
        if before and not before[-1].endswith("\n"):  # the file keeps its own way to end
            before, new = [*before[:-1], before[-1] + end], [*new[:-1], words[-1]]
        return self._of([*before, *new, *after])

    def _entries(self) -> Iterator[Entry]:
        section = ""
        for block in self.blocks:
            if block.kind is Kind.HEADING and block.level <= TOP:
                section = block.title if block.level == TOP else ""
            elif block.kind is Kind.ENTRY:
                lines = [_bare(line) for line in self._lines[block.first : block.end]]
                yield _entry(lines, section, block)

    def _place(self, section: str) -> int | None:
        """Where the next entry of a section goes: behind its last one, before it is divided further."""
        wanted = _same(section)
        place = None if wanted else 0  # what stands in no section stands before the first
        for block in self.blocks:
            if block.kind is Kind.HEADING:
                if not wanted and block.level < TOP:
                    place = block.end
                elif place is not None:
                    return place
                if block.level == TOP and _same(block.title) == wanted:
                    place = block.end
            elif place is not None and block.kind is not Kind.BLANK and block.closed:
                place = block.end
        return place

    def _before_unclosed(self, place: int) -> int:
        return next((block.first for block in self.blocks if not block.closed), place)

    def _of(self, lines: list[str]) -> "Notebook":
        return Notebook(self._mark + "".join(lines))


def written(text: str, *, sender: str = "", **stamps: str) -> str:
    """An entry as a line of a file."""
    said = f"(from {sender}) " if sender else ""
    return f"- {said}{text}{stamped(**stamps)}"


def stamped(**stamps: str) -> str:
    """Stamps as they are written behind an entry; `by` and `why` belong to the one before them."""
    made = ""
    for name, value in stamps.items():
        if not value:
            continue
        said = f"{name}: {plain(value)}"
        made = f"{made[:-1]}, {said})" if name in {"by", "why"} and made else f"{made} ({said})"
    return made


def sent_by(sender: str, raw: str) -> str:
    """An entry as it is written, with who sent it before its words."""
    return _MARK.sub(lambda mark: f"{mark[0]}(from {sender}) ", raw, count=1)


def unsigned(raw: str) -> str:
    """An entry as it is written, without who sent it and without its stamps."""
    mark = "".join(_MARK.findall(raw)[:1])
    lines = raw.removeprefix(mark).split("\n")
    lines[0] = _unended(lines[0])
    if found := _SENDER.match(lines[0]):
        lines[0] = lines[0][found.end() :]
    lines[-1] = _unended(lines[-1])
    return mark + "\n".join(lines).strip()  # a line that held nothing else is gone


def ended(raw: str, said: str) -> str:
    """An entry as it is written, with stamps behind it; a fence must stay alone on its line."""
    *before, last = raw.split("\n")
    fenced = last.lstrip().startswith(("`", "~"))
    return "\n".join([*before, last, f" {said}"] if fenced else [*before, f"{last.rstrip()}{said}"])


def plain(words: str) -> str:
    """Words that can stand in a stamp: on one line, and without what would end it."""
    return " ".join(words.split()).replace("(", "[").replace(")", "]")


def unforged(text: str) -> str:
    """Words that say of themselves neither who sent them nor when: that is for us to say."""
    words = " ".join(text.split())
    while found := _SENDER.match(words):
        words = f"[from {found[1]}] {words[found.end() :]}".rstrip()
    while words.endswith(")") and (found := _STAMP.match(words, words.rfind("("))):
        words = f"{words[: found.start()]}[{found[1]}]"
    return words


def _bare(line: str) -> str:
    """A line as it is read: without its end."""
    return line.rstrip("\r\n")


def _blocks(lines: list[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        block = _block(lines, at)
        yield block
        at = block.end


def _block(lines: list[str], at: int) -> Block:
    """What begins at a line."""
    line = lines[at]
    if not line.strip():
        return Block(Kind.BLANK, at, at + 1)
    if block := _fenced(lines, at):
        return block
    if found := _HEADING.match(line):
        return Block(Kind.HEADING, at, at + 1, len(found[1]), (found[2] or "").strip())
    if _ITEM.match(line) and not _RULE.match(line):
        return Block(Kind.ENTRY, at, _end_of_entry(lines, at + 1))
    return Block(Kind.PROSE, at, at + 1)


def _fenced(lines: list[str], at: int) -> Block | None:
    """What begins at a line and holds no entries, if that begins there."""
    line = lines[at]
    if at == 0 and line.rstrip() == "---" and _FIELD.match("".join(lines[1:2])):
        front = _verbatim(lines, at, re.compile(r"---[ \t]*$"), 1)
        return front if front.closed else None  # a rule, and no front matter
    if opening := _FENCE.match(line):
        return _verbatim(lines, at, re.compile(rf" {{0,3}}{re.escape(opening[1])}[`~]*[ \t]*$"), 1)
    if line.lstrip().startswith("<!--"):
        return _verbatim(lines, at, re.compile(r".*-->"), 0)
    if opening := _AS_IT_IS.match(line):
        return _verbatim(lines, at, re.compile(rf".*</{opening[1]}>", re.IGNORECASE), 0)
    return None


def _verbatim(lines: list[str], at: int, closing: re.Pattern[str], skipped: int) -> Block:
    for end in range(at + skipped, len(lines)):
        if closing.match(lines[end]):
            return Block(Kind.VERBATIM, at, end + 1)
    return Block(Kind.VERBATIM, at, len(lines), closed=False)


def _end_of_entry(lines: list[str], at: int) -> int:
    """Where an entry ends: what is indented below it is its own, and so is text that just goes on."""
    end = at
    while at < len(lines):
        line = lines[at]
        if line.startswith(("  ", "\t")) and line.strip():
            end = at + 1
        elif line.strip() and not (at == end and _goes_on(line)):
            break
        elif line.strip():
            end = at + 1
        at += 1
    return end


def _goes_on(line: str) -> bool:
    begins = (_HEADING, _ITEM, _NO_WORDS, _RULE, _FENCE, _HTML, _CONFLICT)
    return not any(each.match(line) for each in begins) and not line.lstrip().startswith("<!--")


def _entry(lines: list[str], section: str, block: Block) -> Entry:
    first, stamps = _unstamped(" ".join(lines[0][1:].split()))
    sender = ""
    if found := _SENDER.match(first):
        sender, first = found[1], first[found.end() :]
    words, more = _unstamped(" ".join(" ".join([first, *lines[1:]]).split()))
    return Entry(words, section, block.first, block.end, sender, (*stamps, *more))


def _unstamped(words: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Words without the stamps behind them, and those."""
    stamps: list[tuple[str, str]] = []
    while words.endswith(")") and (stamp := _STAMP.match(words, words.rfind("("))):
        words = words[: stamp.start()].rstrip()
        parts = (part.partition(": ") for part in _PARTS.split(stamp[1]))
        stamps[:0] = [(name, value.strip()) for name, _, value in parts]
    return words, tuple(stamps)


def _unended(line: str) -> str:
    """A line without the stamps behind it; one that has none stays as it is."""
    words, stamps = _unstamped(line.rstrip())
    return words if stamps else line


def _titled(heading: str) -> str:
    """What a heading says to whoever reads it again: marks that close it are no part of it."""
    found = _HEADING.match(heading)
    return (found[2] or "").strip() if found else ""


def _same(title: str) -> str:
    return " ".join(title.split()).casefold()
