"""What `fd` is asked for: where it looks, and what it runs on what it finds."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE
from drumline.team.shell.find import below
from drumline.team.shell.find_expression import as_pattern, has_letters
from drumline.team.shell.options import taken_apart
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

PROGRAMS = frozenset({"fd", "fdfind"})
PLAIN = (
    "-H -I -u -s -i -g -F -L -p -1 --hidden --no-hidden --no-ignore --ignore --no-ignore-vcs --ignore-vcs "
    "--no-ignore-parent --ignore-parent --no-require-git --require-git --no-global-ignore-file "
    "--unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --literal --follow "
    "--no-follow --dereference --full-path --prune --show-errors --one-file-system --mount --xdev "
    "--relative-path --strip-cwd-prefix"
)
VALUED = (
    "-e -t -E -d -S -c -j -o --and --extension --type --exclude --max-depth --maxdepth --min-depth "
    "--exact-depth --size --color --threads --changed-within --change-newer-than --newer --changed-after "
    "--changed-before --change-older-than --older --owner --max-results --search-path --ignore-file "
    "--ignore-contain --batch-size --max-buffer-time"
)
ZERO = "-0 --print0"
_PRINTS_ELSE = "-a -l -q --absolute-path --list-details --quiet --has-results --hyperlink"
_VALUED_PRINTS_ELSE = "-C --base-directory --format --path-separator"
_ALL_VALUED = f"{VALUED} {_VALUED_PRINTS_ELSE}"
_KNOWN = frozenset(f"{PLAIN} {ZERO} {_PRINTS_ELSE} {_ALL_VALUED}".split())
_RUNS = frozenset({"--exec", "--exec-batch"})
_BUNDLED = frozenset(  # short options that take no value and may stand before -x
    option[1] for option in f"{PLAIN} {ZERO} {_PRINTS_ELSE}".split() if option[1] != "-"
)
_PLACES = ("{}", "{/}", "{//}", "{.}", "{/.}")


def effects(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program."""
    asked, programs = _parted(words)
    given = taken_apart(asked, _ALL_VALUED)
    folder = scene.path(given.value("--base-directory", "-C") or ".")
    found: list[Effect] = []
    for root in roots(given) if programs else ():
        above = joined(folder, below(root)[0])
        for place in below(root, names(given)):
            for program in programs:
                found += scene.run(_filled(program, joined(folder, place), above), folder)
    return found


def roots(given: Words) -> list[str]:
    """The folders it looks through; where an option may have a value nobody knows of, they may be any."""
    named = given.values.get("--search-path", [])
    if given.flags <= _KNOWN:
        return [*given.operands[1:], *named] or ["."]
    return [".", *given.operands, *named]


def names(given: Words) -> list[str]:
    """Wildcards for what it looks for: by its ending or else its name; none where it may be any."""
    if not given.flags <= _KNOWN:
        return []
    endings = [*given.values.get("-e", ()), *given.values.get("--extension", ())]
    if endings:
        return [f"*.{ending.lstrip('.')}" for ending in endings]
    pattern = next(iter(given.operands), "")
    if not pattern or given.has("-p", "--full-path"):
        return []
    if given.has("-g", "--glob"):
        return [] if "{" in pattern else [pattern]
    fixed = given.has("-F", "--fixed-strings", "--literal")
    return _unanchored(
        pattern, fixed=fixed, hidden=given.has("-H", "-u", "--hidden", "--unrestricted")
    )


def _unanchored(pattern: str, *, fixed: bool, hidden: bool) -> list[str]:
    """The names in which a pattern may stand anywhere; who asks for a hidden name by its dot means that."""
    inner = pattern if fixed else as_pattern(pattern.removeprefix("^").removesuffix("$"))
    before = "" if pattern.startswith("^") and not fixed else "*"
    after = "" if pattern.endswith("$") and not fixed else "*"
    meant = inner.replace("?", ".", 1)
    dotted = hidden and meant.startswith(".") and has_letters(meant)
    return [f"{before}{inner}{after}", *([meant] if dotted else [])]


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
    if name in _RUNS:
        return value if sign else ""
    if word[:1] != "-" or word[1:2] == "-":
        return None
    end = next((at for at, letter in enumerate(word) if letter in "xX"), 0)
    return word[end + 1 :].removeprefix("=") if end and _BUNDLED.issuperset(word[1:end]) else None


def _filled(program: Sequence[str], path: str, above: str) -> list[str]:
    """The words of a program with a file in them; where none has a place, it comes last."""
    if not any(place in word for word in program for place in _PLACES):
        return [*program, path]
    parts = {"{}": path, "{.}": above, "{//}": above, "{/}": HOLE, "{/.}": HOLE}
    return [_with(word, parts) for word in program]


def _with(word: str, parts: dict[str, str]) -> str:
    for place, text in parts.items():
        word = word.replace(place, text)
    return word
