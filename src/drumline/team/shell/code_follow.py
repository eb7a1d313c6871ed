"""Follow code from statement to statement, and note what its calls do.

Every branch is taken once. A name keeps the last value it was given, or, inside a block, every value
it was given: the code is followed again until that changes no more.
"""

from __future__ import annotations

from drumline.team.shell.code_arguments import taken
from drumline.team.shell.code_calls import called, indexed, member, starts_call, uncalled
from drumline.team.shell.code_clause import Clause
from drumline.team.shell.code_lexer import (
    CODE,
    END,
    MARK,
    NUMBER,
    PATTERN,
    SHELL,
    TEXT,
    WORD,
    WORDS,
)
from drumline.team.shell.code_reading import IDENTITIES, UNTOLD_CODE
from drumline.team.shell.code_starts import start_constant
from drumline.team.shell.code_tree import GROUP, MEMBER_MARKS
from drumline.team.shell.code_values import (
    UNKNOWN,
    Arguments,
    Value,
    concatenated,
    letters,
    list_value,
    name_value,
    text_value,
)
from drumline.team.shell.code_words import OPERATOR_WORDS, keyword
from drumline.team.shell.effect import MARKS, undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from drumline.team.shell.code_reading import Reading
    from drumline.team.shell.code_strings import Part
    from drumline.team.shell.code_tree import Node

_DEEPEST = 40
_MOST_PARTS = 400
_LITERALS = frozenset("True False true false TRUE FALSE None null nil undefined NULL".split())
_ENDS_ARGUMENTS = frozenset(
    "or and if unless for foreach while until do then rescue end else elsif".split()
)
_ENDS_ARGUMENT_MARKS = frozenset({"||", "&&", "?", "|>", ">>=", "=="})


def walk(reading: Reading, nodes: Sequence[Node], inside: str = "") -> Arguments:
    """Follow nodes in their order; what stands between the commas, as a call would see it."""
    clause = Clause(reading, inside)
    if reading.depth >= _DEEPEST:
        reading.add(undecided("inline code is nested too deeply to be told"))
        return clause.found
    reading.depth += 1
    at = 0
    while at < len(nodes):
        at = _step(clause, nodes, at)
    clause.close()
    reading.depth -= 1
    return clause.found


def _step(clause: Clause, nodes: Sequence[Node], at: int) -> int:
    kind, content = nodes[at]
    if kind == END:
        clause.end(content)
        return at + 1
    if kind == MARK:
        clause.mark(content, nodes, at)
        return at + 1
    if kind == WORD and content in clause.reading.language.keywords:
        return keyword(clause, nodes, at, chain)
    if kind == WORD and content in OPERATOR_WORDS:
        clause.operator(content)
        return at + 1
    at, value, bare = chain(clause.reading, nodes, at)
    if clause.reading.piped is not None and value.kind in {"name", "method"}:
        value = called(clause.reading, value, Arguments())
    clause.add(value, bare)
    return at


def chain(reading: Reading, nodes: Sequence[Node], at: int) -> tuple[int, Value, str]:
    """One operand with all that hangs on it: members, calls, indexes; and its name if it is bare."""
    value, bare = _primary(reading, nodes, at)
    at += 1
    while at < len(nodes):
        after, next_value = _trailer(reading, nodes, at, value)
        if after == at:
            break
        at, value, bare = after, next_value, ""
    if nodes[at : at + 1] not in ([(MARK, "=")], [(MARK, "=>")]):
        value = uncalled(reading, value)
    return at, value, bare


def _primary(reading: Reading, nodes: Sequence[Node], at: int) -> tuple[Value, str]:
    kind, content = nodes[at]
    if kind == WORD:
        return _named(reading, content, _begins(nodes, at)), content
    if kind == TEXT:
        return _text(reading, content), ""
    if kind == GROUP:
        return _group(reading, *content)
    if kind == CODE:
        return reading.evaluate(content), ""
    return _constant(reading, kind, content), ""


def _constant(reading: Reading, kind: str, content: Any) -> Value:
    if kind == SHELL:
        start_constant(reading, letters(_text(reading, content)))
    elif kind == WORDS:
        return list_value([text_value(word) for word in content])
    elif kind == NUMBER:
        return Value("number", content)
    return UNKNOWN


def _begins(nodes: Sequence[Node], at: int) -> bool:
    """Whether a statement begins here, or what stands here is called."""
    following = nodes[at + 1] if at + 1 < len(nodes) else (END, "")
    called_here = following[0] == GROUP and following[1][0] == "("
    return called_here or at == 0 or nodes[at - 1][0] == END


def _named(reading: Reading, word: str, begins: bool) -> Value:  # noqa: FBT001 - one caller
    if any(mark in word for mark in MARKS):
        if begins and reading.depth <= 1:
            reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    if word in _LITERALS:
        return Value("number", word)
    if word in reading.tables.environments:
        return name_value(word)
    if word[:1] in {"$", "@", "%"} and word[0] in reading.language.sigils:
        return reading.names.get(word.lstrip("$@%"), UNKNOWN)
    if reading.language.name in {"perl", "php"}:
        return name_value(word)
    return reading.names[word] if word in reading.names else _special_name(reading, word)


