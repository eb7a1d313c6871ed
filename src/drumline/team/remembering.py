"""Writing down: what may become an entry of a notebook, and where it goes.

What changes a notebook takes its text last: bound to all the rest, it is a change to be made to a file.
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from drumline.team.learning import HEADINGS, Learning, known_as, learning_id, learnings_in
from drumline.team.notebook import Notebook, ended, sent_by, stamped, unforged, unsigned, written
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
    """A member's notebook with an entry of another one, as it is written there."""
    notebook, own = Notebook(text or learnings_text(member)), learnings_in(page)[0]
    if _found(notebook, own.id):
        return text
    return notebook.with_entry(section, page.raw(own.entry)).text


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
    known = {each.id for each in learnings_in(notebook)}
    added: dict[str, list[str]] = {}
    for page, why in leaving:
        own = learnings_in(page)[0]
        if own.id not in known:
            known.add(own.id)
            section = added.setdefault(own.entry.section or ARCHIVE, [])
            said = stamped(archived=today.isoformat(), why=why)
            section.append(ended(page.raw(own.entry), said))
    for name, entries in added.items():
        notebook = notebook.with_entry(name, "\n".join(entries))
    return notebook.text if added else text


def pages_of(text: str, learnings: Iterable[str]) -> dict[str, Notebook]:
    """Learnings as their notebook has them, each with its heading and nothing else; those that are there."""
    notebook, wanted = Notebook(text), set(learnings)
    pages: dict[str, Notebook] = {}
    for each in learnings_in(notebook):
        if each.id in wanted and each.id not in pages:
            pages[each.id] = _page(notebook, each)
    return pages


def notes_in(text: str, member: str) -> list[Notebook]:
    """The notes of a member that leaves, each a page that says who sent it; nobody's are its own."""
    notebook = Notebook(text)
    found = [(each, _page(notebook, each)) for each in learnings_in(notebook) if each.note]
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


def _page(notebook: Notebook, learning: Learning) -> Notebook:
    raw = notebook.raw(learning.entry).replace("\r\n", "\n")
    return Notebook(f"## {learning.entry.section or ARCHIVE}\n{raw}\n")


def _signed(page: Notebook, sender: str) -> Notebook:
    (own,) = page.entries
    return page.replaced(own, sent_by(sender, page.raw(own)))


def _age(learning: Learning) -> int:
    """Less for what is newer; what has no date never gets old."""
    return -(learning.entry.added or date.max).toordinal()


def _found(notebook: Notebook, learning: str) -> Learning | None:
    return next((each for each in learnings_in(notebook) if each.id == learning), None)
