"""The index over what was written down. It is no part of the log: everything in it can be read again."""

import json
from collections.abc import Iterable, Sequence

from drumline.control.ports_recall import Source
from drumline.store.engine import Row, from_rows
from drumline.store.session import Session
from drumline.team.recall import Found, Piece, RecallKind, Within, indexed
from drumline.team.recall_words import Query


@from_rows
def as_found(row: Row) -> Found:
    """A row of `recall` as the noun it is."""
    piece = Piece(
        kind=RecallKind(row["kind"]),
        member=row["member"],
        line=row["line"],
        heading=row["heading"],
        day=row["day"],
        name=row["name"],
        text=row["text"],
    )
    return Found(row["team"], row["place"] or "", row["path"], piece, f" {row['words']} ")


class Recall:
    """What one team wrote down, and what every team of the store did."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_recall")

    def sources(self, home: str) -> dict[str, Source]:
        rows = self._session.read("recall_sources", home=home)
        return {row["path"]: Source(**row) for row in rows}

    def source(self, home: str, path: str) -> Source | None:
        rows = self._session.read("recall_source", home=home, path=path)
        return Source(**rows[0]) if rows else None

    def keep(self, home: str, source: Source, pieces: Sequence[Piece]) -> None:
        self._session.read("forget_recall", home=home, path=source.path)
        rows = [
            {**each._asdict(), "kind": each.kind.value, "words": self._words(each)}
            for each in pieces
        ]
        said = json.dumps(rows, ensure_ascii=False)
        self._session.read("add_recall", home=home, path=source.path, pieces=said)
        self.restamp(home, source)

    def restamp(self, home: str, source: Source) -> None:
        self._session.read("stamp_recall", home=home, **source._asdict())

    def forget(self, home: str, paths: Iterable[str]) -> None:
        for path in paths:
            self._session.read("forget_recall", home=home, path=path)
            self._session.read("forget_recall_source", home=home, path=path)

    def held(self) -> dict[str, str]:
        return {name: str(stamp) for name, stamp in self._session.read("recall_held")[0].items()}

    def handoffs(self) -> dict[int, int]:
        return {row["number"]: row["version"] for row in self._session.read("last_handoffs")}

    def note_runs(self) -> dict[str, str]:
        return {row["run"]: str(row["stamp"]) for row in self._session.read("note_runs")}

    def find(self, query: Query, within: Within, most: int) -> list[Found]:
        marks = [_mark(name, value) for name, value in within._asdict().items() if value]
        said = {"matching": _matching(query, marks), "lexemes": _lexemes(query, marks)}
        return [as_found(row) for row in self._session.read("find_recall", **said, most=most)]

    def plan(self) -> None:
        self._session.read("plan_recall")

    def _words(self, piece: Piece) -> str:
        """What finds a piece, and the marks by which a search is kept to a team, a kind or a member."""
        marks = [_mark("team", self._session.team), _mark("kind", piece.kind)]
        marks += [_mark("member", piece.member)] if piece.member else []
        return " ".join([*indexed(piece), *marks])


def _mark(name: str, value: str) -> str:
    """A word that no text has, nor any word of one the beginning of."""
    return f"={name}={value}"


def _matching(query: Query, marks: Sequence[str]) -> str:
    """All words of a query as SQLite's full-text search reads it; quoted, a word is only a word."""
    words = [f'"{word}"{" *" if query.begins(word) else ""}' for word in query.words]
    return " AND ".join([*words, *(f'"{mark}"' for mark in marks)])


def _lexemes(query: Query, marks: Sequence[str]) -> str:
    """All words of a query as PostgreSQL's text search reads it."""
    words = [f"'{word}'{':*' if query.begins(word) else ''}" for word in query.words]
    return " & ".join([*words, *(f"'{mark}'" for mark in marks)])
