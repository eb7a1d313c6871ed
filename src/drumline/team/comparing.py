"""What is compared: the design that was approved, and what members' handoffs say of interfaces."""

import re
from collections.abc import Iterable, Mapping, Sequence

from drumline.team.context import Sections
from drumline.team.deviation import Design, Deviation, Index, compared
from drumline.team.handoff import Interface, Kept

SECTION = "interfaces"  # the section of a context that says what was agreed
_LINE = re.compile(r"[-*] +`?([^`:]{1,120}?)`? *: *`?(.{1,300}?)`?")


def agreed(sections: Sections) -> dict[str, str]:
    """The interfaces a context lists in its section of that name: `- parse: (text) -> Draft`."""
    found = [each.text for each in sections if each.name.casefold() == SECTION]
    lines = (_LINE.fullmatch(line.strip()) for text in found for line in text.splitlines())
    return {hit[1].strip(): hit[2].strip() for hit in lines if hit}


def designed(sections: Sections, approved: Iterable[Kept]) -> Design:
    """What was approved: what design left at its gates, and above that what the context says."""
    left = {each.name: each.shape for kept in approved for each in kept.handoff.interfaces.provides}
    return Design(interfaces={**left, **agreed(sections)})


def differences(design: Design, handed: Sequence[Kept], *, complete: bool) -> list[Deviation]:
    """How what members handed off differs from the design and from each other's.

    What somebody builds on that is nobody's here was there before, and is no part of this design.
    """
    ours = {*design.interfaces, *(each.name for kept in handed for each in _given(kept))}
    indexes = {kept.origin.task: _index(kept, ours) for kept in handed}
    return compared(design, indexes.values(), complete=complete)


def _given(kept: Kept) -> tuple[Interface, ...]:
    return kept.handoff.interfaces.provides


def _index(kept: Kept, ours: set[str]) -> Index:
    uses = [each for each in kept.handoff.interfaces.uses if each.name in ours]
    return Index(member=kept.origin.member, provides=_shapes(_given(kept)), uses=_shapes(uses))


def _shapes(named: Iterable[Interface]) -> Mapping[str, str]:
    return {each.name: each.shape for each in named}
