"""A person who types and saves in steps, so that anything can happen between any two of them."""

import os
from pathlib import Path
from typing import TextIO

FORMS = (
    "- {} as an entry",
    "{} as prose.",
    "## {}",
    "```\n- {} in a fence\n```",
    "<!-- {} in a comment -->",
)


class Editor:
    """What a whole save brought is `saved`, and must never be lost."""

    def __init__(self, path: Path) -> None:
        self.path, self.buffer = path, path.read_text()
        self.file: TextIO | None = None
        self.left, self.number, self.stale = "", 0, False
        self.typed: list[str] = []
        self.saved: list[str] = []

    def step(self, name: str) -> None:
        """Do one step, if it can be done now."""
        if self.file is not None:
            steps = {"go on": self._go_on, "end": self.end, "other": self._other}
        elif self.stale:
            steps = {"load": self._load}
        else:
            steps = {
                "load": self._load,
                "type": self._type,
                "begin": self._begin,
                "append": self._append,
                "rename": self._rename,
                "aside": self._aside,
            }
        steps.get(name, lambda: None)()

    def end(self) -> None:
        """Save what is left, if a save has begun."""
        if self.file is not None:
            self.file.write(self.left)
            self.file.close()
            self.file = None
            self._keep()

    def _word(self) -> str:
        self.number += 1
        return f"typed{self.number}"

    def _load(self) -> None:
        if self.path.exists() and not self.typed:
            self.buffer, self.stale = self.path.read_text(), False

    def _type(self) -> None:
        word = self._word()
        self.typed.append(word)
        said = FORMS[self.number % len(FORMS)].format(word)
        above = self.number % 2
        self.buffer = f"{said}\n\n{self.buffer}" if above else f"{self.buffer}\n{said}\n"

    def _begin(self) -> None:
        self.file, self.left = self.path.open("w"), self.buffer

    def _append(self) -> None:
        if self.path.exists() and not self.typed:
            self.typed.append(self._word())
            self.left = f"\nappended {self.typed[-1]}\n"
            self.buffer = self.path.read_text() + self.left
            self.file = self.path.open("a")

    def _go_on(self) -> None:
        cut = max(1, len(self.left) // 2)
        assert self.file
        self.file.write(self.left[:cut])
        self.file.flush()
        self.left = self.left[cut:]

    def _other(self) -> None:
        """Another person loads what is there while this one's save goes elsewhere, and saves it with a line."""
        assert self.file
        if self.path.exists() and os.fstat(self.file.fileno()).st_ino != self.path.stat().st_ino:
            self.saved.append(self._word())
            self._put(f"{self.path.read_text()}\nanother {self.saved[-1]}\n")
            self.stale = True

    def _rename(self) -> None:
        self._put(self.buffer)
        self._keep()

    def _aside(self) -> None:
        if self.path.exists():
            self.path.rename(self.path.with_suffix(".md~"))
        self._begin()

    def _put(self, text: str) -> None:
        beside = self.path.with_suffix(".swap")
        beside.write_text(text)
        beside.rename(self.path)

    def _keep(self) -> None:
        self.saved += self.typed
        self.typed = []
