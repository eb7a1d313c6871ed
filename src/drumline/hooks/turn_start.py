"""The hook at the start of a turn: `python -I -S turn_start.py STATE_FOLDER RUNTIME`, the event on stdin.

What waits for the session's member goes along with its prompt. A prompt never depends on it: where no
plane answers in time, and on any trouble, it says nothing. What was typed is not passed on.
"""

from __future__ import annotations

import os
import sys

EVENT = "UserPromptSubmit"
LONGEST_EVENT = 64 * 1024 * 1024


def main(arguments: list[str]) -> None:
    """Give the agent CLI what waits, and tell the plane that it was given."""
    try:
        state, runtime = arguments
        raw = sys.stdin.buffer.read(LONGEST_EVENT)
        _answer(raw, os.path.abspath(state), runtime)
    except BaseException:  # noqa: BLE001, S110 - whatever it is, the prompt goes on
        pass


def _answer(raw: bytes, state: str, runtime: str) -> None:
    from drumline.hooks.answer import PLANE_IN_TIME, plane_at
    from drumline.hooks.asking import ask, written
    from drumline.hooks.values import read_value

    address = "" if os.environ.get("DRUMLINE_SOCKET") else plane_at(state)
    event = read_value(raw) if address else None
    if not isinstance(event, dict) or not _begins_turn(event):
        return
    told = ask(address, {"ask": "begin", "turn": _turn(event, runtime)}, PLANE_IN_TIME)
    words = told.get("words")
    if isinstance(words, str) and words:
        _say(written(_context(words)))
        ask(address, {"ask": "heard", "receipt": told.get("receipt")}, PLANE_IN_TIME)


def _begins_turn(event: dict[str, object]) -> bool:
    """Whether somebody spoke to the member itself: what a subagent is told is none of its turns."""
    return event.get("hook_event_name") == EVENT and not event.get("agent_id")


def _turn(event: dict[str, object], runtime: str) -> dict[str, object]:
    """Whose turn it is, as far as can be seen here."""
    from drumline.team.identity import identity

    who = identity(os.environ)
    life = int(who.incarnation[:18]) if who.incarnation.isdecimal() else None
    return {
        "provider": runtime,
        "session": event.get("session_id"),
        "transcript": event.get("transcript_path"),
        "cwd": event.get("cwd"),
        "hints": {"team": who.team, "member": who.member, "life": life},
    }


def _context(words: str) -> dict[str, object]:
    """The answer that both Claude Code and Codex put beside the prompt.

    They put it between tags of their own, which a title in it must not close.
    """
    safe = words.replace("</", "<\\/")
    return {"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": safe}}


def _say(answer: bytes) -> None:
    while answer:
        answer = answer[os.write(1, answer) :]


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    main(sys.argv[1:])
    os._exit(0)  # nothing is left open, and taking a process down costs 2 ms