def _special_name(reading: Reading, word: str) -> Value:
    if word == "__dirname":
        return Value("path", reading.scene.cwd)
    return name_value(word)


def _text(reading: Reading, parts: Sequence[Part]) -> Value:
    """A string, with what fills it as far as that is known."""
    if len(parts) > _MOST_PARTS:
        reading.cannot_tell(UNTOLD_CODE)
        return UNKNOWN
    values = [
        text_value(part) if isinstance(part, str) else _filling(reading, part[0]) for part in parts
    ]
    if len(values) == 1 and values[0].kind == "text":
        if values[0].text.startswith(IDENTITIES):
            reading.mentions[values[0].text] = None
        return values[0]
    return concatenated([text_value(""), *values])


def _filling(reading: Reading, code: str) -> Value:
    """What stands where code or a variable fills a string."""
    name = code.lstrip("$@")
    if name.isidentifier():
        return reading.names.get(name, UNKNOWN)
    return reading.evaluate(code if "$" in reading.language.sigils else name)


def _group(reading: Reading, opener: str, nodes: Sequence[Node]) -> tuple[Value, str]:
    found = walk(reading, nodes, opener)
    if opener == "{":
        if found.positional and not found.named:
            return list_value(found.positional), ""
        return Value("map", pairs=found.named), ""
    if opener == "[":
        return list_value(found.positional), ""
    bare = nodes[0][1] if nodes and nodes[0][0] == WORD else ""
    if len(found.positional) == 1 and not _is_tuple(nodes):
        return found.positional[0], bare
    if reading.language.sequence_is_last and found.positional:
        return found.positional[-1], bare
    return list_value(found.positional), bare


def _is_tuple(nodes: Sequence[Node]) -> bool:
    return bool(nodes) and nodes[-1] == (MARK, ",")


def _trailer(reading: Reading, nodes: Sequence[Node], at: int, value: Value) -> tuple[int, Value]:
    """What hangs on an operand at this place; the same place when nothing does."""
    kind, content = nodes[at]
    if kind == MARK and content in MEMBER_MARKS and at + 1 < len(nodes):
        return _member(reading, nodes, at, value)
    if kind == GROUP:
        after, found = _bracket(reading, nodes, at, value)
        if after > at:
            return after, found
    if kind == TEXT and reading.language.tagged and value.kind in {"name", "method"}:
        args = Arguments()
        args.positional = [_text(reading, content)]
        return at + 1, called(reading, value, args)
    if reading.language.parenless and kind not in {MARK, END} and starts_call(reading, value):
        return _without_brackets(reading, nodes, at, value)
    return at, value


def _member(reading: Reading, nodes: Sequence[Node], at: int, value: Value) -> tuple[int, Value]:
    kind, content = nodes[at + 1]
    if nodes[at][1] == "." and "." in reading.language.joins and kind != WORD:
        return at, value
    if kind == GROUP:
        return _bracket(reading, nodes, at + 1, value)
    if kind == WORD and not (reading.language.name == "perl" and nodes[at][1] == "."):
        settled = value if value.kind != "method" else uncalled(reading, value)
        found = member(reading, settled, content)
        if nodes[at + 2 : at + 3] == [(MARK, "=")]:
            settled.forget()
        return at + 2, found
    if kind == MARK and content == "!" and reading.language.name == "scala":
        return at + 2, uncalled(reading, Value("method", "!", [value]))
    return at, value


def _bracket(reading: Reading, nodes: Sequence[Node], at: int, value: Value) -> tuple[int, Value]:
    opener, inner = nodes[at][1]
    if opener == "(":
        args = walk(reading, inner, "call")
        return at + 1, called(reading, value, args)
    if opener == "[":
        keys = walk(reading, inner, "[")
        found = taken(reading.given, value, inner) or indexed(
            reading, uncalled(reading, value), keys
        )
        if nodes[at + 1 : at + 2] == [(MARK, "=")]:
            value.forget()
        return at + 1, found
    if reading.language.name != "perl" or value.kind not in {"name", "map", "unknown"}:
        return at, value
    if value.kind == "name" and not value.text.startswith(("$", "%")):
        return at, value
    return at + 1, indexed(reading, value, _key(reading, inner))


def _key(reading: Reading, nodes: Sequence[Node]) -> Arguments:
    """A key in braces, where a bare word is text."""
    if len(nodes) == 1 and nodes[0][0] == WORD and not nodes[0][1].startswith(("$", "@")):
        found = Arguments()
        found.positional = [text_value(nodes[0][1])]
        return found
    return walk(reading, nodes, "[")


def _without_brackets(
    reading: Reading, nodes: Sequence[Node], at: int, value: Value
) -> tuple[int, Value]:
    """A call whose arguments go on to the end of the statement."""
    end = at
    while end < len(nodes) and not _ends_arguments(nodes[end]):
        end += 1
    if end == at:
        return at, value
    inside = "apart" if reading.language.juxtaposed else "call"
    return end, called(reading, value, walk(reading, nodes[at:end], inside))


def _ends_arguments(node: Node) -> bool:
    kind, content = node
    if kind == MARK:
        return content in _ENDS_ARGUMENT_MARKS
    return kind in {END, PATTERN} or (kind == WORD and content in _ENDS_ARGUMENTS)
