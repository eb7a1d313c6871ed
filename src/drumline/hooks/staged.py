"""What a command would commit, looked up before it does: the index, the work tree, other branches."""

from __future__ import annotations

import os

from drumline.hooks.repository import Repository, Unscanned, pieces_of
from drumline.team.commit_steps import WHOLE
from drumline.team.scan import MESSAGE, scan_diff, scan_file, scan_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from drumline.team.commit_steps import Act
    from drumline.team.scan import Hit, Protected

TRACKED = ("--cached",)
NEW = ("--others",)


class Found:
    """What must not be committed, and why not everything was looked at, if so."""

    __slots__ = ("hits", "unscanned")

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self.unscanned = ""


def would_commit(acts: Sequence[Act], protected: Protected, until: float) -> Found:
    """What the commits of these steps would hold that must not be kept."""
    found, places = Found(), _Places(protected, until, amends=_amends(acts))
    try:
        for act in acts:
            try:
                found.hits.extend(places.next_commit(act.folder).after(act))
            except (OSError, ValueError) as error:
                found.unscanned = found.unscanned or str(error)
                found.hits.extend(places.seen_so_far(act))
    finally:
        places.close()
    found.hits = sorted(set(found.hits), key=lambda hit: hit.order())
    return found


def _amends(acts: Sequence[Act]) -> bool:
    return any("amend" in act.flags for act in acts)


class _Places:
    """The repositories a command works in, each looked up once."""

    __slots__ = ("_amends", "_nexts", "_opened", "_protected", "_until")

    def __init__(self, protected: Protected, until: float, *, amends: bool) -> None:
        self._protected, self._until, self._amends = protected, until, amends
        self._opened: dict[str, Repository] = {}  # by folder
        self._nexts: dict[str, _Next] = {}  # by the repository's top

    def next_commit(self, folder: str) -> _Next:
        if folder not in self._opened:
            self._opened[folder] = Repository(folder, self._until)
        place = self._opened[folder]
        if place.top not in self._nexts:
            self._nexts[place.top] = _Next(place, self._protected, amends=self._amends)
        return self._nexts[place.top]

    def seen_so_far(self, act: Act) -> list[Hit]:
        """What was found in a commit before looking at it was interrupted."""
        place = self._opened.get(act.folder)
        known = self._nexts.get(place.top) if place is not None else None
        return known.pending or [] if known is not None and act.kind == "record" else []

    def close(self) -> None:
        for place in self._opened.values():
            place.close()


