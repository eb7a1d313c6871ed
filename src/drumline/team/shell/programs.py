"""Which module knows what a program does."""

from __future__ import annotations

from drumline.team.shell import archives, files, wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene


def effects_of(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """What a program does, told by its name and words."""
    name = argv[0].rpartition("/")[2]
    if name in {"git", "git.exe"} or name.startswith("git-"):
        return _git(name, argv, scene)
    inside = wrappers.effects(argv, scene)
    if inside is not None:
        return inside
    if name in archives.PROGRAMS:
        return archives.effects(argv, scene)
    return _by_family(name, argv, scene)


def _git(name: str, argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import git

    if name.startswith("git-"):
        argv = ["git", name.removeprefix("git-"), *argv[1:]]
    return git.effects(argv, scene)


def _by_family(name: str, argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """Families loaded only when one of their programs runs."""
    from drumline.team.shell import databases, hub, interpreters, recipes

    for family in (interpreters, recipes, hub, databases):
        if name in family.PROGRAMS:
            return family.effects(argv, scene)
    return files.effects(argv, scene)
