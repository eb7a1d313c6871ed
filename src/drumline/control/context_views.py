"""A run's context as people and agents are shown it: the same field names on every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import context
from drumline.team.context_delta import Delta, delta
from drumline.team.wording_forms import Action

if TYPE_CHECKING:
    from drumline.control.context import Offer, Published
    from drumline.control.ports import Transaction
    from drumline.team.context import ContextVersion, Holding

Facts = dict[str, Any]

ACTIONS = {each.lower().replace("_", "-"): each for each in Action}  # as they are typed


class Difference(NamedTuple):
    """What is new between two versions."""

    older: int
    newer: ContextVersion
    news: Delta


class Held(NamedTuple):
    """The newest version of a run's context, 0 if there is none, and what each member holds."""

    run: str
    version: int
    members: tuple[Holding, ...]


def difference(
    tx: Transaction, run: str, older: int | None = None, newer: int | None = None
) -> Difference:
    """What is new since a version, or since the one before; version 0 is nothing at all."""
    new = context.find(tx, run, newer)
    before = new.number - 1 if older is None else older
    old = context.find(tx, run, before).sections if before else ()
    return Difference(before, new, delta(old, new.sections))


def held(tx: Transaction, run: str) -> Held:
    """Who holds which version."""
    newest = tx.contexts.newest(run)
    return Held(run, newest.number if newest else 0, tuple(context.who(tx, run)))


def version_facts(found: ContextVersion) -> Facts:
    return {
        "run": found.run,
        "version": found.number,
        "sections": [each._asdict() for each in found.sections],
        "author": found.author,
        "why": found.why,
        "published_at": found.published_at,
    }


def published_facts(done: Published) -> Facts:
    return {**version_facts(done.version), "sent": [offer_facts(each) for each in done.sent]}


def offer_facts(sent: Offer) -> Facts:
    return {
        "member": sent.member,
        "version": sent.version,
        "items": sent.items,
        "whole": None if sent.whole is None else sent.whole.value,
    }


def difference_facts(found: Difference) -> Facts:
    return {
        "run": found.newer.run,
        "from": found.older,
        "to": found.newer.number,
        "items": [
            {
                "change": each.change.value,
                "name": each.name,
                "text": each.text,
                "edits": [
                    {"line": edit.line, "gone": list(edit.gone), "come": list(edit.come)}
                    for edit in each.edits
                ],
            }
            for each in found.news.items
        ],
        "order": list(found.news.order),
    }


def held_facts(found: Held) -> Facts:
    return {
        "run": found.run,
        "version": found.version,
        "members": [holding_facts(each, found.version) for each in found.members],
    }


def holding_facts(holding: Holding, newest: int) -> Facts:
    typed = {action: word for word, action in ACTIONS.items()}
    return {
        "member": holding.member,
        "incarnation": holding.incarnation,
        "held": holding.held,
        "sent": holding.offered,
        "stale": holding.held < newest,
        "applied": holding.applied,
        "total": holding.total,
        "impact": holding.impact,
        "action": None if holding.action is None else typed[holding.action],
        "said_at": holding.said_at,
    }
