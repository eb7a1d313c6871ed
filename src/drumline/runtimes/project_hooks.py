"""The project's own git hooks, run by us on what is handed in and delivered: git runs none of them for us.

They are those of the user's repository, which no member can write. They run confined, in a fresh checkout
that stands at what was there before, with all that is new staged: what a hook sees when a person commits.
"""

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from drumline.errors import InTheWay, NotAllowed
from drumline.runtimes.beside import FRESH, alone, clear, free, scratch
from drumline.runtimes.checkout import borrow
from drumline.runtimes.furnishing import prepare
from drumline.runtimes.git import attempt, git, git_inside
from drumline.runtimes.inspecting import listed
from drumline.runtimes.looking import writing
from drumline.runtimes.project_command import Ran, Terms, run_command
from drumline.team.checkout_plan import CheckoutPlan

COMMIT, MERGE, MESSAGE = "pre-commit", "pre-merge-commit", "commit-msg"
ON_HAND_IN = (COMMIT, MERGE, MESSAGE)
ON_DELIVERY = (MERGE,)
CONFIGURED = (".pre-commit-config.yaml",)  # what a hook goes by that a framework installed
MOST_MESSAGES = 100
NAMED = 20
DELIVERY = 120.0  # seconds: the user may not commit meanwhile without having it looked at again


class Joined(NamedTuple):
    """What would be kept: the commit, what was there before it, and the commits whose messages are judged."""

    commit: str
    base: str
    work: str = ""


class Failed(NamedTuple):
    """A hook that refuses, of which commit's message where it was about one, and its last words."""

    hook: str
    ran: Ran
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where hooks run: beside which folder, on which terms, and how a checkout is furnished."""

    repository: Path
    folder: Path
    terms: Terms
    plan: CheckoutPlan | None = None


def hooks_of(repository: Path) -> Mapping[str, Path]:
    """The hooks of the user's repository that we run, as git itself would find them there."""
    folder = _folder(repository)
    found = {name: folder / name for name in ON_HAND_IN}
    return {
        name: path for name, path in found.items() if path.is_file() and os.access(path, os.X_OK)
    }


def _folder(repository: Path) -> Path:
    """Where they are: where the repository's own configuration says, else in its git folder."""
    said = attempt(repository, "config", "--local", "--type=path", "--get", "core.hooksPath")
    if not said.code and (named := os.fsdecode(said.out).rstrip("\n")):
        return Path(git(repository, "rev-parse", "--show-toplevel").rstrip("\n")) / named
    asked = ("rev-parse", "--path-format=absolute", "--git-common-dir")
    return Path(git(repository, *asked).rstrip("\n")) / "hooks"


def refuse_changed_hooks(repository: Path, changed: Iterable[str]) -> None:
    """Refuse work that changes what it is judged by: the project's hooks, or what they go by."""
    if not hooks_of(repository):
        return
    root = Path(git(repository, "rev-parse", "--show-toplevel").rstrip("\n"))
    folder = Path(os.path.normpath(_folder(repository)))
    own = str(folder.relative_to(root)) if folder.is_relative_to(root) else ""
    touched = sorted(
        path for path in changed if path in CONFIGURED or (own and Path(path).is_relative_to(own))
    )
    if touched:
        raise NotAllowed(
            f"Your commits change what they are judged by: {listed(touched[:NAMED])}",
            why="the project's hooks decide whether work is taken in, and are a person's to change",
            next="take them out of every commit and give your account again; say in it what should be"
            " otherwise in them.",
        )


def run_hooks(names: Iterable[str], joined: Joined, bench: Bench) -> Failed | None:
    """Run the hooks there are; the first that refuses."""
    there = hooks_of(bench.repository)
    wanted = [name for name in names if name in there]
    if not wanted or joined.commit == joined.base:
        return None
    with alone(bench.folder), scratch() as place:
        messages = _messages(bench.repository, joined, place) if MESSAGE in wanted else {}
        fresh = free(bench.folder, FRESH)
        try:
            borrow(bench.repository, fresh, joined.commit)
            if bench.plan is not None:
                prepare(bench.repository, fresh, bench.plan, bench.terms)
            git_inside(fresh, "reset", "--quiet", "--soft", joined.base, held=writing(fresh))
            terms = replace(
                bench.terms,
                confinement=bench.terms.confinement.adding(writable=[str(place)]),
                variables={**bench.terms.variables, "GIT_EDITOR": ":"},
            )
            for name in wanted:
                for about, words in messages.items() if name == MESSAGE else (("", ()),):
                    ran = run_command([str(there[name]), *words], fresh, terms)
                    if ran.code:
                        return Failed(name, ran, about)
        finally:
            clear(fresh)
    return None


def _messages(repository: Path, joined: Joined, place: Path) -> dict[str, tuple[str, ...]]:
    """The messages of the commits that are new, each in a file of its own; none is passed over."""
    words = ("rev-list", "--no-merges", f"--max-count={MOST_MESSAGES + 1}", "--reverse")
    found = git(repository, *words, joined.work, "--not", joined.base, "--").split()
    if len(found) > MOST_MESSAGES:
        raise NotAllowed(
            f"You made more than {MOST_MESSAGES} commits",
            why=f"the project's hook {MESSAGE} judges the message of each",
            next="join them (git rebase, or git reset --soft and commit), and give your account again.",
        )
    files = {commit: place / commit for commit in found}
    for commit, path in files.items():
        path.write_text(git(repository, "log", "--max-count=1", "--format=%B", commit), "utf-8")
    return {commit: (str(path),) for commit, path in files.items()}


def refuse_delivery(joined: Joined, bench: Bench) -> None:
    """Refuse a delivery that the user's own hook for merges refuses."""
    terms = replace(bench.terms, seconds=min(bench.terms.seconds, DELIVERY))
    failed = run_hooks(ON_DELIVERY, joined, replace(bench, terms=terms))
    if failed is not None:
        raise InTheWay(
            f"your hook {failed.hook} refuses the delivery, with {failed.ran.code}",
            why=failed.ran.tail,
            next=f"git -C {shlex.quote(str(bench.repository))} diff {joined.base} {joined.commit}",
        )
