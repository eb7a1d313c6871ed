"""What there is to see of a team, as tools: its state, its file, its rules, its prompts and its log."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from drumline import wiring
from drumline.control import briefing, policy, team_check, views
from drumline.surfaces.mcp.tool import LOOKS, TASK, Arguments, Desk, Tool, form, page, words
from drumline.team.actor import Role
from drumline.team.ids import TaskId
from drumline.wiring import guards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drumline.control.ports import Store
    from drumline.team.manifest import Manifest

USUAL = 50


def _status(desk: Desk, _: Arguments) -> views.Facts:
    here = desk.here()
    found = desk.library().ask(
        views.status, exists=wiring.exists_in(here), unshared=wiring.unshared(here)
    )
    return views.status_facts(found)


def _team(desk: Desk, _: Arguments) -> dict[str, Any]:
    manifest = team_check.manifest_of(wiring.worktree(desk.here()))
    return {
        "team": manifest.team,
        "description": manifest.description,
        "constitution": manifest.constitution,
        "lead": manifest.lead,
        "language": asdict(manifest.language),
        "enabled": manifest.enabled,
        "members": list(map(asdict, manifest.members)),
    }


def _prompt(desk: Desk, said: Arguments) -> dict[str, Any]:
    settings, store = desk.here(), desk.library()
    manifest = wiring.manifest_of(settings)
    rules = policy.in_force(guards.policy_files(settings), manifest)
    around = briefing.Surroundings(manifest=manifest, rules=rules)
    task = TaskId.parse(said["task"])
    name = _for_whom(desk, store, said, manifest)
    brief = store.ask(briefing.brief_for, task, name, around)
    if section := said.get("section", ""):
        return {"section": section, "text": brief.prompt.part(section)}
    return briefing.brief_facts(brief)


def _for_whom(desk: Desk, store: Store, said: Arguments, manifest: Manifest) -> str:
    member: str = said.get("member", "")
    actor = desk.speaking(store, member)
    if member or actor.role is not Role.PERSON:
        return member or actor.name
    return store.ask(briefing.for_whom, TaskId.parse(said["task"]), manifest)


def _rules(desk: Desk, _: Arguments) -> list[Mapping[str, Any]]:
    settings = desk.here()
    rules = policy.in_force(guards.policy_files(settings), wiring.manifest_of(settings))
    return list(rules["constraints"])


def _rule(desk: Desk, said: Arguments) -> Mapping[str, Any]:
    settings = desk.here()
    return policy.one(guards.policy_files(settings), said["id"], wiring.manifest_of(settings))


def _events(desk: Desk, said: Arguments) -> dict[str, Any]:
    store, most, cursor = desk.library(), said.get("most", USUAL), said.get("after", "")
    found, place = (
        store.ask(views.events, cursor=cursor, most=most)
        if cursor
        else store.ask(views.last_events, most=most)
    )
    if desk.speaking(store).role is not Role.PERSON:  # the rows hold others' letters
        found = [event._replace(changes=()) for event in found]
    return {"events": [views.event_facts(event) for event in found], "cursor": place}


TEAM = (
    Tool(
        "status",
        "See the team's state",
        "Who does what, how many tasks are ready, blocked or done, whose mail waits, and what will not"
        " mend itself.",
        form(),
        LOOKS,
        _status,
        {},
    ),
    Tool(
        "team_show",
        "Show the team",
        "The team's manifest with its defaults filled in: who is on it, who leads, and what each member"
        " owns.",
        form(),
        LOOKS,
        _team,
        {},
    ),
    Tool(
        "prompt_show",
        "Show a prompt",
        "What a member is told for a task, whole or one section of it, with the size of each section.",
        form(
            "task",
            task=TASK,
            member=words("For whom, if not its likely holder; a member asks for itself."),
            section=words("Only this section, or `system` or `task`."),
        ),
        LOOKS,
        _prompt,
        {"task": "T-1", "section": "task"},
    ),
    Tool(
        "policy_list",
        "List the rules",
        "Every rule in force, with what it refuses, why, and the way out.",
        form(),
        LOOKS,
        _rules,
        {},
    ),
    Tool(
        "policy_show",
        "Show a rule",
        "One rule: what it refuses, whom it binds, why, and the way out.",
        form("id", id=words("The rule's id, as a refusal names it.")),
        LOOKS,
        _rule,
        {"id": "C-GIT-001"},
    ),
    Tool(
        "events",
        "Read the log",
        "What happened, oldest first: the newest page, or the page after a place in the log. Each answer"
        " has the `cursor` to go on from. Members are not shown the rows an event changed.",
        form(
            after=words("The `cursor` of an earlier answer: only what came after it."),
            most=page(USUAL),
        ),
        LOOKS,
        _events,
        {"most": 10},
    ),
)
