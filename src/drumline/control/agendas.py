"""Agendas: what a member should be doing now, gathered from the board, the mail and the questions."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
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
    from drumline.team.rights import Charter
    from drumline.team.situation import Situation

MOST = 20  # letters and questions that an agenda is made of
LOOKED_AT = 8  # ready tasks, of which the first that fits counts
GIVEN_OUT = 3  # ready tasks that a lead hears of at once


class Sources:
    """Everything agendas are made of, read once for all who are looked at in one transaction.

    `with_mail`, where it is known, spares everyone else a look into an empty inbox.
    """

    def __init__(self, tx: Transaction, with_mail: Collection[str] | None = None) -> None:
        self._tx, self._with_mail = tx, with_mail
        self._ready: dict[str, Task | None] = {}

    def agenda(self, seen: Situation) -> Agenda:
        """All that is on a member's agenda, said or not."""
        tasks = self._tx.waking.tasks_of(seen.member.name) if seen.task_at is not None else []
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
        found = self._tx.questions.page(everything=False, after=0, most=MOST)
        return [Asked(each.id, each.asked_at) for each in found if may_answer(each, lead.acting())]

    @cached_property
    def _giving(self) -> list[Item]:
        """Ready tasks that members may not take by themselves, while one who could have them is idle."""
        if Right.CLAIM in self._charter.constitution.teammates:
            return []
        found: list[Item] = []
        for task in self._free(None):
            if len(found) < GIVEN_OUT and (idle := self._tx.waking.idle(task.profile)):
                found += giving([task], idle)
        return found

    def _takable(self, seen: Situation) -> list[Task]:
        """The best ready task that the member may take, if there is one."""
        member, right = seen.member, Right.CLAIM in self._charter.constitution.teammates
        if not (self._charter.settings.get(LEAD_WORKS) if member.lead else right):
            return []
        if member.profile not in self._ready:
            self._ready[member.profile] = next(iter(self._free(member.profile)), None)
        found = self._ready[member.profile]
        return [found] if found is not None else []

    def _free(self, profile: str | None) -> list[Task]:
        """What is ready, shares no file with work in progress, and needs nothing but hands."""
        first = self._tx.tasks.ready(profile=profile, after=None, most=LOOKED_AT)
        if not first:
            return []
        in_use = self._tx.tasks.held_files() if any(task.files for task in first) else []
        if profile in self._charter.constitution.crossing:
            in_use = []
        return [
            task
            for task in first
            if not any(overlap(task.files, files) for _, _, files in in_use)
            and not needs_of(self._tx, task.id).wanted
        ]
