"""What no schema can say of a pipeline: that its paths lead through its phases to the end.

Each check takes the document as it was written, so that it can name the line; a value of the wrong kind
is the form's business and passed over here.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from drumline.team.document import Node, Problem, shown
from drumline.team.fields import nearest
from drumline.team.pipeline import Zone
from drumline.team.tier import Tier

SUM_MARGIN = 0.01  # shares are written with two digits
FOR_MEMBERS = (
    "least",
    "most",
    "counted",
    "coordinator",
    "challenge",
    "verified",
    "handoff",
    "reviewed",
)
NOBODY = "only in a phase with a profile: in this one no member works"


class _Written(NamedTuple):
    """A phase as it was written down."""

    at: str
    node: Node

    def get(self, name: str) -> Node | None:
        return self.node.fields().get(name)

    def text(self, name: str) -> str:
        found = self.get(name)
        return found.value if found is not None and isinstance(found.value, str) else ""

    def says(self, name: str) -> bool:
        found = self.get(name)
        return found is not None and found.value is True

    def line(self, name: str) -> int:
        found = self.get(name)
        return self.node.line if found is None else found.line


def flaws(root: Node, profiles: Collection[str]) -> Iterator[Problem]:
    """Everything that keeps a pipeline from being gone through, whatever else is wrong with it."""
    phases = [
        _Written(f"phases[{index}]", node) for index, node in enumerate(_items(root, "phases"))
    ]
    yield from _twins(phases)
    yield from _going_back(phases)
    for phase in phases:
        yield from _lost_profiles(phase, profiles)
        yield from _counts(phase)
        yield from _without_members(phase)
        yield from _untried(phase)
    yield from _never_reached(root, phases)
    for tier in Tier:
        yield from _path(root, tier, phases)
        yield from _beside_the_path(root, tier)
    yield from _shares(root)


def _items(root: Node, *names: str) -> tuple[Node, ...]:
    node: Node | None = root
    for name in names:
        node = node.fields().get(name) if node is not None else None
    return node.items() if node is not None else ()


def _name(step: Node) -> str:
    """The phase a path names; empty where it is no name at all."""
    return step.value if isinstance(step.value, str) else ""


def _twins(phases: list[_Written]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for phase in phases:
        name = phase.text("name")
        if name in first:
            found = f"{shown(name)}, already on line {first[name]}"
            at = f"{phase.at}.name"
            yield Problem(phase.line("name"), at, found, "a name no other phase has")
        elif name:
            first[name] = phase.line("name")


def _going_back(phases: list[_Written]) -> Iterator[Problem]:
    zones, reached = list(Zone), 0
    for phase in phases:
        zone = phase.text("zone")
        if zone not in zones:
            continue
        rank = zones.index(Zone(zone))
        if rank < reached:
            found = f"{zone} after a phase of {zones[reached]}"
            allowed = " | ".join(zones[reached:])
            yield Problem(phase.line("zone"), f"{phase.at}.zone", found, allowed)
        reached = max(rank, reached)


def _lost_profiles(phase: _Written, profiles: Collection[str]) -> Iterator[Problem]:
    for name in ("profile", "coordinator"):
        said = phase.text(name)
        if said and said not in profiles:
            found = f"{shown(said)}, a profile that does not exist"
            yield Problem(phase.line(name), f"{phase.at}.{name}", found, nearest(said, profiles))


def _counts(phase: _Written) -> Iterator[Problem]:
    least, most = phase.get("least"), phase.get("most")
    if least is None or most is None:
        return
    low, high = least.value, most.value
    if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
        found = f"{shown(low)}, more than most, which is {shown(high)}"
        allowed = f"a whole number from 1 to {shown(high)}"
        yield Problem(least.line, f"{phase.at}.least", found, allowed)


def _without_members(phase: _Written) -> Iterator[Problem]:
    """What a phase asks of members though it has none."""
    if phase.get("profile") is None:
        for name in FOR_MEMBERS:
            if phase.get(name) is not None:
                found = f"{name} where the lead is alone"
                yield Problem(phase.line(name), f"{phase.at}.{name}", found, NOBODY)
    elif phase.says("delivers"):
        found = f"{shown(phase.text('profile'))} in a phase that delivers"
        allowed = "no profile where delivers is true: nobody works in it"
        yield Problem(phase.line("profile"), f"{phase.at}.profile", found, allowed)


def _untried(phase: _Written) -> Iterator[Problem]:
    if phase.get("profile") and phase.get("challenge") and not phase.says("verified"):
        found = "a challenge without verified"
        allowed = "verified: true beside it: a challenge is part of verification"
        yield Problem(phase.line("challenge"), f"{phase.at}.challenge", found, allowed)


def _never_reached(root: Node, phases: list[_Written]) -> Iterator[Problem]:
    reached = {_name(step) for tier in Tier for step in _items(root, "paths", tier)}
    for phase in phases:
        name = phase.text("name")
        if name and name not in reached:
            found = f"{shown(name)}, which is on no path"
            at = f"{phase.at}.name"
            yield Problem(phase.line("name"), at, found, "a phase of at least one path")


def _path(root: Node, tier: Tier, phases: list[_Written]) -> Iterator[Problem]:
    order = {phase.text("name"): at for at, phase in enumerate(phases) if phase.text("name")}
    delivering = {phase.text("name") for phase in phases if phase.says("delivers")}
    steps, at = _items(root, "paths", tier), f"paths.{tier}"
    seen: list[str] = []
    for index, step in enumerate(steps):
        name, last = _name(step), index + 1 == len(steps)
        if not name:
            continue
        ending = _wrong_end(name, last=last, delivers=name in delivering)
        for wrong in (_misstep(name, seen, order), ending if name in order else None):
            if wrong is not None:
                yield Problem(step.line, f"{at}[{index}]", *wrong)
        seen.append(name)


def _misstep(name: str, seen: list[str], order: dict[str, int]) -> tuple[str, str] | None:
    """Why a path cannot go on with this phase, and what it could."""
    if name not in order:
        return f"{shown(name)}, which is no phase", nearest(name, order)
    if name in seen:
        return f"{shown(name)} a second time", "each phase once: a gate, not a path, goes back"
    before = next((each for each in seen if order.get(each, -1) > order[name]), None)
    if before is not None:
        return (
            f"{shown(name)} after {shown(before)}",
            "phases in the order in which they are listed",
        )
    return None


def _wrong_end(name: str, *, last: bool, delivers: bool) -> tuple[str, str] | None:
    if delivers and not last:
        return f"{shown(name)}, which delivers, before the end", "what delivers as the end only"
    if last and not delivers:
        found = f"{shown(name)} at the end, which does not deliver"
        return found, "a phase with delivers: true at the end of every path"
    return None


def _beside_the_path(root: Node, tier: Tier) -> Iterator[Problem]:
    path = [str(step.value) for step in _items(root, "paths", tier)]
    for index, step in enumerate(_items(root, "subagents", tier)):
        if isinstance(step.value, str) and step.value not in path:
            found = f"{shown(step.value)}, which is not on the path of {tier}"
            yield Problem(step.line, f"subagents.{tier}[{index}]", found, nearest(step.value, path))


def _shares(root: Node) -> Iterator[Problem]:
    shares = root.fields().get("shares")
    if shares is None or not shares.fields():
        return
    said = [share.value for share in shares.fields().values()]
    numbers = [share for share in said if isinstance(share, int | float)]
    if len(numbers) == len(said) and not abs(sum(numbers) - 1) <= SUM_MARGIN:
        yield Problem(shares.line, "shares", f"a sum of {sum(numbers):g}", "shares whose sum is 1")
