"""The bracketed text form of a message, read into a noun and written back.

A tag and its fields stand on the first line; further lines are the body and are kept as they are.
"""

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import category, normalize

from drumline.team.message import FROM_LEAD, Kind
from drumline.team.wording_fields import SHOWN
from drumline.team.wording_forms import FIELDS, NOUNS, Wording, documented, refusal

FORMS: Mapping[Kind, str] = {noun.kind: documented(noun) for noun in NOUNS}

_TAG = re.compile(r"\[([A-Za-z][A-Za-z_-]{0,30})\](?=\s|\Z)")
_LOOSE_TAG = re.compile(r"\s*\[\s*([A-Z][A-Z\s_-]{0,30}?)\s*\]")
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХѕіјаеорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",  # noqa: RUF001 - letters that look like others are the point
    "ABESIJKMHOPCTYXsijaeopcyxABEZHIKMNOPTYX",
)
_TAGGED = {noun.tag.replace("_", "-"): noun for noun in NOUNS}


def parse(text: str) -> Wording | None:
    """Read what a bracketed text says; None when it begins with no tag of ours."""
    line, _, body = text.lstrip().partition("\n")
    tag = _TAG.match(line)
    noun = _TAGGED.get(tag[1].upper().replace("_", "-")) if tag else None
    if not tag or not noun:
        return None
    return noun(**_values(noun, line[tag.end() :].strip()), body=body)


def imitated(text: str) -> Kind | None:
    """The lead's kind of message that some line of a text looks like, to a reader or a parser.

    Invisible characters, odd blanks and letters of other alphabets do not help.
    """
    for line in text.splitlines():
        seen = "".join(letter for letter in normalize("NFKC", line) if category(letter) != "Cf")
        found = _LOOSE_TAG.match(seen.translate(_LOOKALIKES).upper())
        noun = _TAGGED.get(re.sub(r"[\s_-]+", "-", found[1])) if found else None
        if noun is not None and noun.kind in FROM_LEAD:
            return noun.kind
    return None


def render(wording: Wording) -> str:
    """Write the one canonical text of a wording."""
    written = {
        name: field.write(value)
        for name, field in FIELDS[wording.kind].items()
        if (value := getattr(wording, name)) is not None
    }
    partial = len(written) < len(wording.form.names)
    head = wording.short if wording.short and partial else wording.form
    return f"[{wording.tag}] {head.join(written)}" + (f"\n{wording.body}" if wording.body else "")


def _values(noun: type[Wording], line: str) -> dict[str, Any]:
    short = noun.short
    head = short if short and not noun.form.begins(line) else noun.form
    try:
        texts = head.split(line)
    except ValueError as missing:
        raise refusal(noun, str(missing)) from None
    return {name: _value(noun, name, text) for name, text in texts.items()}


def _value(noun: type[Wording], name: str, text: str) -> object:
    try:
        return FIELDS[noun.kind][name].read(text)
    except ValueError as unreadable:
        raise refusal(noun, f"{name} is {text[:SHOWN]!r}: {unreadable}") from None
