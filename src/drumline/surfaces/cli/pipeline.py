"""Pipelines: list them, draw the path of a change, check the team's own."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, facts, json_flag, one_line, show
from drumline.surfaces.cli.place import placed
from drumline.team.pipeline import LOOP_LIMITS, Execution, Obligation, Phase, Pipeline
from drumline.team.pipeline_form import schema
from drumline.team.pipeline_mermaid import as_mermaid, decider
from drumline.team.pipeline_text import as_yaml
from drumline.team.pipelines import SHIPPED, PipelineFile, Pipelines
from drumline.team.tier import Tier
from drumline.wiring import pipelines

HEAD = ("phase", "title", "zone", "who", "members", "effort", "understanding", "loop", "gate")


@click.group(name="pipeline")
def command() -> None:
    """The phases that work goes through."""


@command.command(name="list")
@placed
def list_pipelines(*, as_json: bool) -> None:
    """List the presets and the team's own pipelines, and which is in force."""
    found = list(_listed(_found()))
    rows = (
        (each["name"] or "-", "in force" if each["in_force"] else "", each["from"], each["says"])
        for each in found
    )
    show(found, columns(rows), as_json=as_json)


@command.command(name="show")
@click.argument("name", default="")
@click.option(
    "--tier",
    type=click.Choice([tier.value for tier in Tier]),
    help="Only the path of a change so large.",
)
@click.option("--mermaid", is_flag=True, help="As a Mermaid flowchart.")
@click.option("--yaml", "as_text", is_flag=True, help="As the YAML of drumline/pipelines, whole.")
@placed
def show_pipeline(
    name: str, tier: str | None, *, mermaid: bool, as_text: bool, as_json: bool
) -> None:
    """Draw a pipeline: who works in each phase, and who lets the next one begin.

    Without NAME it is the one in force.
    """
    if mermaid and as_text:
        raise click.UsageError("say --mermaid or --yaml, not both")
    known = _found()
    pipeline, size = known.find(name), Tier(tier) if tier else None
    if mermaid or as_text:
        text = as_yaml(pipeline) if as_text else as_mermaid(pipeline, size)
        form = "yaml" if as_text else "mermaid"
        show({"name": pipeline.name, form: text}, text.splitlines(), as_json=as_json)
        return
    show(_pipeline_facts(pipeline, known, size), _drawn(pipeline, known, size), as_json=as_json)


@command.command(name="check")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@placed
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], *, as_json: bool) -> None:
    """Check pipelines, the team's own where no file is named; exit 1 on problems."""
    here = desk.here_or_none()
    checked = pipelines.pipeline_files(here, files) if files else pipelines.pipelines(here).own
    wrong = [(each.file, problem) for each in checked for problem in each.problems]
    said = {
        "checked": [each.file for each in checked],
        "problems": [{"file": file, **asdict(problem)} for file, problem in wrong],
        "ok": not wrong,
    }
    show(said, _check_lines(checked), as_json=as_json)
    if wrong:
        click.echo(
            "next:    mend these lines: drumline pipeline schema has what may stand there", err=True
        )
    ctx.exit(1 if wrong else 0)


@command.command(name="schema")
@json_flag
def show_schema(*, as_json: bool) -> None:
    """Print the JSON Schema of a pipeline, for editors."""
    found = schema()
    show(found, [json.dumps(found, indent=2, ensure_ascii=False)], as_json=as_json)


def _found() -> Pipelines:
    return pipelines.pipelines(desk.here_or_none())


def _listed(known: Pipelines) -> Iterator[dict[str, Any]]:
    for each in SHIPPED.values():
        yield {
            "name": each.name,
            "from": known.source(each.name),
            "in_force": each.name == known.in_force,
            "says": each.description,
            "problems": 0,
        }
    for file in known.own:
        count = len(file.problems)
        broken = f"{count} problem{'' if count == 1 else 's'}: drumline pipeline check"
        yield {
            "name": file.name,
            "from": file.file,
            "in_force": False,
            "says": file.pipeline.description if file.pipeline else broken,
            "problems": count,
        }


