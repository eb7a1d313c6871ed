"""Where a plane tells of its endpoint: the address, the file of the token, or why there is none."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from drumline.wiring.home import state_folder
from drumline.wiring.machine import is_up
from drumline.wiring.planes import PACE

if TYPE_CHECKING:
    from drumline.errors import DrumlineError
    from drumline.settings import Settings

ADDRESS, TOKEN = "endpoint", "endpoint.token"
TOKEN_BYTES = 32
LONGEST_TOLD = 10_000  # bytes
TELLING = 10.0  # seconds a plane that comes up has to say


class Endpoint(NamedTuple):
    """What a plane says of its endpoint; without a URL there is none, and the rest says why."""

    url: str = ""
    token_file: str = ""
    refused: str = ""
    why: str = ""
    next: str = ""

    def facts(self) -> dict[str, str | None]:
        return {name: said or None for name, said in self._asdict().items()}


class Notice:
    """The files that tell of one plane's endpoint; what others wrote in their place stays."""

    def __init__(self, settings: Settings, plane: str) -> None:
        self._folder, self._plane = state_folder(settings), plane
        self._written: dict[str, str] = {}

    def new_token(self) -> str:
        """The secret of this plane's callers, in a file that only we may read."""
        import secrets

        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._write(TOKEN, token)
        return token

    def found_at(self, url: str) -> None:
        """Tell where the endpoint is."""
        self._tell(Endpoint(url=url, token_file=os.path.join(self._folder, TOKEN)))

    def is_none(self, refusal: DrumlineError) -> None:
        """Tell why there is no endpoint."""
        self._tell(Endpoint(refused=refusal.what, why=refusal.why, next=refusal.next))

    def take_down(self) -> None:
        """Take away what we wrote, and only that."""
        for name, text in self._written.items():
            path = os.path.join(self._folder, name)
            with suppress(OSError, UnicodeDecodeError):
                if _read(path) == text:
                    os.unlink(path)

    def _tell(self, said: Endpoint) -> None:
        self._write(ADDRESS, json.dumps({"plane": self._plane, **said._asdict()}))

    def _write(self, name: str, text: str) -> None:
        """Nobody reads half of it, nor anybody else any of it."""
        path = os.path.join(self._folder, name)
        unfinished = f"{path}.{os.urandom(4).hex()}"
        made = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(made, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
        self._written[name] = text


def told_by(plane: str, settings: Settings) -> Endpoint:
    """What a plane of this host says of its endpoint, once it says it."""
    end = monotonic() + TELLING
    while (said := _told(settings, plane)) is None:
        if monotonic() > end or not plane or not is_up(plane):
            return Endpoint(
                refused="the plane says nothing of an endpoint",
                next="look at .drumline/logs/plane.log",
            )
        sleep(PACE)
    return said


def _told(settings: Settings, plane: str) -> Endpoint | None:
    """What is written, unless a plane that is gone wrote it."""
    try:
        said = json.loads(_read(os.path.join(state_folder(settings), ADDRESS)))
        return Endpoint(**said) if said.pop("plane") == plane else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(LONGEST_TOLD).decode("utf-8")
