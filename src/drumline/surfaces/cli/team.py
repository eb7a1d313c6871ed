"""The team's own files: check them, show them, and the schema they follow."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from drumline import settings, wiring
from drumline.control import team_check
from drumline.control.files import TeamFiles
from drumline.surfaces.cli import joining
from drumline.surfaces.cli.output import columns, facts, json_flag, show
from drumline.surfaces.cli.place import place, placed
from drumline.team.finding import Level
from drumline.team.manifest import Manifest, schema
from drumline.team.profile import Profile, effective_tools


@click.group(name="team")
def command() -> None:
    """Check and show the team's manifest, and change who is on the team."""


for each_command in joining.COMMANDS:
    command.add_command(each_command)


@command.command(name="check")
@placed
@click.pass_context
def check(ctx: click.Context, *, as_json: bool) -> None:
    """Report what is wrong with the team's files; exit 1 on errors."""
    report = team_check.check(_files())
    found = {"team": report.team, "findings": list(map(asdict, report.findings)), "ok": report.ok}
    show(found, _report_lines(report), as_json=as_json)
    ctx.exit(0 if report.ok else 1)


@command.command(name="show")
@placed
def show_team(*, as_json: bool) -> None:
    """Show the manifest with its defaults filled in."""
    manifest = team_check.manifest_of(_files())
    show(_manifest_facts(manifest), _manifest_lines(manifest), as_json=as_json)


@command.command(name="profiles")
@placed
def profiles(*, as_json: bool) -> None:
    """List the agent profiles and the tools they really get."""
    found = team_check.profiles_of(_files())
    show(list(map(_profile_facts, found)), columns(map(_profile_row, found)), as_json=as_json)


@command.command(name="schema")
@json_flag
def show_schema(*, as_json: bool) -> None:
    """Print the manifest's JSON Schema, for editors."""
    found = schema()
    show(found, [json.dumps(found, indent=2, ensure_ascii=False)], as_json=as_json)


def _files() -> TeamFiles:
    here = place()
    return wiring.worktree(settings.find(here.directory, manifest=here.manifest, store=here.store))


def _report_lines(report: team_check.Report) -> Iterator[str]:
    yield from columns(
        (one.level, f"{one.file}:{one.line}", one.message) for one in report.findings
    )
    counts = (_count(report.count(level), level) for level in Level)
    yield f"{report.team or 'the manifest'}: {', '.join(counts)}"


def _count(number: int, level: Level) -> str:
    return f"{number} {level}" if number == 1 else f"{number} {level}s"


def _manifest_facts(manifest: Manifest) -> dict[str, Any]:
    return {
        "team": manifest.team,
        "description": manifest.description,
        "constitution": manifest.constitution,
        "lead": manifest.lead,
        "language": asdict(manifest.language),
        "enabled": manifest.enabled,
        "members": list(map(asdict, manifest.members)),
    }


def _manifest_lines(manifest: Manifest) -> Iterator[str]:
    language = manifest.language
    yield from facts(
        {
            "team": manifest.team,
            "description": manifest.description,
            "constitution": manifest.constitution,
            "lead": manifest.lead,
            "language": f"{language.people} to people, {language.artefacts} in files",
            "enabled": manifest.enabled,
        }
    )
    yield ""
    yield from columns(
        [
            ("member", "runtime", "model", "budget", "mode", "profile", "owns", "role"),
            *(
                (
                    *(member.name, member.runtime, member.model, f"{member.budget:.2f}"),
                    *(member.permission_mode, member.profile or "-"),
                    *(" ".join(member.owns) or "-", member.role),
                )
                for member in manifest.members
            ),
        ]
    )


def _profile_facts(profile: Profile) -> dict[str, Any]:
    return {**asdict(profile), "effective_tools": effective_tools(profile)}


def _profile_row(profile: Profile) -> tuple[str, str, str]:
    return profile.name, profile.model or "inherit", ", ".join(effective_tools(profile))
