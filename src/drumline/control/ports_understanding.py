"""What the verbs of understanding need of a store."""

from typing import Protocol

from drumline.team.ids import TaskId
from drumline.team.understanding import Understanding


class Understandings(Protocol):
    """How far each life of a member has shown that it understands its task."""

    def begin(self, new: Understanding) -> bool:
        """Whether it is new; how far it was stays as it is."""
        ...

    def get(self, member: str, incarnation: int, task: TaskId) -> Understanding | None: ...
    def of_run(self, run: str) -> list[Understanding]: ...
    def under_way(self, run: str) -> list[Understanding]:
        """Those about the tasks that somebody holds."""
        ...

    def save(self, found: Understanding) -> Understanding: ...
