"""How a real CLI is started for a rehearsal: its words and its whole environment."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.runtimes import clean
from drumline.runtimes.rehearsal.scratch import OURSELVES, Scratch
from drumline.team.identity import Identity, environment
from drumline.team.scenario import Scenario

RUNTIMES = ("claude", "codex")
LONGEST_RUN = 180.0  # seconds
GO = "Begin."


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be different about a rehearsal; `arguments` and `environ` come on top of ours.

    Where the scenario makes a team, our guard stands before every call unless `guarded` is false.
    `ourselves` are the words that start our own command. `tell` hears how far it is.
    """

    member: str = ""
    model: str = ""
    mode: str = "bypassPermissions"
    retries: int = 0
    guarded: bool = True
    arguments: Sequence[str] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    ourselves: Sequence[str] = OURSELVES
    seconds: float = LONGEST_RUN
    tell: Callable[[str], None] = lambda _: None


class Cli(NamedTuple):
    """A program, and which runtime it is."""

    program: str
    runtime: str


class Launch(NamedTuple):
    """A process to start: its words, its whole environment, its folder."""

    argv: list[str]
    environ: dict[str, str]
    folder: str


def launch(cli: Cli, scenario: Scenario, scratch: Scratch, url: str, options: Options) -> Launch:
    """The CLI with the model at `url`, as the member the scenario plays."""
    if cli.runtime not in RUNTIMES:
        raise BadInput(
            f"no rehearsal for the runtime {cli.runtime[:40]!r}",
            why="it replaces the model of a real agent CLI",
            next=f"choose from {', '.join(RUNTIMES)}",
        )
    words, variables = (
        _claude(scenario, scratch, url, options)
        if cli.runtime == "claude"
        else _codex(scenario, scratch, url, options)
    )
    guard = scratch.guard(cli.runtime) if options.guarded else []
    who = environment(Identity(member=options.member, role="teammate"))
    prompt = ["--", scenario.prompt or GO]  # a prompt may begin with a dash
    return Launch(
        [cli.program, *words, *guard, *options.arguments, *prompt],
        {**variables, **who, **options.environ},
        str(scratch.work),
    )


def _claude(
    scenario: Scenario, scratch: Scratch, url: str, options: Options
) -> tuple[list[str], dict[str, str]]:
    words = clean.claude_arguments(model=options.model, schema=scenario.schema, mode=options.mode)
    variables = clean.claude_environment(
        scratch.place, url, retries=options.retries, as_root=os.geteuid() == 0
    )
    return words, variables


def _codex(
    scenario: Scenario, scratch: Scratch, url: str, options: Options
) -> tuple[list[str], dict[str, str]]:
    file = ""
    if scenario.schema is not None:
        file = str(scratch.keep("schema.json", json.dumps(scenario.schema)))
    words = clean.codex_arguments(
        url, model=options.model, retries=options.retries, schema_file=file
    )
    return words, clean.codex_environment(scratch.place)
