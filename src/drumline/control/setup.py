"""Give a repository its team's first files: first a plan, then carried out; nothing is overwritten."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from drumline.control.files import Repository
from drumline.errors import Conflict
from drumline.team import difference as unified
from drumline.team.manifest import accepted
from drumline.team.preset import FOLDER, render
from drumline.team.presets import PRESETS
from drumline.team.rights import DEFAULT_CONSTITUTION
from drumline.team.starter import POLICY, decisions_text, learnings_text, manifest_text, slug
from drumline.team.text import checked_name
from drumline.team.topology import PARALLEL_SPRINT, TOPOLOGIES

IGNORE = ".gitignore"
IGNORED = frozenset({".drumline", ".drumline/", "/.drumline", "/.drumline/"})


class Deed(StrEnum):
    """What happens to a file."""

    WRITE = "write"
    APPEND = "append"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the person chose; an empty name means the folder's."""

    topology: str = PARALLEL_SPRINT.name
    constitution: str = DEFAULT_CONSTITUTION
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file and what happens to it; `before` is what an appended file holds already."""

    path: str
    deed: Deed
    text: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps towards a team, in the order they are done."""

    team: str
    steps: tuple[Step, ...]

    def paths(self, *deeds: Deed) -> list[str]:
        return [step.path for step in self.steps if step.deed in deeds]


@dataclass(frozen=True, slots=True)
class _Team:
    """What the files are made for: the team there is, or the one chosen."""

    name: str
    constitution: str
    members: tuple[str, ...]
    manifest: str = ""


def plan(repository: Repository, choice: Choice) -> Plan:
    """What is missing for a team, and what is there and stays."""
    team = _existing(repository, choice) or _chosen(repository, choice)
    return Plan(team.name, (_ignoring(repository), *_steps(repository, team)))


def carry_out(repository: Repository, todo: Plan) -> Plan:
    """Do the steps and tell what was really done: a file someone else made meanwhile is kept."""
    return Plan(todo.team, tuple(_do(repository, step) for step in todo.steps))


def difference(todo: Plan) -> str:
    """The plan as a unified diff."""
    changed = [step for step in todo.steps if step.deed is not Deed.KEEP]
    return "".join(
        unified.difference(step.path, step.before, step.before + step.text) for step in changed
    )


def _existing(repository: Repository, choice: Choice) -> _Team | None:
    file = repository.manifest_file
    if not repository.present(file):
        return None
    manifest = accepted(repository.manifest(), file)
    if choice.name and choice.name != manifest.team:
        raise Conflict(
            f"this repository is already team {manifest.team}, not {choice.name}",
            why=f"{file} says so and is never overwritten",
            next=f"drumline init   # or rename the team in {file}",
        )
    names = tuple(member.name for member in manifest.members)
    return _Team(manifest.team, manifest.constitution, names)


def _chosen(repository: Repository, choice: Choice) -> _Team:
    name = checked_name(choice.name, "the team's name") if choice.name else slug(repository.name)
    topology = TOPOLOGIES[choice.topology]
    return _Team(
        name,
        choice.constitution,
        tuple(seat.name for seat in topology.seats),
        manifest_text(topology, team=name, constitution=choice.constitution),
    )


def _steps(repository: Repository, team: _Team) -> Iterator[Step]:
    for path, text in _texts(repository.manifest_file, team):
        if repository.present(path):
            yield Step(path=path, deed=Deed.KEEP)
        else:
            repository.vet(path)
            yield Step(path=path, deed=Deed.WRITE, text=text)


def _texts(manifest_file: str, team: _Team) -> Iterator[tuple[str, str]]:
    """Every file of a team; the manifest last, so that a team half made is no team yet."""
    for shipped in PRESETS[team.constitution]:
        yield f"{FOLDER}/{shipped.name}.md", render(shipped)
    for member in team.members:
        yield f"memory/agents/{member}/learnings.md", learnings_text(member)
    yield "memory/team/decisions.md", decisions_text()
    yield "drumline/policy.json", POLICY
    yield manifest_file, team.manifest


def _ignoring(repository: Repository) -> Step:
    before = repository.read(IGNORE)
    if any(line.strip() in IGNORED for line in before.splitlines()):
        return Step(path=IGNORE, deed=Deed.KEEP)
    gap = "" if not before or before.endswith("\n") else "\n"
    return Step(path=IGNORE, deed=Deed.APPEND, text=f"{gap}.drumline/\n", before=before)


def _do(repository: Repository, step: Step) -> Step:
    if step.deed is Deed.APPEND:
        repository.append(step.path, step.text)
    elif step.deed is Deed.WRITE and not repository.create(step.path, step.text):
        return replace(step, deed=Deed.KEEP)
    return step
