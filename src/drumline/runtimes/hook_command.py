"""The command of a hook: words that must reach the program exactly as they are."""

from collections.abc import Sequence

from drumline.errors import BadInput


def carried(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a command, when an agent CLI can carry them unchanged."""
    if not words or not words[0].startswith("/"):
        raise BadInput(
            f"a hook cannot start {words[0] if words else 'nothing'!r}",
            why="agent CLIs start hooks from any folder and with any PATH",
            next="give the program's absolute path",
        )
    for word in words:
        _refuse_lost_letters(word)
    return tuple(words)


def _refuse_lost_letters(word: str) -> None:
    """Refuse what no JSON or TOML text can hold and no program can be given."""
    try:
        lost = b"\0" in word.encode()
    except UnicodeEncodeError:
        lost = True
    if lost:
        raise BadInput(
            f"a hook cannot be given {word!r}",
            why="settings are UTF-8 text, and this is not",
            next="move it to a folder whose name is UTF-8",
        )
