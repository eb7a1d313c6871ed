"""One turn of a Claude Code session: when it is over, and how it ended.

Results and prompts do not come in pairs. A background task brings a result nobody asked for, and words
that come too late for one answer are answered by another. So a turn is over when its prompt came back
from the session, a result came behind it, and the session says that it is idle.
"""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from drumline.runtimes.runtime import Ended
from drumline.team.outcome import outcome

IDLE = "idle"


class Turn:
    """What is known of a running turn."""

    def __init__(self, *, with_schema: bool, state: str = "") -> None:
        """`state` is the session's last word about itself; empty where it says none."""
        self.prompt = str(uuid4())
        self.readings = 0
        self.interrupted = False
        self.state = state
        self._with_schema = with_schema
        self._told: dict[str, str] = {}
        self._entered = False
        self._record: Mapping[str, Any] | None = None
        self._answer: Mapping[str, Any] | None = None

    @property
    def settled(self) -> bool:
        """Whether the prompt was answered and the session does nothing more by itself."""
        return self._record is not None and self.state in {"", IDLE}

    @property
    def waits(self) -> bool:
        """Whether words were told that have not entered the conversation yet."""
        return bool(self._told) and not self.interrupted

    @property
    def over(self) -> bool:
        return self.settled and not self.waits

    def tells(self, id: str) -> str:  # noqa: A002 - the word of the interface
        """The mark under which words with this id are sent."""
        mark = str(uuid4())
        self._told[mark] = id
        return mark

    def not_told(self, mark: str) -> None:
        """Words that could not be sent after all."""
        self._told.pop(mark, None)

    def wait_no_more(self) -> None:
        """Words that the session does not take up stay untold."""
        self._told.clear()

    def echoed(self, mark: str) -> str:
        """Something entered the conversation; the id of the words, empty where they are not told ones."""
        self._entered = self._entered or mark == self.prompt
        return self._told.pop(mark, "")

    def result(self, record: Mapping[str, Any]) -> None:
        """A result came; the last one behind the prompt tells how the turn ended."""
        if not self._entered:
            return
        answer = record.get("structured_output")
        self._answer = answer if isinstance(answer, Mapping) else self._answer
        self._record = record

    def ended(self) -> Ended:
        """How it ended, by the last record and the answer that any of them gave."""
        record = dict(self._record or {})
        if self._answer is not None:
            record["structured_output"] = self._answer
        found = outcome(record or None, 0, asked=self._with_schema)
        return Ended(found, str(record.get("result") or ""), self._answer)
