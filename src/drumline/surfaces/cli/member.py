"""Members from the command line: start, stop, look, and take over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from drumline.control import limits, lives, muster, postings, roster, sittings
from drumline.errors import BadInput, Unknown
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import ago, columns, one_line, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.up import plane_here
from drumline.team.posting import Wanted
from drumline.team.sitting import Sitting
from drumline.wiring import attaching, launching, members, planes

if TYPE_CHECKING:
    from drumline.control.muster import Present
    from drumline.control.ports import Store

LONGEST_STOP = 90.0  # seconds


names_argument = click.argument("names", nargs=-1, metavar="NAME…")
all_option = click.option("--all", "everyone", is_flag=True, help="Every member with a runtime.")


@click.group()
def command() -> None:
    """Start, stop, watch and take over members."""


@command.command()
@names_argument
@all_option
@click.option("--despite-limit", is_flag=True, help="Also where a usage limit pauses the account.")
@placed
def start(names: tuple[str, ...], *, everyone: bool, despite_limit: bool, as_json: bool) -> None:
    """Let members run; the plane is started if none is up."""
    store, chosen = _chosen(names, everyone=everyone)
    launching.check_launch(desk.here(), chosen)
    if despite_limit:
        _lift(store, chosen)
    _want(store, chosen, Wanted.RUNNING)
    if plane_here(store) is None:
        planes.start_plane(desk.here())
        planes.wait_for(lambda: plane_here(store) is not None, "the plane does not come up")
    _show(store, chosen, as_json=as_json)


@command.command()
@names_argument
@all_option
@click.option("--wait/--no-wait", default=True, help="Wait until they have ended.")
@placed
def stop(names: tuple[str, ...], *, everyone: bool, wait: bool, as_json: bool) -> None:
    """Let members end: what they hold goes back to the board."""
    store, chosen = _chosen(names, everyone=everyone, store=desk.store_as_it_was())
    _want(store, chosen, Wanted.STOPPED)
    if wait:
        await_end(store, chosen)
    _show(store, chosen, as_json=as_json)


@command.command()
@names_argument
@all_option
@placed
def pause(names: tuple[str, ...], *, everyone: bool, as_json: bool) -> None:
    """Interrupt members, give back what they hold, and let them rest until they are started again."""
    store, chosen = _chosen(names, everyone=everyone)
    _want(store, chosen, Wanted.PAUSED)
    _show(store, chosen, as_json=as_json)


@command.command("list")
@placed
def list_members(*, as_json: bool) -> None:
    """Who runs, what is wanted of each, and what each does."""
    _show(desk.library(), None, as_json=as_json)


@command.command()
@click.argument("name")
@click.option("--most", type=click.IntRange(1, 100_000), default=50, show_default=True)
@click.option("--follow", is_flag=True, help="Go on with what comes.")
@placed
def logs(name: str, most: int, *, follow: bool, as_json: bool) -> None:
    """What a member said and did."""
    settings = desk.here()
    for line in members.diary_lines(settings, name, most=most, follow=follow):
        click.echo(line if as_json else _told(json.loads(line)))


@command.command()
@click.argument("name")
@placed
def attach(name: str, *, as_json: bool) -> None:
    """Take a member's session over in this terminal; it goes on by itself afterwards."""
    from drumline.surfaces.cli.mcp import MemberTools  # noqa: PLC0415 - only who runs members pays for it

    store, chosen = _chosen((name,), everyone=False)
    before = {each.name: each.wanted for each in store.ask(muster.muster)}[name]
    ours = store.do(postings.want, desk.speaking(store), name, Wanted.PAUSED)
    try:
        code = attaching.attach(desk.here(), name, MemberTools)
    finally:
        if ours in store.ask(
            postings.wanted_here, ours.host
        ):  # nobody wanted another thing meanwhile
            _want(store, chosen, before)
    now = {each.name: each.wanted for each in store.ask(muster.muster)}[name]
    show({"member": name, "exit_code": code}, [f"{name} is wanted {now} again"], as_json=as_json)


