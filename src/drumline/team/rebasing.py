"""Several changed one notebook: whatever came in on one side is brought to what the other wrote.

What went is left where it is: a line that comes back is a nuisance, one that is lost is a loss.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from drumline.team.learning import learning_id
from drumline.team.notebook import BOM, TOP, Block, Kind, Notebook

PASSES = 5  # what is brought in may part lines that looked like something wanted
OWN = ("  ", "\t")  # what begins so belongs to the entry above it, blank lines or not


class Passage(NamedTuple):
    """What comes in as one: an entry, which has an id, or lines that are none.

    `after` is what stood before it, and `apart` whether a blank line was between the two.
    """

    says: str
    section: str
    after: str = ""
    apart: bool = False
    id: str = ""

    @property
    def lines(self) -> list[str]:
        return self.says.split("\n")


def passages(text: str) -> list[Passage]:
    """All that a text holds, in its order."""
    notebook = Notebook(text)
    entries = {entry.first: entry for entry in notebook.entries}
    found: list[Passage] = []
    section, after, apart = "", "", False
    for block in notebook.blocks:
        if block.kind is Kind.BLANK:
            apart = True
            continue
        own = entries.get(block.first)
        words = _words(notebook, block)
        found.append(Passage(words, section, after, apart, learning_id(own.text) if own else ""))
        after, apart = words, False
        if block.kind is Kind.HEADING and block.level <= TOP:
            section = block.title if block.level == TOP else ""
    return found


def came_in(before: str, after: str) -> list[Passage]:
    """What is new in a text."""
    return [] if before == after else missing(passages(after), before)


def missing(wanted: Iterable[Passage], text: str) -> list[Passage]:
    """What of all this a text does not hold."""
    if not (all_wanted := list(wanted)):
        return []
    notebook = Notebook(text)
    ids, lines = _ids(notebook), _Lines(notebook)
    return [each for each in all_wanted if not (each.id in ids if each.id else each in lines)]


def taken_out(before: str, after: str) -> set[str]:
    """The ids of the entries that a text has no longer."""
    return set() if before == after else ids_in(before) - ids_in(after)


def with_passages(text: str, wanted: Sequence[Passage]) -> str:
    """A text with all this in it: entries at the end of their section, lines behind those they stood behind."""
    for _ in range(PASSES):
        if not (left := missing(wanted, text)):
            break
        text = _brought(text, left)
    return text


def ids_in(text: str) -> set[str]:
    return _ids(Notebook(text))


def _brought(text: str, wanted: Iterable[Passage]) -> str:
    notebook, ids = Notebook(text), set[str]()
    for each in wanted:
        if each.id in ids or (not each.id and each in _Lines(notebook)):
            continue  # another brought it along
        if each.id:
            notebook = notebook.with_entry(each.section, each.says)
            ids.add(each.id)
        else:
            notebook = _with_lines(notebook, each)
    return notebook.text


class _Lines:
    """The lines of a notebook, whatever blanks are around them, to be found again."""

    def __init__(self, notebook: Notebook) -> None:
        self._lines = [line.strip() for line in notebook.text.removeprefix(BOM).split("\n")]
        self._ends = {at: x.end for x in notebook.blocks for at in range(x.first, x.end)}
        self._places: dict[str, list[int]] = {}
        for at, line in enumerate(self._lines):
            self._places.setdefault(line, []).append(at)

    def __contains__(self, wanted: Passage) -> bool:
        run = [line.strip() for line in wanted.lines]
        last = 0 if len(run) == 1 or not _block(wanted).closed else len(run)  # as one block
        return any(
            self._lines[at : at + len(run)] == run and self._ends.get(at, at) >= at + last
            for at in self._places.get(run[0], [])
        )


def _with_lines(notebook: Notebook, wanted: Passage) -> Notebook:
    """A notebook with lines that are no entry, where they neither swallow nor are swallowed."""
    place = _place(notebook, wanted)
    above = next((each.kind for each in notebook.blocks if each.end == place), Kind.BLANK)
    below = next((each.kind for each in notebook.blocks if each.first == place), Kind.BLANK)
    gap = above is Kind.ENTRY or (wanted.apart and above is not Kind.BLANK)
    rest = wanted.apart and below is Kind.PROSE
    return notebook.inserted(place, [*[""] * gap, *wanted.lines, *[""] * rest])


def _place(notebook: Notebook, wanted: Passage) -> int:
    block = _block(wanted)
    if not block.closed:
        return len(notebook.lines)
    found = _behind(notebook, wanted.after)
    place = notebook.end_of(wanted.section) if found is None else found
    if block.kind is Kind.HEADING:
        return _before_heading(notebook, place, block.level)
    if wanted.says.startswith(OWN) and _is_entrys(notebook, place):
        return _top(notebook, place)
    return place


def _behind(notebook: Notebook, words: str) -> int | None:
    """Where some words end; nowhere where they are not, or go on to the end."""
    if not words:
        return None
    ends = (x.end for x in notebook.blocks if x.closed and _words(notebook, x) == words)
    return next(ends, None)


def _before_heading(notebook: Notebook, place: int, level: int) -> int:
    """Before the next heading of the same rank: a heading must not take over what stands below another."""
    for each in notebook.blocks:
        stops = not each.closed or (each.kind is Kind.HEADING and each.level <= level)
        if each.first >= place and stops:
            return each.first
    return len(notebook.lines)


def _is_entrys(notebook: Notebook, place: int) -> bool:
    """Whether what is put in here and indented would become an entry's own."""
    before = [each for each in notebook.blocks if each.end <= place and each.kind is not Kind.BLANK]
    return bool(before) and before[-1].kind is Kind.ENTRY


def _top(notebook: Notebook, place: int) -> int:
    ends = (x.end for x in notebook.blocks if x.kind is Kind.HEADING and x.end <= place)
    return max(ends, default=0)


def _ids(notebook: Notebook) -> set[str]:
    return {learning_id(entry.text) for entry in notebook.entries}


def _block(wanted: Passage) -> Block:
    return Notebook(wanted.says).blocks[0]


def _words(notebook: Notebook, block: Block) -> str:
    return notebook.raw(block).replace("\r\n", "\n")
