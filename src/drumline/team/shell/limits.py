"""How far a script is followed: far enough for what people write, and never for long."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.state import Shell
    from drumline.team.shell.syntax import Script

MOST_STEPS = 3_000
MOST_LETTERS = 60_000  # of text read again on the way: eval, sh -c, here-documents into a shell
MOST_EFFECTS = 300
MOST_TRAPS = 8
DEEPEST = 24


class TooMuch(Exception):
    """A script that would take too long to follow."""


class Budget:
    """How much following is left, shared by all scripts within one command."""

    __slots__ = ("files", "found", "left", "letters", "scripts", "traps")

    def __init__(self) -> None:
        self.left, self.letters = MOST_STEPS, MOST_LETTERS
        # of text that was read: what stands in them is the same again
        self.scripts: dict[str, Script] = {}
        self.files = 0  # substitutions that look like files
        self.traps: list[tuple[Shell, str]] = []
        self.found: list[Effect] = []
