"""The demo, played: a run of the largest kind is begun, steered where a person must, and delivered."""

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from subprocess import Popen
from time import monotonic
from typing import Any, NamedTuple

from drumline.control import runs, views
from drumline.control.ports import Store
from drumline.errors import StoreTrouble
from drumline.settings import find
from drumline.surfaces.cli.demonstration.stage import Stage, said
from drumline.surfaces.cli.demonstration.telling import ONCE, told
from drumline.team.ids import TaskId
from drumline.team.journal import Event
from drumline.team.trail import Wanted
from drumline.wiring import open_store
from drumline.wiring.guards import open_trail

GOAL = "Greet the world"
RUN = "run-1"
CONTEXT = "## Language\n\nGreetings are in English, in small letters.\n"
LONGEST = 120.0  # seconds; a quiet machine takes a sixth of it
PACE = 0.2

Tell = Callable[[float, str, str], None]


class Played(NamedTuple):
    """How it went: the run's own summary, what was refused, and the history it left."""

    summary: dict[str, Any]
    refused: list[str]
    history: list[str]
    seconds: float


class Play:
    """One performance."""

    def __init__(self, stage: Stage, tell: Tell, longest: float = LONGEST) -> None:
        self._stage, self._tell, self._longest = stage, tell, longest
        self._began = monotonic()
        self._said: set[tuple[str, str]] = set()
        self._refusals = 0
        self._typed: list[Popen[str]] = []  # commands that wait for their text

    def perform(self) -> Played:
        """From the goal to its delivery; every process is gone afterwards."""
        try:
            self._aside(f'drumline run "{GOAL}" --detach')
            self._stage.say("run", GOAL, "--detach")
            with closing(open_store(find(str(self._stage.root)))) as store:
                self._follow(store)
            return self._outcome()
        finally:
            for typed in self._typed:
                typed.kill()
            self._stage.say("down")

    def _follow(self, store: Store) -> None:
        cursor = ""
        while True:
            found, cursor = store.ask(views.events, cursor=cursor, most=500)
            for event in found:
                self._say(told(event, partial(_titled, store)))
                self._steer(event)
            self._tell_refusals()
            if store.ask(runs.find, RUN).over and not found:
                return
            if self._now() > self._longest:
                raise StoreTrouble(
                    "the demo did not come to its end",
                    why=store.ask(runs.waiting_for, RUN),
                    next=f"drumline run show -C {self._stage.root}",
                )
            store.changed(PACE)

    def _say(self, line: tuple[str, str] | None) -> None:
        if line and not (line[0] in ONCE and line in self._said):
            self._said.add(line)
            self._tell(self._now(), *line)

    def _tell_refusals(self) -> None:
        """What the guard refused since we looked last."""
        found = self._refused()
        for each in found[self._refusals :]:
            self._tell(self._now(), "refused", each)
        self._refusals = len(found)

    def _refused(self) -> list[str]:
        trail = open_trail(find(str(self._stage.root)))
        return [
            f"{line['team_member']}: {line.get('command') or line.get('file_path')} ({line['refused']})"
            for line in (entry.facts for entry in trail.entries(Wanted()))
            if line.get("refused")
        ]

    def _steer(self, event: Event) -> None:
        """What a person does in it: says yes to the plan, and changes what everybody goes by.

        The change is typed a phase before: a command that begins with its phase may come too late for it.
        """
        if event.verb == "question.asked":
            self._aside(f"drumline question answer {event.subject} start")
            self._stage.say("question", "answer", event.subject, "start")
        elif event.verb == "run.entered" and ": P1," in event.subject:
            self._typed.append(self._stage.begin("context", "publish", "-", "--run", RUN))
        elif event.verb == "run.entered" and ": P2," in event.subject and self._typed:
            self._aside(f"drumline context publish - --run {RUN}")
            said(self._typed.pop(), CONTEXT)

    def _outcome(self) -> Played:
        summary = json.loads(self._stage.say("run", "summary", RUN, "--json"))
        log = ("log", "--topo-order", "--format=%s (%an)", "main")
        return Played(summary, self._refused(), self._stage.git(*log).splitlines(), self._now())

    def _aside(self, words: str) -> None:
        self._tell(self._now(), "$", words)

    def _now(self) -> float:
        return monotonic() - self._began


def _titled(store: Store, name: str) -> str:
    """A phase or a task with its title; anything else as it is."""
    run = store.ask(runs.find, RUN)
    for phase in run.pipeline.phases:
        if phase.name == name:
            return f"{name} {phase.title}"
    found = store.ask(views.task, TaskId.parse(name)) if name.startswith("T-") else None
    return f"{name} {found['title']}" if found else name
