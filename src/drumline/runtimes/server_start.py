"""Become an MCP server that a file describes: its words, and an environment that is its own alone.

A script for an agent CLI to start: neither a command line nor a tool's environment shows what is in the
file. It stands in the member's confinement already, and loads nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

LIFE = "DRUMLINE_LIFE"  # by which leftovers are found
NOT_STARTED = 126


def become(file: str) -> NoReturn:
    """Become the server."""
    with open(file, encoding="utf-8") as told:  # noqa: PTH123 - every start would pay for pathlib
        server = json.load(told)
    words = [str(word) for word in server["words"]]
    variables = {str(name): str(value) for name, value in server["variables"].items()}
    if LIFE in os.environ:
        variables[LIFE] = os.environ[LIFE]
    try:
        os.execvpe(words[0], words, variables)  # noqa: S606 - no shell is the point
    except OSError as error:
        sys.stderr.write(f"{words[0]} cannot be started: {error.strerror}\n")
        sys.exit(NOT_STARTED)


if __name__ == "__main__":
    become(sys.argv[1])
