"""The rows of what members wrote into their runs' memories."""

from drumline.store.engine import Row, from_rows, instant, micros, moment
from drumline.store.session import Session
from drumline.team.team_memory import Note, NoteId
from drumline.team.wording_forms import NoteTag


@from_rows
def as_note(row: Row) -> Note:
    """A row of `team_notes` as the noun it is."""
    return Note(
        run=row["run"],
        number=NoteId(row["number"]),
        section=row["section"],
        tag=NoteTag(row["tag"]),
        text=row["text"],
        phase=row["phase"],
        author=row["author"],
        written_at=instant(row["written_at"]),
        why=row["why"],
        settled_by=row["settled_by"],
        settled_at=moment(row["settled_at"]),
    )


class TeamNotes:
    """The memories of one team's runs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_team_notes")

    def add(
        self, run: str, section: str, said: tuple[NoteTag, str], where: tuple[str, str]
    ) -> Note:
        (tag, text), (phase, author) = said, where
        kept = {"run": run, "section": section, "tag": tag.value, "text": text}
        rows = self._session.write(
            "team_notes", "add_team_note", **kept, phase=phase, author=author
        )
        return as_note(rows[0])

    def of_run(self, run: str) -> list[Note]:
        return [as_note(row) for row in self._session.read("team_notes_of_run", run=run)]

    def count(self, run: str) -> int:
        return int(self._session.read("count_team_notes", run=run)[0]["open"])

    def save(self, note: Note) -> Note:
        over = None if note.settled_at is None else micros(note.settled_at)
        rows = self._session.write(
            "team_notes",
            "settle_team_note",
            run=note.run,
            number=int(note.number),
            why=note.why,
            settled_by=note.settled_by,
            settled_at=over,
        )
        return as_note(rows[0])
