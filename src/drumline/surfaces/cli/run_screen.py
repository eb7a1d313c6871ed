"""A run on a terminal: its path, who does what, what it cost, and the last things that happened."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from drumline.surfaces.cli.output import safe, span
from drumline.team.gate import GateState
from drumline.team.run import RunState
from drumline.team.task import TaskState

if TYPE_CHECKING:
    from types import TracebackType

    from drumline.control.run_views import Scene
    from drumline.team.moves import Seen

LAST = 8  # lines of what happened
MEMBERS = 12
TITLE = 60
COLUMNS = 4
HEAD = 5  # lines above the members, where the path takes two, and one where the cursor waits
TALL = 100


class Screen:
    """Draws a run anew whenever something happened, and leaves the last drawing there."""

    def __init__(self, console: Console | None = None) -> None:
        self._live = Live(console=console, refresh_per_second=8, transient=False)
        self._last: deque[str] = deque(maxlen=LAST)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def tell(self, line: str) -> None:
        """One more thing that happened."""
        self._last.append(line)

    def draw(self, scene: Scene) -> None:
        self._live.update(drawn(scene, list(self._last), self._live.console.height))


def drawn(scene: Scene, last: list[str], height: int = TALL) -> Group:
    """The whole screen; agents' words in it move no cursor and mean no markup.

    What happened last is what a low terminal has room for; nothing takes more than its line.
    """
    run = scene.seen.run
    head = _line(f"{run.name}  {run.title}", style="bold")
    facts = f"{run.tier or 'size not known yet'}   {span(scene.seconds)}   {scene.usd:.2f} USD"
    members = _members(scene)
    under_way = [_line(str(scene.delivering))] if scene.delivering else []
    room = max(1, height - HEAD - len(under_way) - members.row_count)
    above = (head, _line(facts), _path(scene.seen), *under_way)
    return Group(*above, members, *map(_line, last[-room:]))


def _line(words: str, style: str = "") -> Text:
    return Text(safe(words), style=style, no_wrap=True, overflow="ellipsis")


def _path(seen: Seen) -> Text:
    """The phases in their order: what is approved, where it is, what comes."""
    run, line = seen.run, Text()
    phases = run.pipeline.path(run.tier) if run.tier else ()
    done = {gate.phase for gate in seen.gates.values() if gate.state is GateState.APPROVED}
    delivered = run.state is RunState.DELIVERED
    for phase in phases:
        here = phase.name == run.phase and not run.over
        mark = "> " if here else "✓ " if phase.name in done or delivered else "  "
        again = f" (iteration {run.iteration})" if here and run.iteration > 1 else ""
        line.append(f"{mark}{phase.name}{again} ", style="bold" if here else "")
    return line


def _members(scene: Scene) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(COLUMNS):
        table.add_column(no_wrap=True, overflow="ellipsis")
    held = {
        each.task.owner: each.task
        for each in scene.seen.tasks
        if each.task.state is TaskState.IN_PROGRESS
    }
    running = [place for place in scene.seen.places if place.running]
    for place in running[:MEMBERS]:
        task = held.get(place.name)
        away = scene.away.get(place.name, "")
        work = f"{task.id} {task.title[:TITLE]}" if task else away
        words = (place.name, place.profile or "leads", scene.liveness.get(place.name, ""), work)
        table.add_row(*map(_line, words))
    if len(running) > MEMBERS:
        table.add_row(Text(f"and {len(running) - MEMBERS} more"))
    return table
