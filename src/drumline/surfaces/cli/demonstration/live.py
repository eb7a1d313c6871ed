"""How the demo is shown on a terminal: who holds what, the board, the last events, the plot."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from drumline.control.views import Seat, Status
from drumline.surfaces.cli.demonstration.run import Opening, Scene
from drumline.surfaces.cli.demonstration.story import Line
from drumline.surfaces.cli.demonstration.view import row
from drumline.surfaces.cli.output import safe

NARROW = 80
ABOVE, BELOW = 11, 11  # rows before the events, and after them
FEWEST, MOST = 3, 16
STYLES = {
    "claimed": "cyan",
    "completed": "green",
    "sent": "blue",
    "expired": "yellow",
    "took over": "bold cyan",
    "tried": "bold yellow",
    "kill -9": "bold red",
}
BEGIN = (
    "Four processes compete for one board in one SQLite file. A claim is one transaction: a task "
    "has one holder, for as long as the holder renews its lease."
)


class OnScreen:
    """A picture drawn anew ten times a second; it leaves the screen as it was."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._lines: deque[Line] = deque(maxlen=MOST)
        self._turns: deque[Line] = deque([Line(verb="", turn=BEGIN)], maxlen=2)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def open(self, opening: Opening) -> None: ...

    def tell(self, line: Line) -> None:
        self._lines.append(line)
        if line.turn:
            self._turns.append(line)

    def draw(self, scene: Scene) -> None:
        self._live.update(self._picture(scene), refresh=True)

    def _picture(self, scene: Scene) -> RenderableType:
        room = max(FEWEST, min(MOST, self._console.height - ABOVE - BELOW))
        lines = list(self._lines)[-room:]
        return Group(
            _head(scene),
            Text(),
            _members(scene, self._console),
            Text(),
            _board(scene.status, self._console),
            Text(),
            *map(_event, lines),
            *(Text() for _ in range(room - len(lines))),
            *self._plot(self._console.height - room - ABOVE),
        )

    def _plot(self, room: int) -> list[Text]:
        """The newest turn, and the one before it if there is room for both."""
        shown: list[Text] = []
        for turn in reversed(self._turns):
            more = [line for text in _turn(turn) for line in self._wrapped(text)]
            if shown and len(shown) + len(more) > room:
                break
            shown = more + shown
        return shown

    def _wrapped(self, text: Text) -> Iterable[Text]:
        return text.wrap(self._console, self._console.width) or [text]


def _head(scene: Scene) -> Text:
    return _cut(
        ("drumline demo", "bold"),
        (f"  {scene.seconds:4.1f} s   team {scene.status.team}: one SQLite file, ", ""),
        (f"{len(scene.working)} of {len(scene.processes)} processes alive", ""),
    )


def _members(scene: Scene, console: Console) -> Table:
    wide = console.width >= NARROW
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for at in range(6 if wide else 5):
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1 if at == 3 else None)  # noqa: PLR2004 - the title
    for seat in sorted(scene.status.seats, key=lambda seat: seat.member.lead):
        cells = _seat(seat, scene, 12 if wide else 6, console)
        table.add_row(*cells[: 6 if wide else 5])
    return table


def _seat(seat: Seat, scene: Scene, width: int, console: Console) -> list[Text]:
    name = seat.member.name
    gone = name in scene.killed
    who = [Text(name, "bold red" if gone else "bold"), _process(name, scene)]
    task = next(iter(seat.holds), None)
    if task is None or task.lease_until is None:
        return [*who, Text(), Text(_idle(seat, scene), "dim"), Text(), Text()]
    left = max(0.0, (task.lease_until - scene.status.now).total_seconds())
    lease = _bar(left / scene.lease, width, "red" if gone else "green", console)
    lease.append(f" {left:.1f} s" if left else " over ", "red" if gone else "")
    return [*who, Text(str(task.id)), Text(safe(task.title)), lease, Text(f"fence {task.fence}")]


def _idle(seat: Seat, scene: Scene) -> str:
    if seat.member.lead or seat.member.name in scene.killed:
        return f"mail waiting: {seat.mail}" if seat.mail else ""
    if seat.member.name not in scene.working:
        return "ended: the board is done"
    return "waits for work" if seat.member.incarnation > 1 else "starts"


def _process(name: str, scene: Scene) -> Text:
    if name in scene.killed:
        return Text("killed", "bold red")
    return Text(str(scene.processes.get(name, "leads")), "dim")


def _board(status: Status, console: Console) -> Text:
    done, total = status.counts["completed"], sum(status.counts.values())
    text = Text("board  ", "bold", no_wrap=True, overflow="ellipsis")
    text.append_text(_bar(done / total, total, "green", console))
    text.append(f"  {done} of {total} done")
    text.append(f"   {status.counts['in_progress']} held", "cyan")
    return text.append(f"   {status.ready} ready   {status.blocked} blocked", "dim")


def _bar(share: float, width: int, style: str, console: Console) -> Text:
    full = round(max(0.0, min(1.0, share)) * width)
    solid, faint = ("#", ".") if console.options.ascii_only else ("━", "─")
    return Text.assemble((solid * full, style), (faint * (width - full), "dim"))


def _event(line: Line) -> Text:
    return _cut((safe(row(line)), STYLES.get(line.verb, "")))


def _turn(line: Line) -> Iterator[Text]:
    yield Text()
    yield Text(safe(line.turn), "bold")
    if line.answer:
        yield _cut((f"  {line.who}$ {safe(line.words)}", "cyan"))
    for text in line.answer:
        yield Text(f"  {safe(text)}", "yellow" if text.startswith("refused:") else "")


def _cut(*parts: tuple[str, str]) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")
