"""What the verbs of memory need: files that people edit too, and a record of what was used."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from drumline.team.ids import TaskId
from drumline.team.learning import Use


class Notebooks(Protocol):
    """The files of a team's memory: a person may write in one at any moment, and loses nothing."""

    def read(self, path: str) -> str:
        """A file as it is, what was written late into an earlier version of it taken in; empty when there is none."""
        ...

    def edit(self, path: str, change: Callable[[str], str]) -> str:
        """Change a file and return what it holds then; `change` is asked again when somebody else wrote."""
        ...

    def settle(self) -> None:
        """Take in what was written late into an earlier version of any file."""
        ...

    def members(self) -> Sequence[str]:
        """Whose notebooks there are."""
        ...


class Citations(Protocol):
    """Each use of a learning, once for each task of its member."""

    def add(self, learning: str, member: str, task: TaskId | None, run: str, how: str) -> bool: ...
    def uses(self, member: str, learnings: Iterable[str]) -> dict[str, Use]: ...
    def pass_on(self, member: str, learning: str, heir: str, into: str) -> bool:
        """Count the uses of a member's learning for what says the same, in its own notebook or an heir's."""
        ...
