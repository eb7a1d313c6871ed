"""Requests from the command line."""

from __future__ import annotations

import shlex
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from drumline.control import carrying, requests, views
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import REQUEST
from drumline.surfaces.cli.output import columns, facts, safe, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.ids import RequestId
from drumline.team.request import Request, RequestState, headline
from drumline.team.request_result import Outcome
from drumline.wiring import guards

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.actor import Actor
    from drumline.team.request_result import Ended

LONGEST_RUN = 24 * 3600
USUAL_RUN = 600

request_argument = click.argument("request", type=REQUEST)
next_option = click.option("--next", "take_next", is_flag=True, help="The oldest that waits.")


@click.group()
def command() -> None:
    """Ask the lead for what only the lead may do; the lead does one at a time."""


@command.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--constraint", default="", metavar="ID", help="The rule that refused it.")
@placed
def add(text: tuple[str, ...], constraint: str, *, as_json: bool) -> None:
    """File a request: a sentence, or a command behind --; - reads it from stdin."""
    what = words(text[0]) if len(text) == 1 else shlex.join(text)
    store = desk.store()
    _answer(store.do(requests.file, desk.speaking(store), what, constraint), as_json=as_json)


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Those that were answered too.")
@click.option(
    "--after", type=REQUEST, default=RequestId(0), show_default=False, help="Only later ones."
)
@click.option(
    "--most",
    type=click.IntRange(1, 10_000),
    default=1000,
    show_default=True,
    help="How many at most.",
)
@placed
def list_requests(after: RequestId, most: int, *, everything: bool, as_json: bool) -> None:
    """What was asked of the lead, oldest first."""
    found = desk.library().ask(requests.page, everything=everything, after=int(after), most=most)
    rows = [(str(each.id), _where(each), each.requester, headline(each.what)) for each in found]
    lines = columns(rows) or ["no request waits"]
    show([views.request_facts(each) for each in found], lines, as_json=as_json)
    if len(found) == most:
        click.echo(f"more: the same with --after {found[-1].id}", err=True)


@command.command("show")
@request_argument
@placed
def show_request(request: RequestId, *, as_json: bool) -> None:
    """One request with all that belongs to it."""
    found = desk.library().ask(requests.find, request)
    show(views.request_facts(found), _in_full(found), as_json=as_json)


@command.command()
@click.argument("request", type=REQUEST, required=False)
@next_option
@placed
def take(request: RequestId | None, *, take_next: bool, as_json: bool) -> None:
    """Begin a request, to carry it out by hand."""
    _one_of(request, take_next=take_next)
    store, actor = _sit()
    if request is None:
        taken = store.do(requests.take_next, actor)
    else:
        taken = store.do(requests.take, actor, request)
    _answer(taken, as_json=as_json)


@command.command()
@click.argument("request", type=REQUEST, required=False)
@next_option
@click.option(
    "--timeout",
    type=click.IntRange(1, LONGEST_RUN),
    default=USUAL_RUN,
    show_default=True,
    metavar="S",
    help="Stop it after this many seconds.",
)
@placed
def run(request: RequestId | None, timeout: int, *, take_next: bool, as_json: bool) -> None:
    """Begin a request, run its text with bash at the repository's root, and tell how it went.

    What it says is shown on stderr; exit 1 when it failed.
    """
    _one_of(request, take_next=take_next)
    store, actor = _sit()
    told, ended = carrying.carry_out(store, actor, request, _hands(timeout))
    data = views.request_facts(told) | {"exit_code": ended.code, "seconds": round(ended.seconds, 3)}
    show(data, [_line(told)], as_json=as_json)
    raise click.exceptions.Exit(0 if told.state is RequestState.DONE else 1)


@command.command()
@request_argument
@click.argument("text", default="")
@click.option("--failed", is_flag=True, help="It was tried, and did not work.")
@placed
def done(request: RequestId, text: str, *, failed: bool, as_json: bool) -> None:
    """Say how a request went that was carried out by hand; - reads TEXT from stdin."""
    store, actor = _sit()
    outcome = Outcome(ok=not failed, result=words(text))
    _answer(store.do(requests.finish, actor, request, outcome), as_json=as_json)


@command.command()
@request_argument
@click.argument("why")
@placed
def decline(request: RequestId, why: str, *, as_json: bool) -> None:
    """Say no to a request, and why."""
    store, actor = _sit()
    _answer(store.do(requests.decline, actor, request, why), as_json=as_json)


@command.command()
@request_argument
@placed
def release(request: RequestId, *, as_json: bool) -> None:
    """Let go of a taken request: it waits again."""
    store, actor = _sit()
    _answer(store.do(requests.give_back, actor, request), as_json=as_json)


def _sit() -> tuple[Store, Actor]:
    """The store and who acts; a teammate's processes carry nothing out, whatever name they dropped."""
    store = desk.store()
    actor = desk.speaking(store)
    store.do(requests.refuse_under, guards.members_above())
    return store, actor


def _one_of(request: RequestId | None, *, take_next: bool) -> None:
    if (request is None) != take_next:
        raise click.UsageError("name a request, or say --next")


def _hands(timeout: int) -> carrying.Hands:
    here = desk.here()

    def carry(taken: Request) -> Ended:
        _announce(taken)
        return guards.run_in_bash(here, taken.what, timeout, _live)

    return carrying.Hands(
        judge=guards.open_bench(here).rule, run=carry, timeout=timedelta(seconds=timeout)
    )


def _announce(taken: Request) -> None:
    again = f"  begun {taken.fence} times" if taken.fence > 1 else ""
    _live(f"{taken.id}  from {taken.requester}{again}\n$ {taken.what}\n")


def _live(text: str) -> None:
    """Show what a command says; a reader that left does not stop the command."""
    with suppress(OSError):
        click.echo(safe(text.replace("\r\n", "\n").replace("\r", "\n")), err=True, nl=False)


def _answer(request: Request, *, as_json: bool) -> None:
    show(views.request_facts(request), [_line(request)], as_json=as_json)


def _line(request: Request) -> str:
    return f"{request.id}  {_where(request)}  {headline(request.what)}"


def _where(request: Request) -> str:
    held = request.state is RequestState.TAKEN
    return f"{request.state} ({request.by})" if held else request.state.value


def _in_full(found: Request) -> list[str]:
    times: dict[str, Any] = {
        "filed": found.filed_at,
        "taken": found.taken_at,
        "lease until": found.lease_until,
        "ended": found.ended_at,
    }
    head = facts(
        {
            "request": str(found.id),
            "state": found.state.value,
            "from": found.requester,
            "constraint": found.constraint,
            "by": found.by or "",
            "begun": f"{found.fence} times" if found.fence > 1 else "",
        }
        | {name: f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "" for name, at in times.items()}
    )
    result = ["", *(f"> {line}" for line in found.result.splitlines())] if found.result else []
    return [*head, "", *found.what.splitlines(), *result]
