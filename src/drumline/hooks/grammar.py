"""The shell grammar behind our own syntax: tree-sitter-bash, read with its weak spots in mind.

It is loaded only when a command needs it. Where it reports an error the result says so; what it is
known to hide (nested backticks, here-documents, glued words) is read again or written otherwise first.
"""

from __future__ import annotations

from drumline.hooks.grammar_mending import NOTHING, as_one, mended, piped
from drumline.hooks.grammar_words import REDIRECTS, Words
from drumline.team.shell.heredocs import GIVEN, LONG, lifted
from drumline.team.shell.spelling import MISSPELT, TEST, Misspelt, spelled_out
from drumline.team.shell.syntax import (
    Branches,
    Chain,
    Command,
    Function,
    Group,
    Loop,
    Maybe,
    Parameter,
    Pipeline,
    Redirect,
    Text,
    Unreadable,
    literal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node, Parser

    from drumline.team.shell.syntax import Assignment, Script, Step, Word

_SUMS = (" -eq ", " -ne ", " -lt ", " -le ", " -gt ", " -ge ", "-v ")
# what stands in a test with an error and may run
_HIDING = ("$(", "`", "<(", ">(", "]]", ";", "\n", "[ ")
_CLAUSES = frozenset({"elif_clause", "else_clause"})
_RESERVED = frozenset(
    "if then else elif fi for while until do done case esac select function".split()
)
DEEPEST = 150  # levels of brackets a person would write, and then some
DEEPEST_TEXT = 30  # of text in text, each of which is read from its beginning


def read(text: str) -> Script:
    """The script this text is; a piece that cannot be made out is an `Unreadable` in it."""
    short = lifted(text)
    if short.too_much:
        return (Unreadable("it is too long to be read", too_big=True),)
    try:
        return _read(short.text, short.bodies)
    except UnicodeEncodeError:
        return (Unreadable("it is not valid text"),)
    except RecursionError:
        return (Unreadable("it is nested too deeply", too_big=True),)


def _read(text: str, bodies: list[tuple[str, bool]], within: int = 0) -> Script:
    if within > DEEPEST_TEXT:
        raise RecursionError
    try:
        return _Reader(spelled_out(text).encode(), bodies, within).script()
    except Misspelt:  # what can be seen in it counts all the same
        return (*_Reader(text.encode(), bodies, within).script(), Unreadable(MISSPELT))


def _parser() -> Parser:
    """One parser per process, made when it is first needed."""
    made = globals().get("_made")
    if made is None:
        from tree_sitter import Language, Parser
        from tree_sitter_bash import language

        made = globals()["_made"] = Parser(Language(language()))
    return made


class _Reader(Words):
    """Turns one parsed text into our syntax."""

    def __init__(self, source: bytes, bodies: list[tuple[str, bool]], within: int) -> None:
        super().__init__(source, bodies)
        self._depth, self._within = 0, within

    def script(self) -> Script:
        self._source, root = mended(self._source, lambda source: _parser().parse(source).root_node)
        steps = self.steps(root.children)
        if root.has_error and self.matters(root):
            steps.append(Unreadable("the shell grammar finds an error in it"))
        return tuple(steps)

    def matters(self, node: Node) -> bool:
        """Whether an error may hide a command: inside one test without substitutions it cannot."""
        if node.type == "test_command":
            return any(sign in self.text(node)[2:-2] for sign in _HIDING)
        if node.is_error or node.is_missing:
            return True
        return any(self.matters(child) for child in node.children if child.has_error)

    # statements

    def steps(self, nodes: Iterable[Node]) -> list[Step]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise RecursionError
        steps: list[Step] = []
        for node in nodes:
            if node.is_named:
                steps.extend(self.step(node))
        self._depth -= 1
        return steps

    def step(self, node: Node) -> list[Step]:
        after = node.next_sibling
        if after is not None and after.type == "&":  # in a process of its own, beside what follows
            return [Group([tuple(self.in_line(node))], apart=True)]
        return self.in_line(node)

    def in_line(self, node: Node) -> list[Step]:
        reader = _STEPS.get(node.type)
        if reader is not None:
            return reader(self, node)
        return [] if node.type in {"comment", "file_descriptor"} else self.loose(node)

    def loose(self, node: Node) -> list[Step]:
        """Whatever else stands where a statement may stand: only what runs inside it matters."""
        if node.type == "ERROR":
            return self.steps(node.children)
        return [self.asked(node, summed=node.type == "test_command")]

    def asked(self, node: Node, redirects: Sequence[Redirect] = (), *, summed: bool) -> Step:
        """A test: only what runs inside it matters, and sums in it, which may run something."""
        text = self.text(node)
        sum_of = Command((literal("let"), literal(text, quoted=True)))
        first = (sum_of,) if summed and any(sign in text for sign in _SUMS) else ()
        return Group([first, *self.inner(node)], redirects, silent=True)

    def sequence(self, node: Node) -> list[Step]:
        return self.steps(node.children)

    def chain(self, node: Node) -> list[Step]:
        """`a && b || c`: what follows the first may not run."""
        head, tail = self.links(node)
        first = self.one(head)
        links = [(sign, self.one(each)) for sign, each in tail]
        if isinstance(first, Chain):
            # where a link is redirected the grammar redirects all before it
            return [Chain(first.first, [*first.links, *links])]
        return [Chain(first, links)]

    def links(self, node: Node) -> tuple[Node, list[tuple[str, Node]]]:
        """The first of a chain, and the others with the sign before each."""
        first: Node | None = None
        links: list[tuple[str, Node]] = []
        sign = "&&"
        for child in node.children:
            if not child.is_named:
                sign = child.type
            elif first is not None:
                links.append((sign, child))
            elif child.type == "list":
                first, links = self.links(child)
            elif child.type != "comment":
                first = child
        return node if first is None else first, [
            each for each in links if each[1].type != "comment"
        ]

    def one(self, node: Node) -> Step:
        """The steps of a node as one."""
        return as_one(self.step(node))

    def command(self, node: Node) -> list[Step]:
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        words: list[Node] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignments.append(self.assignment(child))
            elif child.type in REDIRECTS:
                self.redirect(child, redirects, words)
            elif child.type == "command_name":
                words.extend(child.children or [child])
            else:
                words.append(child)
        self.move_glued(node, assignments, words)
        if (other := self.no_program(words)) is not None:
            return other
        name = self.text(words[0]) if words else NOTHING
        if name == TEST:
            return [self.asked(node, redirects, summed=True)]
        return [Command(() if name == NOTHING else self.words(words), assignments, redirects)]

    def no_program(self, words: list[Node]) -> list[Step] | None:
        """What a command does whose name the shell keeps for itself."""
        timed = [child for child in words if child.type in _STEPS]
        if timed:  # `time ( … )`: the grammar takes the brackets for a word
            return self.steps(timed)
        name = self.text(words[0]) if words else ""
        if name in _RESERVED:
            return [Unreadable("the shell grammar takes a word of the shell's own for a program")]
        ends_inside = any(each.type == "regex" and {*";&|"} & {*self.text(each)} for each in words)
        if ends_inside or (name == NOTHING and len(words) > 1):
            return [Unreadable("the shell grammar reads two commands as one")]
        return None

    def declaration(self, node: Node) -> list[Step]:
        """`export A=1`: an assignment is one word of it."""
        return [Command(self.words(node.children))]

    def plain_assignment(self, node: Node) -> list[Step]:
        found = [child for child in (node, *node.children) if child.type == "variable_assignment"]
        return [Command((), [self.assignment(child) for child in found])]

    def pipeline(self, node: Node) -> list[Step]:
        first, *others = (
            self.one(each) for each in node.children if each.is_named and each.type != "comment"
        )
        return [piped(first, others)]

    def redirected(self, node: Node) -> list[Step]:
        body = node.child_by_field_name("body")
        redirects: list[Redirect] = []
        words: list[Node] = []
        for child in node.children:
            if child.type in REDIRECTS:
                self.redirect(child, redirects, words)
        *before, last = (self.step(body) if body is not None else []) or [Command(())]
        return [*before, self.with_redirects(last, redirects, self.words(words))]

    def with_redirects(self, step: Step, redirects: list[Redirect], extra: list[Word]) -> Step:
        """A step with redirections and the words behind them, which are for the last of what it runs."""
        if isinstance(step, Chain):
            *links, (sign, end) = step.links
            return Chain(step.first, [*links, (sign, self.with_redirects(end, redirects, extra))])
        if isinstance(step, Pipeline):
            *heads, end = step.steps
            return Pipeline([*heads, self.with_redirects(end, redirects, extra)])
        if isinstance(step, Group) and step.tested and not step.redirects:  # behind a `!`
            *before, end = step.scripts[0]
            return Group([(*before, self.with_redirects(end, redirects, extra))], tested=True)
        if isinstance(step, Command):
            words, kept = (*step.words, *extra), (*step.redirects, *redirects)
            return Command(words, step.assignments, kept)
        return Group([(step,)], redirects)

    def redirect(self, node: Node, redirects: list[Redirect], words: list[Node]) -> None:
        operator, descriptor, targets = "", "", []
        for child in node.children:
            if child.type == "file_descriptor":
                descriptor = self.text(child)
            elif not child.is_named and not operator:
                operator = child.type
            else:
                targets += child.children if child.type == "ERROR" else [child]
        if operator.endswith("-"):  # it closes, and nothing behind it is its own
            redirects.append(Redirect(operator, (), descriptor))
            words.extend(targets)
            return
        found = self.words(targets)
        redirects.append(_given(operator, found[0] if found else (), descriptor))
        words.extend(targets[len(self.glued(targets)[0]) :] if found else [])

    def for_loop(self, node: Node) -> list[Step]:
        name = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        body = node.child_by_field_name("body")
        inside = tuple(self.step(body)) if body is not None else ()
        if name is None:
            loose = [child for child in node.children if child != body]
            counted = [script for child in loose for script in self.inner(child)]
            return [Group(counted, silent=True), Maybe(inside, inside)]
        words = self.words(values)
        if not any(child.type == "in" for child in node.children):
            words = [(Parameter("@", quoted=True),)]
        return [Loop(self.text(name), words, inside)]

    def tested(self, nodes: Iterable[Node]) -> list[Step]:
        """Steps whose failure is asked for."""
        return [Group([tuple(self.steps(nodes))], tested=True)]

    def negated(self, node: Node) -> list[Step]:
        return self.tested(node.children)

    def repeated(self, node: Node) -> list[Step]:
        """`while`: the condition runs, the body may, and both may again."""
        asked = node.children_by_field_name("condition")
        ids = {child.id for child in asked}
        condition = self.tested(asked)
        body = self.steps(child for child in node.children if child.id not in ids)
        return [Group([(*condition, Maybe(body, (*condition, *body)))])]

    def branches(self, node: Node) -> list[Step]:
        """`if`: the condition runs, then one of its branches, or none where it has no `else`."""
        return [Group([tuple(self.clauses(node.children))])]

    def clauses(self, nodes: Sequence[Node]) -> list[Step]:
        then = next((at for at, node in enumerate(nodes) if node.type == "then"), len(nodes))
        others = [at for at, node in enumerate(nodes) if node.type in _CLAUSES]
        end = others[0] if others else len(nodes)
        body = tuple(self.steps(nodes[then:end]))
        rest: list[Step] = []
        if others and nodes[end].type == "elif_clause":
            rest = self.clauses([*nodes[end].children, *nodes[end + 1 :]])
        elif others:
            rest = self.steps(nodes[end:])
        either = Branches([body, tuple(rest)], whole=True) if others else Branches([body])
        return [*self.tested(nodes[:then]), either]

    def case(self, node: Node) -> list[Step]:
        items = [child for child in node.children if child.type == "case_item"]
        value = node.child_by_field_name("value")
        first = self.loose(value) if value is not None else []
        ends = {child.type for item in items for child in item.children if not child.is_named}
        if ends & {";&", ";;&"}:  # one may go on into the next
            return [Group([(*first, *(Maybe(self.case_item(item)) for item in items))])]
        last = items[-1].child_by_field_name("value") if items else None
        whole = last is not None and self.text(last) == "*"
        scripts = [tuple(self.case_item(item)) for item in items]
        return [Group([(*first, Branches(scripts, whole=whole))])]

    def case_item(self, node: Node) -> list[Step]:
        patterns = {child.id for child in node.children_by_field_name("value")}
        steps: list[Step] = []
        for child in node.children:
            if child.id in patterns:
                steps.extend(self.loose(child))
            elif child.is_named:
                steps.extend(self.step(child))
        return steps

    def subshell(self, node: Node) -> list[Step]:
        return [Group([tuple(self.steps(node.children))], apart=True)]

    def braces(self, node: Node) -> list[Step]:
        if node.children and node.children[0].type == "((":
            sum_of = Command((literal("let"), literal(self.text(node), quoted=True)))
            return [sum_of, *self.loose(node)]
        return [Group([tuple(self.steps(node.children))])]

    def function(self, node: Node) -> list[Step]:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        inside = self.step(body) if body is not None else []
        redirects: list[Redirect] = []
        for child in node.children:
            if child.type in REDIRECTS:
                self.redirect(child, redirects, [])
        whole: Script = (Group([tuple(inside)], redirects),) if redirects else tuple(inside)
        return [Function(self.text(name) if name is not None else "", whole)]

    def again(self, text: str) -> Script:
        if "<<" in text and GIVEN not in text and LONG not in text:
            return read(text)  # it has bodies of its own
        return _read(text, self._bodies, self._within + 1)


def _given(operator: str, target: Word, descriptor: str) -> Redirect:
    """A redirection; one from a lifted here-document carries its text."""
    first = target[0] if target else None
    if isinstance(first, Text) and first.text.startswith(GIVEN):
        return Redirect("<<<", (Text(first.text[1:]), *target[1:]), descriptor)
    return Redirect(operator, target, descriptor)


_STEPS: dict[str, Callable[[_Reader, Node], list[Step]]] = {
    "command": _Reader.command,
    "pipeline": _Reader.pipeline,
    "list": _Reader.chain,
    "program": _Reader.sequence,
    "do_group": _Reader.sequence,
    "negated_command": _Reader.negated,
    "redirected_statement": _Reader.redirected,
    "declaration_command": _Reader.declaration,
    "unset_command": _Reader.declaration,
    "variable_assignment": _Reader.plain_assignment,
    "variable_assignments": _Reader.plain_assignment,
    "for_statement": _Reader.for_loop,
    "c_style_for_statement": _Reader.for_loop,
    "while_statement": _Reader.repeated,
    "if_statement": _Reader.branches,
    "elif_clause": _Reader.sequence,
    "else_clause": _Reader.sequence,
    "case_statement": _Reader.case,
    "subshell": _Reader.subshell,
    "compound_statement": _Reader.braces,
    "function_definition": _Reader.function,
}
