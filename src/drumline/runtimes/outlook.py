"""What calls for a pass: something happened that matters, or its time has come.

Members that live renew their leases all the time, and nothing follows from it. So the log is read, which
costs little, and the team is looked at only when a word in it matters. What is overlooked costs time,
never truth: everything is looked at now and then whatever happened.
"""

from collections.abc import Callable
from time import monotonic, sleep

from drumline.control import views
from drumline.control.ports import Store

BREATH = 0.2  # seconds between two looks at a log in which nothing matters
AT_ONCE = 500
STAFF = ("life.began", "life.ended", "member.wanted", "member.began", "team.")
TEAM = (
    *("account.", "life.", "mail.", "member.began", "member.settled", "member.wanted"),
    *("question.", "report.", "task.", "turn."),
)
RUNS = (
    "context.acknowledged",
    "gate.",
    "judgement.answered",
    "judgement.failed",
    "life.began",
    "life.idle",
    "question.answered",
    "run.",
    "task.",
    "understanding.",
)
IDLE_TALK = frozenset({"life.renewed", "task.renewed", "life.noticed", "mail.delivered"})


class Outlook:
    """What has happened since it was last asked: to who is to run, and to anybody at all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        _, self._cursor = store.ask(views.last_events, most=1)
        self._staff = self._team = self._runs = True  # whoever begins to look knows nothing

    def wait(self, seconds: float, stopped: Callable[[], bool]) -> None:
        """Wait for what matters to who is to run or to a run, at most so long, or until told to stop."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0 and not stopped():
            if self._store.changed(min(BREATH, left)):
                self.read()
                if self._staff or self._runs:
                    return
                sleep(max(0.0, min(BREATH, end - monotonic())))

    def staff(self) -> bool:
        """Whether something happened to who is to run, or runs."""
        found, self._staff = self._staff, False
        return found

    def team(self) -> bool:
        """Whether something happened from which anything could follow for a member."""
        found, self._team = self._team, False
        return found

    def runs(self) -> bool:
        """Whether something happened that may bring a run further."""
        found, self._runs = self._runs, False
        return found

    def read(self) -> None:
        """Read on in the log: hints that something happened may be lost, and who never waits hears none."""
        while True:
            found, self._cursor = self._store.ask(views.verbs, cursor=self._cursor, most=AT_ONCE)
            for verb in set(found) - IDLE_TALK:
                self._staff = self._staff or verb.startswith(STAFF)
                self._team = self._team or verb.startswith(TEAM)
                self._runs = self._runs or verb.startswith(RUNS)
            if len(found) < AT_ONCE:
                return