class _Next:
    """The next commit of one repository, as far as it would hold what it must not."""

    __slots__ = ("_at", "_base", "_place", "_protected", "pending")

    def __init__(self, place: Repository, protected: Protected, *, amends: bool) -> None:
        self._place, self._protected = place, protected
        follows = place.commits(place.top, ["HEAD^"])[:1] if amends else [place.head]
        self._base = "".join(follows) or place.nothing
        self._at = place.head or place.nothing  # what is stood on once the steps so far are done
        self.pending: list[Hit] | None = None

    def after(self, act: Act) -> Iterator[Hit]:
        """What a step commits that must not be; most steps only prepare it."""
        yield from self._said(act)
        if act.kind == "bring":
            yield from self._brought(act)
        elif act.kind == "patch":
            yield from self._patched(act)
        elif act.kind == "record":
            yield from self._recorded(act)
        else:
            self._prepare(act)

    def _said(self, act: Act) -> Iterator[Hit]:
        """What a message holds, wherever it stands."""
        yield from scan_text(MESSAGE, act.message)
        for path in act.told:
            if path in act.made:
                yield from scan_text(MESSAGE, act.made[path])
            elif os.path.isfile(path):
                yield from scan_file(MESSAGE, self._pieces(path), self._protected)

    def _pieces(self, path: str) -> Iterator[bytes]:
        return pieces_of(os.path.realpath(path), self._place.until)

    def _prepare(self, act: Act) -> None:
        if act.kind == "unseen":
            raise Unscanned("what is staged by its object alone is not looked at")
        if act.kind == "take":
            self._take(act)
        elif act.kind == "drop":
            self._drop(act, *TRACKED, *NEW)
        elif act.kind == "start":
            self._start(act)
        elif act.kind == "switch":
            self._at = (self._place.commits(act.folder, act.refs) or [self._at])[0]

    def _staged(self) -> list[Hit]:
        """What stands in the index; as much of it as could be looked at, after an interruption."""
        if self.pending is None:
            self.pending = []
            self.pending.extend(self._changed(self._place.top, "--cached", self._base))
        return self.pending

    def _take(self, act: Act) -> None:
        new = "new" in act.flags
        self._drop(act, *TRACKED, *(NEW if new else ()))
        self._staged().extend(self._from_work_tree(act))
        if new:
            self._staged().extend(self._untracked(act))

    def _drop(self, act: Act, *which: str) -> None:
        """Forget what was staged of these files: it is staged no more, or is about to be anew."""
        if self._staged() and act.paths:
            names = frozenset(self._place.names(act.folder, *which, "--", *act.paths))
            self.pending = [hit for hit in self._staged() if hit.file not in names]

    def _start(self, act: Act) -> None:
        named = self._place.commits(act.folder, act.refs)
        if not named:
            self._drop(act, *TRACKED, *NEW)
            return
        keeps = "index" in act.flags
        before = self._staged() if keeps else []
        self._base = self._at = named[0]
        self.pending = None if keeps else []
        self._staged().extend(before)

    def _recorded(self, act: Act) -> Iterator[Hit]:
        if "all" in act.flags:
            act.paths = (WHOLE,)
        if act.paths and not act.flags.isdisjoint({"all", "include", "amend"}):
            self._take(act)
        elif act.paths:
            yield from self._only(act)
            return
        yield from self._staged()

    def _only(self, act: Act) -> Iterator[Hit]:
        """A commit of some files as they are, whatever else is staged."""
        yield from self._from_work_tree(act)
        added = frozenset(self._place.names(act.folder, *NEW, "--", *act.paths))
        yield from (hit for hit in self._staged() if hit.file in added)

    def _brought(self, act: Act) -> Iterator[Hit]:
        commits = self._place.commits(act.folder, act.refs)
        if not commits:
            raise Unscanned(f"{', '.join(act.refs)} is not here before the command runs")
        if "merge" in act.flags:
            for each in commits:
                yield from self._merged(act.folder, each)
            return
        back = ["-R"] if "revert" in act.flags else []
        pieces = self._place.log(act.folder, *back, "--no-walk", *commits)
        yield from scan_diff(pieces, self._protected)

    def _merged(self, folder: str, commit: str) -> Iterator[Hit]:
        """What a branch has since it went apart, or all of it when it has nothing in common."""
        try:
            yield from self._changed(folder, f"{self._at}...{commit}")
        except Unscanned:
            yield from self._changed(folder, self._place.nothing, commit)

    def _patched(self, act: Act) -> Iterator[Hit]:
        for path in act.paths:
            pieces = pieces_of(os.path.join(act.folder, path), self._place.until)
            yield from scan_diff(pieces, self._protected)

    def _changed(self, folder: str, *words: str) -> Iterator[Hit]:
        return scan_diff(self._place.diff(folder, *words), self._protected)

    def _from_work_tree(self, act: Act) -> Iterator[Hit]:
        """What tracked files hold now, or will hold once the command has written them."""
        for hit in self._changed(act.folder, self._base, "--", *act.paths):
            if not self._is_gone(hit.file, act):
                yield hit
        for path, text in act.made.items():
            file = os.path.relpath(os.path.realpath(path), self._place.top)
            if not file.startswith("../"):
                yield from scan_text(file, text)
        yield from self._drawn(act)

    def _drawn(self, act: Act) -> Iterator[Hit]:
        """What files will hold that the command writes from others, as those are now."""
        for path, sources in act.drawn.items():
            file = os.path.relpath(os.path.realpath(path), self._place.top)
            for source in sorted(sources) if not file.startswith("../") else ():
                if os.path.isfile(source):
                    yield from scan_file(file, self._pieces(source), self._protected)

    def _untracked(self, act: Act) -> Iterator[Hit]:
        for also in ((), ("--ignored",)) if "ignored" in act.flags else ((),):
            for file in self._place.names(act.folder, *NEW, *also, "--", *act.paths):
                if not file.endswith("/") and not self._is_gone(file, act):
                    yield from scan_file(file, self._place.content(file), self._protected)

    def _is_gone(self, file: str, act: Act) -> bool:
        """Whether the command replaces or deletes the file before it is taken."""
        path = os.path.join(self._place.top, file)
        return any(f"{path}/".startswith(f"{os.path.realpath(each)}/") for each in act.gone)
