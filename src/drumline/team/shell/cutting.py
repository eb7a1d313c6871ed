"""A value cut at one end by a pattern, as `${x%.*}` and `${x##*/}` do."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, STAR, last_piece
from drumline.team.shell.said import either_of
from drumline.team.shell.syntax import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from drumline.team.shell.syntax import Parameter

_WILD = frozenset("*?[(\\$`")  # in quotes a variable of a pattern comes as the letters of its name
_LONGEST_CUT = 400  # letters of a value in which a wildcard is looked for


def shorter(
    value: str, part: Parameter, pattern: str, settled: Callable[[str, object], str]
) -> str:
    """A value cut at one end: in quotes a quoted wildcard, which is a letter, looks like any other."""
    found = _cut(value, part, pattern)
    is_name = part.operator == "##" and pattern == "*/"  # nobody quotes the star of this one
    if not part.quoted or is_name or not {*pattern} & _WILD or {*value + found} & {*MARKS}:
        return found
    as_letters = _without_text(value, pattern, head=part.operator[0] == "#")
    return settled(either_of(found, [found, as_letters]), part)


def _cut(value: str, part: Parameter, pattern: str) -> str:
    """A value without its head or tail: what is left is never more than the value was."""
    head, letters = part.operator[0] == "#", {*pattern}
    if not letters & (_WILD | {*MARKS}):
        return _without_text(value, pattern, head=head)
    if not _is_wildcard(part, letters):
        return _less_than(value)
    if part.operator == "##" and pattern == "*/":
        return last_piece(value)
    if {*value} & {*MARKS} or len(value) > _LONGEST_CUT:
        return _less_than(value)
    return _without_match(value, part.operator, pattern)


def _is_wildcard(part: Parameter, letters: set[str]) -> bool:
    """Whether its `*` and `?` are all there is to a pattern, and not quoted, which makes them letters."""
    if len(part.word) != 1 or not letters & (_WILD | {*MARKS}) <= {"*", "?"}:
        return False
    return isinstance(part.word[0], Text) and part.word[0].quoted == part.quoted


def _less_than(value: str) -> str:
    """Some of a value: of a name a name is left."""
    return HOLE if HOLE in value or "/" in value or not {*value} & {*MARKS} else STAR


def _without_text(value: str, text: str, *, head: bool) -> str:
    """A value without a text at one end; where a mark reaches that far, nobody can tell."""
    if head and value.startswith(text):
        return value[len(text) :]
    if not head and value.endswith(text):
        return value[: len(value) - len(text)]
    marks = [at for at, letter in enumerate(value) if letter in MARKS]
    if not marks:
        return value
    reached = text.startswith(value[: marks[0]]) if head else text.endswith(value[marks[-1] + 1 :])
    return _less_than(value) if reached else value


def _without_match(value: str, operator: str, pattern: str) -> str:
    """A value without the shortest or the longest piece at one end that a pattern fits."""
    from fnmatch import fnmatchcase  # few values are cut at a wildcard

    cuts = range(len(value) + 1)
    for at in cuts if operator in {"#", "%%"} else reversed(cuts):
        head, tail = value[:at], value[at:]
        if fnmatchcase(head if operator[0] == "#" else tail, pattern):
            return tail if operator[0] == "#" else head
    return value
