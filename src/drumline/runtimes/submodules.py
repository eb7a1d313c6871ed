"""The submodules of a checkout, filled from the repository's own copies of them, never by the network."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from drumline.errors import Refused
from drumline.runtimes.git import Asking, git, git_inside
from drumline.runtimes.inspecting import MODULES, names_of, state_of, submodules_of, unfetched
from drumline.runtimes.looking import looking, writing
from drumline.team.confinement import Confinement

LIST = ".gitmodules"
ONLY_FILES = Asking(variables={"GIT_ALLOW_PROTOCOL": "file"})


class Reach(NamedTuple):
    """What may be written: to say where a submodule comes from, and to fill it, which may run commands."""

    settings: Confinement
    files: Confinement


def bring(repository: Path, folder: Path, holes: Sequence[str]) -> tuple[str, ...]:
    """Fill every submodule the repository has a copy of; the paths of those it has none of.

    They are copied, not linked: a second name of an object would be writable for the member.
    """
    if not os.path.lexists(folder / LIST):
        return ()  # nobody works in it yet: what is not there is not in its commit
    reach = Reach(writing(folder), writing(folder, holes))
    return tuple(_bring(_modules(repository), repository, folder, reach))


def follow(folder: Path, holes: Sequence[str]) -> None:
    """Move the submodules that are there to what the checkout's commit names.

    Their settings are the member's to write, and may be commands: these find no more to write than it.
    """
    if (folder / MODULES).is_dir():
        update = ("submodule", "--quiet", "update", "--recursive")
        git_inside(folder, *update, held=writing(folder, holes), how=ONLY_FILES)


def left_behind(repository: Path, folder: Path) -> tuple[str, ...]:
    """The submodules of a checkout with commits that the repository's own copies do not hold."""
    return tuple(_left_behind(_modules(repository), repository, folder, looking(folder)))


def _left_behind(modules: Path, tree: Path, folder: Path, seen: Confinement) -> Iterator[str]:
    for name, path in submodules_of(folder, seen):
        inner, source = folder / path, _source(modules, tree, name, path)
        if not (inner / ".git").exists():
            continue
        if source is None or _unfetched(source, inner, seen):
            yield path
        else:
            more = _left_behind(source / "modules", tree / path, inner, seen)
            yield from (f"{path}/{lost}" for lost in more)


def _unfetched(source: Path, inner: Path, seen: Confinement) -> tuple[str, ...]:
    names = names_of(inner, state_of(inner, seen), seen=seen)
    return unfetched(source, inner, names, seen)


def _modules(repository: Path) -> Path:
    shared = git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
    return Path(shared) / "modules"


def _bring(modules: Path, tree: Path, folder: Path, reach: Reach) -> Iterator[str]:
    for name, path in submodules_of(folder, reach.files):
        source = _source(modules, tree, name, path)
        if source is None or not _filled(folder, name, path, source, reach):
            yield path
            continue
        inner = _bring(source / "modules", tree / path, folder / path, reach)
        yield from (f"{path}/{lost}" for lost in inner)


def _source(modules: Path, tree: Path, name: str, path: str) -> Path | None:
    """Where the repository keeps a submodule: among its modules, or in the tree as it once was."""
    places = (modules / name, tree / path / ".git")
    return next((place for place in places if (place / "objects").is_dir()), None)


def _filled(folder: Path, name: str, path: str, source: Path, reach: Reach) -> bool:
    url = Path(os.path.realpath(source)).as_uri()
    try:
        git_inside(folder, "config", f"submodule.{name}.url", url, held=reach.settings)
        update = ("submodule", "--quiet", "update", "--", path)
        git_inside(folder, *update, held=reach.files, how=ONLY_FILES)
    except Refused:  # its copy lacks the commit
        deinit = ("submodule", "--quiet", "deinit", "--force", "--", path)
        git_inside(folder, *deinit, held=reach.settings)
        return False
    return True
