"""Recall: the index follows what is written down, and words find it again, in every team of the store.

The files are what counts. A look compares them with what was read of them last and reads what changed,
whoever changed it; two that look at once may both read, and the next look finds nothing left to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control.ports_recall import Source
from drumline.errors import BadInput
from drumline.team.handoff_text import render_summary
from drumline.team.ids import TaskId
from drumline.team.recall import (
    PIECE_CAP,
    Found,
    Piece,
    RecallKind,
    Within,
    pieces_of,
    ranked,
    snippet,
)
from drumline.team.recall_words import Query, read_query
from drumline.team.secrets import redact
from drumline.team.text import one_line

if TYPE_CHECKING:
    from drumline.control.ports import Store, Transaction
    from drumline.control.ports_recall import MemoryFiles

USUAL, MOST = 10, 100
CANDIDATES = 200  # of what has the words, the newest: these are ranked
EACH = 20  # at least, for each word where not all can be had
STORED = ""  # the home of what no repository holds
HANDOFFS, NOTES = "handoffs", "notes"


class Wanted(NamedTuple):
    """What is looked for, where, and how much of it."""

    words: str
    within: Within = Within()
    most: int = USUAL


class Recalled(NamedTuple):
    """What was found, and by which words."""

    query: Query
    found: tuple[Found, ...]

    def facts(self) -> dict[str, Any]:
        """The answer as every surface shows it."""
        return {
            "words": list(self.query.words),
            "all_words": not self.query.any_word,
            "found": [_facts(self.query, each) for each in self.found],
        }


def follow(store: Store, files: MemoryFiles, home: str) -> int:
    """Bring the index up to what is written down now; how many sources had changed."""
    stamps = files.stamps()
    known = store.ask(lambda tx: tx.recall.sources(home))
    changed = [
        path for path, stamp in stamps.items() if not stamp or known.get(path, NEVER).stamp != stamp
    ]
    for path in changed:
        if read := files.read(path):
            store.do(take_in, home, *read)
    if gone := sorted(known.keys() - stamps.keys()):
        store.do(forget, home, gone)
    held = store.ask(_behind)
    if held:
        store.do(take_in_held)
    return len(changed) + len(gone) + held


def take_in(tx: Transaction, home: str, source: Source, text: str) -> None:
    """Index a file as it was read; one that says the same as before is only stamped anew."""
    tx.recall.lock()
    was = tx.recall.source(home, source.path)
    if was is not None and was.digest == source.digest:
        if was.stamp != source.stamp:
            tx.recall.restamp(home, source)
        return
    tx.recall.keep(home, source, pieces_of(source.path, text))


def forget(tx: Transaction, home: str, paths: list[str]) -> None:
    """Take files that are not there any more out of the index."""
    tx.recall.lock()
    tx.recall.forget(home, paths)


def take_in_held(tx: Transaction) -> None:
    """Index what the store itself holds and the index does not: handoffs, and the notes of runs."""
    tx.recall.lock()
    known = tx.recall.sources(STORED)
    for task, version in tx.recall.handoffs().items():
        source = Source(f"handoff/{TaskId(task)}", str(version), "")
        if known.get(source.path) != source:
            tx.recall.keep(STORED, source, _handoff(tx, TaskId(task)))
    for run, stamp in tx.recall.note_runs().items():
        source = Source(f"notes/{run}", stamp, "")
        if known.get(source.path) != source:
            tx.recall.keep(STORED, source, _notes(tx, run))
    for name, stamp in tx.recall.held().items():
        tx.recall.restamp(STORED, Source(name, stamp, ""))


def search(tx: Transaction, wanted: Wanted) -> Recalled:
    """The best of what has all the words; where that is too little, of what nearly has."""
    if not 1 <= wanted.most <= MOST:
        raise BadInput(f"between 1 and {MOST} can be shown", next=f"say --limit {USUAL}")
    query, within = read_query(wanted.words), wanted.within.checked()
    tx.recall.plan()
    found: list[Found] = []
    for way in query.wider():
        if way.any_word and found:
            break
        query, found = way, _found(tx, way, within)
        if len(found) >= wanted.most:
            break
    return Recalled(query, tuple(ranked(query, found, wanted.most)))


def _found(tx: Transaction, query: Query, within: Within) -> list[Found]:
    """What has all the words; or, for each of them, what has it: a common one must not hide a rare one."""
    if not query.any_word:
        return tx.recall.find(query, within, CANDIDATES)
    most = max(EACH, CANDIDATES // len(query.words))
    alone = [query._replace(words=(word,)) for word in query.words]
    found = (each for one in alone for each in tx.recall.find(one, within, most))
    return list(dict.fromkeys(found))


NEVER = Source("", "never", "")


def _behind(tx: Transaction) -> int:
    """How many kinds of what the store holds have grown since they were indexed."""
    known = tx.recall.sources(STORED)
    return sum(known.get(name, NEVER).stamp != stamp for name, stamp in tx.recall.held().items())


def _handoff(tx: Transaction, task: TaskId) -> list[Piece]:
    kept = tx.handoffs.last(task)
    if kept is None:
        return []
    text = render_summary(kept.handoff, kept.origin)
    day, heading = kept.at.date().isoformat(), f"{task} {kept.origin.run}".strip()
    return [
        each._replace(kind=RecallKind.HANDOFF, member=kept.origin.member, day=day, heading=heading)
        for each in pieces_of(kept.folder, text)
    ]


def _notes(tx: Transaction, run: str) -> list[Piece]:
    return [
        Piece(
            RecallKind.NOTE,
            note.section,
            int(note.number),
            f"{run} {note.tag}",
            note.written_at.date().isoformat(),
            str(note.number),
            one_line(redact(f"{note.text} {note.why}"), PIECE_CAP),
        )
        for note in tx.team_notes.of_run(run)
    ]


def _facts(query: Query, found: Found) -> dict[str, Any]:
    piece = found.piece
    return {
        "team": found.team,
        "kind": piece.kind.value,
        "member": piece.member or None,
        "place": found.place or None,
        "path": found.path,
        "line": piece.line,
        "heading": piece.heading,
        "day": piece.day or None,
        "id": piece.name or None,
        "snippet": snippet(query, piece.text),
    }
