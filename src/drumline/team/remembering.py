"""Writing down: what may become an entry of a notebook, and where it goes.

What changes a notebook takes its text last: bound to all the rest, it is a change to be made to a file.
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from drumline.team.learning import HEADINGS, NOTES, Learning, known_as, learning_id, learnings_in
from drumline.team.notebook import (
    Entry,
    Notebook,
    ended,
    sent_by,
    stamped,
    unforged,
    unsigned,
    written,
)
from drumline.team.quoting import spelled
from drumline.team.reflection import Category
from drumline.team.secrets import redact
from drumline.team.starter import decisions_text, learnings_text
from drumline.team.text import PATTERN_CAP, checked_line

ARCHIVE = "Archive"
WORDS_CAP = PATTERN_CAP
FULL = "its file has its cap of lines, and it was used least"  # why an entry is archived

Leaving = tuple[Notebook, str]  # the page of a learning, and why it leaves


class Note(NamedTuple):
    """Something to be written down in a section; `sender` is set when another member sent it."""

    section: str
    text: str
    sender: str = ""

    @property
    def id(self) -> str:
        return learning_id(self.text)


def noted(category: Category, text: str, sender: str = "") -> Note:
    """Words as they may be written down: one line, no secret, nothing unseen, nothing forged."""
    checked_line(text, "the learning", cap=WORDS_CAP)
    return Note(HEADINGS[category], unforged(redact(spelled(text))), sender)


def with_note(member: str, note: Note, today: date, text: str) -> str:
    """A member's notebook with a note, unless it says that already."""
    notebook = Notebook(text or learnings_text(member))
    if known_as(note.text, learnings_in(notebook)):
        return text
    line = written(note.text, sender=note.sender, added=today.isoformat())
    return notebook.with_entry(note.section, line).text


def with_page(member: str, section: str, page: Notebook, text: str) -> str:
    """A member's notebook with an entry of another one, in every writing that it has there."""
    notebook = Notebook(text or learnings_text(member))
    known = _writings(notebook)
    new = [entry for entry in page.entries if entry.text not in known]
    for entry in new:
        notebook = notebook.with_entry(section, page.raw(entry))
    return notebook.text if new else text


def begun(member: str, pages: Iterable[Notebook], text: str) -> str:
    """A member's notebook with all that it begins with, but for what it says already."""
    made = text or learnings_text(member)
    for page in pages:
        if not known_as(page.entries[0].text, learnings_in(Notebook(made))):
            made = with_page(member, NOTES, page, made)
    return made


def with_decision(section: str, words: str, by: str, today: date, text: str) -> str:
    """The team's decisions with one more, unless it is there already."""
    notebook = Notebook(text or decisions_text())
    if known_as(words, learnings_in(notebook)):
        return text
    line = written(words, decided=today.isoformat(), by=by)
    return notebook.with_entry(section, line).text


def with_archived(member: str, leaving: Iterable[Leaving], today: date, text: str) -> str:
    """A member's archive with what leaves its notebook, as it was written, the day and the reason behind it."""
    notebook = Notebook(text or f"# Archive: {member}\n")
    known, added = _writings(notebook), dict[str, list[str]]()
    for page, why in leaving:
        said = stamped(archived=today.isoformat(), why=why)
        for entry in (each for each in page.entries if each.text not in known):
            section = added.setdefault(entry.section or ARCHIVE, [])
            section.append(ended(page.raw(entry), said))
    for name, entries in added.items():
        notebook = notebook.with_entry(name, "\n".join(entries))
    return notebook.text if added else text


def pages_of(text: str, learnings: Iterable[str]) -> dict[str, Notebook]:
    """Learnings as their notebook has them, each in all its writings with their headings; those that are there."""
    notebook, wanted = Notebook(text), set(learnings)
    found: dict[str, list[Learning]] = {}
    for each in learnings_in(notebook):
        if each.id in wanted:
            found.setdefault(each.id, []).append(each)
    return {own: _page(notebook, same) for own, same in found.items()}


def other_writings(learning: str, text: str) -> Notebook | None:
    """How a learning stands in a notebook besides the writing that stays, if it does."""
    notebook = Notebook(text)
    same = [each for each in learnings_in(notebook) if each.id == learning]
    others = [each for each in same if each.text != stays(same).text]
    return _page(notebook, others) if others else None


def notes_in(text: str, member: str) -> list[Notebook]:
    """The notes of a member that leaves, each a page that says who sent it; nobody's are its own."""
    notebook = Notebook(text)
    found = [(each, _page(notebook, [each])) for each in learnings_in(notebook) if each.note]
    return [page if each.entry.sender else _signed(page, member) for each, page in found]


def begun_with(page: Notebook, sender: str, today: date) -> Notebook:
    """A learning as a new member is given it: a note that came today."""
    raw = unsigned(page.raw(page.entries[0]))
    return Notebook(ended(sent_by(sender, raw), stamped(added=today.isoformat())))


def without(learnings: Iterable[str], text: str) -> str:
    """A notebook without some learnings, wherever they stand in it."""
    notebook, gone = Notebook(text), set(learnings)
    out = [each.entry for each in learnings_in(notebook) if each.id in gone]
    return notebook.without(*out).text


def without_twins(learning: str, text: str) -> str:
    """A notebook in which a learning stands once: the newest, and rather as its member's own than as a note."""
    notebook = Notebook(text)
    same = [each for each in learnings_in(notebook) if each.id == learning]
    out = [each.entry for each in same if each != stays(same)] if same else []
    return notebook.without(*out).text


def stays(same: Iterable[Learning]) -> Learning:
    """Which of several that say the same in the same words is kept: said last, it is old last."""
    return min(same, key=lambda each: (each.note, _age(each), each.entry.first))


def moved(learning: str, section: str, text: str) -> str:
    """A notebook with a learning in another section, as it is written."""
    notebook = Notebook(text)
    found = _found(notebook, learning)
    if found is None or found.entry.section.casefold() == section.casefold():
        return text
    raw = notebook.raw(found.entry).replace("\r\n", "\n")
    return notebook.without(found.entry).with_entry(section, raw).text


def _page(notebook: Notebook, same: Iterable[Learning]) -> Notebook:
    """Each writing once, below the heading that it has."""
    writings: dict[str, Entry] = {}
    for each in same:
        writings.setdefault(each.text, each.entry)
    said = (f"## {each.section or ARCHIVE}\n{notebook.raw(each)}\n" for each in writings.values())
    return Notebook("\n".join(said).replace("\r\n", "\n"))


def _writings(notebook: Notebook) -> set[str]:
    return {each.text for each in notebook.entries}


def _signed(page: Notebook, sender: str) -> Notebook:
    (own,) = page.entries
    return page.replaced(own, sent_by(sender, page.raw(own)))


def _age(learning: Learning) -> int:
    """Less for what is newer; what has no date never gets old."""
    return -(learning.entry.added or date.max).toordinal()


def _found(notebook: Notebook, learning: str) -> Learning | None:
    return next((each for each in learnings_in(notebook) if each.id == learning), None)
