"""The submodules of a checkout, filled from the repository's own copies of them, never by the network.

What a member commits in one is brought back into that copy with its work.
"""

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from drumline.errors import InTheWay, Refused
from drumline.runtimes.fetching import fetch_inside
from drumline.runtimes.git import (
    APART,
    PLAIN,
    Asking,
    attempt,
    git,
    git_inside,
    readable,
    script_inside,
    words,
)
from drumline.runtimes.inspecting import (
    LINK,
    MODULES,
    names_of,
    state_of,
    submodules_at,
    submodules_of,
    unfetched,
)
from drumline.runtimes.looking import looking, writing
from drumline.team.confinement import Confinement

LIST = ".gitmodules"
NOT_THERE = 129  # git's answer for a commit it has not
ONLY_FILES = Asking(variables={"GIT_ALLOW_PROTOCOL": "file"})
# whole, whatever .gitmodules recommends: a part cannot be brought back
UPDATE = ("submodule", "--quiet", "update", "--no-recommend-shallow")
# a submodule stands on no branch: what was committed in it has no other name
KEEP = (
    'test -n "$(git for-each-ref --count=1 --contains HEAD)"'
    ' || git update-ref "refs/left/$(git rev-parse HEAD)" HEAD || :'
)


class Reach(NamedTuple):
    """What may be written: to say where a submodule comes from, and to fill it, which may run commands."""

    settings: Confinement
    files: Confinement


class Site(NamedTuple):
    """Where the user's submodules of one repository are: below the tree, and where git may keep them."""

    tree: Path
    above: str
    modules: tuple[Path, ...]

    def within(self, source: Path, path: str) -> "Site":
        return Site(self.tree, f"{self.above}{path}/", (source / "modules",))


class Listed(NamedTuple):
    """A submodule that a checkout's commit lists, and the user's own copy of it, where there is one."""

    above: str
    name: str
    place: str
    source: Path | None

    @property
    def path(self) -> str:
        return self.above + self.place


def bring(repository: Path, folder: Path, holes: Sequence[str]) -> tuple[str, ...]:
    """Fill every submodule the repository has a copy of; the paths of those it has none of.

    They are copied, not linked: a second name of an object would be writable for the member.
    """
    if not os.path.lexists(folder / LIST):
        return ()  # nobody works in it yet: what is not there is not in its commit
    reach = Reach(writing(folder), writing(folder, holes))
    listed = _listed(_site(repository), folder, looking(folder))
    return tuple(each.path for each in listed if not _fill(folder, each, reach))


def follow(folder: Path, holes: Sequence[str]) -> None:
    """Move the submodules that are there to what the checkout's commit names; what they leave keeps a name.

    Their settings are the member's to write, and may be commands: these find no more to write than it.
    """
    if (folder / MODULES).is_dir():
        keep = shlex.join(words("submodule", "--quiet", "foreach", "--recursive", KEEP))
        script = f"{keep} && {shlex.join(words(*UPDATE, '--recursive'))}"
        script_inside(folder, "submodule", script, writing(folder, holes), ONLY_FILES)


def bring_back(repository: Path, folder: Path, commit: str) -> None:
    """Fetch what a commit of a member's work names for submodules into the repository's own copies.

    Without it the work, once merged, would name commits that nobody else has.
    """
    if (folder / MODULES).is_dir() or os.path.lexists(folder / LIST):
        _bring_back(_site(repository), submodules_at(repository, commit, PLAIN), folder)


def left_behind(repository: Path, folder: Path) -> tuple[str, ...]:
    """The submodules of a checkout with commits that the repository's own copies do not hold."""
    seen = looking(folder)
    return tuple(
        each.path
        for each in _listed(_site(repository), folder, seen)
        if _is_filled(folder, each.path)
        and (each.source is None or _unfetched(each.source, folder / each.path, seen))
    )


def _bring_back(site: Site, named: Iterable[tuple[str, str, str]], folder: Path) -> None:
    for name, place, commit in named:
        source, path = _source(site, name, place), site.above + place
        if source is None or not _is_filled(folder, path):
            continue
        if not _is_kept(source, commit):
            fetch_inside(source, folder, path, commit)
        inside = submodules_at(source, commit, APART)
        _bring_back(site.within(source, place), inside, folder)


def _is_kept(source: Path, commit: str) -> bool:
    done = attempt(source, "for-each-ref", "--count=1", f"--contains={commit}", how=APART)
    if done.code not in {0, NOT_THERE}:
        raise InTheWay(
            f"{source} cannot be read",
            why=readable(done.err),
            next="it is your copy of a submodule: mend it, or fetch it again",
        )
    return bool(done.out)


def _listed(site: Site, folder: Path, seen: Confinement) -> Iterator[Listed]:
    """Each submodule, and once it is filled those inside it."""
    for name, place in submodules_of(folder / site.above, seen):
        source = _source(site, name, place)
        yield (each := Listed(site.above, name, place, source))
        if source is not None and _is_filled(folder, each.path):
            yield from _listed(site.within(source, place), folder, seen)


def _is_filled(folder: Path, path: str) -> bool:
    return (folder / path / ".git").exists() and _stands_at(folder, path)


def _stands_at(tree: Path, path: str) -> bool:
    """Whether no link leads elsewhere on the way to a place in a tree."""
    return (tree / path).resolve() == tree.resolve() / path


def _unfetched(source: Path, inner: Path, seen: Confinement) -> tuple[str, ...]:
    names = names_of(inner, state_of(inner, seen), seen=seen)
    return unfetched(source, inner, names, seen, APART)


def _site(repository: Path) -> Site:
    asked = ("--path-format=absolute", "--git-path", "modules", "--git-common-dir")
    own, shared = git(repository, "rev-parse", *asked).splitlines()
    return Site(repository, "", (Path(own), Path(shared) / "modules"))  # a linked tree has its own


def _source(site: Site, name: str, place: str) -> Path | None:
    """Where the repository keeps a submodule: among its modules, or in the tree as it once was.

    Another repository that only lies there is nobody's submodule.
    """
    kept = (modules / name for modules in site.modules if (modules / name / "objects").is_dir())
    if found := next(kept, None):
        return found
    old = site.tree / site.above / place / ".git"
    is_one = (old / "objects").is_dir() and _stands_at(site.tree, site.above + place)
    return old if is_one and _is_link(site.tree / site.above, place) else None


def _is_link(tree: Path, place: str) -> bool:
    told = attempt(tree, "ls-files", "--stage", "--", f":(literal){place}").out
    return told.startswith(LINK.encode())


def _fill(folder: Path, each: Listed, reach: Reach) -> bool:
    if each.source is None:
        return False
    outer, url = folder / each.above, Path(os.path.realpath(each.source)).as_uri()
    try:
        git_inside(outer, "config", f"submodule.{each.name}.url", url, held=reach.settings)
        git_inside(outer, *UPDATE, "--", each.place, held=reach.files, how=ONLY_FILES)
    except Refused:  # its copy lacks the commit
        deinit = ("submodule", "--quiet", "deinit", "--force", "--", each.place)
        git_inside(outer, *deinit, held=reach.settings)
        return False
    return True
