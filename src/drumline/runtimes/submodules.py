"""The submodules of a checkout, filled from the repository's own copies of them, never by the network.

What a member commits in one is brought back into that copy with its work.
"""

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from drumline.errors import Refused
from drumline.runtimes.fetching import fetch_current
from drumline.runtimes.git import LOOK, Asking, attempt, git, git_inside, script_inside, words
from drumline.runtimes.inspecting import MODULES, names_of, state_of, submodules_of, unfetched
from drumline.runtimes.looking import looking, writing
from drumline.team.confinement import Confinement

LIST = ".gitmodules"
ONLY_FILES = Asking(variables={"GIT_ALLOW_PROTOCOL": "file"})
KEEP = (  # a submodule stands on no branch: what was committed in it has no other name
    'test -n "$(git for-each-ref --count=1 --contains HEAD)"'
    ' || git update-ref "refs/left/$(git rev-parse HEAD)" HEAD || :'
)


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
    """Move the submodules that are there to what the checkout's commit names; what they leave keeps a name.

    Their settings are the member's to write, and may be commands: these find no more to write than it.
    """
    if (folder / MODULES).is_dir():
        keep = shlex.join(words("submodule", "--quiet", "foreach", "--recursive", KEEP))
        update = shlex.join(words("submodule", "--quiet", "update", "--recursive"))
        script = f"{keep} && {update}"
        script_inside(folder, "submodule", script, writing(folder, holes), ONLY_FILES)


def bring_back(repository: Path, folder: Path) -> None:
    """Fetch what the submodules of a checkout stand at into the repository's own copies of them.

    Without it a commit that is merged would name one for its submodule that nobody else has.
    """
    if not (folder / MODULES).is_dir():
        return
    seen = looking(folder)
    for path, source in _there(_modules(repository), repository, folder, seen):
        head = git_inside(folder / path, "rev-parse", "HEAD", held=seen, how=LOOK).strip()
        if source is not None and attempt(source, "cat-file", "-e", f"{head}^{{commit}}").code:
            fetch_current(source, folder, inside=path)


def left_behind(repository: Path, folder: Path) -> tuple[str, ...]:
    """The submodules of a checkout with commits that the repository's own copies do not hold."""
    seen = looking(folder)
    return tuple(
        path
        for path, source in _there(_modules(repository), repository, folder, seen)
        if source is None or _unfetched(source, folder / path, seen)
    )


def _there(
    modules: Path, tree: Path, folder: Path, seen: Confinement, above: str = ""
) -> Iterator[tuple[str, Path | None]]:
    """The submodules that are filled, each with the repository's own copy of it, where there is one."""
    for name, place in submodules_of(folder / above, seen):
        path = f"{above}{place}"
        if (folder / path / ".git").exists():
            source = _source(modules, tree, name, path)
            yield path, source
            if source is not None:
                yield from _there(source / "modules", tree, folder, seen, f"{path}/")


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
    """Where the repository keeps a submodule: among its modules, or in the tree as it once was.

    A link in the tree may lead to a repository that is nobody's submodule.
    """
    places = [modules / name]
    if (tree / path).resolve() == tree.resolve() / path:
        places.append(tree / path / ".git")
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
