"""What code given to an interpreter does, told from its text alone."""

from __future__ import annotations

from drumline.team.shell.code_arguments import given_to
from drumline.team.shell.code_calls import may_change
from drumline.team.shell.code_follow import walk
from drumline.team.shell.code_language import LANGUAGES
from drumline.team.shell.code_lexer import TooLong
from drumline.team.shell.code_reading import UNTOLD_CODE, Reading
from drumline.team.shell.code_strings import Unreadable
from drumline.team.shell.code_tokens import tokens_of
from drumline.team.shell.code_tree import nested
from drumline.team.shell.code_values import UNKNOWN
from drumline.team.shell.effect import MARKS, undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_arguments import Given
    from drumline.team.shell.code_language import Language
    from drumline.team.shell.code_tree import Node
    from drumline.team.shell.code_values import Value
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_ROUNDS = 5
_STEPS = 10_000  # tokens that all rounds together may take
_DEEPEST = 6


def effects_of_code(
    text: str, language: str, scene: Scene, given: Given | None = None
) -> list[Effect]:
    """What this code does to files, programs and its environment; what it only says is nothing."""
    if text.strip() and not text.strip(MARKS + " \t\n;"):
        return [undecided(UNTOLD_CODE)]
    cut = LANGUAGES.get(language)
    if cut is None:
        return _by_commands(text, language, scene)
    try:
        tokens = tokens_of(text, cut)
    except Unreadable:
        return [undecided("inline code cannot be read")]
    except TooLong:
        return [undecided("inline code is too long to be told")]
    reading = Reading(cut, scene)
    reading.evaluate = _Nested(reading, cut)
    nodes = nested(tokens, cut)
    reading.given = given_to(text, nodes, cut.name, given)
    _follow(reading, nodes, min(_ROUNDS, max(2, _STEPS // (len(tokens) + 1))))
    return reading.all_effects()


def _follow(reading: Reading, nodes: Sequence[Node], rounds: int) -> None:
    """Follow the code until its names settle; those that do not are given up in the end."""
    for left in reversed(range(rounds)):
        reading.begin()
        walk(reading, nodes)
        if reading.names.settle() or not may_change(reading):
            return
        if left in {1, 2}:
            reading.names.freeze(all_of_them=left == 1)
    reading.add(undecided("inline code goes in circles that cannot be told"))


def _by_commands(text: str, language: str, scene: Scene) -> list[Effect]:
    """Languages whose code is words rather than calls; loaded only when one of them is read."""
    from drumline.team.shell import code_lisp, code_powershell, code_tcl

    readers = {
        "lisp": code_lisp.effects_of_lisp,
        "powershell": code_powershell.effects_of_powershell,
        "tcl": code_tcl.effects_of_tcl,
    }
    if language in readers:
        return readers[language](text, scene)
    return [undecided("inline code is in a language that cannot be read")]


class _Nested:
    """Code inside code: an evaluated text, or what fills a string."""

    __slots__ = ("_depth", "_language", "_reading")

    def __init__(self, reading: Reading, language: type[Language]) -> None:
        self._reading, self._language, self._depth = reading, language, 0

    def __call__(self, text: str) -> Value:
        if self._depth >= _DEEPEST:
            self._reading.cannot_tell(UNTOLD_CODE)
            return UNKNOWN
        try:
            nodes = nested(tokens_of(text, self._language), self._language)
        except (Unreadable, TooLong):
            self._reading.cannot_tell("inline code cannot be read")
            return UNKNOWN
        self._depth += 1
        found = walk(self._reading, nodes, "(")
        self._depth -= 1
        return found.positional[0] if len(found.positional) == 1 else UNKNOWN
