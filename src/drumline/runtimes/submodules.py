"""The submodules of a checkout, filled from the repository's own copies of them, never by the network."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from drumline.errors import Refused
from drumline.runtimes.git import Asking, git, git_inside
from drumline.runtimes.inspecting import names_of, state_of, unfetched
from drumline.team.confinement import Confinement

LISTED = ("config", "-z", "--blob", "HEAD:.gitmodules", "--get-regexp", r"^submodule\..*\.path$")
ONLY_FILES = Asking(variables={"GIT_ALLOW_PROTOCOL": "file"})


def bring(repository: Path, folder: Path) -> tuple[str, ...]:
    """Fill every submodule the repository has a copy of; the paths of those it has none of.

    They are copied, not linked: a second name of an object would be writable for the member.
    """
    return tuple(_bring(_modules(repository), repository, folder, _writing(folder)))


def follow(folder: Path) -> None:
    """Move the submodules that are there to what the checkout's commit names."""
    if (folder / ".git" / "modules").is_dir():
        update = ("submodule", "--quiet", "update", "--recursive")
        git_inside(folder, *update, held=_writing(folder), how=ONLY_FILES)


def left_behind(repository: Path, folder: Path) -> tuple[str, ...]:
    """The submodules of a checkout with commits that the repository's own copies do not hold."""
    return tuple(_left_behind(_modules(repository), repository, folder))


def _left_behind(modules: Path, tree: Path, folder: Path) -> Iterator[str]:
    for name, path in _listed(folder):
        inner, source = folder / path, _source(modules, tree, name, path)
        if not (inner / ".git").exists():
            continue
        if source is None or unfetched(source, inner, names_of(inner, state_of(inner))):
            yield path
        else:
            more = _left_behind(source / "modules", tree / path, inner)
            yield from (f"{path}/{lost}" for lost in more)


def _modules(repository: Path) -> Path:
    shared = git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
    return Path(shared) / "modules"


def _bring(modules: Path, tree: Path, folder: Path, held: Confinement) -> Iterator[str]:
    for name, path in _listed(folder):
        source = _source(modules, tree, name, path)
        if source is None or not _filled(folder, name, path, source, held):
            yield path
            continue
        inner = _bring(source / "modules", tree / path, folder / path, held)
        yield from (f"{path}/{lost}" for lost in inner)


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    """The names and paths that the checkout's commit lists."""
    told = ""
    if git_inside(folder, "ls-tree", "HEAD", "--", ".gitmodules"):
        with suppress(Refused):  # git's answer for a file that lists none
            told = git_inside(folder, *LISTED)
    for entry in filter(None, told.split("\0")):
        key, _, path = entry.partition("\n")
        name = key.removeprefix("submodule.").removesuffix(".path")
        if not {"..", "", ".git"} & {*PurePosixPath(name).parts, *path.split("/")}:
            yield name, path


def _source(modules: Path, tree: Path, name: str, path: str) -> Path | None:
    """Where the repository keeps a submodule: among its modules, or in the tree as it once was."""
    places = (modules / name, tree / path / ".git")
    return next((place for place in places if (place / "objects").is_dir()), None)


def _filled(folder: Path, name: str, path: str, source: Path, held: Confinement) -> bool:
    url = Path(os.path.realpath(source)).as_uri()
    try:
        git_inside(folder, "config", f"submodule.{name}.url", url, held=held)
        update = ("submodule", "--quiet", "update", "--", path)
        git_inside(folder, *update, held=held, how=ONLY_FILES)
    except Refused:  # its copy lacks the commit
        git_inside(folder, "submodule", "--quiet", "deinit", "--force", "--", path, held=held)
        return False
    return True


def _writing(folder: Path) -> Confinement:
    return Confinement(writable=[os.path.realpath(folder)], ports=())
