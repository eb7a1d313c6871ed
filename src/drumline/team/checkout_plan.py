"""How a member's checkout is set up: what is run, copied and linked in it before anybody works there."""

from collections.abc import Iterator
from dataclasses import dataclass

from drumline.team.document import Node, Problem, shown
from drumline.team.fields import Field, Many, Record, Schema, matching, switch

WORD_CAP = 2_000
WORD = matching(
    rf"[^\u0000-\u0008\u000b-\u001f\u007f]{{1,{WORD_CAP}}}", f"a word, 1 to {WORD_CAP:,} characters"
)
PATH_SHAPE = (
    r"(?![/~ ])(?!(?:.*/)?(?:\.{0,2}|\.[gG][iI][tT])(?:/|$))"
    r"(?!(?:\.claude|\.drumline|drumline)(?:/|$))(?!.* $)"
    r"[^\u0000-\u001f\u007f-\u009f\\*?\[\]]{1,200}"
)
PATH = matching(
    PATH_SHAPE,
    "a relative path such as .env, without .. or wildcards, not in .git, .claude, .drumline or drumline",
)
ONE, SEVERAL = (
    Many(WORD, "words", least=1),
    Many(Many(WORD, "words", least=1), "commands", least=1),
)


@dataclass(frozen=True, slots=True)
class Commands:
    """One command as a list of words, or a list of such commands."""

    allowed: str = "a command as a list of words, or a list of such commands"

    def read(self, node: Node, at: str, problems: list[Problem]) -> tuple[object, ...]:
        lists = [isinstance(item.value, tuple) for item in node.items()]
        if lists and all(lists):
            return SEVERAL.read(node, at, problems)
        if not lists:
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return ()
        return (ONE.read(node, at, problems),)

    def schema(self) -> Schema:
        return {"anyOf": [ONE.schema(), SEVERAL.schema()]}


CHECKOUT = Record(
    (
        Field(
            name="setup", kind=Commands(), says="Run once in each new checkout: words, or commands."
        ),
        Field(
            name="copy", kind=Many(PATH, "paths"), says="Copied from the user's tree, not in git."
        ),
        Field(name="link", kind=Many(PATH, "paths"), says="Linked to the user's tree, not in git."),
        Field(
            name="submodules",
            kind=switch(),
            default=True,
            says="Filled from the repository's own copies.",
        ),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutPlan:
    """What every new checkout gets before its member works there."""

    setup: tuple[tuple[str, ...], ...] = ()
    copy: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    submodules: bool = True


def placed_twice(root: Node) -> Iterator[Problem]:
    """Paths to copy or link of which one is, or lies in, another: the second would write into the first."""
    section = root.fields().get("checkout")
    seen: list[tuple[str, int]] = []
    for field in ("copy", "link"):
        paths = section.fields().get(field) if section else None
        for index, item in enumerate(paths.items() if paths else ()):
            path = item.value if isinstance(item.value, str) else ""
            for other, line in seen:
                if path and f"{path}/".startswith(f"{other}/") | f"{other}/".startswith(f"{path}/"):
                    found = f"{shown(path)}, which meets {shown(other)} on line {line}"
                    yield Problem(item.line, f"checkout.{field}[{index}]", found, "a path apart")
            seen += [(path, item.line)] if path else []
