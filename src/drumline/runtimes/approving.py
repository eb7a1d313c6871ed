"""Calls that a member's permission mode leaves to a person: asked about in the one queue of questions.

The member waits for an answer, but not for ever: unanswered, the call is refused, the question stays, and
the same call finds its answer when it is tried again. A word that allows is used up by one call: what the
same words do may have changed by the next. One that refuses stands for the rest of the life.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, TypeVar

from drumline.control import questions
from drumline.control.reflecting import speaking
from drumline.errors import BadInput
from drumline.runtimes.post import Post
from drumline.runtimes.watch import Sight
from drumline.team.call_shown import shown
from drumline.team.life import Life
from drumline.team.question import ALLOW, Asking, Question, QuestionKind
from drumline.team.ruling_words import ALLOWED

T = TypeVar("T")
RULE = "C-APPROVAL"


class Approvals:
    """One life's way to ask a person."""

    def __init__(self, post: Post, life: Life, sight: Sight, patience: timedelta) -> None:
        self._post, self._life, self._sight = post, life, sight
        self._patience = patience.total_seconds()
        self._used: Counter[str] = Counter()  # of each call, how many answers were used up

    async def ask(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """A ruling on a call, by a person or for want of one."""
        until = asyncio.get_running_loop().time() + self._patience
        digest = _digest(event)
        while True:
            nth = self._used[digest]
            try:
                asked = asking(self._life, event, f"{digest} {nth}")
            except BadInput as refused:
                return _denied(refused.why, refused.next)
            question = await self._answered(asked, until)
            if question.choice != ALLOW:
                return _ruling(question)
            if self._used[digest] == nth:  # else a call beside this one was faster
                self._used[digest] += 1
                return ALLOWED

    async def _answered(self, asked: Asking, until: float) -> Question:
        """The question with its answer, or without one at the end of our patience."""
        question = await self._asked(asked)
        while question.open and (left := until - asyncio.get_running_loop().time()) > 0:
            try:
                await asyncio.wait_for(self._sight.news(), left)
            except TimeoutError:
                break
            question = await self._do(self._post.store.ask, questions.find, question.id)
        return question

    async def _asked(self, wanted: Asking) -> Question:
        actor = await self._do(self._post.store.ask, speaking, self._life)
        return await self._do(self._post.store.do, questions.ask, actor, wanted)

    async def _do(self, call: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(call, *words)


def asking(life: Life, event: Mapping[str, Any], which: str) -> Asking:
    """The question about one of a life's calls."""
    call = shown(str(event.get("tool_name", "")), event.get("tool_input"))
    what = f"{life.member} asks whether it may call {call}"
    return Asking(QuestionKind.APPROVAL, what, f"approval {life.name} {which}")


def _digest(event: Mapping[str, Any]) -> str:
    """What tells a call from every other."""
    given = json.dumps(event.get("tool_input"), ensure_ascii=False, sort_keys=True, default=str)
    call = f"{event.get('tool_name', '')} {given}"
    return sha256(call.encode("utf-8", "backslashreplace")).hexdigest()


def _ruling(question: Question) -> Mapping[str, str]:
    """What a question comes to that nobody has said yes to."""
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
    return _denied(why, way_out)


def _denied(why: str, way_out: str) -> Mapping[str, str]:
    return {
        "decision": "deny",
        "constraint": RULE,
        "what": "a call that a person must approve",
        "why": why,
        "next": way_out,
    }
