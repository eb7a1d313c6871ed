"""Where members live on this machine: which folders, and what each member may do with them."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from drumline.errors import NotClean, Refused, StoreTrouble
from drumline.team.membership import has_checkout
from drumline.wiring.home import door_name, mark_of, state_folder

if TYPE_CHECKING:
    from drumline.runtimes.post import Quarters
    from drumline.runtimes.project_command import Terms
    from drumline.settings import Settings
    from drumline.team.confinement import Confinement
    from drumline.team.life import Life
    from drumline.team.manifest import Manifest, MemberEntry

LEASH = "leash"
PROGRAMS = "bin"
PASSED_ON = ("LANG", "LC_ALL", "TERM", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR")
GIT_ROLES = ("AUTHOR", "COMMITTER")
OF_A_RUNTIME = {  # how each agent CLI finds its model and its account
    "claude": (
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"),
        *("CLAUDE_CODE_OAUTH_TOKEN", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"),
    ),
    "codex": ("OPENAI_API_KEY", "CODEX_API_KEY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"),
}


class Houses:
    """The folders of one repository's members.

    .drumline/checkouts, homes, tmp and diaries hold what a member keeps; its socket, token and leash
    are in a short path of their own, since a socket's name may have 107 bytes only.
    """

    def __init__(self, settings: Settings, team: str = "") -> None:
        self._settings, self._named = settings, team
        self._state = Path(os.path.realpath(state_folder(settings)))
        self.repository = Path(settings.state_root)
        self._held: dict[Path, int] = {}

    @property
    def checkouts(self) -> Path:
        from drumline.runtimes.looking import CHECKOUTS

        return self._state / CHECKOUTS

    def checkout(self, member: str) -> Path:
        return self.checkouts / member

    def diary(self, member: str) -> Path:
        return self._state / "diaries" / member / "diary.jsonl"

    def standing(self, member: str) -> str:
        return str(self._state / "standing" / f"{member}.json")

    def door(self, member: str) -> Path:
        return self._doors() / door_name(self._settings, self._team) / member

    def plane_door(self) -> Path:
        """Where hooks of people's own sessions meet this host's plane."""
        door = self.door(".plane")
        self.make_door(door)
        return door

    def has_checkout(self, manifest: Manifest, entry: MemberEntry) -> bool:
        """Whether a member works in a checkout of its own: who may write nothing needs none."""
        return has_checkout(manifest, entry)

    def current_policy(self) -> str:
        return (self._state / "policy" / "current").read_text("utf-8").strip()

    def quarters(self, manifest: Manifest, entry: MemberEntry, life: Life) -> Quarters:
        """A member's folders, made for this life where they are missing."""
        from drumline.runtimes.post import Quarters

        own = self.has_checkout(manifest, entry)
        found = Quarters(
            work=self.checkout(entry.name) if own else self.repository,
            own=own,
            home=self._state / "homes" / entry.name,
            temporary=self._state / "tmp" / entry.name,
            door=self.door(entry.name),
            diary=self.diary(entry.name),
        )
        for folder in (found.home, found.temporary, found.diary.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.make_door(found.door)
        if own:
            self._make_checkout(manifest, found.work, life, entry.ports)
        return found

    def make_door(self, door: Path) -> None:
        """A private folder to meet in, with our own command in it."""
        self._doors().mkdir(mode=0o700, exist_ok=True)
        _require_private(self._doors())
        door.parent.mkdir(mode=0o700, exist_ok=True)
        door.mkdir(mode=0o700, exist_ok=True)
        _put_ourselves(door)

    def remove_door(self, door: Path) -> None:
        """Take away a folder that nobody meets in any more, and the leash beside it."""
        for folder in (door, door.parent / f".{door.name}"):
            shutil.rmtree(folder, ignore_errors=True)

    def annex(self, quarters: Quarters, place: int) -> Quarters:
        """The same checkout behind another door, with a leash, a home and a TMPDIR of its own."""
        from drumline.runtimes.lodging import furnish_lodging

        found = self.annexed(quarters, place)
        self.make_door(found.door)
        furnish_lodging(quarters.home, found.home, found.temporary)
        return found

    def annexed(self, quarters: Quarters, place: int) -> Quarters:
        """Where an annex is; no member has such a name.

        What a subagent leaves in its home is never read by its starter's programs, which may do more.
        """
        own = (quarters.door, quarters.home, quarters.temporary)
        door, home, temporary = (each.with_name(f"{each.name}~{place}") for each in own)
        return replace(quarters, door=door, home=home, temporary=temporary)

    def vacate(self, annex: Quarters) -> None:
        """End whatever lives on an annex's leash, and take its door, home and TMPDIR away."""
        from drumline.runtimes.beside import clear

        if (held := self._held.pop(_leash_of(annex), None)) is not None:
            os.close(held)
        self.remove_door(annex.door)
        for folder in (annex.home, annex.temporary):
            clear(folder)

    def bring_up(self, quarters: Quarters, member: str) -> tuple[str, ...]:
        """Bring a checkout to where the team's work is; uncommitted work keeps it as it is, and is named."""
        from drumline.runtimes.checkout import start_from
        from drumline.runtimes.merging import refuse_in_the_way, tip_of

        refuse_in_the_way(self.repository)  # better before the work than after it
        try:
            start_from(self.repository, quarters.work, member, tip_of(self.repository), every=True)
        except Refused:  # something is uncommitted, or was never fetched; most often neither is
            self._fetch(quarters, member)
            return self._moved(quarters, member)
        return ()

    def _moved(self, quarters: Quarters, member: str) -> tuple[str, ...]:
        """The same once its branches are fetched, as far as they can be."""
        from drumline.runtimes.checkout import start_from
        from drumline.runtimes.fetching import fetch_current
        from drumline.runtimes.merging import tip_of

        tip = tip_of(self.repository)
        try:
            start_from(self.repository, quarters.work, member, tip)
        except NotClean as found:
            return found.files
        except Refused:  # it may stand on what no branch of its own names
            with suppress(Refused):
                fetch_current(self.repository, quarters.work)
            start_from(self.repository, quarters.work, member, tip)
        return ()

    def _fetch(self, quarters: Quarters, member: str) -> None:
        """Bring what a member committed, as far as that goes."""
        from drumline.runtimes.checkout import branch_of
        from drumline.runtimes.fetching import fetch

        try:
            fetch(self.repository, quarters.work, member)
        except Refused:  # a branch it left there is no reason to keep it from its next task
            own = branch_of(member).removeprefix(f"drumline/{member}/")
            with suppress(Refused):
                fetch(self.repository, quarters.work, member, only=own)

    def leash(self, quarters: Quarters) -> Path:
        """A new leash that this process holds; the one of an earlier life is let go."""
        from drumline.runtimes import leash

        path = _leash_of(quarters)
        if (held := self._held.pop(path, None)) is not None:
            os.close(held)
        self._held[path] = leash.hold(path)
        return path

    def confinement(
        self, quarters: Quarters, entry: MemberEntry, kept: Sequence[str]
    ) -> Confinement:
        """What a member may write: its checkout less what is the lead's, its home and its own TMPDIR."""
        from drumline.runtimes.checkout import holes_in
        from drumline.runtimes.places import checked
        from drumline.team.confinement import Confinement, Environment

        own = [str(quarters.work)] if quarters.own else []
        return checked(
            Confinement(
                environment=Environment(keep=kept),
                ports=entry.ports,
                writable=[*own, str(quarters.home), str(quarters.temporary)],
                holes=holes_in(quarters.work) if quarters.own else [],
                hidden=[str(self._state), str(self._doors())],
                shown=[str(quarters.door)],
            )
        )

    def terms(self, life: Life, ports: Sequence[int] | None) -> Terms:
        """How the project's own commands run: our state out of sight, a life's mark, and its ports.

        They execute what the member wrote, and reach no more than it does.
        """
        from drumline.runtimes.project_command import Terms
        from drumline.runtimes.sweep import MARK

        return Terms(confinement=self.apart(ports), variables={MARK: self.mark(life)})

    def apart(self, ports: Sequence[int] | None = None) -> Confinement:
        """What hides our state from whoever needs nothing of it."""
        from drumline.team.confinement import Confinement

        return Confinement(ports=ports, hidden=[str(self._state), str(self._doors())])

    def mark(self, life: Life) -> str:
        """What every process of a life carries, by which leftovers are found."""
        return f"{mark_of(self._settings, self._team)}/{life.name}"

    def passed_on(self, manifest: Manifest, entry: MemberEntry) -> tuple[str, ...]:
        """The variables of ours that a member's processes see: its runtime's, and those the team names."""
        return (*OF_A_RUNTIME.get(entry.runtime, ()), *manifest.settings.environment)

    def usual(self, quarters: Quarters, member: str, more: Sequence[str]) -> dict[str, str]:
        """The environment of a member's processes: little of ours, a home, a TMPDIR and a name of its own."""
        wanted = (*PASSED_ON, *more)
        passed = {name: os.environ[name] for name in wanted if name in os.environ}
        who = {"NAME": member, "EMAIL": f"{member}@localhost"}
        named = {f"GIT_{role}_{part}": who[part] for role in GIT_ROLES for part in who}
        own = {
            "HOME": str(quarters.home),
            "TMPDIR": str(quarters.temporary),
            "PATH": f"{quarters.door / PROGRAMS}:{os.environ.get('PATH', os.defpath)}",
        }
        return {**passed, **named, **own}

    def is_inside(self, quarters: Quarters) -> Callable[[int], bool]:
        """Whether a process lives on this life's leash."""
        from drumline.runtimes import leash

        path = _leash_of(quarters)
        return lambda process: leash.is_on(process, path)

    def _make_checkout(
        self, manifest: Manifest, folder: Path, life: Life, ports: Sequence[int] | None
    ) -> None:
        from drumline.runtimes.checkout import clone, follow_repository
        from drumline.runtimes.furnishing import furnish

        if folder.exists():
            follow_repository(self.repository, folder)
        else:
            clone(self.repository, folder, life.member)
        furnish(self.repository, folder, manifest.checkout, self.terms(life, ports))

    @property
    def _team(self) -> str:
        """Whose houses these are: the manifest's team, unless another was named."""
        from drumline.wiring import manifest_of

        self._named = self._named or manifest_of(self._settings).team
        return self._named

    def _doors(self) -> Path:
        from drumline.runtimes.looking import doors

        return doors()


def _leash_of(quarters: Quarters) -> Path:
    """Where the members themselves do not see it: who held it too would outlive its runner."""
    place = quarters.door.parent / f".{quarters.door.name}"
    place.mkdir(mode=0o700, exist_ok=True)
    return place / LEASH


def _put_ourselves(door: Path) -> None:
    """Our own command, wherever we are installed, on the path of a member's processes."""
    program = door / PROGRAMS / "drumline"
    program.parent.mkdir(mode=0o700, exist_ok=True)
    run = shlex.join((sys.executable, "-P", "-m", "drumline"))
    unfinished = program.with_name(".drumline")
    unfinished.write_text(f'#!/bin/sh\nexec {run} "$@"\n', "utf-8")
    unfinished.chmod(0o700)
    unfinished.replace(program)


def _require_private(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreTrouble(
            f"{folder} is open to others",
            why="members' sockets and tokens are kept there",
            next=f"remove it, or: chmod 700 {folder}",
        )
