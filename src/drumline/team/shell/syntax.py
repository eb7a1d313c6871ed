"""The shape of a shell script: words made of parts, commands made of words, scripts made of commands.

Whoever reads the text (`plain` for simple commands, the grammar for the rest) makes these; `walk`
follows them. A script is a tuple of steps, each one of the classes below.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Part:
    """A piece of a word: text, a variable, or what a command prints."""

    __slots__ = ("quoted",)

    def __init__(self, *, quoted: bool = False) -> None:
        self.quoted = quoted


class Text(Part):
    """Letters as they stand; unquoted ones may be wildcards, braces or a home folder."""

    __slots__ = ("text",)

    def __init__(self, text: str, *, quoted: bool = False) -> None:
        super().__init__(quoted=quoted)
        self.text = text


class Parameter(Part):
    """`$name`, or `${name}` with an operator and the word after it."""

    __slots__ = ("name", "operator", "word")

    def __init__(
        self, name: str, operator: str = "", word: Word = (), *, quoted: bool = False
    ) -> None:
        super().__init__(quoted=quoted)
        self.name, self.operator, self.word = name, operator, word


class Output(Part):
    """What a script prints: `$(…)`, or a file that carries it: `<(…)` and `>(…)`."""

    __slots__ = ("as_file", "script")

    def __init__(self, script: Script, *, as_file: str = "", quoted: bool = False) -> None:
        super().__init__(quoted=quoted)
        self.script, self.as_file = script, as_file


class Opaque(Part):
    """Something whose value nobody can tell, and the scripts that run while it is made."""

    __slots__ = ("scripts",)

    def __init__(self, scripts: Sequence[Script] = (), *, quoted: bool = False) -> None:
        super().__init__(quoted=quoted)
        self.scripts = tuple(scripts)


Word = tuple[Part, ...]


class Redirect:
    """`> file`, `<< here` or `<<< text`; a descriptor such as `2` may stand before it."""

    __slots__ = ("descriptor", "operator", "target")

    def __init__(self, operator: str, target: Word, descriptor: str = "") -> None:
        self.operator, self.target, self.descriptor = operator, target, descriptor


class Assignment:
    """`name=word`, `name+=word`, or `name=(words)`."""

    __slots__ = ("appends", "listed", "name", "word")

    def __init__(
        self, name: str, word: Word, *, appends: bool = False, listed: Sequence[Word] | None = None
    ) -> None:
        self.name, self.word, self.appends = name, word, appends
        self.listed = None if listed is None else tuple(listed)


class Step:
    """Something a script does."""

    __slots__ = ()


Script = tuple[Step, ...]


class Command(Step):
    """A program with its words, what is assigned for it, and where its input and output go."""

    __slots__ = ("assignments", "redirects", "words")

    def __init__(
        self,
        words: Sequence[Word],
        assignments: Sequence[Assignment] = (),
        redirects: Sequence[Redirect] = (),
    ) -> None:
        self.words, self.assignments = tuple(words), tuple(assignments)
        self.redirects = tuple(redirects)


class Pipeline(Step):
    """Steps whose outputs feed one another."""

    __slots__ = ("steps",)

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = tuple(steps)


class Group(Step):
    """Scripts in brackets or in a construct that may run any of them, with redirections."""

    __slots__ = ("apart", "redirects", "scripts", "silent", "tested")

    def __init__(
        self,
        scripts: Sequence[Script],
        redirects: Sequence[Redirect] = (),
        *,
        apart: bool = False,
        tested: bool = False,
        silent: bool = False,
    ) -> None:
        self.scripts, self.redirects = tuple(scripts), tuple(redirects)
        self.apart = apart  # in a process of its own: what it assigns is gone afterwards
        self.tested = tested  # its failure is asked for, so it ends no shell
        self.silent = silent  # what it prints goes nowhere: a test, a sum


class Maybe(Step):
    """Steps that may not run; a loop's body may run again, and `again` is what then runs."""

    __slots__ = ("again", "script")

    def __init__(self, script: Sequence[Step], again: Sequence[Step] = ()) -> None:
        self.script, self.again = tuple(script), tuple(again)


class Chain(Step):
    """`a && b || c`: a first step, then each with the sign that says when it runs."""

    __slots__ = ("first", "links")

    def __init__(self, first: Step, links: Sequence[tuple[str, Step]]) -> None:
        self.first, self.links = first, tuple(links)


class Branches(Step):
    """Scripts of which one runs; none may where they are not the whole of it."""

    __slots__ = ("scripts", "whole")

    def __init__(self, scripts: Sequence[Script], *, whole: bool = False) -> None:
        self.scripts, self.whole = tuple(scripts), whole


class Loop(Step):
    """`for name in words`: the body runs with each word."""

    __slots__ = ("body", "name", "words")

    def __init__(self, name: str, words: Sequence[Word], body: Script) -> None:
        self.name, self.words, self.body = name, tuple(words), body


class Function(Step):
    """A name that later stands for a body."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Script) -> None:
        self.name, self.body = name, body


class Unreadable(Step):
    """A piece the reader could not make out, or did not look at because of its size."""

    __slots__ = ("too_big", "why")

    def __init__(self, why: str, *, too_big: bool = False) -> None:
        self.why, self.too_big = why, too_big


def literal(text: str, *, quoted: bool = False) -> Word:
    return (Text(text, quoted=quoted),)
