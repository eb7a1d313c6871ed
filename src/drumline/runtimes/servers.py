"""MCP servers as a member's CLI is given them, and whether one of them answers.

Each is described in a file that the member can read and not change. The CLI starts our small script with
that file, so that what a registration keeps in variables stands on no command line and in no tool's
environment. It runs where the member runs, held by the same layers.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drumline.runtimes import bounded
from drumline.runtimes.looking import tied
from drumline.runtimes.runtime import Given
from drumline.team.confinement import Confinement
from drumline.team.server import Server

ANSWERS_IN = 20.0  # seconds; some are fetched before they start
LINGERING = 5.0  # seconds more until all of it is ended from outside
MOST = 64 * 1024  # bytes
SHOWN = 500
START, ASK = (
    (sys.executable, "-I", "-S", str(Path(__file__).with_name(f"{name}.py")))
    for name in ("server_start", "handshake")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Where a server is asked: what holds it, its folder, and what its starter sees."""

    confinement: Confinement
    folder: Path
    variables: Mapping[str, str]


def put(folder: Path, server: Server, variables: Mapping[str, str], *, needed: bool) -> Given:
    """Describe a server, its variables filled in, in a file of this folder; how it is started."""
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{server.name}.json"
    words = () if server.url else (*START, str(file))
    told = {
        "start": words,
        "words": server.reached,
        "variables": {**variables, **server.variables},
        "url": server.url,
        "headers": dict(server.headers),
    }
    write(file, told)
    return Given(
        name=server.name,
        file=file,
        words=words,
        url=server.url,
        headers=server.headers,
        needed=needed,
    )


def write(file: Path, told: object) -> None:
    """Write a file whole, for nobody but us and who lives in our name."""
    made = file.with_name(f".{file.name}.{os.getpid()}")
    made.touch(mode=0o600)
    made.write_text(json.dumps(told), "utf-8")
    made.replace(file)


def unanswered(given: Given, room: Room, seconds: float = ANSWERS_IN) -> str:
    """Why a server cannot be used, seen by starting or calling it; empty where it answers."""
    script = [*ASK, str(given.file), str(seconds)]
    done = bounded.run(
        bounded.Command(
            argv=[*tied(room.confinement), *script],
            folder=room.folder,
            environ=room.variables,
            seconds=seconds + LINGERING,
            most=MOST,
        )
    )
    return _why(done)


def _why(done: bounded.Done) -> str:
    try:
        told = json.loads(done.out)
        why = "" if told["ok"] is True else str(told["why"])
    except (ValueError, LookupError, TypeError, RecursionError):
        said = done.cut or done.err.decode("utf-8", "replace").strip() or f"exit {done.code}"
        why = f"it could not be asked: {said}"
    return "".join(each if each.isprintable() else " " for each in why)[:SHOWN]
