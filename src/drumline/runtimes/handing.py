"""Taking work in: the commit is looked at, verified, fetched, merged, verified again, and only then closed.

What stands in the way is told to the member in words it can act on; nothing is closed on its word alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from drumline.control import board, handing_in, handoffs, reflecting
from drumline.control.handing_in import Clash, Earlier, Proof
from drumline.control.ports import Store
from drumline.errors import InTheWay, NotReady, Refused
from drumline.runtimes.beside import in_turn
from drumline.runtimes.bringing import (
    Bringing,
    refuse_change_of_all,
    refuse_other_names,
    refuse_trespass,
    users_commit,
)
from drumline.runtimes.checkout import unlock
from drumline.runtimes.fetching import fetch_news
from drumline.runtimes.git import attempt, git
from drumline.runtimes.inspecting import standing_of
from drumline.runtimes.merging import (
    MERGED,
    Author,
    Conflicted,
    Disapproved,
    Work,
    holds,
    merge,
    standing,
    tip_of,
)
from drumline.runtimes.post import Handed
from drumline.runtimes.project_command import Terms
from drumline.runtimes.project_hooks import (
    ON_HAND_IN,
    Bench,
    Joined,
    refuse_changed_hooks,
    run_hooks,
)
from drumline.runtimes.project_hooks import Failed as HookFailed
from drumline.runtimes.submodules import bring_back
from drumline.runtimes.verifying import Check, Verified, verify, verify_merged
from drumline.team.checkout_plan import CheckoutPlan
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.scan import Hit
from drumline.team.task import Holder, Task
from drumline.team.trespass import Change, Trespass

NAMED = 20
LATE = ".late"  # whose lock those take turns by who were late to merge: no member's name begins with a dot
PATIENCE = 30.0  # seconds they wait for each other: who is told to stop is kept no longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Yard:
    """Where work is taken in: the user's repository, the member's checkout, and how checks are run.

    `scan` finds the secrets and protected files that a range of commits would bring, `trespasses` what
    is not a member's to change.
    """

    repository: Path
    checkout: Path
    terms: Terms
    plan: CheckoutPlan
    scan: Callable[[str], list[Hit]]
    trespasses: Callable[[str, Iterable[Change]], list[Trespass]]


class NoCheckout:
    """Hands of a member that writes nothing: its task is closed on its word, there being no work to see."""

    def __init__(self, store: Store, life: Life) -> None:
        self._store, self._life = store, life

    def hand_in(self, task: TaskId, fence: int) -> Handed:
        if lacks := _unhanded(self._store, self._life, task, fence):
            return lacks
        if self._store.ask(handing_in.kept_of, task):
            raise NotReady(
                f"{self._life.member} has no checkout in which work could be brought together",
                next=f"let a member that writes do {task}",
            )
        if argv := self._store.ask(handing_in.check_of, task):
            raise NotReady(
                f"{self._life.member} has no checkout in which `{' '.join(argv)}` could run",
                why="a check is run on what a member hands in, and this one writes nothing",
                next=f"let a member that writes do {task}, or take its check away",
            )
        return _closed(self._store, self._life, task, fence)

    def resume(self, task: TaskId, fence: int) -> None:
        """Nothing was ever merged here."""

    def changed_files(self) -> tuple[str, ...] | None:
        return ()


class Handing:
    """Hands of a member with a checkout of its own."""

    def __init__(self, store: Store, life: Life, task: Task, yard: Yard) -> None:
        self._store, self._life, self._task, self._yard = store, life, task, yard

    def hand_in(self, task: TaskId, fence: int) -> Handed:
        """Take a task in, or say what is missing."""
        lacks = partial(_unhanded, self._store, self._life, task, fence)
        return _told(lambda: lacks() or self._taken_in(task, fence))

    def resume(self, task: TaskId, fence: int) -> Handed | None:
        """Take in what was handed in before and found good; what is merged already is only closed."""
        before = self._store.ask(handing_in.earlier, task)
        repository = self._yard.repository
        if before is None or attempt(repository, "cat-file", "-e", before.commit).code:
            return None
        argv = self._store.ask(handing_in.check_of, task)
        if standing(repository, MERGED) and holds(repository, MERGED, before.commit):
            return self._finished(task, Proof(fence, before.commit), argv)
        return _told(lambda: self._merged(task, fence, before, argv))

    def changed_files(self) -> tuple[str, ...] | None:
        """What the member's work differs in from the team's, uncommitted files with it."""
        yard = self._yard
        try:
            state, branches = standing_of(yard.checkout)
            fetch_news(yard.repository, yard.checkout, self._life.member, branches)
            base = tip_of(yard.repository)
        except Refused:
            return None
        words = ("diff", "--name-only", "-z", "--no-renames", f"{base}...{state.head}")
        told = attempt(yard.repository, *words)
        if told.code:
            return None
        names = told.out.decode("utf-8", "backslashreplace").split("\0")
        return tuple(sorted({*filter(None, names), *state.changed}))

    def _taken_in(self, task: TaskId, fence: int) -> Handed:
        yard, member = self._yard, self._life.member
        state, branches = standing_of(yard.checkout)
        if state.changed:
            unlock(yard.checkout, member)
            return _dirty(state.changed)
        argv = self._store.ask(handing_in.check_of, task)
        if argv and not (seen := verify(Check(argv, state.head), yard.checkout, yard.terms)).passed:
            return self._check_failed(task, _failed(argv, seen, "on what you handed in"))
        fetched = fetch_news(yard.repository, yard.checkout, member, branches)
        tip = tip_of(yard.repository)  # asked once: what others merge from here on is not left out
        if state.head not in {*fetched.values(), tip}:
            return _elsewhere(member)
        kept = self._store.ask(handing_in.kept_of, task)
        if kept and not holds(yard.repository, state.head, kept):
            return _left_out(kept)
        if hits := yard.scan(f"{tip}..{state.head}"):
            return _unfit(hits)
        bringing = self._bringing(member, kept, tip, users_commit(yard.repository))
        refuse_other_names(bringing, state.head)
        changes = refuse_trespass(bringing, state.head)
        refuse_changed_hooks(yard.repository, [each.path for each in changes])
        bring_back(yard.repository, yard.checkout, state.head)
        return self._merged(task, fence, Earlier(state.head, member), argv)

    def _merged(self, task: TaskId, fence: int, good: Earlier, argv: Sequence[str]) -> Handed:
        """Merge what was verified; check and hooks must pass on the merge, before anybody stands on it."""
        refused: list[Handed] = []
        proof = Proof(fence, good.commit)
        kept = self._store.ask(handing_in.kept_of, task)
        bringing = self._bringing(good.member, kept)

        def approve(candidate: str, base: str) -> bool:
            refuse_change_of_all(bringing, base, candidate)
            if argv and not (seen := self._again(argv, candidate)).passed:
                refused.append(_failed(argv, seen, "after the merge with what others did"))
                return False
            if failed := self._hooks_refuse(Joined(candidate, base, good.commit)):
                refused.append(_hook_failed(failed))
                return False
            noted = proof._replace(base=base, merged=candidate)
            self._store.do(handing_in.accept, self._life, task, noted)
            return True

        turn = partial(in_turn, self._yard.checkout.with_name(LATE), seconds=PATIENCE)
        merged = merge(self._yard.repository, self._work(task, good), approve=approve, turn=turn)
        if isinstance(merged, Conflicted):
            return self._conflicted(task, proof, merged)
        if isinstance(merged, Disapproved):
            return self._check_failed(task, refused[-1])
        return self._finished(task, proof, argv)

    def _check_failed(self, task: TaskId, said: Handed) -> Handed:
        self._store.do(handing_in.tell_failed, self._life, task)
        return said

    def _finished(self, task: TaskId, proof: Proof, argv: Sequence[str]) -> Handed:
        if argv:
            self._store.do(handing_in.prove, self._life, task, proof)
        return _closed(self._store, self._life, task, proof.fence)

    def _bringing(self, member: str, kept: str, *known: str) -> Bringing:
        """The work of a member, who need not take it in; `known` only for whoever looks at its commits."""
        may = partial(self._yard.trespasses, member)
        told = tuple(filter(None, (*known, kept)))
        return Bringing(self._yard.repository, member, kept, told, may)

    def _work(self, task: TaskId, good: Earlier) -> Work:
        member = good.member
        tracked = f"Tracker: {self._task.tracker}\n" if self._task.tracker else ""
        message = f"{task}: {self._task.title}\n\nTask: {task}\nMember: {member}\n{tracked}"
        return Work(good.commit, message, Author(member, f"{member}@localhost"))

    def _again(self, argv: Sequence[str], commit: str) -> Verified:
        yard = self._yard
        return verify_merged(
            Check(argv, commit), yard.repository, yard.checkout, yard.terms, yard.plan
        )

    def _hooks_refuse(self, joined: Joined) -> HookFailed | None:
        yard = self._yard
        bench = Bench(
            repository=yard.repository, folder=yard.checkout, terms=yard.terms, plan=yard.plan
        )
        return run_hooks(ON_HAND_IN, joined, bench)

    def _conflicted(self, task: TaskId, proof: Proof, found: Conflicted) -> Handed:
        """Conflicts become a task for the integrator; whoever waits for this one waits for that too."""
        kept = f"drumline/kept/{self._life.member}/{task}"  # where no fetch of a member's reaches
        git(self._yard.repository, "update-ref", f"refs/heads/{kept}", proof.commit)
        clash = Clash(fence=proof.fence, commit=proof.commit, branch=kept, files=found.files)
        new = self._store.do(handing_in.hand_over, self._life, task, clash)
        what = f"conflicts in {', '.join(found.files[:NAMED])} became {new.id}"
        return Handed(accepted=True, what=what)


def _closed(store: Store, life: Life, task: TaskId, fence: int) -> Handed:
    actor = store.ask(reflecting.judge_of, life)
    store.do(board.complete, actor, task, Holder(life.member, life.incarnation, fence))
    return Handed(accepted=True)


def _unhanded(store: Store, life: Life, task: TaskId, fence: int) -> Handed | None:
    """Why a task is not taken in for want of its handoff; after so many times a person is asked."""
    lacks = store.ask(handoffs.lacking, task, fence)
    if lacks is None:
        return None
    if store.do(handoffs.count_refusal, life, task, fence):
        way_out = "leave it: a person is asked how to go on."
    else:
        way_out = f"{lacks.next}; then give your account again."
    return Handed(accepted=False, what=lacks.what, why=lacks.why, next=way_out, counted=True)


def _dirty(changed: Sequence[str]) -> Handed:
    more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
    return Handed(
        accepted=False,
        what=f"These files are not committed: {', '.join(changed[:NAMED])}{more}.",
        why="Only what is committed is handed in.",
        next="commit them on your branch, or remove them, and give your account again.",
    )


def _failed(argv: Sequence[str], seen: Verified, where: str) -> Handed:
    return Handed(
        accepted=False,
        what=f"`{' '.join(argv)}` failed with {seen.code} {where}:",
        why=seen.tail,
        next="mend it, commit, and give your account again.",
    )


def _hook_failed(failed: HookFailed) -> Handed:
    about = f" on the message of {failed.about[:12]}" if failed.about else ""
    return Handed(
        accepted=False,
        what=f"The project's hook {failed.hook} failed with {failed.ran.code}{about}:",
        why=failed.ran.tail,
        next="mend it, commit (git commit --amend for a message), and give your account again.",
    )


def _unfit(hits: Sequence[Hit]) -> Handed:
    return Handed(
        accepted=False,
        what="Your commits bring what must not be kept:",
        why="\n".join(f"{hit.place()}: {hit.kind}" for hit in hits[:NAMED]),
        next="take it out of every commit (git commit --amend, or rebase), and give your account again.",
    )


def _left_out(kept: str) -> Handed:
    return Handed(
        accepted=False,
        what=f"The work this task is to bring in is not in what you handed in: {kept}",
        next=f"git merge {kept}, settle its conflicts, commit, and give your account again.",
    )


def _told(take_in: Callable[[], Handed]) -> Handed:
    """What came of it, a refusal too; what only a person can mend is a person's to hear."""
    try:
        return take_in()
    except InTheWay as met:
        return Handed(
            accepted=False,
            what=met.what,
            why="Your work is good; a person is asked to make way for it.",
            next="give your account again, and nothing else.",
            waits=f"{met.what}; {met.why}\nnext: {met.next}",
        )
    except Refused as refused:
        return Handed(accepted=False, what=refused.what, why=refused.why, next=refused.next)


def _elsewhere(member: str) -> Handed:
    return Handed(
        accepted=False,
        what="What you handed in is on no branch of yours.",
        next=f"commit on a branch drumline/{member}/…, and give your account again.",
    )
