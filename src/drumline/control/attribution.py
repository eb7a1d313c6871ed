"""Whose turn it was that ended: by its session, its transcript, its environment and its folder.

Hooks say nothing that must be believed: settings and variables are inherited, and anyone may write a file.
What the store knows decides. Where it says two things, or one that does not fit, nobody is woken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from posixpath import dirname, normpath
from typing import TYPE_CHECKING, NamedTuple

from drumline.team.member import Member
from drumline.team.posting import Wanted
from drumline.team.settled import Hints, SettledTurn, Why
from drumline.team.text import PATTERN_CAP

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.life import Life
    from drumline.team.sitting import Sitting

_SESSION = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl")


class Grounds(NamedTuple):
    """Where members that run here keep what is their own: in a folder for each, by its name."""

    homes: str = ""
    checkouts: str = ""


class Verdict(NamedTuple):
    """What is to become of a settled turn, and whose it is as far as that is known."""

    why: Why
    member: str = ""


class Register:
    """What the store knows of members and of the sessions of these turns; each is asked for once."""

    def __init__(self, tx: Transaction, turns: Sequence[SettledTurn], grounds: Grounds) -> None:
        self._tx, self._grounds = tx, grounds
        self._lives: dict[str, list[Life]] = {}
        self._session = cache(_session)
        named = {turn.session for turn in turns}
        named |= {self._session(turn.transcript) for turn in turns}
        for life in tx.lives.in_sessions(named - {""}):
            self._lives.setdefault(life.process.session, []).append(life)
        around = {folder for cwd in {turn.cwd for turn in turns} for folder in _above(cwd)}
        found = tx.sittings.among(named - {""}, around)
        self._sittings = {each.session: each for each in found}
        self.member = cache(tx.roster.get)
        self.posting = cache(tx.postings.get)
        self.last_life = cache(self._last_life)

    def lives(self, session: str) -> Sequence[Life]:
        return self._lives.get(session, ())

    def sitting(self, session: str) -> Sitting | None:
        return self._sittings.get(session)

    def is_driven(self, member: str) -> bool:
        """Whether somebody drives a member by hand, though it was stopped before."""
        seen = self._tx.waking.situation(member)
        return seen is not None and seen.by_hand

    def in_session(self, session: str) -> set[str]:
        """Who lives, lived or sits in a session."""
        found = {life.member for life in self.lives(session)}
        if sitting := self.sitting(session):
            found.add(sitting.member)
        return found

    def by_transcript(self, path: str) -> set[str]:
        """Whose home a transcript is kept in, and who is in the session that it is named after."""
        found = self.in_session(self._session(path))
        found |= self._below(self._grounds.homes, path)
        return found

    def by_hints(self, hints: Hints) -> set[str]:
        """Whom an environment names, if that is one of this team."""
        member, team = hints.member, hints.team
        if not member or (team and team != self._tx.team):
            return set()
        return {member} if self.member(member) else set()

    def named(self, turn: SettledTurn) -> set[str]:
        """Whom a turn's session, transcript and environment name."""
        found = self.in_session(turn.session)
        found |= self.by_transcript(turn.transcript)
        found |= self.by_hints(turn.hints)
        return found

    def by_checkout(self, cwd: str) -> set[str]:
        """Whose own checkout a folder lies in."""
        return self._below(self._grounds.checkouts, cwd) if cwd else set()

    def by_folder(self, cwd: str) -> set[str]:
        """Who works in a folder: in a checkout of its own, or in a session that was opened there."""
        if not cwd:
            return set()
        here = (each for each in self._sittings.values() if _within(cwd, each.cwd))
        sitting = {each.member for each in here if self._is_present(each)}
        return sitting | self.by_checkout(cwd)

    def seats(self, member: str) -> set[str]:
        """The sessions in which a member sits, as it is now."""
        found = self.member(member)
        here = self._tx.sittings.of(member, found.incarnation) if found else []
        return {each.session for each in here}

    def lies_at_home(self, member: str, path: str) -> bool:
        return not self._grounds.homes or self._below(self._grounds.homes, path) == {member}

    def _below(self, folder: str, path: str) -> set[str]:
        """The member whose folder a path lies in."""
        if not folder or not _within(path, folder):
            return set()
        name = normpath(path)[len(normpath(folder)) + 1 :].partition("/")[0]
        return {name} if name and self.member(name) else set()

    def _is_present(self, sitting: Sitting) -> bool:
        member = self.member(sitting.member)
        return member is not None and member.incarnation == sitting.incarnation

    def _last_life(self, member: str) -> Life | None:
        return next(iter(self._tx.lives.of(member, most=1)), None)


