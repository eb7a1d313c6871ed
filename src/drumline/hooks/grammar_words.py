"""Words of a parsed script in our syntax: quotes, variables, substitutions."""

from __future__ import annotations

from itertools import zip_longest

from drumline.team.shell.heredocs import LONG, MOST_OPERATORS, too_live
from drumline.team.shell.spelling import (
    MISSPELT,
    Misspelt,
    in_quotes,
    inside_backticks,
    unescaped_in,
)
from drumline.team.shell.syntax import (
    Assignment,
    Command,
    Opaque,
    Output,
    Parameter,
    Text,
    Unreadable,
    literal,
)
from drumline.team.shell.text import ansi_c, unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node

    from drumline.team.shell.syntax import Part, Redirect, Script, Step, Word

REDIRECTS = frozenset({"file_redirect", "herestring_redirect"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_UNREAD = frozenset({"regex", "extglob_pattern", "word"})  # the grammar looks into none of these
_RAW = frozenset({"raw_string", "ansi_c_string"})
_LIVE = ("$", "`", "<(", ">(")
# single quotes in them are letters
_QUOTING = frozenset({"string", "arithmetic_expansion", "subscript"})
_PARTING = frozenset(" \t\n;&|<>()#'\"\\")
_DEFAULTS = "-=+?"  # what operators end with that give another value
_OPERATORS = frozenset(
    {":-", ":=", ":+", ":?", "-", "=", "+", "?", "^^", ",,", "^", ",", "#", "##", "%", "%%"}
)


class Words:
    """Reads the words of one source; statements inside them are read by whoever extends it."""

    def __init__(self, source: bytes, bodies: list[tuple[str, bool]]) -> None:
        self._source = source
        self._bodies = bodies  # text lifted out of it, and whether its variables live

    def steps(self, nodes: Iterable[Node]) -> list[Step]:
        raise NotImplementedError

    def again(self, text: str) -> Script:
        """Text that stands inside, read from its beginning."""
        raise NotImplementedError

    def redirect(self, node: Node, redirects: list[Redirect], words: list[Node]) -> None:
        raise NotImplementedError

    def text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode(errors="replace")

    def assignment(self, node: Node) -> Assignment:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        appends = any(child.type == "+=" for child in node.children)
        called = self.text(name) if name is not None else ""
        if value is None:
            return Assignment(called, (), appends=appends)
        if value.type == "array":
            inside = [child for child in value.children if child.type not in {"(", ")"}]
            return Assignment(called, (), appends=appends, listed=self.words(inside))
        if name is not None and name.type == "subscript":
            return Assignment(called.partition("[")[0], (Opaque(self.inner(node)),))
        return Assignment(called, tuple(self.parts(value)), appends=appends)

    def move_glued(self, node: Node, assignments: list[Assignment], words: list[Node]) -> None:
        """What touches an assignment belongs to its value, which is not known then."""
        before = words[0].parent if words else None
        before = before.prev_sibling if before is not None and before != node else None
        if before is None or not assignments or before.end_byte != words[0].start_byte:
            return
        glued = self.glued(words)[0]
        del words[: len(glued)]
        scripts = [script for each in glued for script in self.inner(each)]
        last = assignments[-1]
        assignments[-1] = Assignment(last.name, (*last.word, Opaque(scripts)), appends=last.appends)

    def glued(self, nodes: Sequence[Node]) -> list[list[Node]]:
        """Nodes grouped into words: what touches belongs together."""
        groups: list[list[Node]] = []
        for node in nodes:
            if node.type == "comment":
                continue
            if groups and groups[-1][-1].end_byte == node.start_byte:
                groups[-1].append(node)
            else:
                groups.append([node])
        return groups

    def words(self, nodes: Sequence[Node]) -> list[Word]:
        return [
            tuple(self.parts(group[0]) if len(group) == 1 else self.word(group))
            for group in self.glued(nodes)
        ]

    def word(self, nodes: Sequence[Node], *, quoted: bool = False) -> list[Part]:
        """The parts of nodes that touch; of `$a$1` the grammar leaves `$` to the one and `1` to the other."""
        parts: list[Part] = []
        cut = False
        for node, following in zip_longest(nodes, nodes[1:]):
            if node.type == "$" and following is not None and following.type == "string":
                continue  # `$"…"` is text in the user's own language
            found = self.parts(node, quoted=quoted)
            first = found[0] if found else None
            if cut and isinstance(first, Text) and first.text[:1].isdecimal():
                found = [Parameter(first.text[0]), Text(first.text[1:]), *found[1:]]
                parts.pop()
            parts += found
            cut = bool(node.children) and node.children[-1].type == "$"
        return parts

    def parts(self, node: Node, *, quoted: bool = False) -> list[Part]:
        reader = _PARTS.get(node.type)
        if reader is not None:
            return reader(self, node, quoted)
        if node.type == "variable_assignment":
            return self.assigned_word(node)
        if not node.children:
            text = self.text(node)
            if LONG in text:
                return self.put_back(text)
            if node.type == "regex" and any(sign in text for sign in _LIVE):
                return self.unread(text)
            return [Text(text, quoted=True)] if quoted or text == "$" else unescaped(text)
        scripts = self.inner(node, quoted=quoted)
        if node.type == "arithmetic_expansion":
            names = self.text(node).replace(
                "$", " "
            )  # what lives in it stands in `scripts` already
            scripts.append((Command((literal("let"), literal(names, quoted=True))),))
        return [Opaque(scripts, quoted=quoted)]

    def put_back(self, text: str) -> list[Part]:
        """A word with the numbers of lifted text in it, each replaced by what it stands for."""
        parts: list[Part] = []
        for at, piece in enumerate(text.split(LONG)):
            if at % 2 == 0:
                parts.extend(unescaped(piece) if piece else [])
            elif piece.isdecimal() and int(piece) < len(self._bodies):
                body, lives = self._bodies[int(piece)]
                parts.extend(self.living(body) if lives else [Text(body, quoted=True)])
        return parts

    def living(self, body: str) -> list[Part]:
        """A here-document's body in which variables and substitutions live."""
        if not any(sign in body for sign in "$`\\"):
            return [Text(body, quoted=True)]
        try:
            quoted = "" if _too_many(body) else f": {in_quotes(body)}"
        except Misspelt:
            return [Output((Unreadable(MISSPELT),), quoted=True)]
        if not quoted or too_live(quoted):
            return [
                Output((Unreadable("it has too many substitutions", too_big=True),), quoted=True)
            ]
        script = self.again(quoted)
        first = script[0] if script else None
        if len(script) == 1 and isinstance(first, Command) and len(first.words) > 1:
            return list(first.words[1])
        return [Output((*script, Unreadable("a text in it cannot be read")), quoted=True)]

    def assigned_word(self, node: Node) -> list[Part]:
        made = self.assignment(node)
        sign = "+=" if made.appends else "="
        value: Iterable[Part] = made.word if made.listed is None else [Opaque(self.inner(node))]
        return [Text(f"{made.name}{sign}"), *_at_home(list(value))]

    def raw(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        return [Text(self.text(node)[1:-1], quoted=True)]

    def ansi_c(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        return [Text(ansi_c(self.text(node)[2:-1]), quoted=True)]

    def string(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        parts: list[Part] = [Text("", quoted=True)]
        start, end = node.start_byte + 1, node.end_byte - 1
        at = start
        for child in node.children:
            if child.is_named and child.type != "string_content":
                parts.extend(self.between(at, self.begins(child)))
                parts.extend(self.parts(child, quoted=True))
                at = child.end_byte
        parts.extend(self.between(at, end))
        return parts

    def begins(self, node: Node) -> int:
        """Where it begins: in quotes the grammar takes the blanks before an expansion into it."""
        return node.end_byte - len(self._source[node.start_byte : node.end_byte].lstrip())

    def between(self, start: int, end: int) -> list[Part]:
        text = self._source[start:end].decode(errors="replace")
        return [Text(unescaped_in(text, '\\"$`\n'), quoted=True)] if text else []

    def concatenation(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        return self.word(node.children, quoted=quoted)

    def simple_expansion(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        return [Parameter(self.text(node).lstrip()[1:], quoted=quoted)]

    def expansion(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        """`${…}`: a name, perhaps an operator and a word; all else is opaque."""
        inside = node.children[1:-1]
        names = [
            child for child in inside if child.type in {"variable_name", "special_variable_name"}
        ]
        if inside and inside[0].type == "subscript":
            return [self.subscript(inside, quoted=quoted)]
        if not names or inside[0].id != names[0].id:
            return [Opaque(self.inner(node, quoted=quoted), quoted=quoted)]
        rest = inside[1:]
        operator = self.text(rest[0]) if rest else ""
        if operator and operator not in _OPERATORS:
            scripts = self.inner(node, quoted=quoted)
            if "@P" in self.text(node):  # worked out as a prompt is
                prompt = Parameter(self.text(names[0]), quoted=True)
                scripts.append((Command((literal("let"), (prompt,))),))
            return [Opaque(scripts, quoted=quoted)]
        instead = operator[-1:] in _DEFAULTS
        letters = quoted and instead
        if any(self.lives_unread(child, letters=letters) for child in rest[1:]):
            after = self._source[rest[0].end_byte : node.end_byte - 1].decode(errors="replace")
            word = self.unread(after, letters=letters, told=instead)
        else:
            word = [part for child in rest[1:] for part in self.parts(child, quoted=quoted)]
        return [Parameter(self.text(names[0]), operator, tuple(word), quoted=quoted)]

    def lives_unread(self, node: Node, *, letters: bool) -> bool:
        """Whether the grammar takes what lives in a piece for letters; single quotes may be letters themselves."""
        if node.children:
            looks = letters or node.type == "concatenation"
            return looks and any(self.lives_unread(each, letters=letters) for each in node.children)
        text = self.text(node) if node.type in _UNREAD or (letters and node.type in _RAW) else ""
        return any(sign in text for sign in _LIVE)

    def unread(self, text: str, *, letters: bool = False, told: bool = False) -> list[Part]:
        """Such a piece as a word, or as if it stood in quotes: then its value is not always told."""
        if not (letters or _too_many(text) or _PARTING.intersection(text)):
            return [part for word in self.words_of(text) for part in word]
        parts = self.living(text)
        if "<(" in text or ">(" in text:
            parts += _nobody_knows()
        if told and '"' not in text:
            return parts
        return [Opaque([(Command((literal(":"), tuple(parts))),)])]

    def words_of(self, text: str) -> Sequence[Word]:
        """The words that a text is behind the name of a program; one nobody can read is unknown."""
        script = self.again(f": {text}")
        first = script[0] if len(script) == 1 else None
        if isinstance(first, Command) and not first.redirects:
            return first.words[1:]
        return [(Output(script), *_nobody_knows())]

    def subscript(self, inside: Sequence[Node], *, quoted: bool) -> Part:
        text = self.text(inside[0])
        if len(inside) == 1 and (
            text[-3:] in {"[@]", "[*]"} or text.partition("[")[2][:-1].isdecimal()
        ):
            return Parameter(text, quoted=quoted)
        scripts = [script for node in inside for script in self.inner(node, quoted=quoted)]
        return Opaque(scripts, quoted=quoted)

    def substitution(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        text = self.text(node).lstrip()
        if text.startswith("`"):
            return [Output(self.again(inside_backticks(text, quoted=quoted)), quoted=quoted)]
        as_file = text[0] if text[0] in "<>" else ""
        steps = [child for child in node.children if child.type not in {"$(", ")", "<(", ">("}]
        redirects = [child for child in steps if child.type in REDIRECTS]
        if redirects and len(redirects) == len(steps):
            kept: list[Redirect] = []
            for child in redirects:
                self.redirect(child, kept, [])
            return [Output((Command((), (), kept),), quoted=quoted)]
        return [Output(tuple(self.steps(steps)), as_file=as_file, quoted=quoted)]

    def inner(self, node: Node, *, quoted: bool = False) -> list[Script]:
        """The scripts that run while this piece is worked out."""
        if node.type in _SUBSTITUTIONS:
            (part,) = self.substitution(node, quoted=quoted)
            return [part.script] if isinstance(part, Output) else []
        if not node.children and self.lives_unread(node, letters=quoted):
            word = self.unread(self.text(node), letters=node.type in _RAW)
            return [(Command((literal(":"), tuple(word))),)]
        quoted = quoted or node.type in _QUOTING
        return [script for child in node.children for script in self.inner(child, quoted=quoted)]


def _at_home(value: list[Part]) -> list[Part]:
    """A value that begins with `~`: it is an assignment's, and no letter of a word."""
    first = value[0] if value else None
    if isinstance(first, Text) and not first.quoted and first.text.partition("/")[0] == "~":
        return [Parameter("HOME", quoted=True), Text(first.text[1:]), *value[1:]]
    return value


def _nobody_knows() -> list[Part]:
    return [Output((Unreadable("a text in it cannot be read"),))]


def _too_many(text: str) -> bool:
    return text.count("$") + text.count("`") > MOST_OPERATORS


_PARTS: dict[str, Callable[[Words, Node, bool], list[Part]]] = {
    "raw_string": Words.raw,
    "ansi_c_string": Words.ansi_c,
    "string": Words.string,
    "translated_string": Words.concatenation,
    "concatenation": Words.concatenation,
    "simple_expansion": Words.simple_expansion,
    "expansion": Words.expansion,
    "command_substitution": Words.substitution,
    "process_substitution": Words.substitution,
}
