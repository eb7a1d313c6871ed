"""The shared context of a run as tools: reading it, confirming it, and for the lead publishing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import context, context_views
from drumline.control.context_views import ACTIONS, Facts
from drumline.surfaces.mcp.tool import (
    ADDS,
    CHANGES,
    LOOKS,
    Arguments,
    Desk,
    Tool,
    form,
    one_of,
    whole,
    words,
    yes_or_no,
)
from drumline.team.context_form import parse
from drumline.team.wording_forms import Acknowledgement

if TYPE_CHECKING:
    from drumline.control.ports import Store

LAST = 999_999_999
RUN = words("Which run, if not the one at work, or the last that has a context.")


def _run(store: Store, said: Arguments) -> str:
    return store.ask(context.chosen_run, said.get("run", ""))


def _show(desk: Desk, said: Arguments) -> Facts:
    store = desk.library()
    found = store.ask(context.find, _run(store, said), said.get("version"))
    return context_views.version_facts(found)


def _who(desk: Desk, said: Arguments) -> Facts:
    store = desk.library()
    return context_views.held_facts(store.ask(context_views.held, _run(store, said)))


def _ack(desk: Desk, said: Arguments) -> Facts:
    word = Acknowledgement(
        version=said["version"],
        applied=said["applied"],
        total=said["total"],
        impact=said.get("impact", "none"),
        action=ACTIONS[said["action"]],
    )
    store = desk.store()
    kept = store.do(context.acknowledge, desk.speaking(store), _run(store, said), word)
    return context_views.holding_facts(kept, word.version)


def _ask(desk: Desk, said: Arguments) -> list[Facts]:
    store, lost = desk.store(), said.get("lost", False)
    sent = store.do(context.want_whole, desk.speaking(store), _run(store, said), lost=lost)
    return [context_views.offer_facts(each) for each in sent]


def _publish(desk: Desk, said: Arguments) -> Facts:
    from drumline.wiring import contexts  # noqa: PLC0415 - only who publishes pays for it

    store = desk.store()
    draft = (parse(said["text"]), said.get("why", ""))
    actor = desk.speaking(store)
    return contexts.publish(desk.here(), store, actor, _run(store, said), draft).facts()


CONTEXTS = (
    Tool(
        "context_show",
        "Show the shared context",
        "What everyone in a run goes by: the newest version, or the one named, as a whole.",
        form(version=whole("Which version, if not the newest.", 1, LAST), run=RUN),
        LOOKS,
        _show,
        {"version": 3},
    ),
    Tool(
        "context_who",
        "Who holds which version",
        "Which version of the shared context each member holds, by its own word, and who is stale.",
        form(run=RUN),
        LOOKS,
        _who,
        {},
    ),
    Tool(
        "context_ack",
        "Confirm a version of the context",
        "Say, once you took an update in, how many of its items you applied and what you do about it.",
        form(
            "version",
            "applied",
            "total",
            "action",
            version=whole("The version you received.", 1, LAST),
            applied=whole("How many items you applied.", 0, LAST),
            total=whole("How many items the update has.", 1, LAST),
            impact=words("What it changes for your work, on one line."),
            action=one_of(list(ACTIONS), "What you do: go on, pause, or ask the lead first."),
            run=RUN,
        ),
        CHANGES,
        _ack,
        {"version": 3, "applied": 2, "total": 2, "impact": "none", "action": "continue"},
    ),
    Tool(
        "context_ask",
        "Ask for the whole context",
        "Have the whole text sent to you; until you confirm it you hold no version.",
        form(lost=yes_or_no("What you knew of it is gone."), run=RUN),
        CHANGES,
        _ask,
        {"lost": True},
    ),
    Tool(
        "context_publish",
        "Publish a version of the context",
        "As the lead: make this Markdown, `## Name` before each section, the next version, and send it.",
        form(
            "text",
            text=words("The whole text; a head with `version: N` says which version was edited."),
            why=words("What changed, and whom it touches."),
            run=RUN,
        ),
        ADDS,
        _publish,
        {"text": "## Goal\n\nShip it.", "why": "the goal is new"},
    ),
)
