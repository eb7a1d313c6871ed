"""What `fd` is asked for: where it looks, and what it runs on what it finds."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE
from drumline.team.shell.find import below
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

PROGRAMS = frozenset({"fd", "fdfind"})
_LONG = frozenset({"--exec", "--exec-batch"})
_BUNDLED = frozenset("HIusigFaLp1l0q")  # short options that take no value and may stand before -x
VALUED = (
    "-e -t -E -d -S -c -j -o --extension --type --exclude --max-depth --min-depth --exact-depth --size "
    "--color --threads --changed-within --changed-before --owner --max-results --search-path"
)


def effects(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program."""
    asked, programs = _parted(words)
    given = taken_apart(asked, f"{VALUED} --base-directory -C")
    return [
        effect
        for program in programs
        for root in roots(given)
        for effect in scene.run(_filled(program, scene.path(below(root)[0])))
    ]


def roots(given: Words) -> list[str]:
    """The folders it looks through."""
    named = [*given.operands[1:], *given.values.get("--search-path", ())]
    start = given.value("--base-directory", "-C")
    return [f"{start}/{root}" if start else root for root in named or ["."]]


def _parted(words: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Its own words, and those of each program it runs: these end at a semicolon."""
    asked: list[str] = []
    programs: list[list[str]] = []
    at = 0
    while at < len(words):
        first = _run_by(words[at])
        at += 1
        if first is None:
            asked.append(words[at - 1])
            continue
        end = next((end for end in range(at, len(words)) if words[end] == ";"), len(words))
        programs.append([*([first] if first else []), *words[at:end]])
        at = end + 1
    return asked, [program for program in programs if program]


def _run_by(word: str) -> str | None:
    """What is run, as far as this option says it itself; None where it runs nothing."""
    name, sign, value = word.partition("=")
    if name in _LONG:
        return value if sign else ""
    if word[:1] != "-" or word[1:2] == "-":
        return None
    end = next((at for at, letter in enumerate(word) if letter in "xX"), 0)
    return word[end + 1 :].removeprefix("=") if end and _BUNDLED.issuperset(word[1:end]) else None


_PLACES = ("{}", "{/}", "{//}", "{.}", "{/.}")


def _filled(program: Sequence[str], path: str) -> list[str]:
    """The words of a program with a file in them; where none has a place, it comes last."""
    if not any(place in word for word in program for place in _PLACES):
        return [*program, path]
    parts = {"{}": path, "{.}": path, "{//}": path, "{/}": HOLE, "{/.}": HOLE}
    return [_with(word, parts) for word in program]


def _with(word: str, parts: dict[str, str]) -> str:
    for place, text in parts.items():
        word = word.replace(place, text)
    return word
