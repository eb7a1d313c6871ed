"""Words that steer code: imports, loops, definitions, and what takes a variable away."""

from __future__ import annotations

from drumline.team.shell.code_clause import parameters
from drumline.team.shell.code_lexer import END, MARK, TEXT, WORD
from drumline.team.shell.code_pure import module_name
from drumline.team.shell.code_tree import GROUP
from drumline.team.shell.code_values import UNKNOWN, choices, elements, name_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.code_clause import Clause
    from drumline.team.shell.code_reading import Reading
    from drumline.team.shell.code_tree import Node
    from drumline.team.shell.code_values import Value

    Chain = Callable[[Reading, Sequence[Node], int], tuple[int, Value, str]]

OPERATOR_WORDS = frozenset("and or not is else instanceof cmp eq ne lt gt le ge xor".split())
_BLOCKS = frozenset("if elif while with try elsif elseif unless until switch case when".split())
_DEFINITIONS = frozenset("def function sub defp".split())
_TRANSPARENT = frozenset(
    "new await async const let var my our local global nonlocal static yield val".split()
)
_IMPORTS = frozenset({"import", "from"})
_STAR_NAMES = frozenset(
    "system popen remove unlink rename rmdir run call Popen check_output rmtree copy move environ"
    " makedirs chmod replace execv execvp execlp".split()
)


