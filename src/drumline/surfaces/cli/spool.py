"""Settled turns from the command line: what waits, what became of it, taking it in now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from drumline.control import duties
from drumline.errors import Conflict
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import facts, show
from drumline.surfaces.cli.place import placed
from drumline.team.duty import spool_of
from drumline.team.settled import UNREAD, UNSETTLED, Why
from drumline.wiring import home, machine, spooling

if TYPE_CHECKING:
    from drumline.control.draining import Drainer

MEANS = {
    Why.WOKE: "its member was looked at",
    Why.UNKNOWN: "nothing says whose turn it was",
    Why.AMBIGUOUS: "it could be more than one member's",
    Why.REMOVED: "its member has left the team",
    Why.LEAD: "whoever leads is not woken",
    Why.STALE: "it is of an earlier life",
    Why.INACTIVE: "its member does not run, and is not to",
    Why.RUNTIME: "its member lives in another runtime",
    Why.SESSION: "its member is in another session",
    Why.TRANSCRIPT: "its transcript is not where its member's is",
    Why.DUPLICATE: "it was told before",
    Why.NAME: "no hook of ours names a file so",
    Why.KIND: "it is no regular file, or has a second name",
    Why.OWNER: "it is another user's file",
    Why.OVERSIZE: "it is too long",
    Why.MALFORMED: "it is not an event",
    Why.EVENT: "it is another event than the end of a turn",
    Why.REFUSED: "the store could not take it",
}


@click.group(name="spool")
def command() -> None:
    """What hooks told of turns that ended, and taking it in."""


@command.command()
@placed
def status(*, as_json: bool) -> None:
    """Say what waits, what became of what came, and who takes it in."""
    settings = desk.here()
    store, found = desk.library(), spooling.contents(settings)
    counts = store.ask(lambda tx: tx.drained())
    duty = spool_of(home.home_of(settings))
    holder = next((x.holder for x in store.ask(duties.held) if x.name == duty), None)
    data = {**found._asdict(), "settled_turns": counts, "drained_by": holder}
    pairs = {
        "waiting": str(found.incoming),
        "claimed": f"{found.processing}, by {holder}" if holder else str(found.processing),
        "unfinished": str(found.unfinished or ""),
        "kept": f"{found.processed} taken in, {found.invalid} not read",
    }
    show(data, [*facts(pairs), *_reasons(counts)], as_json=as_json)


@command.command()
@placed
def drain(*, as_json: bool) -> None:
    """Take in all that waits now; the plane does so by itself every 10 seconds."""
    desk.refuse_teammates("drain the spool")
    draining = spooling.drainer(desk.here(), desk.store())
    try:
        counts = _drained(draining)
    finally:
        draining.leave_off()
    lines = list(_reasons(counts)) or ["nothing waits"]
    show({"settled_turns": dict(counts)}, lines, as_json=as_json)


def _drained(draining: Drainer) -> Counter[str]:
    """Drain until nothing waits; what became of how many."""
    counts = Counter[str]()
    while True:
        done = draining.batch()
        if done.elsewhere:
            raise Conflict(
                f"{done.elsewhere} drains the spool already",
                why="one process at a time does",
                next="drumline spool status",
            )
        counts.update({why.value: count for why, count in done.counts.items()})
        if not done.full:
            return counts


@command.command()
@click.option(
    "--reason",
    type=click.Choice([why.value for why in UNSETTLED]),
    help="Also what was taken in and came to this, to be looked at again.",
)
@placed
def requeue(reason: str | None, *, as_json: bool) -> None:
    """Put back what a drainer claimed and never finished."""
    desk.refuse_teammates("change the spool")
    settings, store = desk.here(), desk.store()
    duty = spool_of(home.home_of(settings))
    for each in store.ask(duties.held):
        if each.name == duty and machine.is_up(each.holder):
            raise Conflict(f"{each.holder} drains the spool now", next="wait until it has finished")
    claims = spooling.give_back(settings, store)
    filed = spooling.bring_back(settings, Why(reason)) if reason else 0
    said = f"{claims} claimed and {filed} taken in before are waiting again"
    show({"claims": claims, "filed": filed}, [said], as_json=as_json)


def _reasons(counts: Mapping[str, int]) -> Iterator[str]:
    order = {why.value: at for at, why in enumerate(Why)}
    for name in sorted(counts, key=lambda each: order.get(each, len(order))):
        meaning = MEANS[Why(name)] if name in order else ""
        label = "not read" if name in UNREAD else "settled"
        yield f"{label:<8} {counts[name]:>7,} {name}: {meaning}"
