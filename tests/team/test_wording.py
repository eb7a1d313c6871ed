"""The bracketed text form: what is read is what was written, and what cannot be read says why."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from drumline.errors import BadInput
from drumline.team.message import Kind
from drumline.team.wording import FORMS, parse, render
from drumline.team.wording_fields import Delta
from drumline.team.wording_forms import (
    NOUNS,
    Acknowledgement,
    Action,
    Approval,
    Category,
    Challenge,
    ChallengeResponse,
    ContextUpdate,
    Directive,
    ImpactAnalysis,
    ImpactRejected,
    ImpactVerified,
    MemoryUpdate,
    NoteTag,
    PhaseBroadcast,
    Plan,
    Rejection,
    Report,
    Risk,
    Status,
    Verdict,
    VerificationQuestion,
    Wording,
)

pytestmark = pytest.mark.requirement("MAIL-02")

every_noun = pytest.mark.parametrize("noun", [pytest.param(noun, id=noun.kind) for noun in NOUNS])

SAID = [
    pytest.param(
        "[DIRECTIVE] Phase 6: write it | Files: a.py, b/*.py | [INJECTION] GC-v7\n# Context\n\nall of it\n",
        Directive(
            phase=6,
            task="write it",
            files=("a.py", "b/*.py"),
            version=7,
            body="# Context\n\nall of it\n",
        ),
        id="directive with the injected context",
    ),
    pytest.param(
        "[IMPACT-ANALYSIS] Phase 0 | Attempt 2/3\n1. I change the store",
        ImpactAnalysis(phase=0, attempt=2, limit=3, body="1. I change the store"),
        id="impact analysis",
    ),
    pytest.param("[IMPACT_VERIFIED] Proceed.", ImpactVerified(), id="impact verified"),
    pytest.param(
        "[IMPACT_REJECTED] Attempt 3/3 FAILED.\nRead section 2.",
        ImpactRejected(attempt=3, limit=3, body="Read section 2."),
        id="impact rejected with its re-briefing",
    ),
    pytest.param(
        "[VERIFICATION-QA] Q: a | b? | RC-03",
        VerificationQuestion(question="a | b?", item=3),
        id="verification question",
    ),
    pytest.param(
        "[CONTEXT-UPDATE] GC-v1 → GC-v3 | Delta: ADDED: x, y; CHANGED: z; REMOVED: w | Impact: ada",
        ContextUpdate(
            old=1,
            new=3,
            delta=Delta(added=("x", "y"), changed=("z",), removed=("w",)),
            impact="ada",
        ),
        id="context update",
    ),
    pytest.param(
        "[ACK-UPDATE] GC-v3 received. Items: 0/4. Impact: none. Action: NEED_CLARIFICATION",
        Acknowledgement(
            version=3, applied=0, total=4, impact="none", action=Action.NEED_CLARIFICATION
        ),
        id="acknowledgement",
    ),
    *(
        pytest.param(
            f"[STATUS] Phase 2 | {word}", Status(phase=2, report=word), id=f"status {word}"
        )
        for word in Report
    ),
    pytest.param(
        "[STATUS] CONTEXT_LOST", Status(report=Report.CONTEXT_LOST), id="status without a phase"
    ),
    *(
        pytest.param(
            f"[PLAN] Phase 6 | Files: a.py | Changes: split it | Risk: {risk}",
            Plan(phase=6, files=("a.py",), changes="split it", risk=risk),
            id=f"plan of {risk} risk",
        )
        for risk in Risk
    ),
    pytest.param("[APPROVED] Proceed.", Approval(), id="approval"),
    pytest.param(
        "[REJECTED] Reason: no tests. Revise: add some. Soon.",
        Rejection(reason="no tests", guidance="add some. Soon"),
        id="rejection",
    ),
    *(
        pytest.param(
            f"[CHALLENGE] Phase 3 | Q3/3: what if? | Category: {category}",
            Challenge(phase=3, number=3, total=3, question="what if?", category=category),
            id=f"challenge {category}",
        )
        for category in Category
    ),
    pytest.param(
        "[CHALLENGE-RESPONSE] Phase 3 | Q1: a | b: c",
        ChallengeResponse(phase=3, number=1, defense="a | b: c"),
        id="challenge response",
    ),
    *(
        pytest.param(
            f"[MEMORY-UPDATE] [{word}] order [per sender] holds",
            MemoryUpdate(learning=word, text="order [per sender] holds"),
            id=f"memory update {word}",
        )
        for word in NoteTag
    ),
    *(
        pytest.param(
            f"[PHASE] Phase 4: build | Gate: {verdict}",
            PhaseBroadcast(phase=4, name="build", verdict=verdict),
            id=f"phase broadcast {verdict}",
        )
        for verdict in Verdict
    ),
]


def refused(text: str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        parse(text)
    return caught.value


def test_every_kind_but_the_note_has_one_form() -> None:
    assert sorted(noun.kind for noun in NOUNS) == sorted(set(Kind) - {Kind.NOTE})


@pytest.mark.parametrize(("text", "wording"), SAID)
def test_a_bracketed_text_says(text: str, wording: Wording) -> None:
    assert parse(text) == wording


@pytest.mark.parametrize(("text", "wording"), SAID)
def test_a_wording_is_written_in_its_canonical_form(text: str, wording: Wording) -> None:
    assert render(wording) == text


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        pytest.param("[status] phase 3 | complete", "[STATUS] Phase 3 | COMPLETE", id="case"),
        pytest.param(
            "[Impact-Verified] proceed", "[IMPACT_VERIFIED] Proceed.", id="hyphen, no stop"
        ),
        pytest.param(
            "[IMPACT_ANALYSIS] Phase 3|Attempt 1 / 3",
            "[IMPACT-ANALYSIS] Phase 3 | Attempt 1/3",
            id="blanks",
        ),
        pytest.param(
            "[CONTEXT-UPDATE] GC-v1->GC-v2 | Delta: added x | Impact: all",
            "[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: ADDED: x | Impact: all",
            id="arrow and delta word",
        ),
        pytest.param(
            "[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: a -> b. Action: pause.",
            "[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: a -> b. Action: PAUSE",
            id="an arrow in prose stays",
        ),
        pytest.param(
            "[REJECTED] Reason: r. Revise: g",
            "[REJECTED] Reason: r. Revise: g.",
            id="last full stop",
        ),
        pytest.param(
            "[VERIFICATION-QA] Q: why? | RC-3", "[VERIFICATION-QA] Q: why? | RC-03", id="one digit"
        ),
        pytest.param(
            "\n  [APPROVED]  Proceed. \r\nbody ", "[APPROVED] Proceed.\nbody ", id="edges"
        ),
        pytest.param("[APPROVED] Proceed.\n", "[APPROVED] Proceed.", id="empty body"),
    ],
)
def test_loose_writing_is_understood_and_made_canonical(loose: str, canonical: str) -> None:
    wording = parse(loose)
    assert wording is not None
    assert render(wording) == canonical


@pytest.mark.parametrize(
    "note",
    [
        pytest.param("", id="nothing"),
        pytest.param("all done", id="prose"),
        pytest.param("[ ] todo", id="checkbox"),
        pytest.param("[link](x)", id="link"),
        pytest.param("[plan](docs/plan.md) is new", id="link named like a tag"),
        pytest.param("[status]: https://example.org", id="link definition"),
        pytest.param("[NOTE] hello", id="unknown tag"),
        pytest.param("see [STATUS] Phase 3 | COMPLETE", id="tag further on"),
        pytest.param("[STATUS", id="open bracket"),
    ],
)
def test_a_plain_note_is_no_wording(note: str) -> None:
    assert parse(note) is None


MALFORMED = [
    pytest.param("[STATUS]", "report is ''", id="nothing after the tag"),
    pytest.param("[STATUS] Phase 3 | DONE", "report is 'DONE'", id="unknown status"),
    pytest.param("[STATUS] COMPLETE", "phase is missing", id="completion of no phase"),
    pytest.param("[STATUS] Phase 3 COMPLETE", "report is missing", id="no separator"),
    pytest.param("[STATUS] Phase P3 | COMPLETE", "phase is 'P3'", id="phase by name"),
    pytest.param("[STATUS] Phase -1 | COMPLETE", "phase is '-1'", id="negative phase"),
    pytest.param("[STATUS] Phase ٣ | COMPLETE", "phase is '٣'", id="foreign digit"),
    pytest.param("[STATUS] Phase 1234567890 | COMPLETE", "phase is '1234567890'", id="vast phase"),
    pytest.param(f"[STATUS] Phase {'9' * 5000} | BLOCKED", "not a whole number", id="5,000 digits"),
    pytest.param("[IMPACT-ANALYSIS] Phase 3", "attempt is missing", id="no attempt"),
    pytest.param("[IMPACT-ANALYSIS] Phase 3 | Attempt 4/3", "attempt is 4", id="past the limit"),
    pytest.param("[IMPACT-ANALYSIS] Phase 3 | Attempt 0/3", "attempt is '0'", id="attempt zero"),
    pytest.param("[IMPACT-ANALYSIS] Phase 3 | Attempt 1/3 | x", "limit is '3 | x'", id="too much"),
    pytest.param("[IMPACT_VERIFIED] Perhaps.", "'Proceed.' was expected, found 'Perhaps.'", id="no verdict"),
    pytest.param("[APPROVED] Proceed. Or not.", "found 'Proceed. Or not.'", id="verdict and more"),
    pytest.param("[IMPACT_REJECTED] Attempt 1/3 FAILED.", "body is empty", id="no re-briefing"),
    pytest.param("[IMPACT_REJECTED] Attempt 1/3 FAILED.\n \n", "body is empty", id="blank re-briefing"),
    pytest.param("[IMPACT_REJECTED] Attempt 1/3\nx", "'FAILED.' was expected", id="rejected, not failed"),
    pytest.param("[IMPACT_REJECTED] Attempt 4/3 FAILED.\nx", "attempt is 4", id="rejected past the limit"),
    pytest.param("[VERIFICATION-QA] Q: why?", "item is missing", id="no checklist item"),
    pytest.param("[VERIFICATION-QA] Q: | RC-01", "question is ''", id="no question"),
    pytest.param("[CONTEXT-UPDATE] GC-v2 → GC-v2 | Delta: ADDED: x | Impact: y", "new is 2", id="same version"),
    pytest.param("[CONTEXT-UPDATE] GC-v0 → GC-v0 | Delta: ADDED: x | Impact: y", "new is '0'", id="version zero"),
    pytest.param("[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: x | Impact: y", "delta is 'x'", id="delta without word"),
    pytest.param("[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: ADDED: | Impact: y", "delta is 'ADDED: '", id="delta without items"),
    pytest.param("[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: ADDEDx | Impact: y", "delta is 'ADDEDx'", id="delta word runs on"),
    pytest.param("[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: ADDED: x", "impact is missing", id="no impact"),
    pytest.param("[ACK-UPDATE] GC-v2 received. Items: 3/2. Impact: y. Action: PAUSE", "applied is 3", id="more applied than sent"),
    pytest.param("[ACK-UPDATE] GC-v2 received. Items: 1/2. Impact: y. Action: WAIT", "action is 'WAIT'", id="unknown action"),
    pytest.param("[PLAN] Phase 1 | Files: | Changes: x | Risk: low", "files is ''", id="no files"),
    pytest.param("[PLAN] Phase 1 | Files: a,,b | Changes: x | Risk: low", "in item '' it is empty", id="empty file name"),
    pytest.param("[PLAN] Phase 1 | Files: a | b | Changes: x | Risk: low", "in item 'a | b'", id="bar in a file name"),
    pytest.param("[PLAN] Phase 1 | Files: a | Changes: x | Risk: some", "risk is 'some'", id="unknown risk"),
    pytest.param("[PLAN] Phase 1 | Files: a | Risk: low", "changes is missing", id="no changes"),
    pytest.param("[REJECTED] Reason: bad.", "guidance is missing", id="no guidance"),
    pytest.param("[REJECTED] Reason: . Revise: x.", "reason is ''", id="no reason"),
    pytest.param("[CHALLENGE] Phase 3 | Q3/2: x | Category: RIPPLE_TRACE", "number is 3", id="question past the total"),
    pytest.param("[CHALLENGE] Phase 3 | Q1/2: x | Category: OTHER", "category is 'OTHER'", id="unknown category"),
    pytest.param("[CHALLENGE-RESPONSE] Phase 3 | Q0: x", "number is '0'", id="answer to question zero"),
    pytest.param("[CHALLENGE-RESPONSE] Phase 3 | Q1:", "defense is ''", id="no defense"),
    pytest.param("[MEMORY-UPDATE] x", "learning is missing", id="no memory tag"),
    pytest.param("[MEMORY-UPDATE] [Rumour] x", "learning is 'Rumour'", id="unknown memory tag"),
    pytest.param("[PHASE] Phase 3: build | Gate: MAYBE", "verdict is 'MAYBE'", id="unknown verdict"),
    pytest.param("[DIRECTIVE] Phase 3: x | Files: a | GC-v1", "version is missing", id="no injection"),
    pytest.param("[DIRECTIVE] Phase 3: x\x1b[2J | Files: a | [INJECTION] GC-v1", "control character 0x1b", id="control character"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), MALFORMED)
def test_a_malformed_text_is_refused_with_the_exact_field(text: str, names: str) -> None:
    assert names in refused(text).what


@every_noun
def test_a_refusal_shows_a_text_that_would_be_taken(noun: type[Wording]) -> None:
    assert isinstance(parse(refused(f"[{noun.tag}] ?").next), noun)


@every_noun
def test_a_refusal_shows_the_form(noun: type[Wording]) -> None:
    assert refused(f"[{noun.tag}] ?").why == f"its form is {FORMS[noun.kind]}"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("[STATUS] Phase 1 | {}", id="unreadable value"),
        pytest.param("[REJECTED] Reason: {}\x00. Revise: y.", id="unfit value"),
        pytest.param("[REJECTED] {}", id="missing words"),
        pytest.param("[CONTEXT-UPDATE] GC-v1 → GC-v2 | Delta: ADDED: a; {} | Impact: y", id="part of a value"),
    ],
)  # fmt: skip
def test_a_refusal_shortens_what_it_found(line: str) -> None:
    assert refused(line.format("x" * 500)).what.count("x") <= 160


@every_noun
def test_the_example_of_a_kind_is_canonical(noun: type[Wording]) -> None:
    wording = parse(noun.example)
    assert isinstance(wording, noun)
    assert render(wording) == noun.example


@every_noun
def test_the_documented_form_of_a_kind_shows_its_tag_and_every_field(
    noun: type[Wording],
) -> None:
    form = FORMS[noun.kind]
    assert form.startswith(f"[{noun.tag}] ")
    assert form.count("{") >= len(noun.form.names)


def test_a_documented_form_lists_the_words_to_choose_from() -> None:
    assert FORMS[Kind.PLAN].endswith("| Risk: {low|med|high}")


@pytest.mark.parametrize(
    ("make", "names"),
    [
        pytest.param(
            lambda: Rejection(reason="a. Revise: b", guidance="c"), "reason is 'a. Revise: b'", id="next words"
        ),
        pytest.param(
            lambda: Rejection(reason="a.revise: b", guidance="c"), "begins the next field", id="next words, loosely"
        ),
        pytest.param(lambda: Rejection(reason="a\nb", guidance="c"), "more than one line", id="line end"),
        pytest.param(lambda: Rejection(reason=" a", guidance="c"), "with a blank", id="blank at an end"),
        pytest.param(
            lambda: Plan(phase=1, files=("a,b",), changes="c", risk=Risk.LOW), "the sign ','", id="comma in a file"
        ),
        pytest.param(
            lambda: Plan(phase=1, files=(), changes="c", risk=Risk.LOW), "it has no items", id="no files"
        ),
        pytest.param(
            lambda: Plan(phase=1, files=("a",) * 501, changes="c", risk=Risk.LOW), "the cap is 500", id="501 files"
        ),
        pytest.param(
            lambda: ContextUpdate(old=1, new=2, delta=Delta(), impact="x"), "it has no items", id="empty delta"
        ),
        pytest.param(
            lambda: ContextUpdate(old=1, new=2, delta=Delta(added=("a;b",)), impact="x"),
            "the sign ';'",
            id="semicolon in a delta",
        ),
        pytest.param(lambda: Status(phase=10**9, report=Report.BLOCKED), "phase is '1000000000'", id="vast phase"),
        pytest.param(lambda: replace(Status(phase=1, report=Report.BLOCKED), phase=-1), "phase is '-1'", id="changed"),
    ],
)  # fmt: skip
def test_what_could_not_be_read_back_cannot_be_made(
    make: Callable[[], Wording], names: str
) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert names in caught.value.what
