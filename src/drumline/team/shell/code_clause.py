"""What stands between two separators while code is followed."""

from __future__ import annotations

from drumline.team.shell.code_calls import argument_spread
from drumline.team.shell.code_lexer import MARK, WORD
from drumline.team.shell.code_tree import GROUP, words_of
from drumline.team.shell.code_values import (
    UNKNOWN,
    Arguments,
    Value,
    below,
    concatenated,
    either,
    letters,
    name_value,
    text_value,
    told,
    with_holes,
)
from drumline.team.shell.effect import changed_identity, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_reading import Reading
    from drumline.team.shell.code_tree import Node

_AUGMENTED = frozenset({"+=", ".=", "*=", "/=", "-=", "|=", "||=", "&&=", "??=", "%=", "//=", "<<"})
_SPREADS = frozenset({"*", "...", "@"})
_SILENT = frozenset({"&", "\\", "@", "$", "%", "new"})
_CHOOSING = frozenset({"if", "else", "?", "or", "||", "??"})
_FILE_CONTENTS = frozenset({"text", "bytes"})


class Clause:
    """The terms of one expression, what they are to be assigned to, and the items before it."""

    __slots__ = (
        "bares",
        "found",
        "inside",
        "key",
        "pending_operator",
        "reading",
        "targets",
        "terms",
    )

    def __init__(self, reading: Reading, inside: str) -> None:
        self.reading, self.inside = reading, inside
        self.found = Arguments()
        self.bares: list[str] = []  # names read since the statement began
        self._fresh()

    def _fresh(self) -> None:
        self.terms: list[tuple[str, Value]] = []
        self.pending_operator = ""
        self.key: str | None = None
        self.targets: list[str] = []

    def add(self, value: Value, bare: str) -> None:
        if self.terms and self.inside == "apart" and not self.pending_operator:
            self.close()
        self.terms.append((self.pending_operator, value))
        self.pending_operator = ""
        self.bares.append(bare)

    def operator(self, mark: str) -> None:
        if self.terms or mark not in _SILENT:
            self.pending_operator = mark

    def end(self, content: str) -> None:
        """A statement ends; the next line may belong to a block."""
        self.close()
        self.bares = []
        reading = self.reading
        reading.looping = False
        if reading.language.name == "python" and content != ";":
            reading.in_block = content == "\n " or reading.depth > 1
        elif reading.language.name != "python":
            reading.in_block = reading.language.loose_blocks or reading.depth > 1

    def mark(self, content: str, nodes: Sequence[Node], at: int) -> None:
        """A mark between operands: it separates, names, assigns, or joins."""
        if content == ",":
            self.close()
        elif content in {":", "=>"}:
            self._name_next(content)
        elif content == "|>":
            self.reading.piped = self._value()
            self.terms = []
        elif content in self.reading.language.assigns:
            self._assign_next(content, nodes, at)
        elif content in _AUGMENTED and self._last_bare():
            self._augment(content)
        elif content == "|" and self.reading.iterated is not None:
            self._block_names(nodes, at)
        else:
            self._other(content)

    def _other(self, content: str) -> None:
        value = self.terms[-1][1] if self.terms else UNKNOWN
        if content == "<<" and value.kind == "path":
            self.reading.add(*(wrote(path, "append") for path in self.reading.paths_of([value])))
        if content == "!" and self.reading.language.name == "scala" and self.terms:
            from_texts = [value] if value.kind in {"text", "list"} else []
            for text in from_texts:
                words = [letters(item) for item in text.items]
                self.reading.start(words or text.text)
        self.operator(content)

    def _last_bare(self) -> str:
        return self.bares[-1] if self.bares and self.terms else ""

    def _name_next(self, content: str) -> None:
        """`key: value`, `key => value`; but `a ? b : c` is one of two."""
        if any(operator == "?" for operator, _ in self.terms) or self.pending_operator == "?":
            self.operator("?")
            return
        bare = self._last_bare()
        value = self._value()
        spelled = bare and self.reading.language.bare_keys
        key = letters(value) if value.kind == "text" and not spelled else bare
        self.terms = []
        self.pending_operator = ""
        if self.inside == "" and content == ":":
            self.bares = []
            return
        self.key = key

    def _assign_next(self, content: str, nodes: Sequence[Node], at: int) -> None:
        named = self.reading.language.named_by == content and self.inside == "call"
        bare = self._last_bare()
        if named and bare:
            self.key = bare
        elif self.terms:
            self._target(self.terms[-1][1], bare, nodes, at)
            if len(self.bares) > 1:
                self._forget(self.bares[:-1])
        self.terms = []
        self.pending_operator = ""

    def _forget(self, names: Sequence[str]) -> None:
        """`a, b = …`: which of them gets what is not followed."""
        for name in names:
            if name and name not in self.targets:
                self.reading.assign(name.lstrip("$@%"), UNKNOWN)

    def _target(self, value: Value, bare: str, nodes: Sequence[Node], at: int) -> None:
        reading = self.reading
        if value.kind == "variable":
            reading.touch_variable(value.text)
        elif value.kind == "method":
            self._property_target(value)
        elif value.kind == "name" and value.text in reading.tables.environments:
            reading.add(changed_identity("*"))
        if bare:
            self.targets.append(bare)
        elif nodes[at - 1][0] == GROUP and nodes[at - 1][1][0] == "{":
            self.targets += _destructured(nodes[at - 1][1][1])

    def _property_target(self, value: Value) -> None:
        receiver = value.items[0]
        if receiver.kind == "path" and value.text in _FILE_CONTENTS:
            self.reading.add(*(wrote(path) for path in self.reading.paths_of([receiver])))

    def _augment(self, content: str) -> None:
        """`name += more`: the old value with more behind it."""
        bare = self._last_bare()
        old = self.terms[-1][1]
        self.targets.append(bare)
        joins = content[:-1] in self.reading.language.joins or content == "<<"
        self.terms = [("", old if joins else UNKNOWN)]
        self.pending_operator = next(iter(self.reading.language.joins), "+")

    def _block_names(self, nodes: Sequence[Node], at: int) -> None:
        """Ruby's `{ |name| … }` on a list: the name is each item in turn."""
        if at + 1 < len(nodes) and nodes[at + 1][0] == WORD and not self.terms:
            iterated = self.reading.iterated
            self.reading.iterated = None
            if iterated is not None and iterated.items:
                for item in iterated.items:
                    self.reading.bind(nodes[at + 1][1], item)

    def close(self) -> None:
        """One expression is complete: assign it, name it, or put it behind the others."""
        if self.terms or self.targets or self.key is not None:
            value = self._value()
            for target in self.targets:
                self._give(target, value)
            if self.key is not None:
                self.found.named[self.key] = value
            elif self.terms and self.terms[0][0] in _SPREADS and len(self.terms) == 1:
                self.found.positional += argument_spread([self.terms[0][1]])
            elif self.terms and self.terms[0][0] == "**":
                self.found.named.update(value.pairs)
            else:
                self.found.positional.append(value)
        self._fresh()

    def _give(self, target: str, value: Value) -> None:
        """A name gets a value; one of `{a: b}` gets that member of it."""
        name, sign, key = target.partition("\0")
        if sign:
            value = name_value(f"{value.text}.{key}") if value.kind == "name" else UNKNOWN
        self.reading.assign(name.lstrip("$@%"), value)

    def _value(self) -> Value:
        if not self.terms:
            return UNKNOWN
        return _combined(self.terms, self.reading)


