"""Handing off on this machine: the call is read, its files are gathered, kept and told, then written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from drumline.errors import BadInput
from drumline.team.actor import Role
from drumline.wiring.home import state_folder

if TYPE_CHECKING:
    from drumline.control.ports import Store, Transaction
    from drumline.settings import Settings
    from drumline.store.handoff_files import Violation
    from drumline.team.actor import Actor
    from drumline.team.handoff import Handoff, Kept
    from drumline.team.ids import TaskId
    from drumline.team.task import Holder


def read_call(text: str) -> Handoff:
    """The structured call that a text holds: JSON where it begins with a brace, YAML otherwise."""
    from drumline.store.manifests import read_text
    from drumline.team.handoff import CALL_CAP, read_handoff
    from drumline.team.json_tree import parsed

    if len(text) > CALL_CAP or text.lstrip()[:1] in {"{", "["}:
        return read_handoff(parsed(text, cap=CALL_CAP))
    return read_handoff(read_text(text))


def read_call_file(path: str) -> Handoff:
    """The structured call in a file."""
    from drumline.store.regular import NotReadable, read_regular
    from drumline.team.handoff import CALL_CAP

    try:
        return read_call(read_regular(Path(path), cap=4 * CALL_CAP).decode("utf-8-sig"))
    except (NotReadable, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path[:200]} cannot be read", why=str(error), next="name a file of JSON or YAML"
        ) from error


class Hander:
    """Hands off for one who speaks, in one repository."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store

    def submit(self, actor: Actor, task: TaskId, holder: Holder, handoff: Handoff) -> Kept:
        """Hand off; the files are there before anybody can be told of them, or nothing is kept."""
        from drumline.control import views
        from drumline.runtimes.leaving import gather

        owner = self._store.ask(views.known_task, task).owner or ""
        full = gather(self._work(actor, owner), handoff.full) if handoff.full else {}

        def keep(tx: Transaction) -> Kept:
            from drumline.control.handoffs import hand_off
            from drumline.runtimes.leaving import write

            kept = hand_off(tx, actor, task, holder, handoff)
            write(Path(state_folder(self._settings)), kept, full)
            return kept

        return self._store.do(keep)

    def _work(self, actor: Actor, owner: str) -> Path:
        """Where the holder's files are: in its own checkout, or where a person works."""
        from drumline.wiring.quarters import Houses

        own = Houses(self._settings).checkout(owner) if owner else None
        if own is not None and own.is_dir():
            return own
        if actor.role is Role.PERSON:
            return Path(self._settings.root)
        raise BadInput(
            f"{owner or actor.name} has no checkout from which files could go along",
            next="leave `full` out, and say what matters in the findings",
        )


def check_files(paths: list[str]) -> list[Violation]:
    """Everything wrong with these files and folders."""
    from drumline.store.handoff_files import check

    return [each for path in paths for each in check(Path(path))]
