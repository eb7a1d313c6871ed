"""How handed-in work is looked at on this machine: by the team's rules, in the user's repository."""

from collections.abc import Iterable, Mapping
from typing import Any

from drumline.control import policy, scan
from drumline.errors import Refused
from drumline.hooks.ruling import rules_at
from drumline.runtimes.checkout import OF_THE_LEAD
from drumline.settings import Settings
from drumline.team.manifest import Manifest
from drumline.team.scan import Hit
from drumline.team.task import Task
from drumline.team.trespass import Change, Trespass, trespasses
from drumline.wiring.guards import changes, policy_files
from drumline.wiring.home import state_folder


def unfit(settings: Settings, manifest: Manifest, commits: str) -> list[Hit]:
    """The secrets and protected files that commits would bring."""
    rules = policy.in_force(policy_files(settings), manifest)
    try:
        return scan.scan(changes(str(settings.state_root), commits=commits), rules)
    except OSError as error:
        raise Refused(
            "What you handed in could not be looked at",
            why=str(error),
            next="commit less at once, and no file that is too long to be looked at",
        ) from error


def foreign(
    settings: Settings, stands: Mapping[str, object], brought: Iterable[Change]
) -> list[Trespass]:
    """What of some changes is not its member's to make, by the rules the member's calls are judged by."""
    rules = rules_at(state_folder(settings), stands)
    return trespasses(brought, rules.standing, rules.policy, OF_THE_LEAD)


def standing_for(
    stands: Mapping[str, Any], manifest: Manifest, member: str, task: Task
) -> Mapping[str, Any]:
    """Where a member stands whose work for a task another takes in; `stands` is where that one does.

    Work of one who is no longer on the team is judged as if it were done by who takes it in.
    """
    entry = manifest.member(member)
    if entry is None or member == stands["member"]:
        return stands
    return {**stands, **policy.standing_of(manifest, entry, files=list(task.files) or None)}