def _combined(terms: Sequence[tuple[str, Value]], reading: Reading) -> Value:
    """Terms with their operators as one value: joined texts and paths, otherwise unknown."""
    values = [value for _, value in terms]
    if len(values) == 1:
        plain = terms[0][0] in {"", "*", "...", "**", "<", "="} or terms[0][0] in _SILENT
        return values[0] if plain else UNKNOWN
    operators = {operator for operator, _ in terms[1:]}
    if not _CHOOSING.isdisjoint(operators):
        return _chosen(terms, reading)
    if operators <= {"/"} and any(value.kind == "path" for value in values):
        return below(values[0], values[1:])
    if operators == {"%"} and values[0].kind == "text":
        return text_value(with_holes(values[0].text, "%"))
    joins = set(reading.language.joins) | ({""} if reading.language.adjacent else set())
    if operators <= joins and _joinable(values):
        return concatenated(values)
    return UNKNOWN


def _chosen(terms: Sequence[tuple[str, Value]], reading: Reading) -> Value:
    """`a if b else c`, `b ? a : c`, `a or c`: any of what may come out."""
    parts: list[list[tuple[str, Value]]] = [[]]
    signs = [""]
    for operator, value in terms:
        if operator in _CHOOSING and parts[-1]:
            parts.append([])
            signs.append(operator)
            operator = ""  # noqa: PLW2901 - the part begins with a plain term
        parts[-1].append((operator, value))
    conditions = {place - 1 for place, sign in enumerate(signs) if sign == "?" and place == 1}
    conditions |= {place for place, sign in enumerate(signs) if sign == "if"}
    return either(
        _combined(part, reading) for place, part in enumerate(parts) if place not in conditions
    )


def _joinable(values: Sequence[Value]) -> bool:
    """Whether joining tells anything: not for a sum of numbers or of what nobody knows."""
    return any(value.kind == "list" or told(letters(value)) for value in values)


def _destructured(nodes: Sequence[Node]) -> list[str]:
    """`{a, b: c}` as targets: the name, and the member it takes."""
    found: list[str] = []
    words = [content for kind, content in nodes if kind in {WORD, MARK}]
    for place, word in enumerate(words):
        if word in {",", ":", "=", "..."} or (place and words[place - 1] == ":"):
            continue
        renamed = (
            words[place + 2]
            if words[place + 1 : place + 2] == [":"] and len(words) > place + 2
            else word
        )
        found.append(f"{renamed}\0{word}")
    return found


def parameters(nodes: Sequence[Node]) -> list[str]:
    return [word.lstrip("$@%&") for word in words_of(nodes)]
