"""What the demo tells of what happens: a line for each thing that matters to who watches."""

from collections.abc import Callable, Mapping

from drumline.team.journal import Event

Titles = Callable[[str], str]
Words = Callable[[Event, Titles], str]


def _phase(event: Event, titles: Titles) -> str:
    phase, _, iteration = event.subject.removeprefix("run-1: ").partition(", ")
    return f"{titles(phase)}, {iteration}".removesuffix(", iteration 1")


def _gate(event: Event, titles: Titles) -> str:
    _, phase, iteration = event.subject.split("/")
    return f"{titles(phase)}, iteration {iteration}, by {event.actor}"


def _task(event: Event, titles: Titles) -> str:
    return f"{titles(event.subject.split('/')[0])}, by {event.actor}"


def _understood(event: Event, titles: Titles) -> str:
    task, member, _ = event.subject.split("/")
    return f"{member} for {titles(task)}, by {event.actor}"


def _looked_at(event: Event, titles: Titles) -> str:
    return f"{titles(event.subject.partition('@')[0])}, by {event.actor}"


def _subject(event: Event, titles: Titles) -> str:
    return titles(event.subject)


def _member(event: Event, _titles: Titles) -> str:
    return event.subject.split("/")[0]


def _stale(event: Event, _titles: Titles) -> str:
    version, _, member = event.subject.partition(" to ")
    return f"{member}, until it confirms {version}"


def _holds(event: Event, _titles: Titles) -> str:
    return f"{event.subject.rpartition(' ')[0]} by {event.actor}"


TOLD: Mapping[str, tuple[str, Words]] = {
    "run.began": ("run", _subject),
    "run.classified": ("size", _subject),
    "run.entered": ("phase", _phase),
    "run.started-member": ("starts", _subject),
    "run.planned": ("planned", _subject),
    "run.delivered": ("delivered", _subject),
    "question.asked": ("asked", lambda event, _: f"{event.subject}: a person is to decide"),
    "question.answered": ("answered", _subject),
    "gate.approved": ("approved", _gate),
    "gate.iterated": ("again", _gate),
    "understanding.verified": ("understood", _understood),
    "understanding.approved": ("plan", _understood),
    "task.claimed": ("works", _task),
    "task.check-failed": ("failed", lambda event, _: f"{event.subject}: its check did not pass"),
    "task.verified": ("verified", lambda event, _: f"{event.subject}: its check passed"),
    "task.completed": ("done", _task),
    "review.approved": ("reviewed", _looked_at),
    "audit.approved": ("audited", _looked_at),
    "context.published": ("context", _subject),
    "context.sent": ("stale", _stale),
    "context.acknowledged": ("confirmed", _holds),
    "nudge.delivered": ("nudged", _member),
}
ONCE = frozenset({"stale"})  # another life is sent it again


def told(event: Event, titles: Titles) -> tuple[str, str] | None:
    """A word and what it is about; nothing for what only machines care for."""
    if event.verb not in TOLD:
        return None
    word, words = TOLD[event.verb]
    return word, words(event, titles)
