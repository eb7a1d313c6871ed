"""Carrying a request out: judged, taken, run and answered, in that order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from drumline.control import requests
from drumline.errors import NotReady, StoreTrouble
from drumline.team.actor import Actor, Role

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.ids import RequestId
    from drumline.team.request import Request
    from drumline.team.request_result import Ended

MARGIN = timedelta(minutes=1)  # to stop what runs too long, and to write that down


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What carrying out needs of this machine: a judge, a shell, and how long it may take."""

    judge: Callable[[dict[str, Any]], Mapping[str, str]]
    run: Callable[[Request], Ended]
    timeout: timedelta


def carry_out(
    store: Store, actor: Actor, request: RequestId | None, hands: Hands
) -> tuple[Request, Ended]:
    """Run the request named, or the next; a runner that dies leaves it taken, never half told."""
    store.do(requests.may_carry_out, actor)
    found = (
        store.ask(requests.next_to_take) if request is None else store.ask(requests.find, request)
    )
    store.do(requests.refuse_unlawful, actor, found.id, _ruling(actor, found, hands))
    taken = store.do(requests.take, actor, found.id, at_least=hands.timeout + MARGIN)
    try:
        ended = hands.run(taken)
    except OSError as error:
        store.do(requests.give_back, actor, taken.id, fence=taken.fence)
        raise NotReady(
            f"{taken.id} was not begun", why=str(error), next=f"drumline request run {taken.id}"
        ) from error
    return _told(store, actor, taken, ended), ended


def _told(store: Store, actor: Actor, taken: Request, ended: Ended) -> Request:
    """Write down how it went: what was really done is worth a second try."""
    said = (actor, taken.id, ended.outcome())
    try:
        return store.do(requests.finish, *said, fence=taken.fence)
    except StoreTrouble:  # a link may die while a command runs, and the next verb makes a new one
        return store.do(requests.finish, *said, fence=taken.fence)


def _ruling(actor: Actor, request: Request, hands: Hands) -> Mapping[str, str]:
    role = "" if actor.role is Role.PERSON else actor.role.value
    return hands.judge({"tool": "Bash", "input": {"command": request.what}, "role": role})
