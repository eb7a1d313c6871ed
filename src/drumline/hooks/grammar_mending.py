"""Where the grammar takes more for one command than is: around a redirection, it is put right.

`a=1 2> f` and the line behind it are one command for it, whose `a` ends with it, and so are the end of a longer
pipeline and a line with a redirection: what should have ended there is ended by a word or a sign, and the whole is
read again. And what it redirects or pipes may be the last of a list alone.
"""

from __future__ import annotations

from drumline.team.shell.syntax import Chain, Group, Pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from drumline.team.shell.syntax import Step

NOTHING = "\ufdd8"  # the name of a command that is none
_ENDED, _BARE_ENDED = b";", f" {NOTHING}".encode()
_WORD_ENDED = b"'';"  # behind a word that it takes for an operator
_OPERATORS = frozenset({"==", "=~"})
_TRIES = 8  # what an error hides is seen once that one is mended
_REDIRECTS = frozenset({"file_redirect", "herestring_redirect"})
_PREFIXES = _REDIRECTS | {"variable_assignment"}
_OF_ONE_LINE = _REDIRECTS | {
    "command",
    "declaration_command",
    "unset_command",
    "redirected_statement",
}
_SEPARATORS = frozenset({";", "&&", "||", "|", "|&", "&"})


def mended(source: bytes, parse: Callable[[bytes], Node]) -> tuple[bytes, Node]:
    """The text with such words and signs in it, and its tree."""
    root = parse(source)
    redirected = b"<" in source or b">" in source
    joined = b"==" in source or b"=~" in source  # behind these it looks for more on the next line
    may_be = (redirected and (b"=" in source or b"\n" in source)) or (joined and b"\n" in source)
    for _ in range(_TRIES if may_be else 0):
        ends = dict(_ends(root))
        if not ends:
            break
        pieces, at = [], 0
        for end in sorted(ends):
            pieces += [source[at:end], ends[end]]
            at = end
        source = b"".join([*pieces, source[at:]])
        root = parse(source)
    return source, root


def _ends(root: Node) -> Iterator[tuple[int, bytes]]:
    """Where commands end that go on for the grammar, and with what."""
    todo = [root]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.type in _OF_ONE_LINE:
            yield from _end_of(node.children)


def _end_of(children: list[Node]) -> Iterator[tuple[int, bytes]]:
    """The first place where a command should have ended, if there is one."""
    prefix = True  # nothing but assignments and redirections so far
    redirected = False
    last: Node | None = None
    for child in children:
        if last is not None and (_cuts(child) or last.end_point[0] != child.start_point[0]):
            if last.type in _OPERATORS:
                yield last.end_byte, _WORD_ENDED
            elif not _is_empty(child) or redirected:
                yield last.end_byte, _BARE_ENDED if prefix else _ENDED
            return
        if _is_empty(child):
            if prefix and redirected and last is not None:
                yield last.end_byte, _BARE_ENDED
            return
        prefix = prefix and child.type in _PREFIXES
        redirected = redirected or child.type in _REDIRECTS
        last = child


def _cuts(child: Node) -> bool:
    if child.type == "ERROR":
        return (child.text or b"").decode(errors="replace").strip() in _SEPARATORS
    return child.type == "comment"


def _is_empty(child: Node) -> bool:
    return child.start_byte == child.end_byte


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
