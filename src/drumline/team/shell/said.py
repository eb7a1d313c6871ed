"""Text that commands print, where more is known of it than its letters."""

from __future__ import annotations

from itertools import product
from math import prod

from drumline.team.shell.effect import HOLE
from drumline.team.shell.ways import MOST_WAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self


class Told(str):
    """Text of which more is known than its letters: like no text that has the letters alone."""

    __slots__ = ()

    def _known(self) -> tuple[object, ...]:
        return type(self), str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Told) and self._known() == other._known()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._known())


class Listing(Told):
    """Names of files and nothing else, each with its line or its zero: a HOLE in one is a part of that name.

    Their order is not told, nor whether all of them are there. A name with a blank in it, which splits
    into words, is taken for one word.
    """

    __slots__ = ()

    def names(self) -> list[str]:
        return [name for name in self.replace("\0", "\n").split("\n") if name]


def parts_of(text: str, ends: str) -> bool:
    """Whether text can be taken apart at these letters: names only where they end, and nothing that nobody knows."""
    return ends in {"", "\n", "\0"} if isinstance(text, Listing) else HOLE not in text


class Either(Told):
    """Text of which one of its ways is printed; who does not ask for them reads all."""

    __slots__ = ("ways",)

    ways: tuple[str, ...]

    def __new__(cls, whole: str, ways: tuple[str, ...]) -> Self:
        text = super().__new__(cls, whole)
        text.ways = ways
        return text

    def _known(self) -> tuple[object, ...]:
        return *super()._known(), self.ways


def either_of(whole: str, ways: Iterable[str]) -> str:
    """Text that is one of these; where they are too many, all of it or nobody knows what."""
    unlike = tuple(dict.fromkeys(ways))
    if len(unlike) >= MOST_WAYS:
        unlike = tuple(dict.fromkeys((whole, HOLE)))
    return Either(whole, unlike) if len(unlike) > 1 else (*unlike, whole)[0]


def ways_of(text: str) -> tuple[str, ...]:
    return text.ways if isinstance(text, Either) else (text,)


def or_else(text: str, *others: str) -> str:
    """The same text, or one of these instead."""
    return either_of(text, (*ways_of(text), *others))


def together(texts: Sequence[str]) -> str:
    """What is printed one after another; names behind names are names."""
    whole = _joined(texts)
    ways = [ways_of(text) for text in texts if text]
    number = prod(map(len, ways))
    if number == 1:
        return whole
    return either_of(whole, map(_joined, product(*ways)) if number < MOST_WAYS else (whole, HOLE))


def _joined(texts: Sequence[str]) -> str:
    said = [text for text in texts if text]
    text = "".join(said)
    return Listing(text) if said and all(isinstance(each, Listing) for each in said) else text


class Chained:
    """What links of `&&` and `||` may have printed by now.

    whole     what they print together
    done      what was printed if the last link succeeded
    failed    what was printed if it did not, and who fails may have printed nothing
    """

    __slots__ = ("done", "failed", "whole")

    def __init__(self, first: str, *, fails: bool) -> None:
        self.whole = [first]
        self.done: tuple[str, ...] = ways_of(first)
        self.failed: tuple[str, ...] = ("", *self.done) if fails else ()

    def then(self, sign: str, said: str, *, fails: bool) -> None:
        self.whole.append(said)
        before, kept = (self.done, self.failed) if sign == "&&" else (self.failed, self.done)
        after = [_joined(each) for each in product(before, ways_of(said))]
        failed = (*before, *after) if fails else ()
        if sign == "&&":
            self.done, self.failed = _few(after), _few((*kept, *failed))
        else:
            self.done, self.failed = _few((*kept, *after)), _few(failed)

    def text(self) -> str:
        return either_of(_joined(self.whole), (*self.done, *self.failed))


def _few(ways: Iterable[str]) -> tuple[str, ...]:
    """Each way once, and no more of them than show that they are too many."""
    return tuple(dict.fromkeys(ways))[:MOST_WAYS]
