"""Tokens put into their brackets."""

from __future__ import annotations

from drumline.team.shell.code_lexer import END, MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from drumline.team.shell.code_language import Language
    from drumline.team.shell.code_lexer import Token

    Node = tuple[str, Any]  # a token, or a group with its bracket and its nodes

GROUP = "group"
MEMBER_MARKS = frozenset({".", "?.", "->", "::", "&."})
_GOES_ON = MEMBER_MARKS | {"|>", "&&", "||", "+", "??"}


def nested(tokens: Sequence[Token], language: type[Language]) -> list[Node]:
    """The tokens as a tree of bracketed groups; a bracket too many or too few is let pass."""
    stack: list[tuple[str, list[Node]]] = [("", [])]
    for place, token in enumerate(tokens):
        kind, content = token
        opener, nodes = stack[-1]
        if kind == MARK and content in {"(", "[", "{"}:
            stack.append((content, []))
        elif kind == MARK and content in {")", "]", "}"}:
            if len(stack) > 1:
                stack.pop()
                stack[-1][1].append((GROUP, (opener, nodes)))
        elif kind != END or _ends(tokens, place, (opener, nodes), language):
            nodes.append(token)
    while len(stack) > 1:
        opener, nodes = stack.pop()
        stack[-1][1].append((GROUP, (opener, nodes)))
    return stack[0][1]


def _ends(
    tokens: Sequence[Token],
    place: int,
    around: tuple[str, list[Node]],
    language: type[Language],
) -> bool:
    """Whether a line's end is also a statement's."""
    opener, nodes = around
    if tokens[place][1] == ";":
        return True
    if opener in {"(", "["} or (opener and language.ends_lines):
        return False
    if language.ends_lines:
        return True
    following = tokens[place + 1] if place + 1 < len(tokens) else (END, "")
    if following[0] == MARK and following[1] in _GOES_ON:
        return False
    return not (nodes and nodes[-1][0] == MARK)


def words_of(nodes: Sequence[Node]) -> list[str]:
    """The first word of each item between commas, with a star when it takes all that are left."""
    found: list[str] = []
    fresh, star = True, ""
    for kind, content in nodes:
        if kind == MARK and content == ",":
            fresh, star = True, ""
        elif kind == MARK and content in {"*", "..."}:
            star = "*"
        elif kind == "word" and fresh:
            found.append(star + content)
            fresh = False
    return found
