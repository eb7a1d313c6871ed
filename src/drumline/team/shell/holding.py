"""What a name holds: a text, or a list of them."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, STAR

_LONGEST_NUMBER = 6  # digits; with a zero before them they count by eights
LONGEST, MOST = 20_000, 400  # letters of a value and words of a list worth following


def bounded(text: str) -> str:
    """Text worth following; of a longer one nothing is known."""
    return text if len(text) <= LONGEST else HOLE


class Gone(tuple[str, ...]):
    """The value of an unset name: a list without elements, and no letters where text is wanted."""

    __slots__ = ()

    def __str__(self) -> str:
        return ""


def array_of(name: str) -> str:
    """The list that `name[…]` is an element of; nothing for another name. Without quotes it is a wildcard."""
    array, bracket, _ = name.replace(STAR, "[").partition("[")
    return array if bracket else ""


def written(value: str | tuple[str, ...], before: object) -> str | tuple[str, ...]:
    """What a name holds once it is given a value: a text takes the place of a list's first element."""
    if isinstance(value, tuple):
        by_number = any(each.startswith(("[", STAR)) and "=" in each for each in value)
        return (HOLE,) if by_number or len(value) > MOST else value
    if not isinstance(before, tuple) or not before:
        return bounded(value)
    if value == HOLE:  # it may have been written to any element
        return (HOLE,)
    rest = before if before[0] == HOLE else before[1:]  # an unknown list may have many elements
    return (bounded(value), *rest)


def element(value: str | tuple[str, ...] | None, number: str) -> str:
    """One of a list by its number, where all of them are known."""
    told = (value,) if isinstance(value, str) else value or ()
    counted = number.isdecimal() and len(number) <= _LONGEST_NUMBER and str(int(number)) == number
    return told[int(number)] if counted and HOLE not in told and int(number) < len(told) else HOLE
