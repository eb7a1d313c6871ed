"""Mail, and requests to the lead, as tools."""

from __future__ import annotations

from typing import Any

from drumline.control import mail, requests, views
from drumline.surfaces.mcp.tool import (
    ADDS,
    CHANGES,
    LOOKS,
    MEMBER,
    Arguments,
    Desk,
    Tool,
    form,
    numbered,
    one_of,
    page,
    several,
    words,
    yes_or_no,
)
from drumline.team.ids import MessageId, RequestId
from drumline.team.message import Kind

USUAL = 100


def _send(desk: Desk, said: Arguments) -> views.Facts | list[views.Facts]:
    store = desk.store()
    actor = desk.speaking_as(store, said.get("from", ""), naming="name the sender in `from`")
    kind = Kind(said["kind"]) if "kind" in said else None
    return _letters(store.do(mail.send, actor, tuple(said["to"]), said["text"], kind))


def _inbox(desk: Desk, said: Arguments) -> list[views.Facts]:
    store = desk.library()
    name = desk.speaking_as(store, said.get("member", ""), naming="name it in `member`").name
    after = MessageId.parse(said["after"]) if "after" in said else 0
    found = store.ask(
        mail.inbox,
        name,
        everything=said.get("all", False),
        after=int(after),
        most=said.get("most", USUAL),
    )
    return [views.message_facts(message) for message in found]


def _read(desk: Desk, said: Arguments) -> views.Facts:
    store, member = desk.store(), said.get("member", "")
    actor = desk.speaking_as(store, member) if member else desk.speaking(store)
    return views.message_facts(store.do(mail.read, actor, MessageId.parse(said["message"])))


def _ack(desk: Desk, said: Arguments) -> views.Facts | list[views.Facts]:
    store = desk.store()
    messages = tuple(map(MessageId.parse, said["messages"]))
    return _letters(store.do(mail.acknowledge, desk.speaking(store), messages))


def _letters(found: list[Any]) -> views.Facts | list[views.Facts]:
    """One letter alone, several as a list."""
    facts = [views.message_facts(message) for message in found]
    return facts[0] if len(facts) == 1 else facts


def _file(desk: Desk, said: Arguments) -> views.Facts:
    store = desk.store()
    actor = desk.speaking(store)
    filed = store.do(requests.file, actor, said["what"], said.get("constraint", ""))
    return views.request_facts(filed)


def _list(desk: Desk, said: Arguments) -> list[views.Facts]:
    after = RequestId.parse(said["after"]) if "after" in said else 0
    found = desk.library().ask(
        requests.page,
        everything=said.get("all", False),
        after=int(after),
        most=said.get("most", USUAL),
    )
    return [views.request_facts(each) for each in found]


def _show(desk: Desk, said: Arguments) -> views.Facts:
    return views.request_facts(desk.library().ask(requests.find, RequestId.parse(said["request"])))


MAIL = (
    Tool(
        "mail_send",
        "Send a message",
        "Store a message for each recipient, or for none of them; an unknown name is refused. It waits in"
        " their inboxes until they acknowledge it. What the constitution forbids between you is refused.",
        form(
            "to",
            "text",
            to=several(
                words("A member's name, `lead`, or * for a phase broadcast."),
                "Who gets it.",
                least=1,
            ),
            text=words("The message; long texts belong in a file that you name."),
            kind=one_of([kind.value for kind in Kind], "What it is for, if the text does not say."),
            **{"from": words("Who sends it (operators only); a member is always itself.")},
        ),
        ADDS,
        _send,
        {"to": ["lead"], "text": "The parser is ready for review."},
    ),
    Tool(
        "mail_inbox",
        "Look into an inbox",
        "The messages that wait for your word, in the order they came, whole. Acknowledge with mail_ack"
        " what you have dealt with: the rest comes again.",
        form(
            member=MEMBER,
            all=yes_or_no("Acknowledged ones too."),
            after=numbered("M", "Only messages after this one."),
            most=page(USUAL),
        ),
        LOOKS,
        _inbox,
        {"most": 10},
    ),
    Tool(
        "mail_read",
        "Read a message",
        "Open one message, which tells its sender that you have read it; it stays until acknowledged.",
        form("message", message=numbered("M", "The message's id."), member=MEMBER),
        CHANGES,
        _read,
        {"message": "M-1"},
    ),
    Tool(
        "mail_ack",
        "Acknowledge messages",
        "Say that messages were dealt with; saying it twice changes nothing.",
        form(
            "messages",
            messages=several(numbered("M", "A message's id."), "Those dealt with.", least=1),
        ),
        CHANGES,
        _ack,
        {"messages": ["M-1"]},
    ),
)
REQUESTS = (
    Tool(
        "request_add",
        "Ask the lead",
        "Ask the lead for what only the lead may do, such as a push, in a sentence or as one command. It is"
        " carried out once, and you get mail about it.",
        form(
            "what",
            what=words("What shall be done: a sentence, or the command itself."),
            constraint=words("The id of the rule that refused it to you, such as C-GIT-001."),
        ),
        ADDS,
        _file,
        {"what": "git push origin main", "constraint": "C-GIT-001"},
    ),
    Tool(
        "request_list",
        "List requests",
        "What was asked of the lead, oldest first: what still waits, or everything.",
        form(
            all=yes_or_no("Those that were answered too."),
            after=numbered("R", "Only requests after this one."),
            most=page(USUAL),
        ),
        LOOKS,
        _list,
        {"all": True},
    ),
    Tool(
        "request_show",
        "Show a request",
        "One request, as it is now: who asked, who does it, and how it went.",
        form("request", request=numbered("R", "The request's id.")),
        LOOKS,
        _show,
        {"request": "R-1"},
    ),
)
