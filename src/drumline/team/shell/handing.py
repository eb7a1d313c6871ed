"""Programs that hand lines or files to another program: xargs, parallel, find and fd."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, undecided
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import Listing, parts_of
from drumline.team.shell.text import ansi_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

_BY_WORDS = ("-n", "--max-args")  # so many are handed over at a time
_BY_LINES = ("-L", "-l", "--max-lines")
# not all, or nobody can tell how many at a time
_FEWER = ("-E", "-e", "-s", "--eof", "--max-chars")
_LONG_NUMBER = 6
MOST = 64  # of the lines handed over, as many are looked at one by one


def given(text: str, scene: Scene, arguments: Sequence[str] = ()) -> Iterable[Effect]:
    """What a shell does with this text; nobody can tell when nothing of it is known."""
    if text.strip(MARKS + " \n") == "" and text.strip():
        return [undecided("a shell is given commands that cannot be told")]
    return scene.script(text, arguments)


def _xargs(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """The program inside is given what comes in, as far as that is known."""
    found_words = taken_apart(
        words,
        "-a -d -E -I -L -n -P -s -R -S -J -e? -i? -l? --arg-file --delimiter --max-args --max-procs "
        "--max-chars --process-slot-var --replace? --max-lines? --eof?",
        stop=True,
    )
    named = found_words.value("-a", "--arg-file")
    found: list[Effect] = [did_read(scene.path(named))] if named else []
    inner = found_words.operands or ["echo"]
    mark = found_words.value("-I", "-i", "--replace", "-J")
    if not mark and found_words.has("-i", "--replace"):
        mark = "{}"
    text = scene.stdin if scene.stdin and not named else HOLE
    items = _items(text, found_words, whole=bool(mark))
    if mark:
        for item in _looked_at(items):
            found += scene.run([word.replace(mark, item) for word in inner])
        if not found_words.has(*_BY_WORDS, *_BY_LINES):  # a later one of them undoes the mark
            return found
    for handed in _handed(text, items, found_words):
        found += scene.run([*inner, *handed])
    return found


def _handed(text: str, items: Sequence[str], given: Words) -> Iterable[Sequence[str]]:
    """What the program is given at a time: of a list of names any may come first, or last, or alone."""
    if isinstance(text, Listing):
        if len(items) > 1:
            yield from ([item] for item in _looked_at(items))
        if any(item.startswith("-") for item in items):
            for at, item in enumerate(_looked_at(items)):
                yield [item, *items[:at], *items[at + 1 :]]
        yield items
    elif given.has(*_FEWER):
        yield [HOLE]
    elif given.has(*_BY_LINES):
        lines = [_items(line, given, whole=False) for line in text.split("\n") if line.strip()]
        yield from _at_a_time(lines, given.value(*_BY_LINES) or "1")
    elif given.has(*_BY_WORDS):
        yield from _at_a_time([[item] for item in items], given.value(*_BY_WORDS))
    else:
        yield items


def _at_a_time(units: Sequence[list[str]], number: str) -> Iterable[Sequence[str]]:
    """So many of them together; of many only the first ones are followed."""
    size = int(number) if number.isdecimal() and len(number) < _LONG_NUMBER else 0
    size = size or len(units) or 1
    for at in range(0, min(len(units), MOST * size), size):
        yield [item for unit in units[at : at + size] for item in unit]
    if len(units) > MOST * size:
        yield [HOLE]


def _items(text: str, given: Words, *, whole: bool) -> list[str]:
    """What comes in, taken apart as xargs does it: by a letter of its own, by lines, else by words."""
    ends = "\0" if given.has("-0", "--null") else ansi_c(given.value("-d", "--delimiter"))
    if not parts_of(text, ends):
        return [HOLE]
    if isinstance(text, Listing):
        return _known(text.names())
    if ends:  # whatever the letter, a word ends at a zero
        return _known([item.partition("\0")[0] for item in text.split(ends)])
    text = text.replace("\0", "\n")  # it ends a name for whoever is given it
    lines = text.split("\n") if whole else [text]
    try:
        return _known([item for line in lines for item in _words(line, whole=whole)])
    except ValueError:  # what stands before a quote without an end is handed over all the same
        return _known(text.split())


def _words(line: str, *, whole: bool) -> list[str]:
    """The words of a line without their quotes, as one where the line is one item."""
    if not any(letter in line for letter in "'\"\\"):
        return [line.strip()] if whole else line.split()
    from shlex import shlex  # it loads `re`, and few items have a quote

    reader = shlex(line, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters = True, ""
    reader.escapedquotes = ""  # for xargs a backslash in quotes is a letter
    words = list(reader)
    return [" ".join(words)] if whole else words


def _known(items: Sequence[str]) -> list[str]:
    """What begins with text nobody knows may be anything; behind a folder it is a file in there."""
    return [HOLE if HOLE in item.partition("/")[0] else item for item in items if item]


def _looked_at(items: Sequence[str]) -> Sequence[str]:
    """As many as are worth following one by one; of the rest nothing is known."""
    return items if len(items) <= MOST else [*items[:MOST], HOLE]


def _parallel(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    found_words = taken_apart(
        words,
        "-j -a -S -N -n -L -C -d -I -P --jobs --arg-file --sshlogin --sshloginfile --delay --timeout "
        "--halt --nice --load --block --retries "
        "--joblog --results --colsep --workdir --tmpdir --max-args",
        stop=True,
    )
    inner, sources = _before(found_words.operands, (":::", "::::", ":::+"))
    items = sources if sources and ":::" in found_words.operands else [HOLE]
    if scene.stdin and not sources:
        ends = "\0" if found_words.has("-0", "--null") else "\n"
        items = _known(scene.stdin.split(ends)) if parts_of(scene.stdin, ends) else [HOLE]
    text = " ".join(inner)
    found: list[Effect] = []
    for item in _looked_at([item for item in items if item]):
        if not inner:
            found += given(item, scene)
        else:
            found += scene.script(text.replace("{}", item) if "{}" in text else f"{text} {item}")
    return found


def _before(words: Sequence[str], marks: tuple[str, ...]) -> tuple[list[str], list[str]]:
    for at, word in enumerate(words):
        if word in marks:
            return list(words[:at]), [each for each in words[at + 1 :] if each not in marks]
    return list(words), []


def _find(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program, or deleted."""
    from drumline.team.shell import find  # few hand on what they find: who does not need not pay

    return find.effects(words, scene)


def _fd(words: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Each file found may be handed to a program."""
    from drumline.team.shell import fd

    return fd.effects(words, scene)


PROGRAMS: dict[str, Callable[[Sequence[str], Scene], Iterable[Effect]]] = {
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
}
