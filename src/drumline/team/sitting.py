"""A sitting: a session of an agent CLI that a person opened for a member, by hand."""

import re
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team.text import PATTERN_CAP, checked_line

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class Sitting(NamedTuple):
    """Who sits in which session, and where; good for the incarnation the member was in."""

    session: str
    runtime: str
    member: str
    incarnation: int
    cwd: str = ""
    by: str = ""


def checked_sitting(sitting: Sitting) -> Sitting:
    """The sitting itself, or a refusal of what no agent CLI would call its session."""
    if not _SESSION.fullmatch(sitting.session):
        raise BadInput(
            f"{sitting.session[:80]!r} is not a session",
            why="a session is named by 1 to 128 letters, digits, dots, dashes and underscores",
            next="give the id that the agent CLI shows, in Claude Code: /status",
        )
    checked_line(sitting.cwd, "the folder", cap=PATTERN_CAP, empty=True)
    return sitting
