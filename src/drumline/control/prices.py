"""The prices a team pays: built in, with the team's own on top."""

from typing import Protocol

from drumline.team import price_form, prices
from drumline.team.document import Problem, Reading
from drumline.team.prices import Table


class PriceFile(Protocol):
    """Where a team's own prices stand."""

    @property
    def own_file(self) -> str: ...
    def own(self) -> Reading | None: ...


def problems(file: PriceFile) -> list[Problem]:
    """Everything wrong with the team's own prices."""
    own = file.own()
    return price_form.read_prices(own, prices.built_in())[1] if own is not None else []


def in_force(file: PriceFile) -> Table:
    """The prices that hold here."""
    base = prices.built_in()
    own = file.own()
    if own is None:
        return base
    return prices.joined(base, price_form.accepted(own, file.own_file, base))
