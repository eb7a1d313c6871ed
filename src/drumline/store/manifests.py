"""YAML as a tree that remembers its lines, from files nobody has promised are YAML.

Aliases are refused altogether: a manifest needs none, and with them eleven lines make a billion nodes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from drumline.store.regular import NotReadable, read_regular
from drumline.team.document import Node, Odd, Problem, Reading, Scalar, shown
from drumline.team.manifest import Manifest, accepted

SIZE_CAP = 256 * 1024
DEPTH_CAP = 20
TEXTS_KEPT = 32  # a manifest and its profiles are read several times by a command, and by a plane all the time
YAML_RULE = "one YAML document"

_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?[0-9]{1,40}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,5})?")
_ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?")
_STR_TAG = "tag:yaml.org,2002:str"


def read_file(path: Path) -> Reading:
    """The tree of a file, or why there is none."""
    try:
        return read_bytes(read_regular(path, cap=SIZE_CAP))
    except NotReadable as error:
        return _hopeless(1, str(error), "a readable file")


def read_manifest(path: str, root: str) -> Manifest:
    """The manifest of a repository, or a refusal that lists every problem of it."""
    place = Path(path)
    return accepted(read_file(place), shown_path(place, Path(root)))


def shown_path(path: Path, root: Path) -> str:
    """A file as a person would name it in its repository."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def read_bytes(raw: bytes) -> Reading:
    """The tree of a file's bytes, or why there is none."""
    if len(raw) > SIZE_CAP:
        return _hopeless(1, f"more than {SIZE_CAP:,} bytes", "a smaller file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        return _hopeless(
            line, f"the byte {raw[error.start]:#04x}, which is not UTF-8", "UTF-8 text"
        )
    return read_text(text)


def read_text(text: str, *, first_line: int = 1) -> Reading:
    """The tree of a text whose first line is line `first_line` of its file; nobody changes it in place."""
    return _parsed(text, first_line)


@lru_cache(maxsize=TEXTS_KEPT)
def _parsed(text: str, first_line: int) -> Reading:
    from ruamel.yaml import YAML  # noqa: PLC0415 - 60 ms that most commands never need
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    builder = _Builder(first_line)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            if not builder.take(event):
                break
    except (OverflowError, ValueError) as error:
        return _hopeless(first_line, f"a value that cannot be read ({error})", YAML_RULE)
    except YAMLError as error:
        return Reading(None, (*builder.problems, _syntax(error, text, first_line)))
    if builder.root is None and not builder.problems:
        return _hopeless(first_line, "an empty document", YAML_RULE)
    return Reading(builder.root, tuple(builder.problems))


def _hopeless(line: int, found: str, allowed: str) -> Reading:
    return Reading(None, (Problem(line, "", found, allowed),))


def _syntax(error: Exception, text: str, first_line: int) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:  # a character no YAML may contain: the reader counts letters, not lines
        at = int(getattr(error, "position", 0))
        line = text[:at].count("\n")
        return Problem(first_line + line, "", f"the character {shown(text[at : at + 1])}", "text")
    said = " ".join(str(getattr(error, "problem", None) or error).split())
    found = shown(Odd(f"broken YAML ({said})"))
    return Problem(first_line + mark.line, "", found, f"{YAML_RULE}, indented by spaces")


class _Event(Protocol):
    """What a parser event carries; which of these depends on its kind."""

    start_mark: Any
    anchor: str | None
    tag: object
    value: str
    style: str | None


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    line: int
    items: list[Node] | None = None
    entries: dict[str, Node] | None = None
    key: str | None = None
    key_line: int = 0
    lost: bool = False


@dataclass(slots=True)
class _Builder:
    """Takes parser events one by one, without recursion, and keeps what is wrong with them."""

    first_line: int
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    documents: int = 0

    def take(self, event: _Event) -> bool:
        """Whether to go on."""
        line = self.first_line + event.start_mark.line
        match type(event).__name__:
            case "DocumentStartEvent":
                self.documents += 1
                if self.documents > 1:
                    self._add(line, "a second document", YAML_RULE)
                    return False
            case "AliasEvent":
                self._add(line, f"the alias *{event.anchor}", "the value itself, written out")
                self._put(Node(Odd("an alias"), line), None)
            case "ScalarEvent":
                self._put(Node(self._scalar(event, line), line), event.value)
            case "SequenceStartEvent" | "MappingStartEvent" as kind:
                return self._begin(event, line, listing=kind == "SequenceStartEvent")
            case "SequenceEndEvent" | "MappingEndEvent":
                self._end()
            case _:
                pass
        return True

    def _begin(self, event: _Event, line: int, *, listing: bool) -> bool:
        self._plain(event, line)
        if len(self.open) >= DEPTH_CAP:
            self._add(line, f"more than {DEPTH_CAP} levels of nesting", "a flat document")
            self.root = None
            return False
        self.open.append(_Open(line, items=[]) if listing else _Open(line, entries={}))
        return True

    def _end(self) -> None:
        done = self.open.pop()
        inside = tuple(done.items) if done.items is not None else dict(done.entries or {})
        self._put(Node(inside, done.line), None)

    def _put(self, node: Node, text: str | None) -> None:
        """Place a finished value: the root, a list's item, a key or a key's value."""
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if parent.items is not None:
            parent.items.append(node)
        elif parent.key is None and not parent.lost:
            self._key(parent, node, text)
        else:
            self._value(parent, node)

    def _key(self, parent: _Open, node: Node, text: str | None) -> None:
        parent.key, parent.key_line = text, node.line
        if text is None:
            parent.lost = True
            self._add(node.line, f"{shown(node.value)} as a field's name", "a word")
        elif text in (parent.entries or {}):
            first = (parent.entries or {})[text].line
            self._add(node.line, f"{shown(text)} twice, first on line {first}", "each field once")

    def _value(self, parent: _Open, node: Node) -> None:
        if parent.key is not None and parent.entries is not None:
            parent.entries.setdefault(parent.key, Node(node.value, parent.key_line))
        parent.key, parent.lost = None, False

    def _scalar(self, event: _Event, line: int) -> Scalar:
        if not self._plain(event, line):
            return Odd("a tagged value")
        if event.style is not None or event.tag is not None:
            return str(event.value)
        return _resolved(str(event.value))

    def _plain(self, event: _Event, line: int) -> bool:
        """Whether the value is free of anchors and tags of its own."""
        if event.anchor is not None:
            self._add(line, f"the anchor &{event.anchor}", "the value itself, without anchors")
        if event.tag is not None and str(event.tag) != _STR_TAG:
            self._add(line, f"the tag {event.tag}", "the value itself, without tags")
            return False
        return True

    def _add(self, line: int, found: str, allowed: str) -> None:
        self.problems.append(Problem(line, self._where(), shown(Odd(found)), allowed))

    def _where(self) -> str:
        return "".join(self._steps()).lstrip(".")

    def _steps(self) -> Iterator[str]:
        for level in self.open:
            if level.items is not None:
                yield f"[{len(level.items)}]"
            elif level.key is not None:
                yield f".{shown(level.key)[1:-1]}"


def _resolved(text: str) -> Scalar:
    """What an unquoted word means by YAML 1.2's core schema; a date is told apart from text."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _ENDLESS.fullmatch(text):
        return float(text.replace(".", ""))
    if _FLOAT.fullmatch(text):
        return float(text)
    return Odd(f"the date {text}") if _DATE.fullmatch(text) else text
