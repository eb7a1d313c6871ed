"""How the head line of a bracketed message is made: fixed words with typed fields between them.

Every pattern is fixed words with at most one run of blanks between two of them, so reading a line
takes time in proportion to its length, whatever it holds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from string import Formatter
from typing import Generic, Protocol, TypeVar

from drumline.errors import BadInput
from drumline.team.text import LIST_CAP, checked_line

MOST = 999_999_999
SHOWN = 80

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_DIGITS = re.compile(r"[0-9]{1,9}")


class Field(Protocol[T]):
    """One typed value in a head line."""

    def shown(self, name: str) -> str:
        """How the documented form shows it."""

    def read(self, text: str) -> T:
        """Read the value a text stands for; ValueError says why it stands for none."""

    def flaw(self, value: T) -> str:
        """Why this value may not be sent; empty when it may."""

    def write(self, value: T) -> str: ...


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, written with at least `width` digits."""

    least: int = 1
    width: int = 1

    def shown(self, name: str) -> str:
        return f"{{{name}}}"

    def read(self, text: str) -> int:
        if not _DIGITS.fullmatch(text):
            raise ValueError(self._rule())
        return int(text)

    def flaw(self, value: int) -> str:
        return "" if self.least <= value <= MOST else self._rule()

    def write(self, value: int) -> str:
        return f"{value:0{self.width}d}"

    def _rule(self) -> str:
        return f"it is not a whole number from {self.least} to {MOST}"


@dataclass(frozen=True, slots=True)
class Choice(Generic[E]):
    """One of a few words, in any case."""

    words: type[E]

    def shown(self, name: str) -> str:  # noqa: ARG002 - the words say more than the name
        return f"{{{'|'.join(self.words)}}}"

    def read(self, text: str) -> E:
        for word in self.words:
            if text.removesuffix(".").lower() == word.lower():
                return word
        raise ValueError(f"it is not one of {', '.join(self.words)}")

    def flaw(self, value: E) -> str:
        return "" if value in self.words else f"it is not one of {', '.join(self.words)}"

    def write(self, value: E) -> str:
        return value.value


@dataclass(frozen=True, slots=True)
class Prose:
    """Words on one line."""

    def shown(self, name: str) -> str:
        return f"{{{name}}}"

    def read(self, text: str) -> str:
        return text

    def flaw(self, value: str) -> str:
        return _line_flaw(value)

    def write(self, value: str) -> str:
        return value


@dataclass(frozen=True, slots=True)
class Items:
    """At least one name, separated by commas."""

    def shown(self, name: str) -> str:
        return f"{{{name}, …}}"

    def read(self, text: str) -> tuple[str, ...]:
        return _split(text)

    def flaw(self, value: tuple[str, ...]) -> str:
        return _items_flaw(value, ",|")

    def write(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What a new version of the shared context adds, changes, removes and replaces as a whole."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        return self.added + self.changed + self.removed + self.replaced


_DELTA_WORDS = {field.name.upper(): field.name for field in fields(Delta)}
_DELTA_PART = re.compile(rf"({'|'.join(_DELTA_WORDS)})\b:?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DeltaItems:
    """The items of a delta, grouped by what happened to them."""

    def shown(self, name: str) -> str:  # noqa: ARG002 - the form says more than the name
        return "; ".join(f"{word}: {{item, …}}" for word in _DELTA_WORDS)

    def read(self, text: str) -> Delta:
        found: dict[str, list[str]] = {name: [] for name in _DELTA_WORDS.values()}
        for part in text.split(";"):
            word = _DELTA_PART.match(part.strip())
            if not word:
                raise ValueError(
                    f"{part.strip()[:SHOWN]!r} does not begin with {', '.join(_DELTA_WORDS)}"
                )
            found[word[1].lower()] += _split(part.strip()[word.end() :])
        return Delta(**{name: tuple(items) for name, items in found.items()})

    def flaw(self, value: Delta) -> str:
        return _items_flaw(value.items, ",;|")

    def write(self, value: Delta) -> str:
        groups = ((word, getattr(value, name)) for word, name in _DELTA_WORDS.items())
        return "; ".join(f"{word}: {', '.join(items)}" for word, items in groups if items)


class HeadLine:
    """A form such as `Phase {phase} | {report}`: where its fields begin and end."""

    def __init__(self, form: str) -> None:
        pieces = [(words, name) for words, name, _, _ in Formatter().parse(form)]
        self.form = form
        self.names = [name for _, name in pieces if name]
        self._words = [words.strip() for words, _ in pieces]
        if pieces[-1][1]:
            self._words.append("")
        self._patterns = [_pattern(words) for words in self._words[:-1]]
        self._patterns.append(_pattern(self._words[-1], last=True))

    def begins(self, line: str) -> bool:
        return self._patterns[0].match(line) is not None

    def split(self, line: str) -> dict[str, str]:
        """Each field's text; ValueError names the field whose words are missing."""
        start = self._patterns[0].match(line)
        if not start:
            raise ValueError(self._missing(0, line))
        found: dict[str, str] = {}
        at = start.end()
        for index, name in enumerate(self.names, start=1):
            stop = self._patterns[index].search(line, at)
            if not stop:
                raise ValueError(self._missing(index, line[at:]))
            found[name] = line[at : stop.start()].strip()
            at = stop.end()
        return found

    def flaw(self, name: str, text: str) -> str:
        """Why a field's text would be read back as the next field; empty when it would not."""
        index = self.names.index(name) + 1
        if index == len(self.names) or not self._patterns[index].search(text):
            return ""
        return f"it holds {self._words[index]!r}, which begins the next field"

    def join(self, texts: Mapping[str, str]) -> str:
        return self.form.format_map(texts)

    def _missing(self, index: int, rest: str) -> str:
        found = f"{self._words[index]!r} was expected, found {rest.strip()[:SHOWN]!r}"
        return f"{self.names[index]} is missing: {found}" if index < len(self.names) else found


def _pattern(words: str, *, last: bool = False) -> re.Pattern[str]:
    """Match fixed words, forgiving in blanks, case, the arrow and the full stop at the end."""
    end = ""
    if last:
        end = r"\.?\Z" if words.endswith(".") else r"\Z"
        words = words.removesuffix(".")
    parts = ["(?:→|->)" if part == "→" else re.escape(part) for part in words.split()]
    return re.compile(r"[ \t]*".join(parts) + end, re.ASCII | re.IGNORECASE)


def _split(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(","))


def _items_flaw(items: tuple[str, ...], reserved: str) -> str:
    if not items:
        return "it has no items"
    if len(items) > LIST_CAP:
        return f"it has {len(items):,} items, the cap is {LIST_CAP}"
    for item in items:
        if flaw := _line_flaw(item) or _holds(item, reserved):
            return f"in item {item[:SHOWN]!r} {flaw}"
    return ""


def _holds(item: str, reserved: str) -> str:
    found = next((sign for sign in reserved if sign in item), "")
    return f"the sign {found!r} would end it" if found else ""


def _line_flaw(text: str) -> str:
    try:
        checked_line(text, "it", cap=len(text))  # the whole message has a cap of its own
    except BadInput as refusal:
        return refusal.what
    return "" if text == text.strip() else "it begins or ends with a blank"
