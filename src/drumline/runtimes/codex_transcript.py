"""What Codex writes down while a turn runs: its meter, its model, and when a limit will be lifted.

Its lines on stdout tell the tokens only of a turn that was completed; one that failed or was stopped has
cost as much. The file is in the member's own home: it is read as the word of a stranger.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drumline.team.charge import MOST, NOTHING, Usage

SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FILE = "sessions/*/*/*/rollout-*-{session}.jsonl"
MOST_AT_ONCE = 64 * 1024 * 1024
FULL = 100


class Transcript:
    """The file of one session, read from where it stood when it was opened or named."""

    def __init__(self, home: Path, session: str = "") -> None:
        self._home, self._path, self._at = home, _find(home, session), 0
        self._half = b""
        self.usage, self.model = NOTHING, ""
        self.told_at: datetime | None = None
        self.resets_at: datetime | None = None
        if self._path is not None:
            self._at = _size(self._path)

    @property
    def is_there(self) -> bool:
        return self._path is not None

    def follow(self, session: str) -> None:
        """Read this session from its beginning, where none is followed yet."""
        if self._path is None:
            self._path = _find(self._home, session)

    def read(self) -> None:
        """Take in what was written since."""
        for line in self._news():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict) and isinstance(found.get("payload"), dict):
                self._take(found, found["payload"])

    def _take(self, line: Mapping[str, Any], payload: Mapping[str, Any]) -> None:
        self.told_at = _moment(line.get("timestamp")) or self.told_at
        match line.get("type"), payload.get("type"):
            case "turn_context", _:
                self.model = str(payload.get("model") or self.model)[:200]
            case "token_usage_record", _:
                self._meter(payload.get("thread_token_usage"))
            case "event_msg", "token_count":
                info = payload.get("info")
                self._meter(info.get("total_token_usage") if isinstance(info, dict) else None)
                self._limit(payload.get("rate_limits"))
            case _:
                pass

    def _meter(self, told: object) -> None:
        usage = usage_of(told)
        if usage is not None:
            self.usage = usage.at_least(self.usage)

    def _limit(self, limits: object) -> None:
        """The time at which the last of the used-up windows begins again."""
        if not isinstance(limits, dict):
            return
        ends = [_end_of(limits.get(name)) for name in ("primary", "secondary")]
        self.resets_at = max((end for end in ends if end is not None), default=self.resets_at)

    def _news(self) -> Iterator[bytes]:
        if self._path is None:
            return
        piece = self._half + _read(self._path, self._at)
        self._at += len(piece) - len(self._half)
        *lines, self._half = piece.split(b"\n")
        if len(self._half) > MOST_AT_ONCE:
            self._half = b""
        yield from lines


def usage_of(told: object) -> Usage | None:
    """The tokens Codex tells of, which counts cached input as input too; None where it tells none."""
    if not isinstance(told, Mapping):
        return None
    numbers = [
        told.get(name, 0) for name in ("input_tokens", "cached_input_tokens", "output_tokens")
    ]
    if not all(type(each) is int and 0 <= each <= MOST for each in numbers):
        return None
    read, cached, written = numbers
    return Usage(input=max(read - cached, 0), cached=cached, output=written)


def _find(home: Path, session: str) -> Path | None:
    if not SESSION.fullmatch(session):
        return None
    return next(iter(sorted(home.glob(FILE.format(session=session)))), None)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _read(path: Path, start: int) -> bytes:
    """The rest of a regular file; nothing of a link, a pipe or a device put in its place."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return b""
        return os.pread(handle, MOST_AT_ONCE, start)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _end_of(window: object) -> datetime | None:
    """When a window that is used up begins again."""
    if not isinstance(window, dict):
        return None
    used = window.get("used_percent")
    is_full = isinstance(used, int | float) and used >= FULL
    return _epoch(window.get("resets_at")) if is_full else None


def _moment(text: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else None


def _epoch(seconds: object) -> datetime | None:
    if not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
