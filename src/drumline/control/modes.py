"""Modes of runs carried out: who may write to whom, what the lead reads, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.roster import constitution
from drumline.errors import BadInput, NotAllowed, NotReady
from drumline.team.actor import Role
from drumline.team.message import Kind
from drumline.team.run_mode import COORDINATOR, MODES, LeadWork, RunMode
from drumline.team.signal import MicroSignal

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.member import Member
    from drumline.team.rights import Constitution
    from drumline.team.run import Run


def at_work(tx: Transaction) -> str:
    """The mode of the run a team is at, as guards are told it; empty where it is the usual one."""
    mode = tx.runs.mode_at_work()
    return "" if mode is RunMode.DEFAULT else mode.value


def lead_takes_part(tx: Transaction) -> bool:
    """Whether the lead may work itself in the run its team is at."""
    return MODES[tx.runs.mode_at_work()].lead_takes_part


def agreed(tx: Transaction) -> Constitution:
    """The team's rules, with what the mode of its run adds: members that coordinate write to each other."""
    found = constitution(tx)
    return found if found.peers else found._replace(peers=MODES[tx.runs.mode_at_work()].peers)


def unread_by_lead(tx: Transaction, sender: Member, kind: Kind, body: str) -> str:
    """Why a letter does not reach the lead of a run that reads the synthesis alone; empty where it does."""
    if kind is not Kind.NOTE or not MODES[tx.runs.mode_at_work()].only_synthesis:
        return ""
    if sender.profile == COORDINATOR or _is_signal(body):
        return ""
    return "in this run the lead reads the coordinator's synthesis, and no finding itself"


def refuse_leaderless_synthesis(tx: Transaction, mode: RunMode) -> None:
    """Refuse a run whose lead reads the synthesis alone where nobody could make one."""
    able = [each for each in tx.roster.everyone() if each.active and each.profile == COORDINATOR]
    if MODES[mode].only_synthesis and not able:
        raise NotReady(
            f"nobody on team {tx.team} brings findings together",
            why=f"in {mode} the lead reads what a member of profile {COORDINATOR} made of them, alone",
            next=f"add a member of profile {COORDINATOR}, or choose another mode",
        )


def may_see(actor: Actor, which: str, run: Run) -> None:
    """Refuse a lead the views of work that its run's mode leaves to others; a person sees all."""
    if actor.role is Role.LEAD and LeadWork(which) not in run.rules.lead:
        raise NotAllowed(
            f"{actor.name} does not {which} in {run.name}",
            why=f"the run is in mode {run.mode}: {run.rules.says}",
            next="drumline lead coordinate",
        )


def _is_signal(body: str) -> bool:
    try:
        MicroSignal.parse(body)
    except BadInput:
        return False
    return True
