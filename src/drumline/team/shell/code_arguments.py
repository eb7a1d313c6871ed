"""The words a script is given, where its code does no more than read them.

Code can change the list they stand in, in more ways than are worth following: where it may do so,
nothing is known of them.
"""

from __future__ import annotations

from drumline.team.shell.code_lexer import END, MARK, NUMBER, TEXT, WORD
from drumline.team.shell.code_tree import GROUP, MEMBER_MARKS
from drumline.team.shell.code_values import UNKNOWN, Value, either, list_value, text_value
from drumline.team.shell.effect import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_tree import Node

_LIST = "argv"
_HOLDERS = {"python": "sys.argv", "javascript": "process.argv"}
# what reaches a thing by a name that is text, or runs such text
_REACHES = {
    "python": (
        *("attr", "__dict__", "vars", "exec", "eval", "execfile", "argv as", "def len", "as len"),
        *("len=", "len =", "len:", "reversed", "sorted", "set(", ".lower", ".casefold", ".remove"),
        *("strip('", 'strip("', "import gc", "get_objects", "get_refer"),
    ),
    "javascript": ("process[", "process?.[", "Object", "Reflect", "eval", "Function", "vm"),
}
_COMPARES = frozenset({"==", "!=", "<=", ">=", "===", "!==", "=>"})
_COUNTS = frozenset({"++", "--"})
_MOST_DIGITS = 3
_DEEPEST = 40
_MOST_MENTIONS = 64


class Given:
    """A script's words, and the place in its list where the first of them stands."""

    __slots__ = ("first", "words")

    def __init__(self, words: Sequence[str], first: int) -> None:
        self.words, self.first = tuple(words), first


def given_to(text: str, nodes: Sequence[Node], language: str, given: Given | None) -> Given | None:
    """The words, if every mention of them in the code is known to leave them as they are."""
    if given is None or not given.words or language not in _HOLDERS or _LIST not in text:
        return None
    if any(reach in text for reach in _REACHES[language]):
        return None
    mentions = text.count(_LIST)
    return given if mentions <= _MOST_MENTIONS and _reads(nodes) == mentions else None


def _reads(nodes: Sequence[Node], depth: int = 0, *, in_brackets: bool = False) -> int:
    """How often the words are read without being changed; too deep inside nobody looks."""
    found = 0
    for at in range(len(nodes) if depth < _DEEPEST else 0):
        count = _reads_at(nodes, at, depth)
        if count and not _is_target(nodes, at, in_brackets=in_brackets):
            found += count
    return found


def _reads_at(nodes: Sequence[Node], at: int, depth: int) -> int:
    kind, content = nodes[at]
    if kind == GROUP:
        opener, inner = content
        counted = nodes[at - 1 : at] == [(WORD, "len")] and inner[-1:] == [(WORD, _LIST)]
        return _reads(inner, depth + 1, in_brackets=opener != "{") + counted
    if kind == TEXT:
        return sum(_reads_in_text(part[0]) for part in content if not isinstance(part, str))
    imported = nodes[at - 1 : at] == [(WORD, "import")]
    return int((kind, content) == (WORD, _LIST) and (imported or _is_indexed(nodes, at)))


def _reads_in_text(code: str) -> int:
    """Of what fills a string; a loop in there may change the words."""
    return 0 if " for " in code else code.count(f"{_LIST}[")


def _is_indexed(nodes: Sequence[Node], at: int) -> bool:
    after = nodes[at + 1] if at + 1 < len(nodes) else (END, "")
    return after[0] == GROUP and after[1][0] == "["


def _is_target(nodes: Sequence[Node], at: int, *, in_brackets: bool) -> bool:
    """Whether what stands here, or something in it, may be given a value or taken away."""
    start = at
    while start > 0 and nodes[start - 1][0] != END:
        start -= 1
    if _takes_apart(nodes[start:at]):
        return True
    before = [content for kind, content in nodes[start:at] if kind == WORD]
    if "del" in before or "delete" in before or _is_loop_name(before):
        return True
    first = at  # where the chain begins that it ends, as `sys` does for `sys.argv`
    while first > start and (nodes[first - 1][0] == WORD or _joins(nodes[first - 1])):
        first -= 1
        if nodes[first] == (WORD, "as"):
            return True
    return _is_assigned(nodes, at + 1, in_brackets=in_brackets)


def _takes_apart(before: Sequence[Node]) -> bool:
    """Whether several names are given values here: which of them gets which is not followed."""
    named = before[: before.index((MARK, "="))] if (MARK, "=") in before else ()
    return any(node == (MARK, ",") or node[0] == GROUP for node in named)


def _joins(node: Node) -> bool:
    return node[0] == MARK and node[1] in MEMBER_MARKS


def _is_loop_name(before: Sequence[str]) -> bool:
    """Whether this stands where a loop names what it goes through."""
    if "for" not in before:
        return False
    behind = before[len(before) - before[::-1].index("for") :]
    return "in" not in behind and "of" not in behind


def _is_assigned(nodes: Sequence[Node], at: int, *, in_brackets: bool) -> bool:
    for kind, content in nodes[at:]:
        if kind == END or (in_brackets and (kind, content) == (MARK, ",")):
            return False
        if kind == MARK and content in _COUNTS:
            return True
        if kind == MARK and content.endswith("=") and content not in _COMPARES:
            return True
    return False


def taken(given: Given | None, value: Value, inner: Sequence[Node]) -> Value | None:
    """What `sys.argv[1]` or `sys.argv[1:]` stands for; None for what is no such thing."""
    if given is None or value.kind != "name" or value.text not in _HOLDERS.values():
        return None
    kind, number = inner[0] if inner else (END, "")
    if kind != NUMBER or not number.isdecimal() or len(number) > _MOST_DIGITS:
        return None
    place = int(number) - given.first
    if place < 0:
        return None
    items = _items(given.words)
    if len(inner) == 1:
        return items[place] if place < len(items) else UNKNOWN
    return list_value(items[place:]) if inner[1:] == [(MARK, ":")] and items[place:] else None


def _items(words: Sequence[str]) -> list[Value]:
    """From a word that is not wholly known on, each may be any: it may have been several words."""
    told = next((place for place, word in enumerate(words) if not known(word)), len(words))
    rest = either(map(text_value, words[told:])) if words[told:] else UNKNOWN
    return [*map(text_value, words[:told]), *([rest] * len(words[told:]))]
