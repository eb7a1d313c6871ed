"""Coverage proved: every constraint's probes run through every layer, and the gaps said aloud."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from drumline.team import advice
from drumline.team.registry import Registry

Probe = dict[str, Any]
JUDGES = ("judge", "hook")


class Layer(Protocol):
    """Something that may refuse a call: the judge in this process, the hook, the kernel."""

    name: str

    def refuses(self, probe: Probe, rules: Registry) -> bool | None:
        """Whether it refuses the probe under these rules; None where it has no say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """How one layer holds one constraint."""

    layer: str
    right: int = 0
    asked: int = 0
    wrong: tuple[str, ...] = ()
    gap: str = ""  # declared: why this layer cannot hold it

    @property
    def holds(self) -> bool:
        return self.asked > 0 and self.right == self.asked

    @property
    def sound(self) -> bool:
        """Holds, or is declared not to; a probe with the wrong answer is never sound."""
        return not self.wrong and (self.holds or bool(self.gap))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One constraint through all layers."""

    id: str
    covers: tuple[Cover, ...]

    @property
    def sound(self) -> bool:
        return all(cover.sound for cover in self.covers)


def coverage(rules: Registry, layers: Sequence[Layer]) -> Iterator[Row]:
    """Every constraint's row, one by one: running all probes takes a while."""
    section = advice.rendered(rules["constraints"])
    for constraint in rules["constraints"]:
        advised = f"| {constraint['id']} |" in section
        covers = [Cover(layer="advisory", right=int(advised), asked=1)]
        covers += [_cover(constraint, layer, rules) for layer in layers]
        yield Row(id=constraint["id"], covers=tuple(covers))


def _cover(constraint: Mapping[str, Any], layer: Layer, rules: Registry) -> Cover:
    """A layer must refuse by this rule alone what it should, and let through what it may."""
    alone = {**rules, "constraints": [constraint]}
    kind = "judge" if layer.name in JUDGES else layer.name
    gap = next((gap["reason"] for gap in constraint.get("gaps", ()) if gap["layer"] == kind), "")
    if gap and kind not in JUDGES:
        return Cover(
            layer=layer.name, gap=gap
        )  # what it is declared not to hold is not tried on it
    answers = [
        (probe, layer.refuses(probe, under), refused)
        for wanted, under, refused in (("refuse", alone, True), ("allow", rules, False))
        for probe in probes(constraint, wanted)
    ]
    said = [(probe, answer, refused) for probe, answer, refused in answers if answer is not None]
    wrong = [shown(probe) for probe, answer, refused in said if answer is not refused]
    return Cover(
        layer=layer.name,
        right=len(said) - len(wrong),
        asked=len(said),
        wrong=tuple(wrong),
        gap=gap,
    )


def probes(constraint: Mapping[str, Any], wanted: str) -> Iterator[Probe]:
    """A constraint's probes as calls, each by someone the constraint binds."""
    to = constraint.get("applies", {})
    role = next(iter(to.get("roles", ())), "teammate" if to else "lead")
    base = {"role": role, "isolation": "shared", "preset": next(iter(to.get("presets", ())), "")}
    if "modes" in to:
        base["mode"] = next(iter(to["modes"]))
    base |= {"delegating": True} if to.get("delegating") else {}
    for probe in constraint["probes"][wanted]:
        given = {"command": probe} if isinstance(probe, str) else dict(probe)
        command = given.pop("command", None)
        call = {"tool": "Bash", "input": {"command": command}} if command is not None else {}
        yield {**base, **call, **given}


def shown(probe: Probe) -> str:
    """A probe as a person would say it."""
    given = probe.get("input", {})
    return str(given.get("command") or f"{probe['tool']} {given}")


def unsound(rows: Iterable[Row], built_in: Callable[[str], bool]) -> list[str]:
    """Built-in constraints with a gap nobody declared, or a probe answered wrongly."""
    return [row.id for row in rows if built_in(row.id) and not row.sound]
