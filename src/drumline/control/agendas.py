"""Agendas: what a member should be doing now, gathered from the board, the mail and the questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from drumline.control.needs import needs_of
from drumline.control.roster import charter
from drumline.team.agenda import (
    Agenda,
    Asked,
    Item,
    Letter,
    agenda_of,
    claimed,
    giving,
    mail,
    questions,
    ready,
    stalled,
)
from drumline.team.ownership import overlap
from drumline.team.question import may_answer
from drumline.team.rhythm import Rhythm, rhythm_in
from drumline.team.rights import LEAD_WORKS, Right
from drumline.team.task import Task

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.member import Member
    from drumline.team.pipeline import Phase
    from drumline.team.question import Question
    from drumline.team.rights import Charter
    from drumline.team.situation import Situation

MOST = 1_000  # letters, questions and ready tasks that are looked through for one agenda
PAGE = 20
GIVEN_OUT = 3  # ready tasks that a lead hears of at once


class Sources:
    """Everything agendas are made of, read once for all who are looked at in one transaction.

    `with_mail`, where it is known, spares everyone else a look into an empty inbox.
    """

    def __init__(self, tx: Transaction, with_mail: Collection[str] | None = None) -> None:
        self._tx, self._with_mail = tx, with_mail
        self._ready: dict[str, Task | None] = {}
        self._held: dict[str, list[Task]] = {}

    def agenda(self, seen: Situation) -> Agenda:
        """All that is on a member's agenda, said or not."""
        tasks = [task for task in self._in_hands(seen) if not self._waits_for_verdict(task)]
        found = agenda_of(
            mail(self._letters(seen)),
            questions(self._questions if seen.member.lead else ()),
            claimed(tasks),
            self._giving if seen.member.lead else (),
            ready(self._takable(seen)),
        )
        if seen.stalled_at is None or not found.items:
            return found
        return agenda_of(found.items, stalled(seen.stalled_at, tasks))

    def judged(self, seen: Situation) -> bool:
        """Whether all that a member holds waits for the lead's word."""
        held = self._in_hands(seen)
        return bool(held) and all(map(self._waits_for_verdict, held))

    def patience(self, seen: Situation) -> Rhythm:
        """The delays for one member: in some phases of a run work may stand still for longer."""
        phase = self._phase if any(task.run for task in self._in_hands(seen)) else None
        if phase is None:
            return self.rhythm
        return self.rhythm._replace(stall_after=phase.patience * self.rhythm.stall_after)

    @cached_property
    def _phase(self) -> Phase | None:
        """The phase of the run that is at work."""
        at_work = self._tx.run_at_work()
        run = self._tx.runs.get(at_work[0]) if at_work else None
        return run.now_in if run is not None else None

    def _in_hands(self, seen: Situation) -> list[Task]:
        """What a member holds, read once."""
        if seen.task_at is None:
            return []
        name = seen.member.name
        if name not in self._held:
            self._held[name] = self._tx.waking.tasks_of(name)
        return self._held[name]

    def _waits_for_verdict(self, task: Task) -> bool:
        """Whether its holder showed what it understood, and nothing is its to do before the lead's word."""
        if not task.run or task.owner is None or task.incarnation is None:
            return False
        found = self._tx.understandings.get(task.owner, task.incarnation, task.id)
        return found is not None and not (found.with_member or found.may_work)

    def _letters(self, seen: Situation) -> list[Letter]:
        name = seen.member.name
        if self._with_mail is not None and name not in self._with_mail:
            return []
        return self._tx.waking.letters(name, most=MOST)

    @cached_property
    def _charter(self) -> Charter:
        return charter(self._tx)

    @cached_property
    def rhythm(self) -> Rhythm:
        """The delays this team chose."""
        return rhythm_in(self._charter.settings)

    @cached_property
    def _questions(self) -> list[Asked]:
        """What waits for an answer that a lead may give."""
        lead = next(each for each in self._tx.roster.everyone() if each.lead and each.active)
        return [
            Asked(each.id, each.asked_at)
            for each in islice(self._open_questions(), MOST)
            if may_answer(each, lead.acting())
        ]

    def _open_questions(self) -> Iterator[Question]:
        last = 0
        while page := self._tx.questions.page(everything=False, after=last, most=PAGE):
            yield from page
            last = int(page[-1].id)

    @cached_property
    def _giving(self) -> list[Item]:
        """Ready tasks that members may not take by themselves, while one who could have them is idle."""
        if Right.CLAIM in self._charter.constitution.teammates:
            return []
        found: dict[Task, str] = {}
        for member in self._idle:
            for task in islice(self._free(member.profile), GIVEN_OUT):
                found.setdefault(task, member.name)
        best = sorted(found, key=lambda task: (-task.priority, task.id))[:GIVEN_OUT]
        return [item for task in best for item in giving([task], found[task])]

    @cached_property
    def _idle(self) -> list[Member]:
        """One of each profile who could be given a task."""
        now, everyone = self._tx.now(), self._tx.waking.situations()
        there = [each.member for each in everyone if each.idle and not each.left(now)]
        found = {each.profile: each for each in reversed(there) if not each.lead}
        return sorted(found.values())

    def _takable(self, seen: Situation) -> list[Task]:
        """The best ready task that the member may take, if there is one."""
        member, right = seen.member, Right.CLAIM in self._charter.constitution.teammates
        if not (self._charter.settings.get(LEAD_WORKS) if member.lead else right):
            return []
        if member.profile not in self._ready:
            self._ready[member.profile] = next(self._free(member.profile), None)
        found = self._ready[member.profile]
        return [found] if found is not None else []

    def _free(self, profile: str) -> Iterator[Task]:
        """What is ready for a profile, shares no file with work in progress, and needs nothing but hands."""
        alone = profile not in self._charter.constitution.crossing
        for task in islice(self._ready_tasks(profile), MOST):
            if not (alone and self._is_in_use(task)) and not needs_of(self._tx, task.id).wanted:
                yield task

    def _ready_tasks(self, profile: str) -> Iterator[Task]:
        last: Task | None = None
        while page := self._tx.tasks.ready(profile=profile, after=last, most=PAGE):
            yield from page
            last = page[-1]

    def _is_in_use(self, task: Task) -> bool:
        return bool(task.files) and any(overlap(task.files, each) for each in self._held_files)

    @cached_property
    def _held_files(self) -> list[tuple[str, ...]]:
        return [files for _, _, files in self._tx.tasks.held_files()]
