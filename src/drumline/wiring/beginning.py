"""What a run needs to begin here: its pipeline, a commit to stand on, and a plane that drives it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drumline.control import duties, runs
from drumline.errors import BadInput, NotClean
from drumline.team.duty import plane_of
from drumline.team.run_mode import RunMode
from drumline.team.tier import Tier
from drumline.wiring import machine, manifest_of, planes

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.control.runs import Begin
    from drumline.settings import Settings


def wanted(settings: Settings, store: Store, goal: str, chosen: Mapping[str, Any]) -> Begin:
    """What a run is begun with, as a person chose it and this repository has it."""
    from drumline.runtimes.delivering import branch_here
    from drumline.team.run import checked_goal
    from drumline.wiring.pipelines import pipelines

    checked_goal(goal)
    here, base = Path(settings.root), _commit_here(settings)
    if not base:
        _refuse_outside_git(settings)
    name = chosen["pipeline"] or store.ask(runs.preset)
    gates = manifest_of(settings).settings.human_gates
    return runs.Begin(
        goal,
        pipelines(settings).find(name).with_people_at(gates),
        base,
        Tier(chosen["tier"]) if chosen["tier"] else None,
        chosen["lead"],
        chosen["budget"],
        branch_here(here) if base else "",
        RunMode(chosen["mode"] or RunMode.DEFAULT),
    )


def make_ready(settings: Settings, store: Store) -> None:
    """Bring the team's branch to where the user stands, unless a run is at work on it.

    Members work on that, and nothing of an earlier run is delivered with the next.
    """
    from drumline.runtimes.delivering import make_ready as bring

    if _commit_here(settings) and not store.ask(runs.working):
        bring(Path(settings.root))


def not_seen(settings: Settings) -> NotClean | None:
    """What the user has not committed, told as what members will not see; none where there is nothing."""
    from drumline.runtimes.delivering import uncommitted
    from drumline.runtimes.inspecting import listed

    files = uncommitted(Path(settings.root))
    why = "members work on your last commit and do not see these; a delivery never overwrites them"
    return NotClean(settings.root, files, listed(files), why) if files else None


def look_after(settings: Settings, store: Store) -> bool:
    """See that a plane is up here, which drives the run; whether it had to be started."""
    if is_up(store):
        return False
    planes.start_plane(settings)
    planes.wait_for(lambda: is_up(store), "the plane does not come up")
    return True


def is_up(store: Store) -> bool:
    """Whether a plane of this host drives the team's runs."""
    name = plane_of(machine.host())
    held = [duty for duty in store.ask(duties.held) if duty.name == name]
    return any(machine.is_up(duty.holder) for duty in held)


def _refuse_outside_git(settings: Settings) -> None:
    from drumline.runtimes.git import attempt, readable

    done = attempt(Path(settings.root), "rev-parse", "--git-dir")
    if done.code:
        raise BadInput(
            f"{settings.root} is no git repository",
            why=f"members work on copies of its last commit; git says: {readable(done.err)}",
            next="git init && git add --all && git commit -m 'Begin'",
        )


def _commit_here(settings: Settings) -> str:
    """The commit the user stands on; empty where there is none."""
    from drumline.runtimes.git import attempt

    done = attempt(Path(settings.root), "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return "" if done.code else done.out.decode("ascii", "replace").strip()
