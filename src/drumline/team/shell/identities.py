"""Programs that start another one with variables changed: who it says it is may be among them."""

from __future__ import annotations

from drumline.team.shell.effect import changed_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_WHO = ("DRUMLINE_", "LOA_")
_BEFORE = ("--setenv=", "--unsetenv=", "--env=", "--preserve-env=", "-e", "-E")
_TAKES_A_NAME = frozenset("--setenv --unsetenv --env --unset -e -E -u".split())
_CLEARS = {
    "sudo": frozenset({"-i", "--login"}),
    "setpriv": frozenset({"--reset-env"}),
    "bwrap": frozenset({"--clearenv"}),
}


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """Which variables that say who we are this program sets, unsets or leaves behind."""
    del scene
    name, words = argv[0].rpartition("/")[2], argv[1:]
    found = [
        changed_identity(said.partition("=")[0])
        for before, word in zip(argv, words, strict=False)
        if (said := _variable(word)).startswith(_WHO) and ("=" in said or before in _TAKES_A_NAME)
    ]
    cleared = _CLEARS.get(name, frozenset()) & set(_options(words))
    return [*found, *[changed_identity(f"all variables ({name} {each})") for each in cleared]]


def _variable(word: str) -> str:
    for start in _BEFORE:
        if word.startswith(start) and len(word) > len(start):
            return word[len(start) :]
    return word


def _options(words: Sequence[str]) -> list[str]:
    """The options that stand before the program."""
    for at, word in enumerate(words):
        if not word.startswith("-"):
            return list(words[:at])
    return list(words)
