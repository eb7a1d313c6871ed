"""Claude Code's own subagents: of our profiles, waited for unless these say otherwise, and short in what they return.

Measured: the CLI runs one in the background where nothing is said, checks no list of profiles itself, and
hands a whole answer to the caller, of whatever length. One in the background that is not let end with a
long answer gives it all the same after eight tries: then its notice is not let in.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drumline.runtimes.overflow import entering
from drumline.team.match_tools import GENERAL, SPAWNING
from drumline.team.profile import Profile
from drumline.team.returned import RETURN_CAP
from drumline.team.subagent import works_beside

NOTICE = "<task-notification>"
BACKGROUND = "run_in_background"
AGAIN = "Answer again, with that reference and what your starter must know at once: in a few lines."

Event = Mapping[str, Any]


class Subagents:
    """What is done to the calls that start one and to the answers they return."""

    def __init__(self, profiles: Mapping[str, Profile], folder: Path) -> None:
        """`folder` is where the member finds what is too long for its context."""
        self._profiles, self._folder = profiles, folder

    def waited_for(self, event: Event) -> dict[str, Any] | None:
        """The input of a call that says nothing about waiting, so that the CLI waits; None where it may stay."""
        given = event.get("tool_input")
        if event.get("tool_name") not in SPAWNING or not isinstance(given, Mapping):
            return None
        profile = self._profiles.get(str(given.get("subagent_type") or GENERAL))
        beside = profile is not None and works_beside(profile)
        return None if BACKGROUND in given or beside else {**given, BACKGROUND: False}

    def returned(self, event: Event) -> dict[str, Any] | None:
        """The answer of a subagent that was waited for, by reference; None where it is short enough."""
        response = event.get("tool_response")
        if event.get("tool_name") not in SPAWNING or not isinstance(response, Mapping):
            return None
        content = response.get("content")
        texts = [_text(block) for block in content] if isinstance(content, list) else []
        whole = "\n".join(filter(None, texts))
        if len(whole) <= RETURN_CAP:
            return None
        return {**response, "content": [{"type": "text", "text": self._kept(whole)}]}

    def stopping(self, event: Event) -> dict[str, Any] | None:
        """Why one in the background may not end with this answer, which its starter would get whole."""
        said = event.get("last_assistant_message")
        if not isinstance(said, str) or len(said) <= RETURN_CAP or not _is_beside(event):
            return None
        return {"decision": "block", "reason": f"{self._kept(said)}. {AGAIN}"}

    def notified(self, event: Event) -> str:
        """What its starter is told in place of an answer that one in the background insists on."""
        said = event.get("prompt")
        if not isinstance(said, str) or not said.startswith(NOTICE) or len(said) <= RETURN_CAP:
            return ""
        return f"Work in the background has ended. {self._kept(said)}."

    def _kept(self, text: str) -> str:
        return entering(text, self._folder)[0]


def _text(block: object) -> str:
    return str(block.get("text") or "") if isinstance(block, Mapping) else ""


def _is_beside(event: Event) -> bool:
    listed = event.get("background_tasks")
    tasks = listed if isinstance(listed, list) else []
    return any(
        isinstance(each, Mapping) and each.get("id") == event.get("agent_id") for each in tasks
    )
