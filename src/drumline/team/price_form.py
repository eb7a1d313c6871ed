"""The form of a price table: every field, what it allows, and its JSON Schema."""

import json
from collections.abc import Iterator
from typing import Any

from drumline.errors import BadInput
from drumline.team.constraint import Free
from drumline.team.document import Node, Problem, Reading, shown
from drumline.team.fields import Field, NotTaken, Record, Schema, Value, matching, nearest
from drumline.team.manifest import MODEL
from drumline.team.prices import Table, exact_micros

DEAREST = 10_000


def _usd(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotTaken
    if not 0 <= value <= DEAREST or exact_micros(value) is None:  # false for NaN too
        raise NotTaken
    return value


USD = Value(
    f"USD per million tokens, 0 to {DEAREST:,}, at most 6 digits after the point",
    _usd,
    {"type": "number", "minimum": 0, "maximum": DEAREST},
)
PRICE = Record(
    (
        Field(name="input", kind=USD, required=True, says="Tokens read that were not cached."),
        Field(name="cached", kind=USD, required=True, says="Tokens read from the cache."),
        Field(name="output", kind=USD, required=True, says="Tokens written."),
    )
)
PRICES = Record(
    (
        Field(
            name="as_of",
            kind=matching(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]", 'a date such as "2026-11-16"'),
            required=True,
            says="When these prices were looked up.",
        ),
        Field(name="default", kind=MODEL, says="The model whose prices an unknown one has."),
        Field(name="models", kind=Free(PRICE, "models to prices"), says="Prices by model."),
    )
)


def read_prices(reading: Reading, base: Table) -> tuple[Table, list[Problem]]:
    """A table's values, and everything wrong with it; `base` is the one it is put on top of."""
    problems = list(reading.problems)
    if reading.root is None:
        return {}, problems
    values = PRICES.read(reading.root, "", problems)
    problems += _odd_names(reading.root)
    problems += _lost_default(reading.root, {*base.get("models", ()), *values.get("models", ())})
    return values, sorted(problems, key=lambda problem: problem.line)


def accepted(reading: Reading, file: str, base: Table) -> Table:
    """A table's values, or a refusal that lists every problem of it."""
    values, problems = read_prices(reading, base)
    if problems:
        raise BadInput(
            f"{file} has {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            why="\n".join(problem.at(file) for problem in problems),
            next=f"mend the lines named above, or remove {file} to use the built-in prices",
        )
    found: dict[str, Any] = json.loads(json.dumps(values))  # lists, as JSON has them
    return found


def schema() -> Schema:
    """The price table's JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Drumline prices",
        **PRICES.schema(),
    }


def _odd_names(root: Node) -> Iterator[Problem]:
    models = root.fields().get("models")
    for name, found in (models.fields() if models else {}).items():
        try:
            MODEL.take(name)
        except NotTaken:
            yield Problem(found.line, "models", shown(name), MODEL.allowed)


def _lost_default(root: Node, known: set[str]) -> Iterator[Problem]:
    """The default must be a model that has a price."""
    default = root.fields().get("default")
    if default is not None and isinstance(default.value, str) and default.value not in known:
        allowed = nearest(default.value, sorted(known))
        yield Problem(default.line, "default", shown(default.value), allowed)
