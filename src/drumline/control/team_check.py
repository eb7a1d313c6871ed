"""Check a team's files: the manifest and everything it leans on."""

from collections.abc import Iterator
from dataclasses import dataclass

from drumline.control.files import TeamFiles
from drumline.team.always_loaded import loaded_findings
from drumline.team.document import Problem
from drumline.team.finding import Finding, Level
from drumline.team.manifest import Manifest, accepted, read_manifest
from drumline.team.membership import (
    lead_findings,
    ownership_findings,
    reference_findings,
    server_findings,
)
from drumline.team.pipelines import read_own
from drumline.team.preset import drift
from drumline.team.presets import PRESETS, profiles_known
from drumline.team.profile import Profile, profile_findings, read_profile
from drumline.team.skill import read_skill, skill_findings

GRAVITY = list(Level)


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, the gravest first; `team` is empty when the manifest cannot be read."""

    team: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.count(Level.ERROR)

    def count(self, level: Level) -> int:
        return sum(finding.level is level for finding in self.findings)


def manifest_of(files: TeamFiles) -> Manifest:
    """The team's manifest, or a refusal that lists every problem of it."""
    return accepted(files.manifest(), files.manifest_file)


def profiles_of(files: TeamFiles) -> list[Profile]:
    """The agent profiles of the repository, by name."""
    return sorted(map(read_profile, files.agents()), key=lambda profile: profile.name)


def check(files: TeamFiles) -> Report:
    """Everything there is to say about a team's files; nothing is changed."""
    manifest, problems = read_manifest(files.manifest())
    if manifest is None:
        return Report("", tuple(_as_finding(problem, files.manifest_file) for problem in problems))
    findings = sorted(
        _findings(files, manifest),
        key=lambda one: (GRAVITY.index(one.level), one.file, one.line),
    )
    return Report(manifest.team, tuple(findings))


def _findings(files: TeamFiles, manifest: Manifest) -> Iterator[Finding]:
    agents, skills = files.agents(), files.skills()
    profiles = {profile.name: profile for profile in map(read_profile, agents)}
    file = files.manifest_file
    yield from lead_findings(manifest, file)
    yield from reference_findings(manifest, profiles, file)
    yield from server_findings(manifest, files.servers(), file)
    yield from ownership_findings(manifest, files.files(), file)
    yield from profile_findings(
        agents, profiles=profiles, skills={read_skill(sheet).name for sheet in skills}
    )
    yield from skill_findings(skills, profiles=profiles, budget=manifest.settings.skill_budget)
    yield from drift(PRESETS[manifest.constitution], agents, constitution=manifest.constitution)
    yield from loaded_findings(files.loaded_texts())
    for each in read_own(files.pipelines(), profiles_known(manifest.constitution, profiles)):
        yield from (_as_finding(problem, each.file) for problem in each.problems)


def _as_finding(problem: Problem, file: str) -> Finding:
    return Finding(
        level=Level.ERROR,
        file=file,
        line=problem.line,
        field=problem.field,
        message=problem.sentence,
    )
