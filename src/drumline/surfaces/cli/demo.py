"""Watch a team take a goal from its classification to its delivery: real processes, no model."""

import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from drumline.surfaces.cli.demonstration.play import GOAL, Play, Played
from drumline.surfaces.cli.demonstration.stage import Stage
from drumline.surfaces.cli.output import facts, json_flag, safe, show


@click.command(name="demo")
@click.option(
    "--keep/--no-keep", default=True, show_default=True, help="Leave the scratch folder there."
)
@json_flag
def command(*, keep: bool, as_json: bool) -> None:
    """A team of scripted members takes a large goal through every phase, in about twenty seconds.

    No API key, no network: a scratch repository with a real team, a real store and real processes. A
    person is asked, a push is refused, a check fails and is mended, somebody is nudged, a phase is done
    again, and the work is delivered as commits. With --json the story is told on stderr.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leave in good order
    with _scratch(keep=keep) as root:
        stage = Stage(root)
        stage.build()
        say = partial(click.echo, err=as_json)  # the answer is what stdout is for
        say("\n".join(_opening(root)))
        found = Play(stage, lambda *line: say(_line(*line))).perform()
        say("\n".join(map(safe, ["", *_closing(found), "", *_next(root, keep=keep)])))
        if as_json:
            show(_answer(found, root, kept=keep), [], as_json=True)
    raise click.exceptions.Exit(0 if found.summary["state"] == "delivered" else 1)


def _opening(root: Path) -> list[str]:
    members = "lea leads; ben analyses, cy researches, ada builds: all scripted"
    return [*facts({"scratch": str(root), "goal": GOAL, "team": members}), ""]


def _line(seconds: float, word: str, words: str) -> str:
    return safe(f"{seconds:5.1f} s  {word:<10}  {words}".rstrip())


def _closing(found: Played) -> list[str]:
    said, gates = found.summary, found.summary["gates"]
    again = sum(gate["state"] == "iterated" for gate in gates)
    head = f"{said['run']} is {said['state']} after {found.seconds:.0f} s"
    counts = f"{len(gates)} gates ({again} sent back), {len(said['tasks'])} tasks"
    return [
        f"{head}: {counts}, {said['lead_calls']} calls of the lead, {said['usd']:.2f} USD",
        "refused:",
        *(f"  {each}" for each in found.refused),
        "delivered:",
        *(f"  {each}" for each in found.history),
    ]


def _answer(found: Played, root: Path, *, kept: bool) -> dict[str, object]:
    return {
        "ok": found.summary["state"] == "delivered",
        "scratch": str(root) if kept else None,
        **found._asdict(),
    }


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


def _next(root: Path, *, keep: bool) -> list[str]:
    if not keep:
        return facts({"next": "drumline init"})
    there = shlex.quote(str(root))
    return [
        *facts({"look": f"drumline run show -C {there}"}),
        f"      drumline gate list -C {there}",
        f"      drumline protocol show T-7 -C {there}",
        f"      ls {there}/.drumline/runs/run-1",
        *facts({"next": "drumline init"}),
    ]
