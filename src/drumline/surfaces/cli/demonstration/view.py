"""How the demo is shown without a terminal: one line for each thing that happened."""

from collections.abc import Iterator

import click

from drumline.surfaces.cli.demonstration.run import Opening, Scene
from drumline.surfaces.cli.demonstration.story import Line
from drumline.surfaces.cli.output import facts, safe

INDENT = " " * 34


class Silent:
    """For those who want only the answer."""

    def open(self, opening: Opening) -> None: ...
    def tell(self, line: Line) -> None: ...
    def draw(self, scene: Scene) -> None: ...


class Plain(Silent):
    """For files, pipes and tests: no colours, nothing that moves."""

    def open(self, opening: Opening) -> None:
        for line in opened(opening):
            click.echo(safe(line))
        click.echo()

    def tell(self, line: Line) -> None:
        click.echo(safe(row(line)))
        for text in line.answer:
            click.echo(safe(f"{INDENT}{text}"))


def row(line: Line) -> str:
    """A line in aligned columns: when, what, which, who, and the rest."""
    return (
        f"{line.at:6.1f} s  {line.verb:<9}  {line.subject:<4}  {line.who:<5}  {line.words}".rstrip()
    )


def opened(opening: Opening) -> Iterator[str]:
    """What there is at the beginning."""
    sizes = list(map(len, opening.waves))
    waves = ", ".join(map(str, sizes))
    yield from facts(
        {
            "scratch": str(opening.root),
            "board": f"{sum(sizes)} tasks, in waves of {waves}",
            "workers": ", ".join(
                f"{name} (process {at})" for name, at in opening.processes.items()
            ),
            "listed": "claims, completions, mail; renewals and acknowledgements are only counted",
        }
    )
