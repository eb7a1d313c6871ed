"""Contexts on disk: a draft is read from a file, and each version is a file of its run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import context
from drumline.control.context import Publication, Published
from drumline.control.context_views import published_facts
from drumline.control.run_files import context_text
from drumline.errors import BadInput
from drumline.store.regular import NotReadable, read_regular
from drumline.team.context_form import LONGEST, Draft
from drumline.team.directive import context_file
from drumline.wiring import manifest_of
from drumline.wiring.run_folders import write

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.actor import Actor


class Rendered(NamedTuple):
    """What was published, and its file below the repository, if that could be written."""

    published: Published
    file: str

    def facts(self) -> dict[str, Any]:
        """What is shown of it on every surface."""
        return {**published_facts(self.published), "file": self.file or None}


def publish(
    settings: Settings, store: Store, actor: Actor, run: str, draft: tuple[Draft, str]
) -> Rendered:
    """Publish a draft, with its reason, and render it; a file that cannot be written undoes nothing."""
    (sections, version), why = draft
    window = manifest_of(settings).settings.context_window
    said = Publication(sections=sections, window=window, why=why, version=version)
    done = store.do(context.publish, actor, run, said)
    made = done.version
    try:
        path = write(settings, run, context_file(made.number), context_text(made))
    except OSError:
        return Rendered(done, "")
    return Rendered(done, os.path.relpath(path, settings.state_root))


def draft_in(path: str) -> str:
    """The words of a file that somebody wrote; never more than a context may have."""
    try:
        found = read_regular(Path(path), cap=LONGEST)
    except NotReadable as error:
        raise BadInput(
            f"{path[:200]} is {error}",
            why="a context is read from one file of text",
            next="name a text file, or - for stdin",
        ) from error
    if len(found) > LONGEST:
        raise BadInput(
            f"{path[:200]} has more than {LONGEST:,} bytes",
            why="a context is copied into every member's mind",
            next="put what few need elsewhere",
        )
    try:
        return found.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path[:200]} is not UTF-8 at byte {error.start + 1}",
            why="text is stored as UTF-8",
            next="save it as UTF-8",
        ) from None
