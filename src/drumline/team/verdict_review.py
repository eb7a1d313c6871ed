"""The form of what is said of a task's work, and what the answer means."""

from collections.abc import Mapping
from typing import Any

from drumline.team.answer_form import one_of, read_answer, wanted, words
from drumline.team.fields import Many, Record, whole
from drumline.team.handoff import Severity
from drumline.team.judgement import JudgementKind
from drumline.team.review import Flaw, Opinion, Word
from drumline.team.text import PATTERN_CAP

SUMMARY_CAP = 2_000
MOST_FLAWS = 50
LAST_LINE = 10_000_000

FLAW = Record(
    (
        wanted("file", words(PATTERN_CAP, empty=True), "Where; empty for all of it."),
        wanted("line", whole(0, LAST_LINE), "The line; 0 for the whole file."),
        wanted("severity", one_of(Severity), "How bad it is: critical and high must be mended."),
        wanted("what", words(PATTERN_CAP), "What is wrong, and what would be right."),
    )
)
FORM = Record(
    (
        wanted("verdict", one_of(Word), "Whether the work is good as it is."),
        wanted("summary", words(SUMMARY_CAP), "What a person should know of it."),
        wanted("findings", Many(FLAW, "findings", most=MOST_FLAWS), "Each flaw you found."),
    )
)
REVIEWS: Mapping[JudgementKind, Record] = {JudgementKind.REVIEW: FORM, JudgementKind.AUDIT: FORM}


def opinion(given: Mapping[str, Any]) -> Opinion:
    """What was answered; whoever wants changes and lists none means the summary."""
    found = read_answer(FORM, given, "the answer")
    flaws = tuple(Flaw(**each) for each in found["findings"])
    said = Opinion(found["verdict"], found["summary"], flaws)
    if said.word is Word.CHANGES and not flaws:
        return said._replace(flaws=(Flaw(said.summary),))
    return said
