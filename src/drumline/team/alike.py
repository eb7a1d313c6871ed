"""Which words say nearly the same, found without comparing each with each."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from drumline.team.learning import tokens


def nearest_later(texts: Sequence[str], least: float) -> Iterator[tuple[int, int]]:
    """For each text the later one that has most in common with it, where that is so much of both."""
    words = [frozenset(tokens(text)) for text in texts]
    places = defaultdict(list)
    rarest = _rarest(words, least)
    for at, some in enumerate(rarest):
        for word in some:
            places[word].append(at)
    for at, some in enumerate(rarest):
        later = sorted({other for word in some for other in places[word] if other > at})
        shares = [_share(words[at], words[other]) for other in later]
        if shares and (most := max(shares)) >= least:
            yield at, later[shares.index(most)]


def _rarest(words: Sequence[frozenset[str]], least: float) -> list[list[str]]:
    """Of each so many of its rarest words that whoever is like it has one of them among its own."""
    often = Counter(word for said in words for word in said)
    ranked = (sorted(said, key=lambda word: (often[word], word)) for said in words)
    return [said[: len(said) - int(least * len(said)) + 1] for said in ranked]


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
