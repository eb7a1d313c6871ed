"""The shell grammar behind our own syntax: tree-sitter-bash, read with its weak spots in mind.

It is loaded only when a command needs it. Where it reports an error the result says so; what it is
known to hide (nested backticks, here-documents, glued words) is read again or written otherwise first.
"""

from __future__ import annotations


from drumline.team.shell.heredocs import GIVEN, lifted
from drumline.team.shell.syntax import (
    Assignment,
    Command,
    Function,
    Group,
    Loop,
    Opaque,
    Output,
    Parameter,
    Pipeline,
    Redirect,
    Text,
    Unreadable,
)
from drumline.team.shell.text import ansi_c, unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node, Parser

    from drumline.team.shell.syntax import Part, Script, Step, Word

DEEPEST = 150  # levels of brackets a person would write, and then some
LONGEST = 200_000

_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_OPERATORS = frozenset(
    {":-", ":=", ":+", ":?", "-", "=", "+", "?", "^^", ",,", "^", ",", "#", "##", "%", "%%"}
)


def read(text: str) -> Script:
    """The script this text is; a piece that cannot be made out is an `Unreadable` in it."""
    try:
        source = lifted(text).encode()
    except UnicodeEncodeError:
        return (Unreadable("it is not valid text"),)
    if len(source) > LONGEST:
        return (Unreadable("it is too long to be read"),)
    try:
        return _Reader(source).script()
    except RecursionError:
        return (Unreadable("it is nested too deeply"),)


def _parser() -> Parser:
    """One parser per process, made when it is first needed."""
    made = globals().get("_made")
    if made is None:
        from tree_sitter import Language, Parser
        from tree_sitter_bash import language

        made = globals()["_made"] = Parser(Language(language()))
    return made  # type: ignore[no-any-return]


