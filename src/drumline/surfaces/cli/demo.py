"""Watch a small team work its board: real processes, a real store, one real kill -9."""

import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from drumline.surfaces.cli.demonstration import outcome
from drumline.surfaces.cli.demonstration.run import View, perform
from drumline.surfaces.cli.demonstration.view import Plain, Silent
from drumline.surfaces.cli.output import facts, json_flag, show


@click.command(name="demo")
@click.option("--seed", default=1, show_default=True, help="Chooses the work, and whom it kills.")
@click.option("--fast", is_flag=True, help="The same in five seconds.")
@click.option("--plain", is_flag=True, help="One line for each event, as without a terminal.")
@click.option(
    "--keep/--no-keep", default=True, show_default=True, help="Leave the scratch folder there."
)
@json_flag
def command(seed: int, *, fast: bool, plain: bool, keep: bool, as_json: bool) -> None:
    """Four processes work one board; one is killed half-way, and nothing is lost.

    No API key, no network: a scratch folder with a real team, a real store and real processes.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leave in good order
    with _scratch(keep=keep) as root:
        with _view(plain=plain, as_json=as_json) as (view, live):
            found = perform(root, seed, "fast" if fast else "full", view)
        said = outcome.answer(found, kept=keep)
        lines = [*(outcome.refusals(found) if live else [""]), *outcome.closing(found)]
        show(said, [*lines, "", *_next(root, keep=keep)], as_json=as_json)
    raise click.exceptions.Exit(0 if said["ok"] else 1)


@contextmanager
def _scratch(*, keep: bool) -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="drumline-demo-")).resolve()
    try:
        yield root
    except KeyboardInterrupt:
        left = f"; what it left: {root}" if keep else ""
        click.echo(f"stopped, with all its processes{left}", err=True)
        raise
    finally:
        if not keep:
            shutil.rmtree(root, ignore_errors=True)


@contextmanager
def _view(*, plain: bool, as_json: bool) -> Iterator[tuple[View, bool]]:
    if as_json:
        yield Silent(), False
    elif plain or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        yield Plain(), False
    else:
        from drumline.surfaces.cli.demonstration.live import OnScreen  # noqa: PLC0415 - rich is for terminals

        with OnScreen() as view:
            yield view, True


def _next(root: Path, *, keep: bool) -> list[str]:
    if not keep:
        return facts({"next": "drumline init"})
    there = shlex.quote(str(root))
    return [
        *facts({"scratch": str(root), "next": "drumline init"}),
        f"         drumline status -C {there}",
        f"         drumline events -C {there}",
    ]
