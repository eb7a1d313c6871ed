"""An impact analysis: what a member understood of its task, in its own words, before it works.

A machine judges what it can: that each section says something, that the task was not merely copied, that
what is named is there, and that whoever depends on the task is named. The lead judges the rest.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from drumline.team.answer_form import for_runtimes, outlined, read_answer, wanted, words
from drumline.team.fields import Many, Record, Schema, line
from drumline.team.ownership import owned
from drumline.team.text import FILES_CAP, PATTERN_CAP

SECTION_CAP = 4_000
LEAST_WORDS = 5  # of a section that says something
LONGEST_RUN = 12  # words in a row that may not also stand in the brief
PIECE = 3  # words that are looked for in the brief together
LARGEST_SHARE = 0.6  # of such pieces that may also stand in the brief
FEWEST_PIECES = 6  # below this a share says nothing: short sentences resemble each other

SECTIONS: Mapping[str, str] = {
    "task": "The task in your own words: what is to be true afterwards.",
    "position": "Where it stands in the pipeline: what it builds on, and what builds on it.",
    "upstream": "Which results of earlier work you use, and what you take from each.",
    "interfaces": "Which interfaces and files you touch, as they are now and as they will be.",
    "effects": "Whom else it affects and how, step by step, to the end of the chain.",
    "risks": "What may break, how you would notice, and what you would do then.",
}
OF_LEVEL: Mapping[int, tuple[str, ...]] = {
    1: tuple(SECTIONS),
    2: ("task", "position", "interfaces", "effects"),
    3: ("task", "position", "effects"),
}
POINTS: Mapping[int, str] = {
    1: "The task is restated in the member's own words, and rightly.",
    2: "Its position in the pipeline is right.",
    3: "The results of earlier work that it needs are named.",
    4: "The affected files are complete.",
    5: "The interfaces are described accurately.",
    6: "The effect on other members is seen.",
    7: "The chain of effects downstream is traced to its end.",
    8: "The risk of breaking something is judged soundly.",
    9: "It claims nothing that is false.",
    10: "Nothing critical is missing against your own analysis.",
}
POINTS_OF_LEVEL: Mapping[int, tuple[int, ...]] = {
    1: tuple(POINTS),
    2: (1, 2, 3, 4, 5, 6, 7),
    3: (1, 2, 3, 7, 9),
}
ATTEMPTS: Mapping[int, int] = {1: 3, 2: 3, 3: 2}

_WORD = re.compile(r"\w+")


class Evidence(NamedTuple):
    """What an analysis is held against.

    brief       the words the member was given
    owned       the patterns of the files that the task may change: what it makes need not be there
    present     those of the named files that are there
    tasks       those of the named tasks that are there
    dependants  the tasks that wait for this one
    changed     what was changed before the analysis was given
    """

    brief: str = ""
    owned: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    dependants: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def form(level: int) -> Record:
    """The form of an analysis at a protocol level."""
    sections = (wanted(name, words(SECTION_CAP), SECTIONS[name]) for name in OF_LEVEL[level])
    path = line("a path relative to the repository", PATTERN_CAP)
    return Record(
        (
            *sections,
            wanted("files", Many(path, "paths", most=FILES_CAP), "Every file you named above."),
            wanted("tasks", Many(line("a task id", 40), "task ids"), "Every task you named above."),
            wanted(
                "dependants",
                Many(line("a task id or a member", 80), "names"),
                "Who depends on the result; nobody only where nobody does.",
            ),
        )
    )


def read(level: int, given: str | Mapping[str, Any]) -> dict[str, Any]:
    """An analysis as it can be kept, or a refusal that lists every problem of its form."""
    return read_answer(form(level), given, "the analysis")


def schema(level: int) -> Schema:
    found: Schema = for_runtimes(form(level).schema())
    return found


def outline(level: int) -> list[str]:
    return outlined(form(level))


def faults(analysis: Mapping[str, Any], seen: Evidence) -> list[str]:
    """What a machine finds wrong with an analysis, each as a sentence."""
    return [*_thin(analysis), *_copied(analysis, seen), *_untrue(analysis, seen), *_early(seen)]


def _thin(analysis: Mapping[str, Any]) -> list[str]:
    return [
        f"`{name}` says too little: {len(_words(analysis[name]))} words"
        for name in SECTIONS
        if name in analysis and len(_words(analysis[name])) < LEAST_WORDS
    ]


def _copied(analysis: Mapping[str, Any], seen: Evidence) -> list[str]:
    said, brief = _words(analysis.get("task", "")), _words(seen.brief)
    if not set(_pieces(brief, LONGEST_RUN)).isdisjoint(_pieces(said, LONGEST_RUN)):
        return [f"`task` repeats {LONGEST_RUN} words of your brief in a row: say it in your own"]
    pieces, there = _pieces(said, PIECE), set(_pieces(brief, PIECE))
    shared = sum(piece in there for piece in pieces)
    if len(pieces) >= FEWEST_PIECES and shared > LARGEST_SHARE * len(pieces):
        part = round(100 * shared / len(pieces))
        return [f"`task` is copied: {part} % of it stands in your brief; say it in your own words"]
    return []


def _untrue(analysis: Mapping[str, Any], seen: Evidence) -> list[str]:
    """Files and tasks that are not there, and whoever waits and was not named."""
    found = [
        f"the file {path!r} is not there, and your task does not make it"
        for path in analysis["files"]
        if path not in seen.present and not owned(seen.owned, path)
    ]
    found += [f"there is no task {task!r}" for task in analysis["tasks"] if task not in seen.tasks]
    named = {*analysis["tasks"], *analysis["dependants"]}
    found += [
        f"{task} waits for your task, and you do not name it among the dependants"
        for task in seen.dependants
        if task not in named
    ]
    return found


def _early(seen: Evidence) -> list[str]:
    if not seen.changed:
        return []
    return [f"files were changed before you were verified: {', '.join(seen.changed)}"]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _pieces(said: list[str], length: int) -> list[tuple[str, ...]]:
    """Every stretch of so many words."""
    return [tuple(said[at : at + length]) for at in range(len(said) - length + 1)]