@command.command()
@click.argument("name")
@click.option(
    "--session",
    envvar="CLAUDE_CODE_SESSION_ID",
    required=True,
    metavar="ID",
    help="The session's id; inside Claude Code it is known.",
)
@placed
def sit(name: str, session: str, *, as_json: bool) -> None:
    """Say that a session which you opened in this folder is a member's: the ends of its turns are its own."""
    store = desk.store()
    runtime = store.ask(roster.active_member, name).runtime
    sitting = Sitting(session, runtime, name, 0, cwd=os.getcwd())  # noqa: PTH109 - pathlib is not needed else
    told = store.do(sittings.sit, desk.speaking(store), sitting)
    said = f"{name} sits in session {told.session} of {told.runtime}"
    show(told._asdict(), [said], as_json=as_json)


@command.command(hidden=True)
@click.argument("names", nargs=-1, required=True)
@placed
def run(names: tuple[str, ...], *, as_json: bool) -> None:
    """Be the runner of members; the plane starts this."""
    from drumline.surfaces.cli.mcp import MemberTools  # noqa: PLC0415 - as above

    del as_json
    members.run(desk.here(), names, MemberTools)


def _lift(store: Store, chosen: list[str]) -> None:
    """Let the accounts of these members be used again before their time, and tell which were at rest."""
    actor = desk.speaking(store)
    living = [life for life in store.ask(lives.living) if life.member in chosen]
    accounts = (*(life.process.account for life in living), *members.accounts(desk.here(), chosen))
    for account in dict.fromkeys(accounts):
        if store.do(limits.lift, actor, account):
            click.echo(f"lifted  {account}", err=True)


def await_end(store: Store, chosen: list[str]) -> None:
    """Wait for members to end; where no plane is up, one pass takes its place."""

    def living() -> bool:
        return any(life.member in chosen for life in store.ask(lives.living))

    if living() and plane_here(store) is None:
        planes.stand_in(desk.here_as_it_was(), store)()
    planes.wait_for(lambda: not living(), "a member does not end", seconds=LONGEST_STOP)


def _chosen(
    names: tuple[str, ...], *, everyone: bool, store: Store | None = None
) -> tuple[Store, list[str]]:
    store = store or desk.store()
    known = [each.name for each in store.ask(muster.muster)]
    if bool(names) == everyone:
        raise BadInput("which members?", next="name them, or say --all")
    for name in names:
        if name not in known:
            raise Unknown(
                f"no member {name[:80]!r} that can run",
                why=f"those that can: {', '.join(known) or 'none'}",
                next="drumline team show",
            )
    return store, known if everyone else list(dict.fromkeys(names))


def _want(store: Store, names: list[str], state: Wanted) -> None:
    actor = desk.speaking(store)
    for name in names:
        store.do(postings.want, actor, name, state)


def _show(store: Store, names: list[str] | None, *, as_json: bool) -> None:
    present = store.ask(muster.muster, planes.house(desk.here_as_it_was()))
    found = [each for each in present if names is None or each.name in names]
    now = store.ask(lambda tx: tx.now())
    rows = [_row(each, ago(each.since, now), ago(each.liveness_since, now)) for each in found]
    lines = columns(rows) or ["no member here has a runtime"]
    show([each.facts() for each in found], lines, as_json=as_json)


def _row(each: Present, since: str, seen: str) -> tuple[str, ...]:
    life = f"life {each.life.incarnation}" if each.life else ""
    where = f"{each.life.process.host}:{each.life.process.pid}" if each.life else ""
    paused = f"until {each.paused_until:%H:%M} UTC" if each.paused_until else ""
    wanted = f"wanted {each.wanted}"
    cost = f"${each.micros / 1_000_000:.2f}"
    return (
        each.name,
        each.runtime,
        " ".join(filter(None, (each.liveness or each.state, seen))),
        wanted,
        each.task,
        life,
        since,
        where,
        cost,
        paused,
        each.why,
    )


def _told(line: dict[str, Any]) -> str:
    return one_line("  ".join(_words(line)))


def _words(line: dict[str, Any]) -> Iterator[str]:
    yield str(line.get("at", ""))[11:19]
    yield f"life {line.get('life', '')}"
    yield str(line.get("what", ""))
    for name in ("subagent", "tool", "result", "ending", "why"):
        if line.get(name):
            yield str(line[name])
    yield str(line.get("text", ""))
