"""What programs print that mostly print one word: a date, a number, the last piece of a path.

Where the command itself says what the word is, that is the word. Where it may be anything, it is HOLE.
"""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, MARKS, STAR, last_piece
from drumline.team.shell.options import taken_apart
from drumline.team.shell.said import either_of, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.state import Shell

    Printer = Callable[[list[str], str, Shell], str]

_WORD = f"{STAR}\n"
_DATE = {
    **dict.fromkeys("aAbBCdeFgGhHIjklmMNpPqrRsSTuUVwWyYzZ", STAR),
    "D": f"{STAR}/{STAR}/{STAR}",
    "%": "%",
    "n": "\n",
    "t": "\t",
}
_CALCULATES = frozenset("+ - * / % < <= = == != >= >".split())
_SUMS = "md5sum sha1sum sha256sum cksum".split()
_COUNTS = frozenset("-c -m -l -w -L --lines --words --bytes --chars --max-line-length".split())
_SUMS_AS = frozenset("-b -t -z --binary --text --zero".split())
_STAT = {  # GNU and BSD: letters before the one that counts, and those that are a name of a file or a disk
    "-c": ("HL", "nNm"),
    "-f": ("DFHLMOSUX", "NRTY"),
}
_LETTERS_IN_OD = frozenset("-S --strings -c -a".split())


def as_date(shape: str) -> str:
    """A date in this format: what is no `%` in it is printed as it is."""
    said: list[str] = []
    at = 0
    while at < len(shape):
        if shape[at] != "%":
            said.append(shape[at])
            at += 1
            continue
        end = at + 1
        while shape[end : end + 1] and shape[end] in "-_0^#:+EO123456789":
            end += 1
        said.append(_DATE.get(shape[end : end + 1], HOLE))
        at = end + 1
    return "".join(said)


def _date(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin, shell
    given = taken_apart(argv[1:], "-d -f -r -s -v --date --file --reference --set")
    shapes = [word[1:] for word in given.operands if word.startswith("+")]
    if shapes:
        return as_date(shapes[0]) + "\n"
    return HOLE if any(word.startswith(HOLE) for word in argv[1:]) else _WORD


def _basename(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin, shell
    given = taken_apart(argv[1:], "-s --suffix")
    if given.flags - {"-a", "-s", "--multiple", "--suffix"}:
        return HOLE
    names, ending = given.operands, given.value("-s", "--suffix")
    if not given.flags:
        names, ending = names[:1], "".join(names[1:2])
    return "".join(f"{_last_piece(name, ending)}\n" for name in names)


def _last_piece(name: str, ending: str) -> str:
    piece = last_piece(name.rstrip("/")) or name[:1]
    if any(mark in piece + ending for mark in MARKS):
        return STAR if ending else piece
    return piece if piece == ending else piece.removesuffix(ending)


def _dirname(argv: list[str], stdin: str, shell: Shell) -> str:
    del stdin, shell
    given = taken_apart(argv[1:])
    return HOLE if given.flags else together([_folder(name) for name in given.operands])


def _folder(name: str) -> str:
    """Where a file lies: a name that nobody knows may have folders in it."""
    bare = name.rstrip("/")
    head, slash, last = bare.rpartition("/")
    folder = head.rstrip("/") or ("/" if slash or (name and not bare) else ".")
    if HOLE not in last:
        return folder + "\n"
    deeper = HOLE if not slash else f"{folder.rstrip('/')}/{HOLE}"
    return either_of(folder + "\n", (f"{folder}\n", f"{deeper}\n"))


def _expr(argv: list[str], stdin: str, shell: Shell) -> str:
    """A sum is a number; whatever else `expr` works out may be any of its words."""
    del stdin, shell
    signs = argv[2::2]
    whole = len(argv) % 2 == 0 and signs and _CALCULATES.issuperset(signs)
    return _WORD if whole and HOLE not in "".join(argv) else HOLE


def _seq(argv: list[str], stdin: str, shell: Shell) -> str:
    """Numbers, unless a format or something between them is given."""
    del stdin, shell
    plain = all(
        word[:1] != "-" or word == "-w" or word[1:2].isdecimal() or word[1:2] == "."
        for word in argv[1:]
    )
    return _WORD if plain and HOLE not in "".join(argv) else HOLE


def _stat(argv: list[str], stdin: str, shell: Shell) -> str:
    """Numbers and dates, where the format asks for nothing else."""
    del stdin, shell
    given = taken_apart(argv[1:], "-c -f --format --printf")
    shape = given.value("-c", "--format", "--printf", "-f")
    if "\\" in shape or any(mark in shape for mark in MARKS):
        return HOLE
    before, *asked = shape.split("%")
    shown, names = _STAT["-f" if given.has("-f") else "-c"]
    letters = [each.lstrip(f"-+ #0123456789.{shown}") for each in asked]
    if not letters or any(not each or each[0] in names for each in letters):
        return HOLE
    return STAR.join([before, *(each[1:] for each in letters)]) + "\n"


def _counted(plain: frozenset[str]) -> Printer:
    """A printer of numbers, with the name of each file that is counted."""

    def printer(argv: list[str], stdin: str, shell: Shell) -> str:
        del stdin, shell
        given = taken_apart(argv[1:])
        if not given.flags <= plain:
            return HOLE
        return "".join(f"{STAR} {name}\n" for name in given.operands) or _WORD

    return printer


def _bc(argv: list[str], stdin: str, shell: Shell) -> str:
    """A calculator prints numbers, unless it is told a text or reads a file."""
    del shell
    texts = any(letter in stdin for letter in f'"{HOLE}')
    return HOLE if texts or not _only_flags(argv[1:]) else _WORD


def _only_flags(words: Sequence[str]) -> bool:
    return all(word.startswith("-") and len(word) > 1 for word in words)


def _od(argv: list[str], stdin: str, shell: Shell) -> str:
    """Numbers, unless letters are asked for."""
    del stdin, shell
    given = taken_apart(argv[1:], "-A -j -N -S -t -w --format")
    shapes = "".join([*given.values.get("-t", ()), *given.values.get("--format", ())])
    letters = given.flags & _LETTERS_IN_OD or any(letter in shapes for letter in f"acz{HOLE}")
    return HOLE if letters else _WORD


def _any_word(argv: list[str], stdin: str, shell: Shell) -> str:
    """A single word without a slash, whatever it is."""
    del argv, stdin, shell
    return _WORD


def _number(argv: list[str], stdin: str, shell: Shell) -> str:
    del argv, stdin, shell
    return "8\n"  # whichever


PRINTERS: dict[str, Printer] = {
    **dict.fromkeys("uname hostname whoami id uuidgen arch tty getconf".split(), _any_word),
    **dict.fromkeys("sw_vers tput rustc locale".split(), _any_word),
    **dict.fromkeys(_SUMS, _counted(_SUMS_AS)),
    "wc": _counted(_COUNTS),
    "nproc": _number,
    "date": _date,
    "basename": _basename,
    "dirname": _dirname,
    "expr": _expr,
    "seq": _seq,
    "stat": _stat,
    "bc": _bc,
    "od": _od,
}
