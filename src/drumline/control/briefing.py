"""Brief a member on a task: gather what it needs, leave the rest out, refuse what cannot work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from drumline.control import efforts, modes, policy, team_notes, tool_use
from drumline.control.injecting import injection
from drumline.control.needs import waived
from drumline.control.roster import addressed
from drumline.control.run_questions import OF_THE_LEAD
from drumline.errors import BadInput, NotAllowed, NotReady, Unknown
from drumline.team import prompt_system
from drumline.team.actor import Role
from drumline.team.advice import bare
from drumline.team.assignment import Assignment, Seat, Upstream, Word
from drumline.team.delegation import CommunicationPlan, ignored, read_delegation
from drumline.team.effort import told as told_effort
from drumline.team.ids import TaskId
from drumline.team.judge import applies
from drumline.team.learning import Uses
from drumline.team.left_out import Withheld
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.membership import has_checkout
from drumline.team.noise import without_noise
from drumline.team.ownership import overlap
from drumline.team.profile import Profile
from drumline.team.prompt import (
    Counter,
    Measure,
    Prompt,
    Side,
    about,
    composed,
    measured,
    refuse_oversize,
)
from drumline.team.prompt_sources import HEADINGS, SOURCES
from drumline.team.question import Question, QuestionState
from drumline.team.registry import Registry
from drumline.team.standing import Standing
from drumline.team.subagent import told
from drumline.team.task import NOTE, Task
from drumline.team.telling import Told
from drumline.team.tool_use import Kit

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


Counted = Callable[[str, Iterable[str]], Uses]


class Learnings(Protocol):
    """What a member learnt in earlier lives, as it goes into its prompt."""

    def of(self, member: str, about: str, counted: Counted) -> Told:
        """What it is told for a task about this; `counted` tells how often learnings were used."""
        ...


class NothingLearnt:
    """A team whose members remember nothing yet."""

    def of(self, member: str, about: str, counted: Counted) -> Told:  # noqa: ARG002 - the same for everyone
        return Told()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a brief is made of that the store does not hold."""

    manifest: Manifest
    rules: Registry
    learnings: Learnings = field(default_factory=NothingLearnt)
    count: Counter = about


@dataclass(frozen=True, slots=True)
class Brief:
    """A prompt that may be given to a runtime, how much it takes, and how much thought it is worth."""

    prompt: Prompt
    measure: Measure
    runtime: str = ""
    effort: str = ""  # of the task's phase


def brief_for(tx: Transaction, task: TaskId, member: str, around: Surroundings) -> Brief:
    """What a runtime is given for this member and task; nothing changes and nothing is spent."""
    found, entry = _workable(tx, task), _entry(tx, member, around.manifest)
    assignment = _assignment(tx, found, entry, around)
    prompt = composed(assignment, HEADINGS, SOURCES)
    measure = measured(prompt, around.manifest.settings.context_window, around.count)
    refuse_oversize(prompt, measure)
    return Brief(prompt, measure, entry.runtime, efforts.of_task(tx, found))


def introduction(tx: Transaction, member: str, around: Surroundings) -> str:
    """What a runtime is given first for a member that has no task."""
    entry = _entry(tx, member, around.manifest)
    return prompt_system.introduction(
        _seat(tx, entry, around, _binding(entry, around, mode=modes.at_work(tx)))
    )


def for_whom(tx: Transaction, task: TaskId, manifest: Manifest) -> str:
    """Who would be briefed: the holder, else whoever may take the task, owners of its files first."""
    found = _workable(tx, task)
    if found.owner:
        return found.owner
    fitting = [each for each in manifest.members if found.profile in {"", each.profile}]
    if not fitting:
        raise Unknown(f"nobody here may take {task}", next="drumline team show")
    return min(
        fitting, key=lambda each: (each.name == manifest.lead, not overlap(each.owns, found.files))
    ).name


def brief_facts(brief: Brief) -> dict[str, Any]:
    """The brief as every surface shows it."""
    prompt, measure = brief.prompt, brief.measure
    return {
        "task": str(prompt.task),
        "member": prompt.member,
        **{f"{side}_prompt": prompt.text(side) for side in Side},
        "sections": [
            {
                "name": size.heading.name,
                "title": size.heading.title,
                "side": size.heading.side.value,
                "characters": size.characters,
                "tokens": size.tokens,
            }
            for size in measure.sizes
        ],
        "tokens": measure.tokens,
        "limit": measure.limit,
        "effort": brief.effort or None,
        "effort_told": told_effort(brief.runtime, brief.effort) or None,
        "left_out": [each._asdict() for each in prompt.left_out],
    }


def _workable(tx: Transaction, task: TaskId) -> Task:
    found = tx.tasks.get(task)
    if found is None:
        raise Unknown(f"no task {task} in team {tx.team}", next="drumline task list")
    if found.permanent:
        raise NotReady(
            f"{task} is a permanent task: nobody works on it", next="drumline task ready"
        )
    return found


def _entry(tx: Transaction, member: str, manifest: Manifest) -> MemberEntry:
    """The member as its manifest has it: role, files and tools are written nowhere else."""
    name = addressed(tx, member).name
    if found := manifest.member(name):
        return found
    raise Unknown(
        f"{name} has no place in this repository's manifest",
        why="a person, or a member of another repository, is not briefed from here",
        next=f"name one of: {', '.join(each.name for each in manifest.members)}",
    )


