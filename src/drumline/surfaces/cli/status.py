"""The team in one screen."""

import click

from drumline import wiring
from drumline.control import views
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import ago, columns, one_line, show, span
from drumline.surfaces.cli.place import placed
from drumline.team.task import Task

MOST = 12
WHY = 200  # characters of why somebody does not run
SHARE = "git merge drumline/merged && git fetch . HEAD:drumline/merged"


@click.command()
@placed
def command(*, as_json: bool) -> None:
    """Who does what, what waits, and what needs a look."""
    settings = desk.here()
    found = desk.library().ask(
        views.status, exists=wiring.exists_in(settings), unshared=wiring.unshared(settings)
    )
    show(views.status_facts(found), screen(found), as_json=as_json)


def screen(found: views.Status) -> list[str]:
    """The lines of the screen, most important first."""
    done = found.counts["completed"]
    total = sum(found.counts.values()) - found.counts["cancelled"]
    head = (
        f"{found.team}   {done}/{total} tasks done   {found.ready} ready   {found.blocked} blocked"
    )
    if failed := found.counts["failed"]:
        head += f"   {failed} failed"
    if found.run is not None:
        name, phase, iteration, judged = found.run
        head += f"   {name}: {phase or 'begins'}"
        head += f" (iteration {iteration})" if iteration > 1 else ""
        head += ", at its gate" if judged else ""
    head += f"   {found.usd:.2f} USD" if found.usd else ""
    shown = columns(row for seat in found.seats for row in _rows(seat, found))
    return [
        head,
        *shown[:MOST],
        *_more(len(shown) - MOST),
        *_look(found),
        *_turns(found),
        *_last(found),
    ]


def _rows(seat: views.Seat, found: views.Status) -> list[tuple[str, ...]]:
    mail = f"{seat.mail} waiting" if seat.mail else ""
    who = (seat.member.name, seat.member.runtime)
    since = ago(seat.since, found.now)
    if not seat.holds:
        return [(*who, seat.liveness or ("leads" if seat.member.lead else "idle"), since, mail)]
    return [
        (
            *who,
            f"{task.id} {seat.liveness or task.state}",
            since or ago(task.claimed_at, found.now),
            _work(task, mail),
        )
        for task in seat.holds
    ]


def _work(task: Task, mail: str) -> str:
    return "  ".join(word for word in (task.title[:48], task.tracker, mail) if word)


def _more(hidden: int) -> list[str]:
    return [f"… and {hidden} more: drumline status --json"] if hidden > 0 else []


def _look(found: views.Status) -> list[str]:
    """What will not mend itself, each with the command that does."""
    lines = [
        f"stuck    {task.id} waits for work that failed or was cancelled: drumline task show {task.id}"
        for task in found.stuck[:MOST]
    ]
    lines += [_expired(task, found) for task in found.expired[:MOST]]
    lines += [
        f"lagging  {task.id} has its output, {task.owner} settled: drumline task done {task.id}"
        for task in found.lagging[:MOST]
    ]
    lines += [
        f"stalled  {seat.member.name} does not get on, noticed {ago(seat.stalled_at, found.now)} ago:"
        f" drumline member logs {seat.member.name}"
        for seat in found.seats
        if seat.stalled_at
    ][:MOST]
    lines += [
        one_line(f"away     {name}: {why[:WHY]}: drumline member list")
        for name, why in list(found.away.items())[:MOST]
    ]
    if found.stale:
        names = ", ".join(found.stale[:MOST])
        lines.append(f"stale    {names}: the newest context is not confirmed: drumline context who")
    if found.asked:
        wait = "1 question waits" if found.asked == 1 else f"{found.asked} questions wait"
        lines.append(f"asked    {wait} for an answer: drumline question list")
    if found.unshared:
        new = "1 commit is" if found.unshared == 1 else f"{found.unshared} commits are"
        lines.append(f"yours    {new} not in the team's branch: {SHARE}")
    return lines


def _expired(task: Task, found: views.Status) -> str:
    late = span((found.now - task.lease_until).total_seconds()) if task.lease_until else ""
    return f"expired  {task.id} was {task.owner}'s, lease over {late} ago: the next claim takes it back"


def _turns(found: views.Status) -> list[str]:
    """What became of the turns that hooks told the end of."""
    counts = sorted(found.drained.items(), key=lambda each: (each[0] != "woke", -each[1]))
    said = ", ".join(f"{count:,} {why}" for why, count in counts)
    return [f"turns    {said}: drumline spool status"] if said else []


def _last(found: views.Status) -> list[str]:
    lines = []
    if found.nudged is not None:
        member, state, made_at = found.nudged
        lines.append(f"nudged   {member}, {ago(made_at, found.now)} ago ({state})")
    if found.last is not None:
        event = found.last
        said = f"{event.verb} {event.subject} by {event.actor}, {ago(event.at, found.now)} ago"
        lines.append(f"last     {said}")
    return list(map(one_line, lines))