def keyword(clause: Clause, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    """Take a word that steers; where the code goes on."""
    word = nodes[at][1]
    reading = clause.reading
    steered = _STEERING.get(word)
    if steered is not None:
        return steered(clause, nodes, at, chain)
    if word in _DEFINITIONS:
        return _defined(reading, nodes, at, chain)
    if word in _IMPORTS and reading.language.name in {"python", "javascript"}:
        called = _is_call(nodes, at)
        return _plain(clause, nodes, at, chain) if called else _imported(reading, nodes, at)
    if word in _TRANSPARENT:
        return at + 1
    if word == "if" and reading.language.name == "python" and clause.terms:
        clause.operator(word)
        return at + 1
    clause.close()
    if word in _BLOCKS:
        reading.in_block = True
        clause.bares = []
    return at + 1


def _is_call(nodes: Sequence[Node], at: int) -> bool:
    return at + 1 < len(nodes) and nodes[at + 1][0] == GROUP and nodes[at + 1][1][0] == "("


def _plain(clause: Clause, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    after, value, bare = chain(clause.reading, nodes, at)
    clause.add(value, bare)
    return after


def _imported(reading: Reading, nodes: Sequence[Node], at: int) -> int:
    """`import a as b`, `from a import b as c`, `import {a as b} from "c"`."""
    end = at + 1
    while end < len(nodes) and nodes[end][0] != END and nodes[end - 1][0] != TEXT:
        end += 1
    part = nodes[at:end]
    if reading.language.name == "javascript":
        _imported_javascript(reading, part)
    elif part[0][1] == "from":
        _imported_from(reading, part[1:])
    else:
        for words in _listed(part[1:]):
            _alias(reading, "".join(words), words)
    return end


def _listed(nodes: Sequence[Node]) -> list[list[str]]:
    """Words and dots between commas, brackets opened."""
    found: list[list[str]] = [[]]
    for kind, content in nodes:
        if kind == GROUP:
            found = [*found, *_listed(content[1])]
        elif content == ",":
            found.append([])
        elif kind in {WORD, MARK}:
            found[-1].append(content)
    return [words for words in found if words]


def _alias(reading: Reading, whole: str, words: list[str]) -> None:
    if "as" in words:
        place = words.index("as")
        whole = "".join(words[:place])
        reading.modules.add(whole)
        if words[place + 1 :]:
            reading.assign(words[place + 1], name_value(module_name(whole)))
    else:
        reading.modules.add(whole)
        reading.assign(words[0], name_value(words[0]))


def _imported_from(reading: Reading, part: Sequence[Node]) -> None:
    words = [content for kind, content in part if kind in {WORD, MARK} and content != "import"]
    place = next((n for n, node in enumerate(part) if node == (WORD, "import")), len(part))
    module = module_name("".join(str(node[1]) for node in part[:place] if node[0] != GROUP))
    reading.modules.add(module)
    if "*" in words:
        for name in _STAR_NAMES:
            reading.assign(name, name_value(f"{module}.{name}"))
    for names in _listed(part[place + 1 :]):
        reading.assign(names[-1], name_value(f"{module}.{names[0]}"))


def _imported_javascript(reading: Reading, part: Sequence[Node]) -> None:
    texts = [content for kind, content in part if kind == TEXT]
    module = module_name("".join(p for p in texts[-1] if isinstance(p, str))) if texts else ""
    reading.modules.add(module)
    for kind, content in part[1:]:
        if kind == GROUP:
            for names in _listed(content[1]):
                reading.assign(names[-1], name_value(f"{module}.{names[0]}"))
        elif kind == WORD and content not in {"from", "as", "import"}:
            reading.assign(content, name_value(module))


def _defined(reading: Reading, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    """A definition: its parameters are what its calls give them, or what they are by default."""
    reading.in_block = True
    named = at + 1 < len(nodes) and nodes[at + 1][0] == WORD
    group = at + 2 if named else at + 1
    if not _is_call(nodes, group - 1):
        return at + 1
    reading.functions[nodes[at + 1][1] if named else ""] = parameters(nodes[group][1][1])
    chain(reading, nodes[group : group + 1], 0)
    return group + 1


def _loop(clause: Clause, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    """`for`: the names up to `in` are bound there; Perl has its list in brackets."""
    clause.close()
    clause.bares = []
    reading = clause.reading
    reading.looping = reading.in_block = True
    if reading.language.name != "perl":
        return at + 1
    at += 1
    name = "_"
    while at < len(nodes) and nodes[at][0] == WORD:
        name = nodes[at][1].lstrip("$")
        at += 1
    if at < len(nodes) and nodes[at][0] == GROUP:
        after, value, _ = chain(reading, nodes, at)
        listed = value if value.kind == "list" else UNKNOWN
        items = elements(listed) if listed.items else value
        reading.bind(name, items)
        return after
    return at


def _each(clause: Clause, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    """The names before `in` or `of` are each item of what follows; PHP says it with `as`."""
    reading = clause.reading
    word = nodes[at][1]
    if word == "as":
        return _as(clause, nodes, at)
    if not reading.looping or at + 1 >= len(nodes):
        clause.operator(word)
        return at + 1
    names = [name for name in clause.bares if name]
    clause.found.positional.clear()
    clause.terms, clause.bares = [], []
    reading.looping = False
    after, value, _ = chain(reading, nodes, at + 1)
    _bind_items(reading, names, elements(value))
    return after


def _as(clause: Clause, nodes: Sequence[Node], at: int) -> int:
    reading = clause.reading
    value = clause.terms[-1][1] if clause.terms else UNKNOWN
    following = nodes[at + 1] if at + 1 < len(nodes) else (END, "")
    clause.close()
    if reading.language.name == "php" and following[0] == WORD:
        last = [content for kind, content in nodes[at + 1 :] if kind == WORD][-1]
        reading.bind(last.lstrip("$"), elements(value))
        return len(nodes)
    return at + 1


def _bind_items(reading: Reading, names: Sequence[str], item: Value) -> None:
    """One item for one name, or its parts for several."""
    if len(names) == 1:
        reading.bind(names[0].lstrip("$@"), item)
        return
    for place, name in enumerate(names):
        for choice in choices(item):
            inner = choice.items if choice.kind == "list" else []
            reading.bind(name, inner[place] if place < len(inner) else UNKNOWN)


def _taken_away(clause: Clause, nodes: Sequence[Node], at: int, chain: Chain) -> int:
    """`del`, `delete`: of a variable of the environment, that is a change."""
    if nodes[at + 1 : at + 2] == [(WORD, "local")]:
        at += 1
    if at + 1 >= len(nodes) or nodes[at + 1][0] in {MARK, END}:
        return at + 1
    after, value, _ = chain(clause.reading, nodes, at + 1)
    if value.kind == "variable":
        clause.reading.touch_variable(value.text)
    return after


_STEERING: dict[str, Callable[[Clause, Sequence[Node], int, Chain], int]] = {
    "for": _loop,
    "foreach": _loop,
    "in": _each,
    "of": _each,
    "as": _each,
    "del": _taken_away,
    "delete": _taken_away,
    "unset": _taken_away,
    "require": _plain,
}
