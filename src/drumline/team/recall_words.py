"""Words as recall knows them: made by us alone, so that every store finds the same.

A text is cut at whatever is no letter or digit. A name such as `TrustLevel` is found whole and by its
parts; writing without blanks is found letter by letter.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from drumline.errors import BadInput

LONGEST = 64  # characters of one word
MOST = 5_000  # words of one piece of text
QUERY_CAP = 1_000
QUERY_WORDS = 32
PREFIX = 4  # letters from which a word also finds longer ones

_RUN = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


class Query(NamedTuple):
    """What is looked for: all of the words or any, whole or as the beginning of a longer one."""

    words: tuple[str, ...]
    any_word: bool = False
    beginnings: bool = False

    def begins(self, word: str) -> bool:
        """Whether a word also finds what only begins with it; a short one would find everything."""
        return self.beginnings and len(word) >= PREFIX

    def wider(self) -> "tuple[Query, ...]":
        """The same asked for in more and more ways."""
        ways = (self, self._replace(beginnings=True))
        return (
            ways
            if len(self.words) == 1
            else (*ways, *(way._replace(any_word=True) for way in ways))
        )


def words_of(text: str) -> list[str]:
    """The words of a text in their order, with the parts of names after each name."""
    found: list[str] = []
    for run in _RUN.findall(normalize("NFKC", text)):
        found += _spelled(run)
        parts = _PART.findall(run) if run.isascii() else ()
        if len(parts) > 1:
            found += (each for part in parts if len(part) > 1 for each in _spelled(part))
        if len(found) >= MOST:
            break
    return found[:MOST]


def read_query(text: str) -> Query:
    """The words somebody looks for; everything else in the text only parts them."""
    if len(text) > QUERY_CAP:
        raise BadInput(
            f"the query has {len(text):,} characters, the cap is {QUERY_CAP:,}",
            why="a few words find more than a page of them",
            next="look for the words that matter",
        )
    runs = _RUN.findall(normalize("NFKC", text))
    found = tuple(dict.fromkeys(word for run in runs for word in _spelled(run)))
    if not found:
        raise BadInput(
            "there is no word in the query",
            why="letters and digits are looked for, nothing else",
            next="drumline memory search WORDS",
        )
    return Query(found[:QUERY_WORDS])


def hit(query: Query, text: str) -> tuple[int, int] | None:
    """Where in a text the first word of a query stands."""
    for run in _RUN.finditer(text):
        for each in words_of(run[0]):
            if each in query.words or each.startswith(tuple(filter(query.begins, query.words))):
                return run.span()
    return None


def _spelled(run: str) -> Iterator[str]:
    """A run of letters in the one spelling it is kept and looked for in."""
    for word in _RUN.findall(run.casefold()):
        at = 0
        for letter in _UNSPACED.finditer(word):
            if word[at : letter.start()]:
                yield word[at : letter.start()][:LONGEST]
            yield letter[0]
            at = letter.end()
        if word[at:]:
            yield word[at:][:LONGEST]
