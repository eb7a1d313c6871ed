"""What tokens cost where a runtime reports no money: USD per million tokens, by model.

The built-in prices are public list prices of their date, for standard requests of ordinary length:
defaults, to be overridden by what a team really pays, in drumline/prices.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

MILLION = 1_000_000
LISTED, UNKNOWN = "listed", "unknown"

_DATED = re.compile(r"-20[0-9]{2}-[0-9]{2}-[0-9]{2}$")

Table = dict[str, Any]


class Price(NamedTuple):
    """Micro-USD per million tokens; the basis is `unknown` where a default stands for the model."""

    model: str
    basis: str
    input: int
    cached: int
    output: int


def built_in() -> Table:
    """The prices that come with Drumline."""
    from importlib import resources  # noqa: PLC0415 - only who must price pays for it

    text = resources.files("drumline.team").joinpath("prices.json").read_text("utf-8")
    found: Table = json.loads(text)
    return found


def joined(base: Table, own: Table | None) -> Table:
    """The built-in prices with a team's own put on top."""
    if own is None:
        return base
    return {**base, **own, "models": {**base["models"], **own.get("models", {})}}


def price_of(table: Table, model: str) -> Price:
    """What a model's tokens cost; one nobody listed is priced as the default, and says so."""
    models: Mapping[str, Mapping[str, float]] = table["models"]
    for name in _names(model):
        if name in models:
            return _price(name, LISTED, models[name])
    default = str(table["default"])
    return _price(default, UNKNOWN, models[default])


def cost(price: Price, fresh: int, cached: int, output: int) -> int:
    """The micro-USD of so many tokens, rounded up."""
    exact = fresh * price.input + cached * price.cached + output * price.output
    return -(-exact // MILLION)


def exact_micros(usd: float) -> int | None:
    """A price in whole micro-USD, or None when it is finer than that."""
    micros = Decimal(str(usd)) * MILLION
    return int(micros) if micros == micros.to_integral_value() else None


def _names(model: str) -> Iterator[str]:
    """A model as it may be listed: as it is called, without its provider, without its date."""
    bare = model.rpartition("/")[2]
    yield model
    yield bare
    yield _DATED.sub("", bare)


def _price(name: str, basis: str, row: Mapping[str, float]) -> Price:
    fresh, cached, output = (exact_micros(row[kind]) or 0 for kind in ("input", "cached", "output"))
    return Price(name, basis, fresh, cached, output)