def _check_lines(checked: Sequence[PipelineFile]) -> Iterator[str]:
    for each in checked:
        yield from (one_line(problem.at(each.file)) for problem in each.problems)
        if each.pipeline is not None:
            yield one_line(f"{each.file}: ok, the pipeline {each.name}")
    if not checked:
        yield "ok: no pipelines of the team's own"


def _pipeline_facts(pipeline: Pipeline, known: Pipelines, tier: Tier | None) -> dict[str, Any]:
    found = asdict(pipeline) | {
        "from": known.source(pipeline.name),
        "in_force": pipeline.name == known.in_force,
    }
    if tier is None:
        return found
    path = pipeline.path(tier)
    steps = [asdict(phase) | {"execution": pipeline.execution(tier, phase.name)} for phase in path]
    return found | {"tier": tier, "phases": steps}


def _drawn(pipeline: Pipeline, known: Pipelines, tier: Tier | None) -> Iterator[str]:
    yield from facts(
        {
            "pipeline": pipeline.name,
            "from": known.source(pipeline.name)
            + (", in force" if pipeline.name == known.in_force else ""),
            "says": pipeline.description,
            "tries": f"at most {pipeline.iterations} for each phase",
            "context": "whole in every brief" if pipeline.embeds else "named in briefs by its file",
            "cost": ", ".join(f"{share:.0%} {zone}" for zone, share in pipeline.shares.items()),
        }
    )
    yield ""
    phases = pipeline.phases if tier is None else pipeline.path(tier)
    yield from columns([HEAD, *(_row(pipeline, phase, tier) for phase in phases)])
    yield ""
    if used := [row for phase in phases for row in _used(phase)]:
        yield from (*columns(used), "")
    tiers = Tier if tier is None else [tier]
    yield from columns((each, " → ".join(pipeline.paths[each])) for each in tiers)


def _row(pipeline: Pipeline, phase: Phase, tier: Tier | None) -> tuple[str, ...]:
    return (
        *(phase.name, phase.title, phase.zone, _who(pipeline, phase, tier), _members(phase)),
        *(
            phase.effort or "-",
            _understanding(phase),
            _loop(phase),
            _gate(pipeline, phase, tier),
        ),
    )


def _used(phase: Phase) -> Iterator[tuple[str, ...]]:
    """The tools a phase asks for, by how much, and its skills."""
    for much in Obligation:
        if tools := [name for name, asked in phase.tools.items() if asked is much]:
            yield phase.name, much, ", ".join(tools)
    if phase.skills:
        yield phase.name, "skills", ", ".join(phase.skills)


def _who(pipeline: Pipeline, phase: Phase, tier: Tier | None) -> str:
    if tier is not None and pipeline.execution(tier, phase.name) is Execution.SUBAGENTS:
        return "lead, with subagents"
    if phase.lead_only:
        return "lead"
    return f"{phase.profile}, then {phase.coordinator}" if phase.coordinator else phase.profile


def _members(phase: Phase) -> str:
    if phase.lead_only:
        return "-"
    if phase.least == phase.most:
        return phase.numbers
    return f"{phase.numbers} by {phase.counted}"


def _understanding(phase: Phase) -> str:
    """What members do before they work to show that they understand."""
    if not phase.verified:
        return "-"
    asked = phase.challenge.questions
    questions = [f"{asked} question{'' if asked == 1 else 's'}"] if asked else []
    alternative = ["an alternative"] if phase.challenge.alternative else []
    return ", ".join(["analysis", *questions, *alternative])


def _loop(phase: Phase) -> str:
    return "-" if phase.delivers else f"{phase.loop}, {LOOP_LIMITS[phase.loop]}"


def _gate(pipeline: Pipeline, phase: Phase, tier: Tier | None) -> str:
    """Who decides, and on one tier's path what it opens."""
    if phase.delivers:
        return "delivers"
    following = pipeline.after(tier, phase.name) if tier is not None else None
    return decider(phase) + (f" → {following.name}" if following else "")
