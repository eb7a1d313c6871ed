"""Calls that a member's permission mode leaves to a person: asked about in the one queue of questions.

The member waits for an answer, but not for ever: unanswered, the call is refused, the question stays, and
the same call finds its answer when it is tried again.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, TypeVar

from drumline.control import questions
from drumline.control.reflecting import speaking
from drumline.runtimes.post import Post
from drumline.runtimes.watch import Sight
from drumline.team.life import Life
from drumline.team.question import ALLOW, Asking, Question, QuestionKind
from drumline.team.quoting import spelled
from drumline.team.ruling_words import ALLOWED

T = TypeVar("T")
SHOWN = 2_000  # characters of a call
RULE = "C-APPROVAL"


class Approvals:
    """One life's way to ask a person."""

    def __init__(self, post: Post, life: Life, sight: Sight, patience: timedelta) -> None:
        self._post, self._life, self._sight = post, life, sight
        self._patience = patience.total_seconds()

    async def ask(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """A ruling on a call, by a person or for want of one."""
        question = await self._asked(asking(self._life, event))
        until = asyncio.get_running_loop().time() + self._patience
        while question.open and (left := until - asyncio.get_running_loop().time()) > 0:
            try:
                await asyncio.wait_for(self._sight.news(), left)
            except TimeoutError:
                break
            question = await self._do(self._post.store.ask, questions.find, question.id)
        return _ruling(question)

    async def _asked(self, wanted: Asking) -> Question:
        actor = await self._do(self._post.store.ask, speaking, self._life)
        return await self._do(self._post.store.do, questions.ask, actor, wanted)

    async def _do(self, call: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(call, *words)


def asking(life: Life, event: Mapping[str, Any]) -> Asking:
    """The question about a call; in one life the same call is one question."""
    given = json.dumps(event.get("tool_input"), ensure_ascii=False, sort_keys=True, default=str)
    call = f"{event.get('tool_name', '')} {given}"
    digest = sha256(call.encode("utf-8", "backslashreplace")).hexdigest()
    shown = spelled(call[:SHOWN]) + ("…" if len(call) > SHOWN else "")
    what = f"{life.member} asks whether it may call {shown}"
    return Asking(QuestionKind.APPROVAL, what, f"approval {life.name} {digest}")


def _ruling(question: Question) -> Mapping[str, str]:
    if question.choice == ALLOW:
        return ALLOWED
    if question.open:
        why = f"nobody has answered {question.id} yet"
        way_out = "go on with what needs no approval, and try the same call again later"
    else:
        why = (
            f"{question.by} said {question.said!r}"
            if question.by
            else f"{question.id} is withdrawn"
        )
        way_out = "find another way, or say in your account what you could not do"
    return {
        "decision": "deny",
        "constraint": RULE,
        "what": "a call that a person must approve",
        "why": why,
        "next": way_out,
    }