def who_settled(turn: SettledTurn, register: Register) -> Verdict:
    """Whose turn it was, if everything that says so agrees and fits; else why nobody is woken."""
    named = register.named(turn)
    around = register.by_folder(turn.cwd)
    if len(around) == 1 or not named:
        named |= around
    if len(named) != 1:
        return Verdict(Why.AMBIGUOUS if named else Why.UNKNOWN)
    member = register.member(next(iter(named)))
    if member is None:
        return Verdict(Why.UNKNOWN)
    return Verdict(_fit(turn, member, register), member.name)


def who_begins(turn: SettledTurn, register: Register) -> Verdict:
    """Whose turn begins: as when it ends, but only what is its own speaks for a session.

    That a member sits in a folder makes nobody else's session there its own, and who sits somewhere is
    itself only there: an environment is inherited by whatever is started in it.
    """
    if not register.named(turn) | register.by_checkout(turn.cwd):
        return Verdict(Why.UNKNOWN)
    verdict = who_settled(turn, register)
    seats = register.seats(verdict.member) if verdict.why is Why.WOKE else set()
    if seats and not seats & {turn.session, _session(turn.transcript)}:
        return Verdict(Why.SESSION, verdict.member)
    return verdict


def _fit(turn: SettledTurn, member: Member, register: Register) -> Why:
    """Whether the member is one to be woken, and its turn one of what it is now."""
    if not member.active:
        return Why.REMOVED
    if member.lead:
        return Why.LEAD
    if _is_past(turn, member, register):
        return Why.STALE
    life = register.last_life(member.name)
    if life is not None and not life.ended:
        return _fits_life(turn, life, register)
    if _of_ended_life(turn, register) or _is_stopped(member, register):
        return Why.INACTIVE
    return Why.WOKE if turn.provider == member.runtime else Why.RUNTIME


def _is_stopped(member: Member, register: Register) -> bool:
    """Whether it is to rest, and nobody sat down for it since."""
    posting = register.posting(member.name)
    stopped = posting is not None and posting.wanted is Wanted.STOPPED
    return stopped and not register.is_driven(member.name)


def _is_past(turn: SettledTurn, member: Member, register: Register) -> bool:
    """Whether all that knows the session, or the environment, speaks of another life of the member."""
    sitting = register.sitting(turn.session)
    known = {life.incarnation for life in register.lives(turn.session)}
    known |= {sitting.incarnation} if sitting else set()
    if known and member.incarnation not in known:
        return True
    hints = turn.hints
    return hints.member == member.name and hints.life not in {None, member.incarnation}


def _of_ended_life(turn: SettledTurn, register: Register) -> bool:
    """Whether only a life that is over spoke in the session."""
    if register.sitting(turn.session):
        return False
    return any(life.ended for life in register.lives(turn.session))


def _fits_life(turn: SettledTurn, life: Life, register: Register) -> Why:
    """Whether the turn is one of the process that fills the member's place now."""
    process = life.process
    if turn.provider != process.runtime:
        return Why.RUNTIME
    if turn.session and process.session and turn.session != process.session:
        return Why.SESSION
    if turn.transcript and not register.lies_at_home(life.member, turn.transcript):
        return Why.TRANSCRIPT
    return Why.WOKE


def _session(transcript: str) -> str:
    """The session that a transcript is named after."""
    found = _SESSION.search(transcript, transcript.rfind("/") + 1)
    return found[1] if found else ""


def _above(path: str) -> Iterator[str]:
    """A folder and those it lies in, as far as somebody may sit there."""
    here, above = "", normpath(path) if path else ""
    if len(above) > PATTERN_CAP:
        above = above[: above.rfind("/", 0, PATTERN_CAP + 1)] or "/"
    while above and above != here:
        here, above = above, dirname(above)
        yield here


def _within(path: str, folder: str) -> bool:
    if not folder:
        return False
    inner, outer = normpath(path), normpath(folder)
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")
