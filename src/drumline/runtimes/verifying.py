"""Verify what was handed in: the task's own command, run by us on exactly the commit it is said to be."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from drumline.errors import BadInput, InTheWay, Refused
from drumline.runtimes.beside import FRESH, alone, clear, free
from drumline.runtimes.checkout import borrow
from drumline.runtimes.furnishing import prepare
from drumline.runtimes.git import commit_named
from drumline.runtimes.inspecting import refuse_dirty, state_of
from drumline.runtimes.project_command import Terms, run_command
from drumline.runtimes.project_hooks import Bench
from drumline.team.checkout_plan import CheckoutPlan


class Check(NamedTuple):
    """What must pass, and on which commit."""

    argv: Sequence[str]
    commit: str


class Verified(NamedTuple):
    """Whether it passed, its exit code (124 when its time was over), its last words, how long it took."""

    passed: bool
    code: int
    tail: str
    seconds: float


def verify(check: Check, folder: Path, terms: Terms) -> Verified:
    """Run a check in a member's checkout; refused when the checkout is not the commit, before or after.

    What git ignores there is there all the same: only `verify_merged` begins without it.
    """
    if not check.argv:
        raise BadInput("a check has no words", next="give the command to run")
    _refuse_another(folder, check.commit, "only what was handed in is verified")
    ran = run_command(check.argv, folder, terms)
    if ran.code == 0:
        _refuse_another(folder, check.commit, "it was changed while it was verified")
    return Verified(ran.code == 0, ran.code, ran.tail, ran.seconds)


def verify_merged(
    check: Check,
    repository: Path,
    folder: Path,
    terms: Terms,
    plan: CheckoutPlan | None = None,
) -> Verified:
    """Run a check in a fresh checkout of a commit, made beside `folder` and gone afterwards."""
    commit_named(repository, check.commit)
    with alone(folder):
        fresh = free(folder, FRESH)
        try:
            borrow(repository, fresh, check.commit)
            if plan is not None:
                prepare(repository, fresh, plan, terms)
            return verify(check, fresh, terms)
        finally:
            clear(fresh)


def refuse_failing(task: str, check: Check, bench: Bench) -> None:
    """Refuse a delivery on which a task's own check fails."""
    seen = verify_merged(check, bench.repository, bench.folder, bench.terms, bench.plan)
    if not seen.passed:
        raise InTheWay(
            f"`{shlex.join(check.argv)}` of {task} fails, with {seen.code}, on what you did meanwhile",
            why=seen.tail,
            next=f"git -C {shlex.quote(str(bench.repository))} diff {check.commit}^1 {check.commit}",
        )


def _refuse_another(folder: Path, commit: str, why: str) -> None:
    state = state_of(folder)
    if state.head != commit:
        raise Refused(
            f"{folder} is at {state.head or 'no commit'}, not at {commit}",
            why=why,
            next="hand in the commit the checkout is at",
        )
    refuse_dirty(folder, state, why)
