"""Mail from the command line."""

import click

from drumline.control import mail, views
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import MESSAGE
from drumline.surfaces.cli.output import columns, facts, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.ids import MessageId
from drumline.team.message import Kind, Message


@click.group()
def command() -> None:
    """Send, read and acknowledge messages."""


@command.command()
@click.argument("text")
@click.option("--from", "sender", default="", metavar="NAME", help="Who sends it (operators only).")
@click.option(
    "--to",
    "recipients",
    multiple=True,
    required=True,
    metavar="NAME",
    help="A member, lead, or * for a phase broadcast.",
)
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in Kind]),
    help="What it is for, if the text does not say.",
)
@placed
def send(
    text: str, sender: str, recipients: tuple[str, ...], kind: str | None, *, as_json: bool
) -> None:
    """Store TEXT for each recipient; - reads it from stdin."""
    store = desk.store()
    actor = desk.speaking_as(store, sender, naming="name the sender with --from")
    sent = store.do(mail.send, actor, recipients, words(text), Kind(kind) if kind else None)
    data = [views.message_facts(message) for message in sent]
    lines = [f"{message.id}  sent to {message.recipient}" for message in sent]
    show(data[0] if len(data) == 1 else data, lines, as_json=as_json)


@command.command()
@click.argument("member", required=False, default="")
@click.option("--all", "everything", is_flag=True, help="Acknowledged ones too.")
@click.option(
    "--after", type=MESSAGE, default=MessageId(0), show_default=False, help="Only later ones."
)
@click.option(
    "--most",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many at most.",
)
@placed
def inbox(member: str, after: MessageId, most: int, *, everything: bool, as_json: bool) -> None:
    """What waits for a member's word, in the order it came."""
    store = desk.library()
    name = desk.speaking_as(store, member, naming="drumline mail inbox NAME").name
    found = store.ask(mail.inbox, name, everything=everything, after=int(after), most=most)
    show([views.message_facts(message) for message in found], _lines(found, name), as_json=as_json)
    if len(found) == most:
        click.echo(f"more: the same with --after {found[-1].id}", err=True)


@command.command()
@click.argument("message", type=MESSAGE)
@click.option(
    "--member", default="", metavar="NAME", help="Read it for this member (operators only)."
)
@placed
def read(message: MessageId, member: str, *, as_json: bool) -> None:
    """Open a message; it stays until acknowledged."""
    store = desk.store()
    actor = desk.speaking_as(store, member) if member else desk.speaking(store)
    found = store.do(mail.read, actor, message)
    head = facts(
        {
            "message": f"{found.id}  {found.kind}",
            "from": found.sender,
            "to": found.recipient,
            "sent": f"{found.sent_at:%Y-%m-%d %H:%M:%S} UTC",
            "state": found.state,
        }
    )
    show(views.message_facts(found), [*head, "", *found.body.splitlines()], as_json=as_json)


@command.command()
@click.argument("messages", type=MESSAGE, nargs=-1, required=True)
@placed
def ack(messages: tuple[MessageId, ...], *, as_json: bool) -> None:
    """Say that messages were dealt with."""
    store = desk.store()
    done = store.do(mail.acknowledge, desk.speaking(store), messages)
    data = [views.message_facts(message) for message in done]
    lines = [f"{message.id}  acknowledged" for message in done]
    show(data[0] if len(data) == 1 else data, lines, as_json=as_json)


def _lines(messages: list[Message], name: str) -> list[str]:
    rows = [
        (str(found.id), found.sender, found.kind.value, found.state, _first_line(found.body))
        for found in messages
    ]
    return columns(rows) or [f"no mail for {name}"]


def _first_line(body: str) -> str:
    line = body.strip().partition("\n")[0]
    return f"{line[:76]}…" if len(line) > 77 or "\n" in body.strip() else line  # noqa: PLR2004 - a terminal's width