class _Reader:
    """Turns one parsed text into our syntax."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._depth = 0

    def script(self) -> Script:
        root = _parser().parse(self._source).root_node
        steps = self._steps(root.children)
        if root.has_error and self._matters(root):
            steps.append(Unreadable("the shell grammar finds an error in it"))
        return tuple(steps)

    def _matters(self, node: Node) -> bool:
        """Whether an error may hide a command: inside `[[ … ]]` without substitutions it cannot."""
        if node.type == "test_command":
            return any(sign in self._text(node) for sign in ("$(", "`", "<(", ">("))
        if node.is_error or node.is_missing:
            return True
        return any(self._matters(child) for child in node.children if child.has_error)

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    # statements

    def _steps(self, nodes: Iterable[Node]) -> list[Step]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise RecursionError
        steps: list[Step] = []
        for node in nodes:
            if node.is_named:
                steps.extend(self._step(node))
        self._depth -= 1
        return steps

    def _step(self, node: Node) -> list[Step]:
        reader = _STEPS.get(node.type)
        if reader is not None:
            return reader(self, node)
        if node.type in {"comment", "file_descriptor"}:
            return []
        return self._loose(node)

    def _loose(self, node: Node) -> list[Step]:
        """Whatever else stands where a statement may stand: only what runs inside it matters."""
        if node.type == "ERROR":
            return self._steps(node.children)
        return [Group([script]) for script in self._inner(node)]

    def _sequence(self, node: Node) -> list[Step]:
        return self._steps(node.children)

    def _command(self, node: Node) -> list[Step]:
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        words: list[Node] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignments.append(self._assignment(child))
            elif child.type in _REDIRECTS:
                self._redirect(child, redirects, words)
            elif child.type == "command_name":
                words.extend(child.children or [child])
            else:
                words.append(child)
        timed = [child for child in words if child.type in _STEPS]
        if timed:  # `time ( … )`: the grammar takes the brackets for a word
            return self._steps(timed)
        return [Command(self._words(words), assignments, redirects)]

    def _declaration(self, node: Node) -> list[Step]:
        """`export A=1`: an assignment is one word of it."""
        return [Command(self._words(node.children))]

    def _plain_assignment(self, node: Node) -> list[Step]:
        found = [child for child in (node, *node.children) if child.type == "variable_assignment"]
        return [Command((), [self._assignment(child) for child in found])]

    def _pipeline(self, node: Node) -> list[Step]:
        before, after = self._piped(node)
        return [before[0] if len(before) == 1 else Pipeline(before), *after]

    def _piped(self, node: Node) -> tuple[list[Step], list[Step]]:
        """The steps of a pipeline; a list at its end goes on after it."""
        inside: list[Step] = []
        after: list[Step] = []
        for child in node.children:
            if not child.is_named or child.type == "comment":
                continue
            steps = self._step(child)
            if child.type == "list" and steps:
                after.extend(steps[1:])
                steps = steps[:1]
            inside.append(steps[0] if len(steps) == 1 else Group([tuple(steps)]))
        return inside, after

    def _redirected(self, node: Node) -> list[Step]:
        body = node.child_by_field_name("body")
        redirects: list[Redirect] = []
        words: list[Node] = []
        for child in node.children:
            if child.type in _REDIRECTS:
                self._redirect(child, redirects, words)
        steps = self._step(body) if body is not None else [Command(())]
        first, rest = self._with_redirects(steps, redirects, words)
        return [*rest, first]

    def _with_redirects(
        self, steps: list[Step], redirects: list[Redirect], words: list[Node]
    ) -> tuple[Step, list[Step]]:
        """The last of the steps with the redirections on it, and those before."""
        *before, last = steps or [Command(())]
        extra = self._words(words)
        if isinstance(last, Command):
            return Command(
                (*last.words, *extra), last.assignments, (*last.redirects, *redirects)
            ), before
        return Group([(last,)], redirects), before

    def _redirect(self, node: Node, redirects: list[Redirect], words: list[Node]) -> None:
        operator, descriptor, targets = "", "", []
        for child in node.children:
            if child.type == "file_descriptor":
                descriptor = self._text(child)
            elif not child.is_named and not operator:
                operator = child.type
            else:
                targets.append(child)
        found = self._words(targets)
        redirects.append(_given(operator, found[0] if found else (), descriptor))
        words.extend(targets[len(self._glued(targets)[0]) :] if found else [])

    def _for(self, node: Node) -> list[Step]:
        name = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        body = node.child_by_field_name("body")
        inside = tuple(self._step(body)) if body is not None else ()
        if name is None:
            loose = [child for child in node.children if child != body]
            return [Group([script]) for child in loose for script in self._inner(child)] + [
                Group([inside])
            ]
        return [Loop(self._text(name), self._words(values), inside)]

    def _branches(self, node: Node) -> list[Step]:
        """`if`, `while`, `case`: conditions and bodies, any of which may run."""
        return [Group([tuple(self._steps(node.children))])]

    def _case(self, node: Node) -> list[Step]:
        items = [child for child in node.children if child.type == "case_item"]
        value = node.child_by_field_name("value")
        first = [Group([script]) for script in (self._inner(value) if value else ())]
        return [*first, Group([tuple(self._case_item(item)) for item in items])]

    def _case_item(self, node: Node) -> list[Step]:
        patterns = {child.id for child in node.children_by_field_name("value")}
        steps: list[Step] = []
        for child in node.children:
            if child.id in patterns:
                steps.extend(Group([script]) for script in self._inner(child))
            elif child.is_named:
                steps.extend(self._step(child))
        return steps

    def _subshell(self, node: Node) -> list[Step]:
        return [Group([tuple(self._steps(node.children))], apart=True)]

    def _braces(self, node: Node) -> list[Step]:
        if node.children and node.children[0].type == "((":
            return self._loose(node)
        return [Group([tuple(self._steps(node.children))])]

    def _function(self, node: Node) -> list[Step]:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        inside = self._step(body) if body is not None else []
        return [Function(self._text(name) if name is not None else "", tuple(inside))]

    def _assignment(self, node: Node) -> Assignment:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        appends = any(child.type == "+=" for child in node.children)
        called = self._text(name) if name is not None else ""
        if value is None:
            return Assignment(called, (), appends=appends)
        if value.type == "array":
            inside = [child for child in value.children if child.type not in {"(", ")"}]
            return Assignment(called, (), appends=appends, listed=self._words(inside))
        if name is not None and name.type == "subscript":
            return Assignment(called.partition("[")[0], (Opaque(self._inner(node)),))
        return Assignment(called, tuple(self._parts(value)), appends=appends)

    # words

    def _glued(self, nodes: Sequence[Node]) -> list[list[Node]]:
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

    def _words(self, nodes: Sequence[Node]) -> list[Word]:
        return [
            tuple(part for node in group for part in self._parts(node))
            for group in self._glued(nodes)
        ]

    def _parts(self, node: Node, *, quoted: bool = False) -> list[Part]:
        reader = _PARTS.get(node.type)
        if reader is not None:
            return reader(self, node, quoted)
        if node.type == "variable_assignment":
            return self._assigned_word(node)
        if not node.children:
            text = self._text(node)
            return [Text(text, quoted=True)] if quoted or text == "$" else unescaped(text)
        return [Opaque(self._inner(node), quoted=quoted)]

    def _assigned_word(self, node: Node) -> list[Part]:
        made = self._assignment(node)
        sign = "+=" if made.appends else "="
        value: Iterable[Part] = made.word if made.listed is None else [Opaque(self._inner(node))]
        return [Text(f"{made.name}{sign}"), *value]

    def _raw(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        return [Text(self._text(node)[1:-1], quoted=True)]

    def _ansi_c(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        return [Text(ansi_c(self._text(node)[2:-1]), quoted=True)]

    def _string(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001, ARG002 - a row of the table
        parts: list[Part] = [Text("", quoted=True)]
        start, end = node.start_byte + 1, node.end_byte - 1
        at = start
        for child in node.children:
            if child.is_named and child.type != "string_content":
                parts.extend(self._between(at, child.start_byte))
                parts.extend(self._parts(child, quoted=True))
                at = child.end_byte
        parts.extend(self._between(at, end))
        return parts

    def _between(self, start: int, end: int) -> list[Part]:
        text = self._source[start:end].decode(errors="replace")
        return [Text(_unescaped(text, '\\"$`\n'), quoted=True)] if text else []

    def _concatenation(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        return [part for child in node.children for part in self._parts(child, quoted=quoted)]

    def _simple_expansion(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        return [Parameter(self._text(node)[1:], quoted=quoted)]

    def _expansion(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        """`${…}`: a name, perhaps an operator and a word; all else is opaque."""
        inside = node.children[1:-1]
        names = [child for child in inside if child.type in {"variable_name", "special_variable_name"}]
        if inside and inside[0].type == "subscript":
            return [self._subscript(inside, quoted=quoted)]
        if not names or inside[0].id != names[0].id:
            return [Opaque(self._inner(node), quoted=quoted)]
        rest = inside[1:]
        operator = self._text(rest[0]) if rest else ""
        if operator and operator not in _OPERATORS:
            return [Opaque(self._inner(node), quoted=quoted)]
        word = tuple(part for child in rest[1:] for part in self._parts(child, quoted=quoted))
        return [Parameter(self._text(names[0]), operator, word, quoted=quoted)]

    def _subscript(self, inside: Sequence[Node], *, quoted: bool) -> Part:
        text = self._text(inside[0])
        if len(inside) == 1 and text.endswith(("[@]", "[*]")):
            return Parameter(text, quoted=quoted)
        return Opaque([script for node in inside for script in self._inner(node)], quoted=quoted)

    def _substitution(self, node: Node, quoted: bool) -> list[Part]:  # noqa: FBT001 - a row of the table
        text = self._text(node)
        if text.startswith("`"):
            return [Output(_again(_unescaped(text[1:-1], "`\\$")), quoted=quoted)]
        as_file = text[0] if text[0] in "<>" else ""
        steps = [child for child in node.children if child.type not in {"$(", ")", "<(", ">("}]
        redirects = [child for child in steps if child.type in _REDIRECTS]
        if redirects and len(redirects) == len(steps):
            kept: list[Redirect] = []
            for child in redirects:
                self._redirect(child, kept, [])
            return [Output((Command((), (), kept),), quoted=quoted)]
        return [Output(tuple(self._steps(steps)), as_file=as_file, quoted=quoted)]

    def _inner(self, node: Node) -> list[Script]:
        """The scripts that run while this piece is worked out."""
        if node.type in _SUBSTITUTIONS:
            (part,) = self._substitution(node, quoted=True)
            return [part.script] if isinstance(part, Output) else []
        return [script for child in node.children for script in self._inner(child)]


def _given(operator: str, target: Word, descriptor: str) -> Redirect:
    """A redirection; one from a lifted here-document carries its text."""
    first = target[0] if target else None
    if isinstance(first, Text) and first.text.startswith(GIVEN):
        return Redirect("<<<", (Text(first.text[1:]), *target[1:]), descriptor)
    return Redirect(operator, target, descriptor)


def _again(text: str) -> Script:
    return _Reader(text.encode()).script()


def _unescaped(text: str, letters: str) -> str:
    """Text without the backslashes that stand before these letters; an escaped line end is nothing."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text) and text[at + 1] in letters:
            out.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


