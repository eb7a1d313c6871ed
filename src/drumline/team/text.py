"""Words from outside: what may be kept, and how long it may be.

Agents' text is hostile until checked: control characters can rewrite a terminal, a NUL or a lone
surrogate cannot be stored, and a relay of ten megabytes is a file, not a message.
"""

import re

from drumline.errors import BadInput

TITLE_CAP = 200
BODY_CAP = 64_000
PATTERN_CAP = 500
LIST_CAP = 500
FILES_CAP = 100

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = r"[\ud800-\udfff]"  # compiled where it is needed: it is rare, and starts are many
NAME_SHAPE = (
    r"(?!.*\.\.)(?!.*\.lock$)[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?"  # git has a branch for it
)
_NAME = re.compile(NAME_SHAPE)

WRITE_TO_A_FILE = "write it to a file and send the reference"


def checked(text: str, what: str, *, cap: int, empty: bool = False) -> str:
    """The text itself, or a refusal that says where it cannot be kept."""
    # most text is one line of words: nothing that is looked for below counts as printable
    if text.isprintable() and len(text) <= cap and (empty or text.strip()):
        return text
    if not text.isascii() and (bad := re.search(_SURROGATE, text)):
        raise BadInput(
            f"{what} is not valid UTF-8 at character {bad.start() + 1}",
            why="text is stored as UTF-8",
            next="send text, or put the bytes in a file and name the file",
        )
    if bad := _CONTROL.search(text):
        raise BadInput(
            f"{what} has the control character {ord(bad[0]):#04x} at character {bad.start() + 1}",
            why="only text, tabs and line ends can be kept and shown safely",
            next="remove it, or put the bytes in a file and name the file",
        )
    if len(text) > cap:
        raise BadInput(
            f"{what} has {len(text):,} characters, the cap is {cap:,}",
            why="long text would be copied into every reader's context",
            next=WRITE_TO_A_FILE,
        )
    if not empty and not text.strip():
        raise BadInput(
            f"{what} is empty",
            why="nobody could tell what is meant",
            next=f"give {what} some words",
        )
    return text


def checked_line(text: str, what: str, *, cap: int = TITLE_CAP, empty: bool = False) -> str:
    """Text that must stay on one line."""
    if "\n" in text or "\r" in text:
        raise BadInput(
            f"{what} has more than one line",
            next="keep it to one line; the rest belongs in the body",
        )
    return checked(text, what, cap=cap, empty=empty)


def is_name(text: str) -> bool:
    """Whether text can name a team, a member or a profile."""
    return _NAME.fullmatch(text) is not None


def checked_name(text: str, what: str) -> str:
    """A name that is safe as a file, branch and recipient."""
    if not is_name(text):
        raise BadInput(
            f"{what} {text[:80]!r} is not a name",
            why="a name is 1 to 64 of a-z 0-9 . _ - without .. or .lock at its end, and begins and ends"
            " with a letter or digit",
            next="choose another name",
        )
    return text


def one_line(text: str, cap: int) -> str:
    """Anybody's words as one line that can be kept: cut where they are long, and without what cannot be."""
    words = " ".join(re.sub(_SURROGATE, "\ufffd", _CONTROL.sub(" ", text)).split())
    return words if len(words) <= cap else f"{words[: cap - 1]}…"
