"""The shared context of a run: named sections in an order, in numbered versions, and who holds which."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import NamedTuple
from unicodedata import category, normalize

from drumline.errors import BadInput
from drumline.team.fences import unclosed
from drumline.team.member import Member
from drumline.team.text import checked, checked_line
from drumline.team.wording_forms import Action

CAP = 100_000  # characters of a whole version: it must fit the letter that brings it
NAME_CAP = 80
MOST_SECTIONS = 100
WHY_CAP = 500
RESERVED = ",;|"  # a letter's head line names sections between these


class Section(NamedTuple):
    """A name and the words below it."""

    name: str
    text: str


Sections = tuple[Section, ...]


class ContextVersion(NamedTuple):
    """One version of a run's context; none is ever changed."""

    run: str
    number: int
    sections: Sections
    author: str
    why: str
    published_at: datetime


class WholeWhen(StrEnum):
    """Why a member is sent the whole text, and not only what is new."""

    LOST = "it lost its context"
    ASKED = "it was asked for"
    STARTED = "it was just started"
    BEHIND = "it is more than one version behind"
    MOST_CHANGED = "more than half of the sections changed"


class Holding(NamedTuple):
    """What one life of a member was sent of a run's context, and what it said of it.

    `held` is the last version it took in whole; 0 is none.
    """

    member: str
    incarnation: int
    offered: int = 0
    held: int = 0
    applied: int = 0
    total: int = 0
    impact: str = ""
    action: Action | None = None
    needs: WholeWhen | None = WholeWhen.STARTED
    offered_at: datetime | None = None
    said_at: datetime | None = None

    @property
    def paused(self) -> bool:
        return self.action is Action.PAUSE

    def sent(self, version: int, items: int, now: datetime) -> "Holding":
        """The holding once a version is on its way: nothing of it is taken in yet."""
        return self._replace(offered=version, applied=0, total=items, offered_at=now)


def in_life(holding: Holding | None, member: Member) -> Holding:
    """What a member holds in its present life: what an earlier one knew is gone with it."""
    if holding is not None and holding.incarnation == member.incarnation:
        return holding
    return Holding(member.name, member.incarnation)


class Stale(NamedTuple):
    """A member that does not hold the newest version."""

    member: str
    held: int
    version: int
    why: str


def audience(members: Iterable[Member]) -> list[Member]:
    """Whoever is to know the context: everyone who is here and works; whoever leads makes it."""
    return [member for member in members if member.active and not member.lead]


def stale(members: Iterable[Member], holdings: Mapping[str, Holding], version: int) -> list[Stale]:
    """The members that do not hold a version, each with how far it is."""
    found = [in_life(holdings.get(member.name), member) for member in audience(members)]
    return [
        Stale(each.member, each.held, version, _how_far(each, version))
        for each in found
        if each.held < version
    ]


def _how_far(holding: Holding, version: int) -> str:
    if holding.offered < version:
        return "it was not sent yet"
    if holding.applied:
        return f"it applied {holding.applied} of {holding.total}"
    return "it was sent, and nothing was said of it yet"


def section(name: str, text: str) -> Section:
    """A section that can be kept, shown, and read back unchanged."""
    checked_line(name, "the name of a section", cap=NAME_CAP)
    if flaw := _name_flaw(name):
        raise BadInput(f"a section cannot be called {name!a}: {flaw}", next="choose another name")
    words = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    checked(words, f"the section {name!r}", cap=CAP)
    if unclosed(words):
        raise BadInput(
            f"the section {name!r} has a code block that never ends",
            why="it would swallow the sections after it",
            next="end the block with the mark it began with",
        )
    return Section(name, words)


def _name_flaw(name: str) -> str:
    if name != name.strip():
        return "it begins or ends with a blank"
    if any(category(letter) in {"Cf", "Zl", "Zp"} for letter in name):
        return "it has a character nobody sees"
    found = next((sign for sign in RESERVED if sign in name), "")
    return f"the sign {found!r} separates names" if found else ""


def checked_sections(sections: Iterable[Section]) -> Sections:
    """Sections that together make a context: not none, not too many, none that looks like another."""
    found = tuple(section(*each) for each in islice(sections, MOST_SECTIONS + 1))
    if not 1 <= len(found) <= MOST_SECTIONS:
        raise BadInput(
            f"a context has 1 to {MOST_SECTIONS} sections, this one has {'more' if found else 'none'}",
            why="what changes is told section by section",
            next="begin each section with a line such as: ## Goal",
        )
    seen: dict[str, str] = {}
    for each in found:
        other = seen.setdefault(_sight(each.name), each.name)
        if other is not each.name:
            raise BadInput(
                f"two sections look alike: {other!a} and {each.name!a}",
                why="whoever reads one would take it for the other",
                next="join them, or rename one",
            )
    return found


def _sight(name: str) -> str:
    """What tells names apart to a reader: neither case nor blanks nor odd forms of a letter."""
    return " ".join(normalize("NFKC", name).casefold().split())
