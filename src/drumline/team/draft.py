"""A task as it is asked for, before it has a number."""

from dataclasses import dataclass
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team import text
from drumline.team.ids import TaskId
from drumline.team.ownership import GLOB_RULE, is_glob
from drumline.team.server import NAME_RULE, is_server

PRIORITIES = range(-1000, 1001)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A task as it is asked for, before it has a number."""

    title: str
    body: str = ""
    priority: int = 0
    profile: str = ""
    files: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    tracker: str = ""
    run: str = ""
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        text.checked_line(self.title, "the title")
        if self.body or self.tracker:
            self._check_words()
        if self.profile:
            text.checked_name(self.profile, "the profile")
        if self.run:
            text.checked_name(self.run, "the run")
        if self.files or self.outputs or self.needs:
            self._check_lists()
        if self.priority not in PRIORITIES:
            raise BadInput(
                f"priority {self.priority} is out of range",
                next=f"choose one from {PRIORITIES.start} to {PRIORITIES.stop - 1}",
            )

    def _check_words(self) -> None:
        text.checked(self.body, "the body", cap=text.BODY_CAP, empty=True)
        text.checked_line(self.tracker, "the tracker reference", empty=True)

    def _check_lists(self) -> None:
        for what, paths in (("file", self.files), ("output", self.outputs)):
            _check_paths(what, paths)
        _check_needs(self.needs)


class Listed(NamedTuple):
    """A task asked for together with others: it may wait for them, by their places, and for tasks of the board."""

    draft: NewTask
    after: tuple[int, ...] = ()
    waits_for: tuple[TaskId, ...] = ()


def _check_needs(names: tuple[str, ...]) -> None:
    for name in names:
        if not is_server(name):
            raise BadInput(
                f"{name[:80]!r} cannot be an MCP server",
                why=f"allowed: {NAME_RULE}",
                next="name it as .mcp.json does",
            )


def _check_paths(what: str, paths: tuple[str, ...]) -> None:
    if len(paths) > text.FILES_CAP:
        raise BadInput(
            f"{len(paths):,} {what}s are too many", next=f"name at most {text.FILES_CAP}"
        )
    for path in paths:
        text.checked_line(path, f"the {what}", cap=text.PATTERN_CAP)
        if not is_glob(path):
            raise BadInput(
                f"the {what} {path[:80]!r} cannot be used",
                why=f"allowed: {GLOB_RULE}",
                next="name it relative to the repository's root",
            )
