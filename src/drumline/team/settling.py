"""What is still to be brought into a notebook: words written where nobody reads them, and words saved over."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from drumline.team.learning import LIKE, Learning, learnings_in, likeness
from drumline.team.notebook import Notebook
from drumline.team.rebasing import PASSES, Passage, came_in, ids_in, missing, with_passages
from drumline.team.remembering import without


def whole_lines(text: str) -> str:
    """A text without a line that may be half."""
    return text[: text.rfind("\n") + 1]


class Late(NamedTuple):
    """A version that a file displaced, as it was then and as it is now: somebody had it open.

    It is `whole` when nobody writes into it any more.
    """

    before: str
    now: str
    whole: bool = True

    @property
    def words(self) -> str:
        """What it says now, without a line that is being written."""
        return self.now if self.whole else whole_lines(self.now)

    @property
    def replaces(self) -> bool:
        """Whether it says all that its writer wants the file to say, and was not cut off."""
        old, new = _bare(self.before), _bare(self.now)
        if not self.whole or (old and not new):
            return False
        return not old or old[-1] in new or not any(line.startswith(new[-1]) for line in old)

    def taken_in(self, gone: Iterable[str], text: str) -> str:
        """A file with what came late: as if it had been saved before all that was done to the file since."""
        if not self.replaces:
            return with_passages(text, came_in(self.before, self.words))
        out = ids_in(self.before).intersection(gone)
        return with_passages(without(out, self.words), came_in(self.before, text))

    def settled(self) -> str:
        """What it has to differ from when there is more to take in."""
        if self.replaces:
            return self.words
        return _until_settled(self.before, lambda text: came_in(text, self.words))


class Made(NamedTuple):
    """A change, made: the text with all that belongs in it, the same changed, and what came in by both."""

    settled: str
    new: str
    came: tuple[Passage, ...]


class Unsettled(NamedTuple):
    """All that may have to be brought into a file.

    `watched` came in of late and must not go unless somebody takes it out; `hidden` was out of sight while we
    wrote, and is to be watched; `gone` are the ids of what we took out ourselves; `last` is the file as we
    knew it last.
    """

    late: tuple[Late, ...] = ()
    watched: tuple[Passage, ...] = ()
    hidden: tuple[Passage, ...] = ()
    gone: frozenset[str] = frozenset()
    last: str = ""

    def made(self, change: Callable[[str], str], text: str) -> Made:
        """A change on a text, and on all that belongs in it."""
        settled = self.brought_into(text)
        new = change(settled)
        own = [each for each in came_in(settled, new) if each.id]  # a title may go again
        return Made(settled, new, (*self.hidden, *came_in(text, settled), *own))

    def outrun(self, late: Late, made: Made) -> "Unsettled":
        """The same when somebody had written while a change went into place: it is out of sight since."""
        return self._replace(
            late=(*self.late, late),
            watched=(*self.watched, *made.came),
            hidden=(*self.hidden, *came_in(late.before, late.now)),
            last=made.new,
        )

    def brought_into(self, text: str) -> str:
        for each in self.late:
            text = each.taken_in(self.gone, text)
        if text == self.last:
            return text
        return _until_settled(text or self._title(), self._lost)

    def _title(self) -> str:
        """What a file that was taken away begins with again, where something of it has to come back."""
        return Notebook(self.last).opening if self._lost("") else ""

    def _lost(self, text: str) -> list[Passage]:
        """What a text should hold and does not; an entry that somebody put in other words is no loss."""
        lost = missing(self.watched, text)
        known = ids_in(self.last) if lost else set()
        fresh = [each for each in learnings_in(Notebook(text)) if each.id not in known]
        return [each for each in lost if not _is_reworded(each, fresh)]


def _until_settled(text: str, lacks: Callable[[str], list[Passage]]) -> str:
    """A text with what it lacks; what is brought in may part lines that looked like something wanted."""
    for _ in range(PASSES):
        if not (wanted := lacks(text)):
            break
        text = with_passages(text, wanted)
    return text


def _bare(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _is_reworded(lost: Passage, fresh: list[Learning]) -> bool:
    """Whether an entry that is new says it in other words; no two are said by the same one."""
    says = "".join(each.text for each in learnings_in(Notebook(lost.says))[:1])
    same = next((each for each in fresh if lost.id and likeness(each.text, says) >= LIKE), None)
    if same is not None:
        fresh.remove(same)
    return same is not None
