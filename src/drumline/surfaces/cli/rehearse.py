"""Play a scenario to a real agent CLI, and say what happened."""

import json
from collections.abc import Iterator
from typing import Any

import click

from drumline.surfaces.cli.output import columns, json_flag, show
from drumline.surfaces.cli.under_way import under_way
from drumline.team.scenario import schema
from drumline.wiring import rehearsals

SHOWN = 200


@click.command(name="rehearse")
@click.argument("scenario", default="")
@click.option("--runtime", type=click.Choice(["claude", "codex"]), default="claude")
@click.option("--cli", default="", metavar="PATH", help="The CLI's program, if not the one found.")
@click.option("--member", default="", metavar="NAME", help="Who plays, if not the first named.")
@click.option("--model", default="", help="A model's name, if what the CLI offers depends on it.")
@click.option("--folder", default="", metavar="DIR", help="Play here, and keep it afterwards.")
@click.option("--schema", "only_schema", is_flag=True, help="Print the JSON Schema of a scenario.")
@json_flag
def command(scenario: str, *, only_schema: bool, as_json: bool, **said: Any) -> None:
    """Play a scenario to a real agent CLI: no key, no tokens, no network; exit 1 if it fails.

    SCENARIO is a file, or one of ours: one-task, three-tasks. What it says is really run, in a
    repository of its own. docs/reference/scenarios.md has the form.
    """
    if only_schema:
        show(schema(), [json.dumps(schema(), indent=2, ensure_ascii=False)], as_json=as_json)
        return
    if not scenario:
        raise click.UsageError("name a scenario: a file, one-task or three-tasks")
    with under_way() as tell:
        done = rehearsals.rehearse(scenario, rehearsals.Wish(**said), tell)
    show(done.facts(), columns(_rows(done.facts())), as_json=as_json)
    if not done.succeeded:
        raise click.exceptions.Exit(1)


def _rows(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "result", "as rehearsed" if told["succeeded"] else "not as rehearsed"
    yield "ending", f"{told['ending']}: {told['why']}"
    yield "runtime", f"{told['runtime']}, exit code {told['exit_code']}"
    yield "asked", f"{told['requests']} times"
    yield "called", ", ".join(told["called"]) or "nothing"
    for text in told["refused"]:
        yield "refused", text[:SHOWN]
    for each in told["failures"]:
        yield "failed", f"{each['member']}, {each['where']}: {each['what']}"
    for turn in told["unplayed"]:
        yield "unplayed", turn
