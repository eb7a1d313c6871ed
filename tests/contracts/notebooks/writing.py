"""Processes that write one memory file: planes that keep to the lock, and editors that know of none."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from drumline.store import saving
from drumline.store.notebooks import Notebooks
from drumline.team.notebook import Notebook
from tests.running import until

PATH = "memory/agents/ada/learnings.md"
START = "# Learnings: ada\n\nA person's words.\n\n## Gotchas\n- first\n"
DONE = "person.done"
PARAGRAPH = "Paragraph {} of a person."
ENTRY = "{} wrote thing{}"


def plane(root: str, name: str, times: int) -> None:
    """Add entries through the verbs' own way, until the editor is done; says how many."""
    saving.PATIENCE = 0.02  # an editor that stalls is not waited for
    notebooks, at, path = Notebooks(root), 0, os.environ.get("NOTEBOOK", PATH)
    while at < times or not Path(root, DONE).exists():
        notebooks.edit(path, partial(once, ENTRY.format(name, at)))
        at += 1
    sys.stdout.write(f"{at}\n")


def editor(root: str, style: str, times: int) -> None:
    """Load, write a paragraph and an entry below everything, and save; so many times."""
    path = Path(root, PATH)
    for at in range(times):
        text = path.read_text()
        more = f"\n{PARAGRAPH.format(at)}\n\n- {ENTRY.format('person', at)}\n"
        STYLES[style](path, text, more)
    Path(root, DONE).touch()


def by_rename(path: Path, text: str, more: str) -> None:
    beside = path.with_suffix(".swap")
    beside.write_text(text + more)
    beside.rename(path)


def moved_aside(path: Path, text: str, more: str) -> None:
    path.rename(path.with_suffix(".md~"))
    path.write_text(text + more)


def in_place(path: Path, text: str, more: str) -> None:
    path.write_text(text + more)


def emptied(path: Path, text: str, more: str) -> None:
    _in_pieces(path, "w", ["", text + more])


def in_pieces(path: Path, text: str, more: str) -> None:
    whole = text + more
    _in_pieces(path, "w", [whole[: len(whole) // 2], whole[len(whole) // 2 :]])


def by_line(path: Path, text: str, more: str) -> None:
    _in_pieces(path, "w", (text + more).splitlines(keepends=True))


def appending(path: Path, _: str, more: str) -> None:
    _in_pieces(path, "a", [more[: len(more) // 2], more[len(more) // 2 :]])


STYLES: dict[str, Callable[[Path, str, str], None]] = {
    each.__name__: each
    for each in (by_rename, moved_aside, in_place, emptied, in_pieces, by_line, appending)
}


def _in_pieces(path: Path, mode: str, pieces: list[str]) -> None:
    """Save into the same file, and stall in the midst of it until a plane has put another in its place."""
    with path.open(mode) as file:
        for at, piece in enumerate(pieces):
            if at == (len(pieces) + 1) // 2:
                until(lambda: os.fstat(file.fileno()).st_ino != _number(path))
            file.write(piece)
            file.flush()


def _number(path: Path) -> int:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def texts(path: Path) -> list[str]:
    return [entry.text for entry in Notebook(path.read_text()).entries]


def adding(words: str, meanwhile: Callable[[], object] = lambda: None) -> Callable[[str], str]:
    """A change during which, the first time, somebody else writes."""
    calls: list[str] = []

    def change(text: str) -> str:
        if not calls:
            meanwhile()
        calls.append(text)
        return once(words, text)

    return change


def once(words: str, text: str) -> str:
    notebook = Notebook(text)
    if any(entry.text == words for entry in notebook.entries):
        return text
    return notebook.with_entry("Gotchas", f"- {words}").text


if __name__ == "__main__":
    _, kind, root, name, times = sys.argv
    {"plane": plane, "editor": editor}[kind](root, name, int(times))
