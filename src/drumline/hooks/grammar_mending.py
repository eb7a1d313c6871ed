"""Where the grammar takes more for one command than is: around a redirection, it is put right.

`a=1 2> f` and the line behind it are one command for it, whose `a` ends with it: a word is put in where it
should have ended, and the whole is read again. And what it redirects or pipes may be the last of a list alone.
"""

from __future__ import annotations

from drumline.team.shell.syntax import Chain, Group, Pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from drumline.team.shell.syntax import Step

NOTHING = "\ufdd8"  # the name of a command that is none
_PUT_IN = f" {NOTHING}".encode()
_TRIES = 3  # what an error hides is seen once that one is mended
_PREFIXES = frozenset({"variable_assignment", "file_redirect", "herestring_redirect"})


def mended(source: bytes, parse: Callable[[bytes], Node]) -> tuple[bytes, Node]:
    """The text with such words in it, and its tree."""
    root = parse(source)
    may_be = b"=" in source and (b"<" in source or b">" in source)
    for _ in range(_TRIES if may_be else 0):
        ends = sorted(_ends(root))
        if not ends:
            break
        pieces = [source[a:b] for a, b in zip([0, *ends], [*ends, len(source)], strict=True)]
        source = _PUT_IN.join(pieces)
        root = parse(source)
    return source, root


def _ends(root: Node) -> Iterator[int]:
    """Where commands end that have no name."""
    todo = [root]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.type == "command":
            end = _end_without_name(node.children)
            if end:
                yield end


def _end_without_name(children: list[Node]) -> int:
    before: list[Node] = []
    cut = False
    for child in children:
        if child.type == "command_name":
            kinds = {each.type for each in before}
            nameless = (
                child.start_byte == child.end_byte or cut or _is_on_another_line(before, child)
            )
            return before[-1].end_byte if len(kinds) > 1 and nameless else 0
        if child.type in _PREFIXES:
            before.append(child)
        cut = cut or child.type in {"ERROR", "comment"}
    return 0


def _is_on_another_line(before: list[Node], name: Node) -> bool:
    return bool(before) and before[-1].end_point[0] != name.start_point[0]


def as_one(steps: Sequence[Step]) -> Step:
    """Steps one after another as one."""
    return steps[0] if len(steps) == 1 else Group([tuple(steps)])


def piped(first: Step, others: list[Step]) -> Step:
    """A pipeline; of a list or pipeline before the bar, which the grammar takes whole, it begins with the last."""
    if not others:
        return first
    if isinstance(first, Chain):
        *links, (sign, last) = first.links
        return Chain(first.first, [*links, (sign, piped(last, others))])
    heads = first.steps if isinstance(first, Pipeline) else (first,)
    return Pipeline([*heads, *others])
