"""What may be asked, who may answer, and which answer was meant."""

from datetime import UTC, datetime

import pytest

from drumline.errors import BadInput, Conflict
from drumline.team.actor import Actor, Role
from drumline.team.by_hand import ONE_TASK
from drumline.team.ids import QuestionId, TaskId
from drumline.team.question import (
    AS_WRITTEN,
    USUAL,
    Asking,
    Question,
    QuestionKind,
    QuestionState,
    checked_asking,
    chosen_of,
    may_answer,
)
from drumline.team.verdict import Call

ADA, LEAD, BOSS = (
    Actor(name, role)
    for name, role in (("ada", Role.TEAMMATE), ("lea", Role.LEAD), ("boss", Role.PERSON))
)
OFFERED = ("go on", "go back", "cancel")


def question(**more):
    return Question(
        QuestionId(1),
        QuestionKind.OBSTACLE,
        "ada",
        "How?",
        datetime(2026, 1, 1, tzinfo=UTC),
        **more,
    )


@pytest.mark.requirement("RUN-09")
@pytest.mark.parametrize("kind", QuestionKind)
def test_people_answer_everything_and_teammates_nothing(kind):
    assert may_answer(question()._replace(kind=kind), BOSS)
    assert not may_answer(question()._replace(kind=kind), ADA)


@pytest.mark.requirement("RUN-09")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (QuestionKind.APPROVAL, False),
        (QuestionKind.HELP, False),
        (QuestionKind.OBSTACLE, True),
        (QuestionKind.NEED, True),
        (QuestionKind.PROPOSAL, True),
        (QuestionKind.STALL, True),
    ],
)
def test_the_lead_answers_what_needs_no_person(kind, expected):
    assert may_answer(question()._replace(kind=kind), LEAD) is expected


@pytest.mark.requirement("SYNC-11")
def test_nobody_answers_whether_it_gets_on_itself():
    about = question()._replace(kind=QuestionKind.STALL, asker=LEAD.name)
    assert not may_answer(about, LEAD)
    assert may_answer(about, BOSS)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("go on", "go on"),
        ("CANCEL", "cancel"),
        ("c", "cancel"),
        (" go   b", "go back"),
        ("2", "go back"),
    ],
)
def test_an_answer_is_known_by_its_words_their_beginning_or_its_number(said, meant):
    assert chosen_of(OFFERED, said) == meant


@pytest.mark.parametrize("said", ["", "go", "0", "4", "no", "cancelled", "9" * 5_000])
def test_an_answer_that_was_not_offered_is_refused_with_those_that_were(said):
    with pytest.raises(BadInput) as refused:
        chosen_of(OFFERED, said)
    assert refused.value.why == "the answers are: go on, go back, cancel"


def test_an_answer_stands():
    answered = question(options=OFFERED).answered("1", "use the other door", "person:boss")
    assert (answered.state, answered.said) == (QuestionState.ANSWERED, "go on: use the other door")
    with pytest.raises(Conflict, match="answered already"):
        answered.answered("cancel", "", "person:kim")


def test_a_question_without_offers_wants_words():
    with pytest.raises(BadInput, match="wants words"):
        question().answered("", "", "person:boss")
    assert question().answered("", "port 8080", "person:boss").said == "port 8080"


@pytest.mark.requirement("PIPE-04")
@pytest.mark.parametrize(
    ("options", "choice"),
    [
        (tuple(call.value for call in Call), Call.ITERATE.value),
        ((ONE_TASK, AS_WRITTEN), AS_WRITTEN),
    ],
)
def test_an_answer_that_says_nothing_by_itself_wants_words(options, choice):
    asked = question(options=options)
    with pytest.raises(BadInput, match=f"'{choice}' wants words"):
        asked.answered(choice, "", "person:boss")
    assert asked.answered(choice, "with a table", "person:boss").words == "with a table"
    assert asked.answered(options[0], "", "person:boss").choice == options[0]


@pytest.mark.parametrize("words", ["x" * 4_001, "bell \x07"])
def test_an_answer_that_cannot_be_shown_is_refused(words):
    with pytest.raises(BadInput):
        question().answered("", words, "person:boss")


def test_only_some_answers_end_the_task_they_are_about():
    ended = {
        option
        for options in USUAL.values()
        for option in options
        if question(task=TaskId(1), choice=option).ends_its_task
    }
    assert ended == {"cancel", "turn down"}
    assert not question(choice="cancel").ends_its_task


@pytest.mark.parametrize(
    "asking",
    [
        Asking(QuestionKind.HELP, "", "a"),
        Asking(QuestionKind.HELP, "x" * 4_001, "a"),
        Asking(QuestionKind.HELP, "\x1b[2J", "a"),
        Asking(QuestionKind.HELP, "which?", "a", options=("yes", "yes")),
        Asking(QuestionKind.HELP, "which?", "a", options=tuple(map(str, range(11)))),
        Asking(QuestionKind.HELP, "which?", "a", options=("yes", "no"), recommended="maybe"),
    ],
)
def test_a_question_that_people_cannot_be_shown_is_refused(asking):
    with pytest.raises(BadInput):
        checked_asking(asking)
