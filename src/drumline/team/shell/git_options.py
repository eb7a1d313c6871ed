"""A verb's words told apart: options by their full name, the values they take, and the rest.

A form lists a verb's options: `-m|--message=` takes a value, `-S|--gpg-sign?` only one that is
attached, `-f|--force` none. An option that is neither dangerous, harmless-making nor valued is left out.
"""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Options:
    """What a verb was told; `open` means that some word may turn out to be any option."""

    __slots__ = ("after", "given", "open", "operands")

    def __init__(self) -> None:
        self.given: dict[str, list[str]] = {}
        self.operands: list[str] = []  # before a `--`
        self.after: list[str] = []  # behind it
        self.open = False

    def has(self, *names: str) -> bool:
        return any(name in self.given for name in names)

    def values(self, *names: str) -> list[str]:
        return [value for name in names for value in self.given.get(name, ())]

    def value(self, *names: str) -> str:
        """The last value given for one of these options, or nothing."""
        return (self.values(*names) or [""])[-1]

    @property
    def rest(self) -> list[str]:
        """All that is neither an option nor the value of one."""
        return [*self.operands, *self.after]

    @property
    def action(self) -> str:
        """The word that says what a verb of many parts is to do."""
        return self.operands[0] if self.operands else ""


def one_of(text: str) -> frozenset[str]:
    """The words of a text, to ask whether a word is among them."""
    return frozenset(text.split())


def options_of(words: Sequence[str], form: str, *, permuted: bool = True) -> Options:
    """Read words as git does: bundles, shortened names, `--no-` that takes back, `--` that ends."""
    return _Reading(form).read(iter(words), permuted=permuted)


class _Reading:
    __slots__ = ("found", "spellings")

    def __init__(self, form: str) -> None:
        self.found = Options()
        self.spellings: dict[str, tuple[str, str]] = {}
        for entry in form.split():
            takes = entry[-1] if entry[-1] in "=?" else ""
            names = entry.rstrip("=?").split("|")
            for name in names:
                self.spellings[name] = names[-1].lstrip("-"), takes

    def read(self, words: Iterator[str], *, permuted: bool) -> Options:
        ended = False
        for word in words:
            if word == "--":
                self.found.after = list(words)
            elif word == "--end-of-options":
                ended = True
            elif ended or word[:1] != "-" or word == "-":
                self._operand(word, ended=ended)
                if not permuted:
                    self.found.operands.extend(words)
            elif word[:2] == "--":
                self._long(word, words)
            else:
                self._bundle(word, words)
        return self.found

    def _operand(self, word: str, *, ended: bool) -> None:
        self.found.open = self.found.open or (word[:1] == HOLE and not ended)
        self.found.operands.append(word)

    def _long(self, word: str, words: Iterator[str]) -> None:
        name, attached, value = word.partition("=")
        if not known(name):
            self.found.open = True
            return
        meant = self._meant(name)
        if not meant:
            self._take_back(name)
        elif not attached and any(takes == "=" for _, takes in meant):
            value = next(words, "")
        for full, _ in meant:
            self.found.given.setdefault(full, []).append(value)

    def _meant(self, name: str) -> list[tuple[str, str]]:
        """What a long name may be short for; git refuses it when that is several."""
        if name in self.spellings:
            return [self.spellings[name]]
        return [to for spelled, to in self.spellings.items() if spelled.startswith(name)]

    def _take_back(self, name: str) -> None:
        opposite = f"--{name[5:]}" if name.startswith("--no-") else f"--no-{name[2:]}"
        for full, _ in self._meant(opposite):
            self.found.given.pop(full, None)

    def _bundle(self, word: str, words: Iterator[str]) -> None:
        for at, letter in enumerate(word[1:], start=2):
            if letter == HOLE:
                self.found.open = True
            full, takes = self.spellings.get(f"-{letter}", ("", ""))
            if full:
                value = word[at:] if takes else ""
                if takes == "=" and not value:
                    value = next(words, "")
                self.found.given.setdefault(full, []).append(value)
            if takes:
                return