_REDIRECTS = frozenset({"file_redirect", "herestring_redirect"})
_STEPS: dict[str, Callable[[_Reader, Node], list[Step]]] = {
    "command": _Reader._command,
    "pipeline": _Reader._pipeline,
    "list": _Reader._sequence,
    "program": _Reader._sequence,
    "do_group": _Reader._sequence,
    "negated_command": _Reader._sequence,
    "redirected_statement": _Reader._redirected,
    "declaration_command": _Reader._declaration,
    "unset_command": _Reader._declaration,
    "variable_assignment": _Reader._plain_assignment,
    "variable_assignments": _Reader._plain_assignment,
    "for_statement": _Reader._for,
    "c_style_for_statement": _Reader._for,
    "while_statement": _Reader._branches,
    "if_statement": _Reader._branches,
    "elif_clause": _Reader._sequence,
    "else_clause": _Reader._sequence,
    "case_statement": _Reader._case,
    "subshell": _Reader._subshell,
    "compound_statement": _Reader._braces,
    "function_definition": _Reader._function,
}
_PARTS: dict[str, Callable[[_Reader, Node, bool], list[Part]]] = {
    "raw_string": _Reader._raw,
    "ansi_c_string": _Reader._ansi_c,
    "string": _Reader._string,
    "translated_string": _Reader._concatenation,
    "concatenation": _Reader._concatenation,
    "simple_expansion": _Reader._simple_expansion,
    "expansion": _Reader._expansion,
    "command_substitution": _Reader._substitution,
    "process_substitution": _Reader._substitution,
}
