"""Run a command that the kernel holds to its own folders, and say what that does not cover."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from drumline.surfaces.cli.output import columns, json_flag, show
from drumline.team.confinement import Confinement, Environment
from drumline.team.layer import Layer, uncovered
from drumline.wiring import guards


@click.command(name="confine", context_settings={"allow_interspersed_args": False})
@click.option("--checkout", default="", metavar="DIR", help="Writable, but for the lead's files.")
@click.option("--writable", multiple=True, metavar="PATH", help="Writable too; may be repeated.")
@click.option("--hole", multiple=True, metavar="PATH", help="Unchangeable inside what is writable.")
@click.option(
    "--port",
    multiple=True,
    type=click.IntRange(1, 65535),
    help="The only TCP ports it may use; 53 also opens UDP.",
)
@click.option("--offline", is_flag=True, help="No port at all.")
@click.option("--keep-env", multiple=True, metavar="NAME", help="Keep a variable that is a secret.")
@click.option(
    "--drop-env",
    multiple=True,
    metavar="PATTERN",
    envvar="DRUMLINE_DROP_ENV",
    help="Remove variables besides keys and tokens: MY_*, *_PIN.",
)
@click.option("--explain", is_flag=True, help="Say what would hold, and run nothing.")
@json_flag
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(argv: tuple[str, ...], *, explain: bool, as_json: bool, **said: Any) -> None:
    """Run a command that can change its own folders and nothing else, with all it starts.

    Everything stays readable. Its exit code is ours; 125 means it was not started.
    """
    held = guards.confinement(_confinement(**said), said["checkout"])
    if explain:
        _explain(held, as_json=as_json)
        return
    if not argv:
        raise click.UsageError("name a command behind --, or ask with --explain")
    with _own_temporary_folder() as folder:
        inside = held.adding(writable=[folder])
        code = guards.run_confined(argv, inside, os.environ | {"TMPDIR": folder})
    raise click.exceptions.Exit(code)


def _confinement(*, port: tuple[int, ...], offline: bool, **said: Any) -> Confinement:
    if port and offline:
        raise click.UsageError("--offline has no port: choose one of the two")
    return Confinement(
        writable=said["writable"],
        holes=said["hole"],
        ports=port if port or offline else None,
        environment=Environment(keep=said["keep_env"], drop=said["drop_env"]),
    )


@contextmanager
def _own_temporary_folder() -> Iterator[str]:
    folder = os.path.realpath(tempfile.mkdtemp(prefix="drumline-confine-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _explain(held: Confinement, *, as_json: bool) -> None:
    found = guards.layers()
    removed = sorted(name for name in os.environ if held.environment.removes(name))
    gaps = [{"what": gap.what, "says": gap.says} for gap in uncovered(found)]
    answer = {
        "layers": [{"name": x.name, "active": x.active, "says": x.says} for x in found],
        "writable": list(held.writable),
        "holes": [{"path": hole, "there": os.path.lexists(hole)} for hole in held.holes],
        "ports": None if held.ports is None else list(held.ports),
        "removed_variables": removed,
        "not_covered": gaps,
    }
    show(answer, _lines(held, found, answer), as_json=as_json)


def _lines(held: Confinement, found: tuple[Layer, ...], answer: dict[str, Any]) -> Iterator[str]:
    yield from columns(
        ("layer", each.name, "active" if each.active else "missing", each.says) for each in found
    )
    rows = [("writable", path) for path in (*held.writable, "a TMPDIR of its own")]
    rows += [
        ("hole", f"{hole['path']}{'' if hole['there'] else ': does not exist, not protected'}")
        for hole in answer["holes"]
    ]
    rows.append(("ports", "any" if held.ports is None else _listed(held.ports)))
    rows += [("removed", name) for name in answer["removed_variables"]]
    yield from columns(rows)
    yield "not covered:"
    yield from columns((f"  {gap['what']}", gap["says"]) for gap in answer["not_covered"])


def _listed(ports: tuple[int, ...]) -> str:
    return ", ".join(map(str, ports)) or "none"
