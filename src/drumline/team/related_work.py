"""Whose work is like whose: who learns from whom when a member joins, and what a member is about."""

from collections.abc import Iterable

from drumline.team.keeping import Keeping
from drumline.team.learning import UNUSED, Learning, Uses, tokens
from drumline.team.manifest import MemberEntry
from drumline.team.ownership import overlap


def related_to(entry: MemberEntry, others: Iterable[MemberEntry]) -> list[str]:
    """Whose work is like a member's: the same profile, files both own, or a role in the same words."""
    mine = set(tokens(entry.role))
    return [
        each.name
        for each in others
        if each.name != entry.name
        and (
            (entry.profile and each.profile == entry.profile)
            or overlap(entry.owns, each.owns)
            or mine & set(tokens(each.role))
        )
    ]


def work_of(entry: MemberEntry) -> str:
    """What a member's work is about, in words."""
    return " ".join([entry.role, *entry.owns])


def most_used(there: Iterable[Learning], uses: Uses, keeping: Keeping) -> list[Learning]:
    """What was used at all, most used first, within the lines a task may be told."""
    used = [each for each in there if uses.get(each.id, UNUSED).references and not each.note]
    ranked = sorted(used, key=lambda each: -uses[each.id].references)
    return ranked[: keeping.task_lines // 2]
