"""Words given on the command line or, when they are `-`, on stdin."""

import sys

from drumline.errors import BadInput

LONGEST = 1_000_000


def words(text: str) -> str:
    """The text itself, or what stdin holds: bounded, and text."""
    if text != "-":
        return text
    raw = on_stdin(LONGEST)
    if len(raw) > LONGEST:
        raise BadInput(
            f"stdin has more than {LONGEST:,} bytes",
            why="long text would be copied into every reader's context",
            next="write it to a file and send the reference",
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"stdin is not UTF-8 at byte {error.start + 1}",
            why="text is stored as UTF-8",
            next="send text, or put the bytes in a file and name the file",
        ) from None


def on_stdin(most: int) -> bytes:
    """What stdin holds: at most one byte more than asked for."""
    if sys.stdin is None:
        raise BadInput(
            "there is no stdin to read",
            why="it was closed before this command began",
            next="give the words themselves",
        )
    return sys.stdin.buffer.read(most + 1)
