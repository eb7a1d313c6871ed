"""Tasks written down together, one JSON object a line: read whole, and every fault of it told at once.

A line may name itself with a `key`, by which the `blocked_by` of any other line may mean it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from drumline.errors import BadInput
from drumline.team.document import Problem, shown
from drumline.team.draft import PRIORITIES, Listed, NewTask
from drumline.team.fields import Field, Kind, Many, NotTaken, Record, Value, line, whole
from drumline.team.ids import TaskId
from drumline.team.json_tree import parsed
from drumline.team.ownership import GLOB_RULE, is_glob
from drumline.team.server import SERVER
from drumline.team.task import circles
from drumline.team.text import (
    BODY_CAP,
    FILES_CAP,
    PATTERN_CAP,
    TITLE_CAP,
    checked,
    checked_line,
    is_name,
)

MOST_TASKS = 10_000
MOST_BYTES = 10_000_000
MOST_TOLD = 1_000  # problems; whoever has more mends these first
KEY_CAP = 64
_CHAIN = 6  # names of a circle that are told
_BESIDE = ("key", "blocked_by")  # what a line says that is no field of its task
_LIKE_AN_ID = re.compile(r"[Tt]-[0-9]+")
_ID = re.compile(r"[Tt]-[1-9][0-9]{0,17}")
_IN_ONE_LINE = re.compile(r": line [0-9]+ column ([0-9]+) \(char [0-9]+\)$")


def _taken(allowed: str, fits: Callable[[str], object]) -> Value:
    """Text that `fits` neither denies nor refuses."""

    def take(value: object) -> str:
        try:
            if isinstance(value, str) and fits(value):
                return value
        except BadInput as error:
            raise NotTaken from error
        raise NotTaken

    return Value(allowed, take, {"type": "string"})


def _is_key(text: str) -> bool:
    return not _LIKE_AN_ID.fullmatch(text) and bool(checked_line(text, "the key", cap=KEY_CAP))


def _is_body(text: str) -> bool:
    return checked(text, "the body", cap=BODY_CAP, empty=True) is text


def _is_path(text: str) -> bool:
    return is_glob(checked_line(text, "the path", cap=PATTERN_CAP))


def _is_tracker(text: str) -> bool:
    return checked_line(text, "the tracker reference", empty=True) is text


_NAMED = "a key of this list, or a task id such as T-12"
_OTHER = line(_NAMED, KEY_CAP)
_PATHS = Many(_taken(GLOB_RULE, _is_path), "globs", most=FILES_CAP)
_FIELDS: dict[str, Kind] = {
    "key": _taken(f"a name of 1 to {KEY_CAP} characters that is no task id", _is_key),
    "title": line(),
    "body": _taken(f"at most {BODY_CAP:,} characters, none a control character", _is_body),
    "blocked_by": Many(_OTHER, "keys and task ids", most=MOST_TASKS),
    "priority": whole(PRIORITIES.start, PRIORITIES.stop - 1),
    "profile": _taken("the name of a profile", lambda text: not text or is_name(text)),
    "files": _PATHS,
    "outputs": _PATHS,
    "tracker": _taken(f"one line of at most {TITLE_CAP} characters", _is_tracker),
    "needs": Many(SERVER, "MCP servers"),
}
FORM = Record(
    tuple(
        Field(name=name, kind=kind, says="", required=name == "title")
        for name, kind in _FIELDS.items()
    )
)


class TaskList(NamedTuple):
    """What somebody wrote down: the tasks, what only the board knows is right, and what is wrong."""

    name: str
    tasks: tuple[Listed, ...]
    keys: tuple[str, ...]
    profiles: tuple[tuple[int, str], ...]
    waits_for: tuple[tuple[int, TaskId], ...]
    problems: tuple[Problem, ...]

    def refusal(self, problems: Sequence[Problem]) -> BadInput:
        """The refusal that tells every problem, in the order of the lines."""
        count = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
        told = sorted(problems, key=lambda each: each.line)[:MOST_TOLD]
        more = ["there may be more: no more than these are told at once"]
        return BadInput(
            f"{self.name} has {count}: nothing was added",
            why="\n".join(
                [f"line {each.line}: {each.sentence}" for each in told]
                + (more if len(problems) >= MOST_TOLD else [])
            ),
            next="mend the lines named above, and give the list whole again",
        )


class _Line(NamedTuple):
    """What one line says, as far as it can be taken."""

    number: int
    said: Mapping[str, Any]
    names: tuple[str, ...]
    ids: tuple[TaskId, ...]

    @property
    def key(self) -> str:
        return self.said.get("key") or ""


def read_list(given: bytes, name: str) -> TaskList:
    """The tasks that a text asks for; one that is empty or too long is refused as a whole."""
    if len(given) > MOST_BYTES:
        raise _too_much(name, f"{MOST_BYTES:,} bytes")
    problems: list[Problem] = []
    lines = list(_lines(given, name, problems))
    if not lines:
        raise BadInput(f"{name} is empty", next='write one task a line: {"title": "…"}')
    places = _places(lines, problems)
    after = [tuple(places[other] for other in each.names if other in places) for each in lines]
    if len(problems) < MOST_TOLD:
        problems += islice(_unknown(lines, places), MOST_TOLD)
        problems += _circular(lines, after)
    profiles = ((each.number, each.said.get("profile")) for each in lines)
    return TaskList(
        name=name,
        tasks=() if problems else tuple(map(_listed, lines, after)),
        keys=tuple(each.key for each in lines),
        profiles=tuple((number, profile) for number, profile in profiles if profile),
        waits_for=tuple((each.number, other) for each in lines for other in each.ids),
        problems=tuple(problems),
    )


def _lines(given: bytes, name: str, problems: list[Problem]) -> Iterator[_Line]:
    """Every line that says something; reading ends where more is wrong than anybody is told."""
    count = 0
    for number, raw in enumerate(BytesIO(given), 1):
        if not raw.strip():
            continue
        count += 1
        if count > MOST_TASKS:
            raise _too_much(name, f"{MOST_TASKS:,} tasks")
        if len(problems) < MOST_TOLD:
            wrong: list[Problem] = []
            said = _read(raw, wrong)
            problems += (replace(each, line=number) for each in wrong)
            yield _Line(number, said, *_others(said.get("blocked_by", ())))


def _read(raw: bytes, problems: list[Problem]) -> Mapping[str, Any]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"a byte that is no UTF-8 at {error.start + 1}"
        problems.append(Problem(1, "", found, "a JSON object in UTF-8"))
        return {}
    reading = parsed(text, cap=MOST_BYTES)
    problems += (
        replace(each, found=_IN_ONE_LINE.sub(r" at character \1", each.found))
        for each in reading.problems
    )
    return FORM.read(reading.root, "", problems) if reading.root else {}


def _places(lines: Sequence[_Line], problems: list[Problem]) -> dict[str, int]:
    """Where each key stands; the first that has it keeps it."""
    places: dict[str, int] = {}
    for place, each in enumerate(lines):
        if each.key and places.setdefault(each.key, place) != place:
            first = lines[places[each.key]].number
            allowed = f"a key of its own, line {first} has this one"
            problems.append(Problem(each.number, "key", shown(each.key), allowed))
    return places


def _unknown(lines: Iterable[_Line], places: Mapping[str, int]) -> Iterator[Problem]:
    for each in lines:
        for other in each.names:
            if other not in places:
                yield Problem(each.number, "blocked_by", shown(other), _NAMED)


def _others(given: Iterable[str | None]) -> tuple[tuple[str, ...], tuple[TaskId, ...]]:
    """The names among what a line waits for, and the task ids."""
    names: list[str] = []
    ids: list[TaskId] = []
    for each in filter(None, given):
        if _ID.fullmatch(each):
            ids.append(TaskId(each[2:]))
        else:
            names.append(each)
    return tuple(names), tuple(ids)


def _circular(lines: Sequence[_Line], after: Sequence[Sequence[int]]) -> Iterator[Problem]:
    for chain in circles(after, most=MOST_TOLD):
        ends = chain if len(chain) <= _CHAIN else [*chain[: _CHAIN - 2], chain[-1]]
        names = [shown(lines[place].key) for place in ends]
        if len(ends) < len(chain):
            names.insert(-1, "…")
        number = lines[chain[-2]].number
        allowed = "tasks that do not wait for each other"
        yield Problem(number, "blocked_by", " → ".join(names), allowed)


def _listed(each: _Line, after: tuple[int, ...]) -> Listed:
    fields = {name: value for name, value in each.said.items() if name not in _BESIDE}
    return Listed(NewTask(**fields), after, each.ids)


def _too_much(name: str, most: str) -> BadInput:
    return BadInput(
        f"{name} has more than {most}",
        why="a list is added in one transaction, during which nobody else can write",
        next="divide it; what it names of another list is named by its task id",
    )
