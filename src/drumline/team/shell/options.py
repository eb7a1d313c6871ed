"""Options told from operands, so that an option's value is never taken for a file or a command."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

# Names that are whole, though a longer one of the same program begins like them and takes a value.
_WHOLE = frozenset(
    "--commit --install --net --no-binary --pre --refresh --reinstall --semaphore --start --summary --tag --upgrade --wd".split()
)


class Words:
    """A program's words after its name, taken apart."""

    __slots__ = ("flags", "operands", "values")

    def __init__(self) -> None:
        self.flags: set[str] = set()  # every option given, as `-x` or `--name`
        self.values: dict[str, list[str]] = {}
        self.operands: list[str] = []

    def has(self, *names: str) -> bool:
        return any(name in self.flags for name in names)

    def value(self, *names: str) -> str:
        """The last value given to one of these options, or nothing."""
        return next((self.values[name][-1] for name in names if self.values.get(name)), "")


def taken_apart(
    words: Sequence[str], valued: str = "", *, stop: bool = False, plain: str = ""
) -> Words:
    """Options and operands; `valued` names those that take a value, `stop` ends at an operand.

    Short options may be bundled (`-rf`), carry their value (`-oFILE`) or have it in the next word; one
    named with a question mark (`-i?`, `--checkpoint?`) carries its value or has none. A long name may
    be shortened, of those with a value and of those in `plain`, which take none.
    """
    with_value = dict.fromkeys(valued.split())
    long_names = (*with_value, *plain.split())
    found = Words()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            found.operands.extend(words[at:])
            break
        if word.startswith("--"):
            at += _long(word, words[at : at + 1], long_names, with_value, found)
        elif word.startswith("-") and len(word) > 1:
            at += _short(word, words[at : at + 1], with_value, found)
        else:
            found.operands.append(word)
            if stop:
                found.operands.extend(words[at:])
                break
    return found


def _long(
    word: str,
    following: Sequence[str],
    long_names: Sequence[str],
    with_value: Container[str],
    found: Words,
) -> int:
    given, sign, value = word.partition("=")
    name = _completed(given, long_names)
    found.flags.add(name)
    if sign:
        found.values.setdefault(name, []).append(value)
    elif name in with_value and following:
        found.values.setdefault(name, []).append(following[0])
        return 1
    return 0


def _completed(given: str, names: Sequence[str]) -> str:
    """The name an option means: itself where there is one like it, else the first that begins so."""
    if given in _WHOLE or given in names or f"{given}?" in names:
        return given
    return next((name.rstrip("?") for name in names if name.startswith(given)), given)


def _short(word: str, following: Sequence[str], with_value: Container[str], found: Words) -> int:
    if word in with_value:  # a long name behind one dash, as find and java have them
        found.flags.add(word)
        found.values.setdefault(word, []).extend(following)
        return 1
    for at in range(1, len(word)):
        name = f"-{word[at]}"
        found.flags.add(name)
        if f"{name}?" in with_value:
            found.values.setdefault(name, []).extend([word[at + 1 :]] if word[at + 1 :] else [])
            return 0
        if name in with_value:
            rest = word[at + 1 :]
            rest = rest.removeprefix("=") if len(rest) > 1 else rest
            found.values.setdefault(name, []).extend([rest] if rest else following)
            return 0 if rest else 1
    return 0
