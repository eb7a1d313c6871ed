"""Where a command stands while it is followed: its folder, home and input, and the way deeper."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drumline.team.shell.effect import Effect


LONGEST_PATH = 4096


class Scene:
    """What a program's own module may ask while it says what the program does."""

    __slots__ = ("cwd", "home", "lost_a_word", "root", "stdin", "temporary")

    def __init__(
        self,
        cwd: str,
        home: str,
        *,
        root: str = "",
        temporary: tuple[str, ...] = (),
        stdin: str | None = None,
    ) -> None:
        self.cwd, self.home, self.temporary = cwd, home, temporary
        self.root = root or cwd  # the repository the command works in
        self.lost_a_word = False  # whether a word of this command came to nothing
        self.stdin = stdin  # the text it is given, where that is known; None where it is not

    def path(self, word: str) -> str:
        """The absolute path a word names, `.` and `..` taken out; marks stay where they are."""
        return joined(self.cwd, word)

    def is_temporary(self, path: str) -> bool:
        """Whether a path lies in a folder for what nobody will miss."""
        return any(path.startswith(f"{folder}/") for folder in self.temporary)

    def script(self, text: str, arguments: Sequence[str] = ()) -> Iterable[Effect]:
        """What this text does when a shell runs it here; `arguments` are its $0, $1 and so on."""
        raise NotImplementedError

    def run(
        self, argv: Sequence[str], folder: str = "", variables: Mapping[str, str] | None = None
    ) -> Iterable[Effect]:
        """What this program does when it is started here, or in a folder, with variables set for it."""
        raise NotImplementedError

    def elsewhere(self, text: str) -> Iterable[Effect]:
        """What this text does when a shell on another machine runs it."""
        return self.script(text)

    def kept(self, path: str) -> str | None:  # noqa: ARG002 - for a scene that remembers
        """What a file holds that was written earlier in the same command."""
        return None

    def harm_by(self, argv: Sequence[str]) -> Iterable[Effect]:
        """Of what a program does somewhere closed off, only the harm that reaches out of it."""
        return [effect for effect in self.run(argv) if effect.kind == "danger"]

    def copied(self, copy: str, source: str) -> None:
        """From now on `copy` is the same program as `source`."""

    def links_to(self, link: str, target: str) -> None:
        """From now on a path through `link` means the one through `target`."""


def joined(cwd: str, word: str) -> str:
    """A path made absolute and plain, by its letters alone."""
    if word.startswith((HOLE, OUTER)):
        return word
    if len(word) > LONGEST_PATH:
        return HOLE  # no system takes it as it is
    whole = word if word.startswith("/") else f"{cwd}/{word}"
    kept: list[str] = []
    for part in whole.split("/"):
        if part == "..":
            if kept and HOLE not in kept[-1]:
                kept.pop()
            elif kept:
                kept.append(part)
        elif part not in {"", "."}:
            kept.append(part)
    lead = "" if whole.startswith((HOLE, OUTER)) else "/"
    return lead + "/".join(kept)
