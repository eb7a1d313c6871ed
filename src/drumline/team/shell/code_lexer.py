"""Where the reading of a piece of code stands, and the kinds of tokens it gives."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from drumline.team.shell.code_language import Language

    Token = tuple[str, Any]

WORD, TEXT, SHELL, WORDS, PATTERN, NUMBER, MARK, END, CODE = (
    "word text shell words pattern number mark end code".split()
)
MOST_TOKENS = 5000
# after these words a value begins, so that `/` opens a pattern and `%` a string
_BEFORE_VALUES = frozenset(
    "return typeof case in of if elsif unless and or not while until split grep map puts print when"
    " do else then void delete yield x eq ne p pp push join".split()
)
_CONSTANTS = frozenset({TEXT, NUMBER, SHELL, WORDS, PATTERN})


class TooLong(Exception):
    """The code has more tokens than we follow."""


class Lexer:
    """Where the reading of one text stands."""

    __slots__ = ("at", "fails", "here", "language", "no_pattern_before", "text", "tokens")

    def __init__(self, text: str, language: type[Language]) -> None:
        self.text, self.language = text, language
        self.at = 0
        self.tokens: list[Token] = []
        self.here = -1  # where the line after the bodies of here-documents begins
        self.no_pattern_before = -1
        self.fails = 0

    def follows_value(self) -> bool:
        """Whether what was read last can be an operand's end."""
        if not self.tokens:
            return False
        kind, content = self.tokens[-1]
        if kind == MARK:
            return content in {")", "]", "}"}
        return kind in _CONSTANTS or (kind == WORD and content not in _BEFORE_VALUES)

    def add(self, kind: str, content: object, at: int) -> None:
        self.tokens.append((kind, content))
        self.at = at