def _assignment(
    tx: Transaction, task: Task, entry: MemberEntry, around: Surroundings
) -> Assignment:
    metadata = tx.tasks.fields(task.id)
    delegation, unneeded = read_delegation(task.id, metadata).without_noise()
    blockers, waiting = tx.tasks.blockers(task.id), tx.tasks.waiting_for(task.id)
    plan = delegation.communication
    _refuse_silence(task, plan, depends=bool(blockers), waited_for=bool(waiting))
    _refuse_unreachable(tx, task, entry, plan)
    body = without_noise(tx.tasks.body(task.id))
    binding = _binding(entry, around, mode=modes.at_work(tx))
    letters, unread = tx.mail.waiting().get(entry.name, (0, 0))
    seat = _seat(tx, entry, around, binding, " ".join([task.title, body.text, *task.files]))
    return Assignment(
        seat=seat,
        task=task,
        body=body.text,
        delegation=delegation,
        upstream=tuple(Upstream(each.id, each.state, each.outputs) for each in blockers),
        waiting=tuple(waiting),
        without=waived(tx, task.id),
        obliged=tool_use.obligations(tx, task, Kit(entry.name, entry.tools, entry.mcp)),
        note=_note(metadata),
        words=tuple(Word(each.what, each.said) for each in decisions(tx, task)),
        letters=letters,
        unread=unread,
        shared=injection(tx, task, entry.name),
        memory=team_notes.briefed(tx, task.run, entry),
        withheld=Withheld(
            others=sum(number for number, _ in tx.tasks.count().values()) - 1 - len(blockers),
            upstream=tuple(str(each.id) for each in blockers),
            sections=body.left_out + unneeded,
            fields=ignored(metadata),
            rules=len(around.rules["constraints"]) - len(binding),
            letters=letters,
            run=task.run,
            unclaimed=task.owner != entry.name,
            learnt=seat.learnt,
        ),
    )


def decisions(tx: Transaction, task: Task) -> list[Question]:
    """What was decided about a task, and about the run it belongs to, but for judgements of others' work."""
    run = tx.tasks.permanent(task.run) if task.run else None
    asked = (*tx.questions.about(task.id), *(tx.questions.about(run.id) if run else ()))
    judged = {
        said.question
        for occasion, said in (tx.runs.questions(task.run) if run else {}).items()
        if occasion.startswith(OF_THE_LEAD)
    }
    return [
        each for each in asked if each.state is QuestionState.ANSWERED and each.id not in judged
    ]


def _note(metadata: Mapping[str, Any]) -> str:
    """What who gave the task back wrote for whoever takes it up."""
    said = metadata.get(NOTE, "")
    return said if isinstance(said, str) else ""


def subagent_told(profile: Profile, starter: MemberEntry, around: Surroundings) -> str:
    """What a member's subagent reads before its question; what else it must know stands in that."""
    manifest = around.manifest
    rules = {**around.rules, "constraints": _binding(starter, around, profile.name)}
    return told(profile, starter.name, manifest.language, bare(policy.advised(rules, manifest)))


def _binding(
    entry: MemberEntry, around: Surroundings, subagent: str = "", *, mode: str = ""
) -> list[Mapping[str, Any]]:
    """The rules that hold for this member, or for a subagent of it."""
    stands = {**policy.standing_of(around.manifest, entry), "subagent": subagent}
    stands["mode"] = mode  # of the run the team is at
    standing = Standing(stands, "")
    return [
        each
        for each in around.rules["constraints"]
        if each.get("enabled", True) and applies(each, standing)
    ]


def _seat(
    tx: Transaction,
    entry: MemberEntry,
    around: Surroundings,
    rules: list[Mapping[str, Any]],
    about: str = "",
) -> Seat:
    manifest = around.manifest
    return Seat(
        team=tx.team,
        project=manifest.description,
        lead=manifest.lead,
        member=entry,
        constitution=modes.agreed(tx),
        language=manifest.language,
        rules=policy.advised({**around.rules, "constraints": rules}, manifest),
        learnt=around.learnings.of(entry.name, about, tx.citations.uses),
        commits=has_checkout(manifest, entry),
    )


def _refuse_silence(
    task: Task, plan: CommunicationPlan, *, depends: bool, waited_for: bool
) -> None:
    """A task with neighbours must say who tells whom."""
    if lacks := plan.missing(depends=depends, waited_for=waited_for):
        reason = "others wait for it" if waited_for else "it builds on another's work"
        raise BadInput(
            f"{task.id} has no communication plan",
            why=f"{reason}, and nobody may have to guess when to begin",
            next=f"drumline task note {task.id} {lacks}=NAME   # a member, or lead",
        )


def _refuse_unreachable(
    tx: Transaction, task: Task, entry: MemberEntry, plan: CommunicationPlan
) -> None:
    """Refuse a plan that names someone who is not here, or whom the member may not write to."""
    for name in (*plan.notify, *plan.awaits):
        addressed(tx, name)
    leads = addressed(tx, entry.name).lead
    for name in plan.notify:
        peer = addressed(tx, name).acting().role is Role.TEAMMATE
        if peer and not leads and not modes.agreed(tx).peers:
            raise NotAllowed(
                f"{task.id}: {entry.name} may not write to {name}",
                why="this team's constitution lets teammates write only to the lead",
                next=f"drumline task note {task.id} brief.notify=lead",
            )
