"""A member's diary: what it said and did, one JSON line each, for `member logs`."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from time import sleep

from drumline.runtimes.runtime import (
    Called,
    Ended,
    Entered,
    Fact,
    Limited,
    Metered,
    Received,
    Said,
)
from drumline.team.secrets import redact

LOOK = 0.2  # seconds between looks for new lines
LONGEST = 2_000
MOST_BYTES = 20_000_000  # then the older half goes


class Diary:
    """One member's lines, of all its lives; secrets in them are masked."""

    def __init__(self, path: Path, incarnation: int, now: Callable[[], datetime]) -> None:
        self._path, self._life, self._now = path, incarnation, now
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def note(self, what: str, text: str = "", **more: object) -> None:
        """Add one line; a full disk never stops a member."""
        said = redact(text[: 4 * LONGEST])[:LONGEST]
        line = {"at": self._now().isoformat(), "life": self._life, "what": what, "text": said}
        try:
            self._shorten()
            with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps(line | more, ensure_ascii=False) + "\n")
        except OSError:
            return

    def fact(self, fact: Fact, **more: object) -> None:
        """Add what a runtime told; `more` says of whom, where that is not the member itself."""
        match fact:
            case Said(text):
                self.note("said", text, **more)
            case Called(tool, what, result):
                self.note("called", what, tool=tool, result=result, **more)
            case Entered(session):
                self.note("entered", session, **more)
            case Limited(until, why):
                self.note("limited", why, until=until.isoformat() if until else None, **more)
            case Received(id_):
                self.note("received", id_, **more)
            case Ended(outcome, text, _):
                self.note("ended", text, ending=outcome.ending.value, why=outcome.why, **more)
            case Metered():
                pass

    def _shorten(self) -> None:
        if not self._path.exists() or self._path.stat().st_size < MOST_BYTES:
            return
        lines = self._path.read_bytes()[-MOST_BYTES // 2 :].partition(b"\n")[2]
        half = self._path.with_suffix(".half")
        half.write_bytes(lines)
        half.replace(self._path)


def lines_of(path: Path, most: int, *, follow: bool) -> Iterator[str]:
    """The last lines of a diary, and those that come."""
    lines, at = _whole_lines(path, 0)
    yield from lines[-most:]
    while follow:
        if path.exists() and path.stat().st_size < at:
            at = 0
        new, at = _whole_lines(path, at)
        yield from new
        sleep(LOOK)


def _whole_lines(path: Path, at: int) -> tuple[list[str], int]:
    """The whole lines from a place on, and the place behind them; what is half written comes next time."""
    if not path.exists():
        return [], 0
    with path.open("rb") as file:
        file.seek(at)
        whole, end, _ = file.read().rpartition(b"\n")
    return (whole.decode("utf-8", "replace").split("\n"), at + len(whole) + 1) if end else ([], at)
