"""What can be scanned on request: the index, commits, or files as they are."""

from __future__ import annotations

import os

from drumline.hooks.repository import Repository, Unscanned, pieces_of
from drumline.team.scan import MESSAGE, scan_diff, scan_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from drumline.team.scan import Hit, Protected

_ALL_OF_IT = ("--text",)  # binary or long, a file is looked at


class Staged:
    """What the next commit in a folder's repository would hold.

    Within a hook of git that is the index git has made for this commit.
    """

    def __init__(self, folder: str, until: float) -> None:
        self._folder, self._until = folder, until

    def hits(self, protected: Protected) -> Iterator[Hit]:
        place = _opened(self._folder, self._until, os.environ.get("GIT_INDEX_FILE", ""))
        try:
            pieces = place.diff(self._folder, "--cached", place.head or place.nothing)
            yield from scan_diff(pieces, protected)
        finally:
            place.close()


class Commits:
    """A commit, each commit of `A..B`, or all that `A...B` would bring into A at once.

    All of it is looked at: messages too, and files that git would show to nobody as text.
    """

    def __init__(self, folder: str, named: str, until: float) -> None:
        self._folder, self._named, self._until = folder, named, until

    def hits(self, protected: Protected) -> Iterator[Hit]:
        place = _opened(self._folder, self._until)
        try:
            before, together, after = self._named.partition("...")
            if together:
                ends = [self._known(place, name or "HEAD")[0] for name in (before, after)]
                pieces = place.diff(self._folder, *_ALL_OF_IT, "...".join(ends))
                commits = [f"{ends[0]}..{ends[1]}"]
            else:
                commits = ["--no-walk", *self._known(place, self._named)]
                pieces = place.log(self._folder, *_ALL_OF_IT, *commits)
            yield from scan_diff(pieces, protected)
            yield from scan_file(MESSAGE, place.said(self._folder, *commits), protected)
        finally:
            place.close()

    def _known(self, place: Repository, name: str) -> list[str]:
        found = place.commits(self._folder, [name])
        if not found:
            raise Unscanned(f"{name[:200]} is no commit here")
        return found


class Files:
    """Files as they stand, named from a folder; patterns hold from its repository's root."""

    def __init__(self, folder: str, names: Sequence[str], until: float) -> None:
        self._folder, self._names, self._until = folder, names, until

    def hits(self, protected: Protected) -> Iterator[Hit]:
        top = Repository(self._folder, self._until).top
        for name in self._names:
            path = os.path.join(self._folder, name)
            if not os.path.isfile(path):
                raise Unscanned(f"{name[:200]} is no file")
            inside = os.path.relpath(os.path.realpath(path), top)
            file = name if inside.startswith("../") else inside
            yield from scan_file(file, pieces_of(path, self._until), protected)


def _opened(folder: str, until: float, index: str = "") -> Repository:
    place = Repository(folder, until, index=index)
    if not place.exists:
        raise Unscanned(f"{folder} is in no repository")
    return place
