"""Text that commands print, where more is known of it than its letters."""

from __future__ import annotations

from itertools import product
from math import prod

from drumline.team.shell.ways import MOST_WAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Listing(str):
    """Names of files and nothing else, each with its line or its zero: a HOLE in one is a part of that name.

    Their order is not told, nor whether all of them are there. A name with a blank in it, which splits
    into words, is taken for one word.
    """

    __slots__ = ()

    def names(self) -> list[str]:
        return [name for name in self.replace("\0", "\n").split("\n") if name]


class Either(str):
    """Text of which one of its ways is printed; who does not ask for them reads all."""

    __slots__ = ("ways",)

    ways: tuple[str, ...]


def either_of(whole: str, ways: Iterable[str]) -> str:
    """Text that is one of these and not all of it."""
    unlike = tuple(dict.fromkeys(ways))
    if not 1 < len(unlike) < MOST_WAYS:
        return unlike[0] if len(unlike) == 1 else whole
    text = Either(whole)
    text.ways = unlike
    return text


def ways_of(text: str) -> tuple[str, ...]:
    return text.ways if isinstance(text, Either) else (text,)


def together(texts: Sequence[str]) -> str:
    """What is printed one after another; names behind names are names."""
    whole = _joined(texts)
    ways = [ways_of(text) for text in texts if text]
    number = prod(map(len, ways))
    return either_of(whole, map(_joined, product(*ways))) if 1 < number < MOST_WAYS else whole


def _joined(texts: Sequence[str]) -> str:
    text = "".join(texts)
    return Listing(text) if all(isinstance(each, Listing) for each in texts if each) else text


def _few(ways: Iterable[str]) -> tuple[str, ...]:
    """Each way once, and no more of them than show that they are too many."""
    return tuple(dict.fromkeys(ways))[:MOST_WAYS]


class Chained:
    """What links of `&&` and `||` may have printed by now; who fails is taken to have printed nothing.

    whole     what they print together
    done      what was printed if the last link succeeded
    failed    what was printed if it did not
    no        the same, where a test said no: then nobody calls it a failure
    """

    __slots__ = ("done", "failed", "no", "whole")

    def __init__(self, first: str, *, asks: bool) -> None:
        self.whole = [first]
        self.done: tuple[str, ...] = ways_of(first)
        self.failed: tuple[str, ...] = ("",)
        self.no: tuple[str, ...] = ("",) if asks else ()

    def then(self, sign: str, said: str, *, asks: bool) -> None:
        self.whole.append(said)
        before = self.done if sign == "&&" else self.failed
        after = tuple(_joined(each) for each in product(before, ways_of(said)))
        kept = self.no if sign == "&&" else ()
        self.no = _few((*kept, *before)) if asks else kept
        if sign == "&&":
            self.failed = _few((*self.failed, *before))
            self.done = _few(after)
        else:
            self.done = _few((*self.done, *after))

    def text(self) -> str:
        return either_of(_joined(self.whole), (*self.done, *self.no))
