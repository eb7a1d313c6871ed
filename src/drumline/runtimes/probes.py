"""Probes of a real agent CLI: scenes it plays against a model on loopback, and what must be seen in them.

Several probes may look at one scene, which is then played once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

from drumline.runtimes.rehearsal.server import Record
from drumline.team.outcome import Ending, Outcome
from drumline.team.probe import Proof
from drumline.team.scenario import Say, Scenario, Step, Structured, ToolCall, Tools, Turn
from drumline.team.scenario_rounds import Result

MEMBER = "ada"
LONGEST_SCENE, LONGEST = 60.0, 240.0  # seconds
SHOWN = 200
NOT_PLAYED = Outcome(Ending.CRASHED, "it was not played")


class Move(NamedTuple):
    """A call of a scene, under the name its result is known by."""

    label: str
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the model does in a CLI that is started in some way, and what is odd about its surroundings.

    on         member, as our runner starts it, or session, as a person does with our hooks
    guard      steady, or troubled: then what is forbidden makes it crash or hang, as its name says
    files      what lies in the folder, or behind `~/` in the home, before it begins
    settings   what the runtime is told beside the usual
    nudge      words that are told while the first call runs
    """

    on: str
    moves: tuple[Move, ...] = ()
    more: tuple[Step, ...] = ()
    guard: str = "steady"
    files: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    nudge: str = ""

    def scenario(self) -> Scenario:
        """The scene as the rehearsal's model plays it."""
        calls = (Tools((move.call,)) for move in self.moves)
        end = () if any(isinstance(step, Structured) for step in self.more) else (Say("done"),)
        turn = Turn(steps=(*self.more, *calls, *end))
        return Scenario(name="probe", members={MEMBER: (turn,)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a scene showed: to the guard, in the folder, to the model, and of its end."""

    events: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, Result] = field(default_factory=dict)
    outcome: Outcome = NOT_PLAYED
    text: str = ""
    answer: Mapping[str, Any] | None = None
    received: tuple[str, ...] = ()
    heard: str = ""
    requests: int = 0


Look = Callable[[Seen], str]  # what is not as it must be; empty where all is
Player = Callable[[Scene, float], Seen]  # plays a scene within so many seconds


class Probe(NamedTuple):
    """One row of the table: which scene shows it, what must be seen, what it means if it is not.

    A scene that shows several things at once may fail for any of them; `alone` shows this one only.
    """

    name: str
    scene: str
    look: Look
    shows: str
    means: str
    alone: str = ""


def proofs(
    table: Sequence[Probe],
    scenes: Mapping[str, Scene],
    play: Player,
    tell: Callable[[str], None],
) -> Iterator[Proof]:
    """What each probe comes to, in their order; each scene is played once, when it is first looked at.

    Where a scene of several things fails and each of them holds alone, they do not hold together: all fail.
    """
    until = monotonic() + LONGEST
    seen: dict[str, Seen] = {}

    def shown(scene: str) -> Seen:
        if scene not in seen:
            tell(f"playing {scene}")
            seen[scene] = _played(scenes[scene], play, until - monotonic())
        return seen[scene]

    def alone(probe: Probe) -> Proof:
        return proof(probe, shown(probe.alone))

    for probe in table:
        found = proof(probe, shown(probe.scene))
        if probe.alone and not found.passed:
            beside = [each for each in table if each.alone and each.scene == probe.scene]
            found = found if all(alone(each).passed for each in beside) else alone(probe)
        yield found


def proof(probe: Probe, seen: Seen) -> Proof:
    """What one probe comes to by what was seen."""
    wrong = probe.look(seen)
    return Proof(name=probe.name, passed=not wrong, detail=wrong or probe.shows, means=probe.means)


def results(scene: Scene, records: Sequence[Record]) -> dict[str, Result]:
    """What the model read of each call; a request that was sent again tells nothing twice."""
    once = {(each.session, each.agent, each.depth): each for each in records}
    told = [result for record in once.values() for result in record.results]
    labels = (move.label for move in scene.moves)
    return dict(zip(labels, told, strict=False))  # a scene that broke off has fewer


def _played(scene: Scene, play: Player, left: float) -> Seen:
    if left <= 0:
        return Seen(outcome=NOT_PLAYED._replace(why="the time for all probes was over"))
    try:
        return play(scene, min(left, LONGEST_SCENE))
    except TimeoutError:
        return Seen(outcome=NOT_PLAYED._replace(why="it did not come to its end in time"))
    except Exception as error:  # noqa: BLE001 - a CLI that cannot play a scene has failed its probes
        why = getattr(error, "why", "") or type(error).__name__
        return Seen(outcome=NOT_PLAYED._replace(why=f"{error}: {why}"[:SHOWN]))


def fires(event: str) -> Look:
    """The guard heard of this event."""

    def look(seen: Seen) -> str:
        if any(heard.split(" ")[0] == event for heard in seen.events):
            return ""
        return f"the guard never heard of it; {_end(seen)}"

    return look


def refuses(label: str, file: str, before: str | None = None) -> Look:
    """A forbidden call was refused, and did nothing: its file is what it was, or is not there."""

    def look(seen: Seen) -> str:
        result = seen.results.get(label)
        if seen.files.get(file) != before:
            return f"the call was made: {file} was written"
        if result is None:
            return f"no result of it came back; {_end(seen)}"
        return "" if result.refused else f"it {result.word}: {result.text[:SHOWN]}"

    return look


def works(file: str) -> Look:
    """A call that is not forbidden was made."""

    def look(seen: Seen) -> str:
        return "" if file in seen.files else f"{file} was not written; {_end(seen)}"

    return look


def is_so(fact: Callable[[Seen], bool], otherwise: str) -> Look:
    """Something is so; otherwise that is told, and how it ended."""
    return lambda seen: "" if fact(seen) else f"{otherwise}; {_end(seen)}"


def both(*looks: Look) -> Look:
    """Every one of these; the first that is not so is told."""
    return lambda seen: next(filter(None, (look(seen) for look in looks)), "")


def ends(ending: Ending, text: str = "", most: int = 0) -> Look:
    """The turn ended so, with these words, after at most so many requests."""

    def look(seen: Seen) -> str:
        if seen.outcome.ending is not ending:
            return _end(seen)
        if text and seen.text != text:
            return f"it ended with other words: {seen.text[:SHOWN]!r}"
        return f"it asked {seen.requests} times" if most and seen.requests > most else ""

    return look


def _end(seen: Seen) -> str:
    return f"it ended as {seen.outcome.ending.value}: {seen.outcome.why[:SHOWN]}"
