"""The one tree of errors: each says what was refused, why, and what to do next.

DrumlineError
├── Refused               the caller asked for something that may not happen; nothing changed
│   ├── BadInput          the words themselves cannot be taken
│   ├── NotAllowed        this actor may not do this
│   ├── Unknown           no such team, member, task or message
│   ├── IllegalMove       a task, request or life cannot go from its state to the one asked for
│   ├── NotReady          a task still waits for others, or another task has its files
│   ├── NothingReady      no task is free for this member now
│   ├── NotVerified       a task's own check has not passed for this claim
│   ├── NotClean          a checkout holds work that nobody committed
│   ├── NotHolder         a write by someone who does not, or no longer, hold the task
│   ├── BudgetSpent       what is spent and reserved reaches the budget: no turn starts
│   ├── Unfinished        a subagent ended without an answer
│   ├── AccountPaused     a usage limit holds the account until it resets
│   ├── Cycle             tasks would wait for each other
│   ├── BadManifest       the team's file has problems, all of them listed
│   └── Conflict          the name or place is taken
│       └── InTheWay      by something of the user's, which no member can mend
└── StoreTrouble          the store cannot be used as it is
    ├── StoreTooNew       written by a later version of Drumline
    ├── StoreTooOld       must be migrated first
    └── StoreBusy         another process holds it
"""

from collections.abc import Sequence
from typing import Any, Self


class DrumlineError(Exception):
    """Anything we say no to; `next` is the way out."""

    def __init__(self, what: str, *, why: str = "", next: str = "") -> None:  # noqa: A002 - it is the word the reader sees
        super().__init__(what)
        self.what, self.why, self.next = what, why, next
        self.audit: tuple[str, str, str] | tuple[()] = ()

    def audited(self, actor: str, verb: str, subject: str) -> Self:
        """The same refusal, to be remembered as an event: who tried what on what."""
        self.audit = (actor, verb, subject)
        return self

    def facts(self) -> dict[str, Any]:
        """The refusal as data, for `--json` and MCP."""
        return {
            "refused": self.what,
            "why": self.why,
            "next": self.next,
            "error": type(self).__name__,
        }


class Refused(DrumlineError):
    """The caller asked for something that may not happen; nothing changed."""


class BadInput(Refused):
    """The words themselves cannot be taken."""


class NotAllowed(Refused):
    """This actor may not do this."""


class Unknown(Refused):
    """No such team, member, task or message."""


class IllegalMove(Refused):
    """A task, request or life cannot go from its state to the one asked for."""

    def __init__(
        self,
        task: str,
        old: str,
        new: str,
        *,
        noun: str = "task",
        next: str = "",  # noqa: A002 - as above
    ) -> None:
        super().__init__(
            f"{noun} {task} is {old}: it cannot become {new}",
            next=next or f"drumline {noun} show {task}",
        )
        self.task, self.old, self.new = task, old, new


class NotReady(Refused):
    """A task still waits for others, or another task has its files."""


class NothingReady(Refused):
    """No task is free for this member now."""


class NotHolder(Refused):
    """A write by someone who does not, or no longer, hold the task."""


class NotVerified(Refused):
    """A task's own check has not passed for this claim."""


class NotHandedOff(Refused):
    """A task that wants a handoff has none of this claim."""


class NotClean(Refused):
    """A checkout holds work that nobody committed."""

    def __init__(self, folder: str, files: Sequence[str], named: str, why: str) -> None:
        super().__init__(
            f"{folder} is not clean: {named}",
            why=why,
            next="commit, ignore or move away what is named",
        )
        self.files = tuple(files)


class BudgetSpent(Refused):
    """What is spent and reserved reaches the budget: no turn starts."""


class Unfinished(Refused):
    """A subagent ended without an answer."""


class AccountPaused(Refused):
    """A usage limit holds the account until it resets."""


class Cycle(Refused):
    """Tasks would wait for each other."""

    def __init__(self, path: list[str]) -> None:
        super().__init__(
            f"that would make tasks wait for each other: {' → '.join(path)}",
            why="none of them could ever become ready",
            next=f"drumline task show {path[0]}",
        )
        self.path = path


class NotShown(BadInput):
    """Rules lean on a claim that no probe has shown."""


class BadManifest(Refused):
    """The team's file has problems, all of them listed."""

    def __init__(self, problems: list[str]) -> None:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(
            f"the manifest has {count}",
            why="\n".join(problems),
            next="mend the lines named above, then: drumline team check",
        )
        self.problems = problems


class Conflict(Refused):
    """The name or place is taken."""


class InTheWay(Conflict):
    """Something of the user's stands where the team's work should go: no member can mend it."""


class StoreTrouble(DrumlineError):
    """The store cannot be used as it is."""


class StoreTooNew(StoreTrouble):
    """Written by a later version of Drumline."""


class StoreTooOld(StoreTrouble):
    """Must be migrated first."""


class StoreBusy(StoreTrouble):
    """Another process holds it."""


def in_words(error: Exception) -> str:
    """What went wrong, on one line, for whoever looks later."""
    if isinstance(error, DrumlineError):
        return "; ".join(filter(None, (error.what, error.why, error.next)))
    return f"{type(error).__name__}: {error}"
