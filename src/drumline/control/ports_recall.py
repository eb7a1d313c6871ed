"""What the verbs of a team's memory need of a store."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from drumline.team.recall import Found, Piece, Within
from drumline.team.recall_words import Query
from drumline.team.team_memory import Note
from drumline.team.wording_forms import NoteTag


class TeamNotes(Protocol):
    """What a run's members wrote into its memory; the caller holds the lock and decides."""

    def lock(self) -> None: ...
    def add(
        self, run: str, section: str, said: tuple[NoteTag, str], where: tuple[str, str]
    ) -> Note:
        """Keep a note: whose, its tag and text, the phase it was written in and by whom."""
        ...

    def of_run(self, run: str) -> list[Note]: ...
    def count(self, run: str) -> int:
        """How many are open."""
        ...

    def save(self, note: Note) -> Note: ...


class Source(NamedTuple):
    """Something that was read into the index: when it was as it is, and what it said then."""

    path: str
    stamp: str
    digest: str


class MemoryFiles(Protocol):
    """A repository's memory, as it lies on disk."""

    def stamps(self) -> Mapping[str, str]:
        """Every file of it, with what shows that one was changed; empty where nothing can show it."""
        ...

    def read(self, path: str) -> tuple[Source, str] | None:
        """A file's text as it was at one moment; nothing where there is none any more."""
        ...


class Recall(Protocol):
    """The index over what was written down: made of files and rows, and made again from them."""

    def lock(self) -> None: ...
    def sources(self, home: str) -> dict[str, Source]: ...
    def source(self, home: str, path: str) -> Source | None: ...
    def keep(self, home: str, source: Source, pieces: Sequence[Piece]) -> None: ...
    def restamp(self, home: str, source: Source) -> None: ...
    def forget(self, home: str, paths: Iterable[str]) -> None: ...
    def held(self) -> dict[str, str]:
        """What the store itself holds, by kind, with what shows that something was added."""
        ...

    def handoffs(self) -> dict[int, int]:
        """The last version of each task's handoff."""
        ...

    def note_runs(self) -> dict[str, str]:
        """The runs that have notes, with what shows that one was added or settled."""
        ...

    def plan(self) -> None:
        """Say that this transaction looks for words: each search goes the way that suits its own."""
        ...

    def find(self, query: Query, within: Within, most: int) -> list[Found]:
        """What has the words of a query, the newest first."""
        ...
