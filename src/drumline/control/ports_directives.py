"""What the verbs of directives need of a store."""

from typing import Protocol

from drumline.team.directive import Directed
from drumline.team.ids import MessageId, TaskId


class Directives(Protocol):
    """What members were told when they were given tasks of runs."""

    def add(self, given: Directed) -> Directed: ...
    def get(self, task: TaskId, fence: int, occasion: str) -> Directed | None: ...
    def of_run(self, run: str) -> list[Directed]:
        """In the order they were given."""
        ...

    def unheard(self, member: str) -> list[MessageId]:
        """The letters that a prompt was to bring to a member, and that nobody knows it heard."""
        ...
