"""Whose work it is that is handed in: its member's own, in its own name, and with nothing of others undone.

Work that is known already, the user's own and what a task is to bring together, is nobody's trespass to
bring in; to leave it out while its history says that it is in, is.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from drumline.errors import NotAllowed
from drumline.runtimes.brought import between, brought, looked_into
from drumline.runtimes.checkout import OF_THE_LEAD, current_commit
from drumline.runtimes.git import attempt, git, readable
from drumline.runtimes.inspecting import listed
from drumline.runtimes.merging import holds, with_all
from drumline.team.trespass import Change, Trespass

NAMED = 20
OF_THE_TEAM = "refs/heads/drumline/"
OF_THE_USER = (  # what people and their remotes name, which no member can
    *("--exclude=drumline/*", "--branches"),
    *("--exclude=*/drumline/*", "--remotes"),
    "--tags",
)
WHO = "--format=%H%x00%an <%ae>%x00%cn <%ce>"


class Bringing(NamedTuple):
    """Work that is handed in: into which repository, whose, what it must hold, and what is known already.

    `trespasses` finds what is not the member's to change.
    """

    repository: Path
    member: str
    kept: str
    known: tuple[str, ...]
    trespasses: Callable[[Iterable[Change]], list[Trespass]]


def users_commit(repository: Path) -> str:
    """Where the user's own work stands; nothing while the user only looks at work of the team's."""
    current = current_commit(repository)
    form = "--format=%(refname)"
    names = git(repository, "for-each-ref", form, f"--contains={current}", "refs/heads").split()
    looks = bool(names) and all(name.startswith(OF_THE_TEAM) for name in names)
    return "" if looks else current


def refuse_other_names(work: Bringing, commit: str) -> None:
    """Refuse new commits that say somebody else made them."""
    words = ("log", "--encoding=none", "--no-mailmap", "--no-show-signature", WHO, commit)
    told = git(work.repository, *words, "--not", *work.known, *OF_THE_USER, "--")
    own = f"{work.member} <{work.member}@localhost>"
    found = [line.split("\0") for line in told.splitlines()]
    others = [(name, *people) for name, *people in found if {*people} != {own}]
    if others:
        raise NotAllowed(
            "Your commits are not all in your own name:",
            why="\n".join(map(_signed, others[:NAMED])) + _more(len(others)),
            next="make them anew as yourself: git rebase --exec 'git commit --amend --no-edit"
            f" --reset-author' {work.known[0]} (your environment has your name), and give your account"
            " again; what somebody else did comes in when they hand it in.",
        )


def refuse_trespass(work: Bringing, commit: str) -> set[Change]:
    """Look at every commit by itself; those that are known are not the member's. What they change."""
    kept = brought(work.repository, [work.kept], work.known[:1]) if work.kept else ()
    changes = brought(work.repository, [commit], work.known)
    _refuse(work, changes, {each.path for each in kept})
    return changes


def refuse_change_of_all(work: Bringing, base: str, candidate: str) -> None:
    """Look at the team's work as it would be: a merge can undo what others did without a change.

    What the candidate holds of known work must be in it as git would merge it, but for the files in
    which that conflicts.
    """
    if candidate == base:
        return  # the team has it already; what others merge meanwhile is theirs to answer for
    known = filter(None, (work.kept, users_commit(work.repository)))
    new = [each for tip in known for each in _shared(work.repository, tip, candidate)]
    new = [each for each in dict.fromkeys(new) if not holds(work.repository, base, each)]
    expected, conflicting = with_all(work.repository, base, new)
    _refuse(work, between(work.repository, expected, candidate), conflicting)


def _shared(repository: Path, tip: str, candidate: str) -> list[str]:
    """The newest commits that two have in common."""
    return attempt(repository, "merge-base", "--all", tip, candidate).out.decode().split()


def _refuse(work: Bringing, changes: Iterable[Change], spared: Iterable[str]) -> None:
    """Refuse what is not the member's to change, but for some files, of which none is the lead's."""
    free = {path for path in spared if path.split("/")[0].casefold() not in OF_THE_LEAD}
    asked = [each for each in changes if each.submodule or each.path not in free]
    doubtful = {each.path for each in work.trespasses(asked)}
    closer = looked_into(work.repository, (each for each in asked if each.path in doubtful))
    found = work.trespasses(closer)
    if found:
        raise NotAllowed(
            "Your commits change files that are not yours to change:",
            why="\n".join(f"{listed([each.path])}: {each.why}" for each in found[:NAMED])
            + _more(len(found)),
            next="take them out of every commit (git rebase, or git reset --soft and commit anew) and"
            " give your account again; where the task needs them, say in it who should change them.",
        )


def _signed(commit: tuple[str, ...]) -> str:
    name, author, committer = (readable(each.encode()) for each in commit)
    return f"{name[:12]}: by {author}, committed by {committer}"


def _more(count: int) -> str:
    return f"\nand {count - NAMED} more" if count > NAMED else ""
