"""Whose files work changes that is handed in: what a member may not write, no commit of it may bring.

The rules are the judge's own. A commit is kept, so nothing in it is disposable, and its paths are what
they say: no link is followed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from drumline.team.call import Call, World
from drumline.team.facts import Facts
from drumline.team.judge import applies
from drumline.team.match import hit
from drumline.team.shell.effect import MARKS, wrote
from drumline.team.shell.syntax import Script
from drumline.team.standing import Standing

ON_FILES = frozenset({"write", "outside"})  # the words of a clause that speak of written files
_UNMARKED = str.maketrans(dict.fromkeys(MARKS, "?"))  # a name is known, whatever letters it has


class Change(NamedTuple):
    """A file that work makes, changes or deletes.

    how        write, append or delete, as of a command that did it
    submodule  another repository takes its place
    versions   where it is a plain file and was none but that: what it was in every parent, then what it is
    """

    path: str
    how: str = "write"
    submodule: bool = False
    versions: tuple[str, ...] = ()


class Trespass(NamedTuple):
    """A change that is not this member's to make, and why."""

    path: str
    why: str


def trespasses(
    changes: Iterable[Change],
    standing: Standing,
    policy: Mapping[str, object],
    zone: Sequence[str],
) -> list[Trespass]:
    """The changes nobody who stands here may make; `zone` names the folders that are the lead's."""
    rules = list(_rules(standing, policy))
    found = ((change, _why(change, standing, rules, zone)) for change in sorted(set(changes)))
    return list(dict.fromkeys(Trespass(change.path, why) for change, why in found if why))


def _rules(
    standing: Standing, policy: Mapping[str, object]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    constraints = policy.get("constraints")
    for each in constraints if isinstance(constraints, list) else []:
        if applies(each, standing):
            for clause in each["refuse"]:
                if ON_FILES & clause.keys():
                    yield f"{each['why']} [{each['id']}]", clause


def _why(
    change: Change,
    standing: Standing,
    rules: Iterable[tuple[str, Mapping[str, object]]],
    zone: Sequence[str],
) -> str:
    if change.path.split("/")[0].casefold() in zone:
        return "this folder is the lead's"
    if change.submodule:
        return "another repository would take the place of what is there"
    facts = _facts(change, standing)
    return next((said for said, clause in rules if hit(clause, facts)), "")


def _facts(change: Change, standing: Standing) -> Facts:
    path = f"{standing.root}/{change.path.translate(_UNMARKED)}"
    effect = wrote(path, change.how)
    world = World(read=_unread, real=str, home="/")
    return Facts(Call("Write", {}, standing.root), [effect], standing, {}).placed(world)


def _unread(text: str) -> Script:
    raise NotImplementedError(text)  # no shell speaks here
