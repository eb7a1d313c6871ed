"""What the bracketed messages say: one frozen noun per kind, with its form and its fields.

Only what can be written and read back unchanged can be made. Nothing here reads text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, ClassVar, get_args

from drumline.errors import BadInput
from drumline.team.message import Kind
from drumline.team.wording_fields import (
    MOST,
    SHOWN,
    Choice,
    Delta,
    DeltaItems,
    Field,
    HeadLine,
    Items,
    Number,
    Prose,
)


class Report(StrEnum):
    """How a member stands, in a status."""

    COMPLETE = "COMPLETE"
    BLOCKED = "BLOCKED"
    IN_PROGRESS = "IN_PROGRESS"
    CONTEXT_RECEIVED = "CONTEXT_RECEIVED"
    CONTEXT_PRESSURE = "CONTEXT_PRESSURE"
    CONTEXT_LOST = "CONTEXT_LOST"


WITHOUT_PHASE = frozenset({Report.CONTEXT_RECEIVED, Report.CONTEXT_PRESSURE, Report.CONTEXT_LOST})


class Action(StrEnum):
    """What a member does about a context update."""

    CONTINUE = "CONTINUE"
    PAUSE = "PAUSE"
    NEED_CLARIFICATION = "NEED_CLARIFICATION"


class Risk(StrEnum):
    """How much a plan may break."""

    LOW = "low"
    MED = "med"
    HIGH = "high"


class Category(StrEnum):
    """What a challenge asks a member to defend."""

    INTERCONNECTION_MAP = "INTERCONNECTION_MAP"
    SCOPE_BOUNDARY = "SCOPE_BOUNDARY"
    RIPPLE_TRACE = "RIPPLE_TRACE"
    FAILURE_MODE = "FAILURE_MODE"
    DEPENDENCY_RISK = "DEPENDENCY_RISK"
    ASSUMPTION_PROBE = "ASSUMPTION_PROBE"
    ALTERNATIVE_DEMAND = "ALTERNATIVE_DEMAND"


class NoteTag(StrEnum):
    """What sort of thing the team memory is to keep."""

    FINDING = "Finding"
    PATTERN = "Pattern"
    DECISION = "Decision"
    WARNING = "Warning"
    DEPENDENCY = "Dependency"
    CONFLICT = "Conflict"
    QUESTION = "Question"


class Verdict(StrEnum):
    """What a gate said of a phase."""

    APPROVE = "APPROVE"
    ITERATE = "ITERATE"
    ABORT = "ABORT"


Phase = Annotated[int, Number(least=0)]
Count = Annotated[int, Number()]
Line = Annotated[str, Prose()]
Files = Annotated[tuple[str, ...], Items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a message says; only what can be read back unchanged can be made."""

    kind: ClassVar[Kind]
    tag: ClassVar[str]
    form: ClassVar[HeadLine]
    short: ClassVar[HeadLine | None] = None
    example: ClassVar[str]

    body: str = ""

    def __post_init__(self) -> None:
        for name, field in FIELDS[self.kind].items():
            if (value := getattr(self, name)) is not None:
                text = field.write(value)
                if flaw := field.flaw(value) or self.form.flaw(name, text):
                    raise refusal(type(self), f"{name} is {text[:SHOWN]!r}: {flaw}")
        if flaw := _disagreement(self):
            raise refusal(type(self), flaw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive(Wording):
    """Work from the lead; the injected context is the body."""

    kind = Kind.DIRECTIVE
    tag = "DIRECTIVE"
    form = HeadLine("Phase {phase}: {task} | Files: {files} | [INJECTION] GC-v{version}")
    example = (
        "[DIRECTIVE] Phase 6: write the parser | Files: src/a.py, src/b.py | [INJECTION] GC-v7"
    )

    phase: Phase
    task: Line
    files: Files
    version: Annotated[int, Number(least=0)]  # 0 while nobody published one


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactAnalysis(Wording):
    """What a member understood, in its own words, before it works; the analysis is the body."""

    kind = Kind.IMPACT_ANALYSIS
    tag = "IMPACT-ANALYSIS"
    form = HeadLine("Phase {phase} | Attempt {attempt}/{limit}")
    example = "[IMPACT-ANALYSIS] Phase 6 | Attempt 1/3"

    phase: Phase
    attempt: Count
    limit: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactVerified(Wording):
    """The analysis holds: work may begin."""

    kind = Kind.IMPACT_VERIFIED
    tag = "IMPACT_VERIFIED"
    form = HeadLine("Proceed.")
    example = "[IMPACT_VERIFIED] Proceed."


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactRejected(Wording):
    """The analysis does not hold; the body briefs the member again."""

    kind = Kind.IMPACT_REJECTED
    tag = "IMPACT_REJECTED"
    form = HeadLine("Attempt {attempt}/{limit} FAILED.")
    example = "[IMPACT_REJECTED] Attempt 1/3 FAILED.\nThe store is shared: read section 2 again."

    attempt: Count
    limit: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationQuestion(Wording):
    """A question about one item of the review checklist."""

    kind = Kind.VERIFICATION_QUESTION
    tag = "VERIFICATION-QA"
    form = HeadLine("Q: {question} | RC-{item}")
    example = "[VERIFICATION-QA] Q: who else reads this table? | RC-03"

    question: Line
    item: Annotated[int, Number(width=2)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextUpdate(Wording):
    """The shared context has a new version; 0 is the version of who holds none."""

    kind = Kind.CONTEXT_UPDATE
    tag = "CONTEXT-UPDATE"
    form = HeadLine("GC-v{old} → GC-v{new} | Delta: {delta} | Impact: {impact}")
    example = (
        "[CONTEXT-UPDATE] GC-v7 → GC-v8 | Delta: ADDED: retries; CHANGED: limits | Impact: ada"
    )

    old: Annotated[int, Number(least=0)]
    new: Count
    delta: Annotated[Delta, DeltaItems()]
    impact: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement(Wording):
    """A member took a context update in, and says what it does about it."""

    kind = Kind.ACKNOWLEDGEMENT
    tag = "ACK-UPDATE"
    form = HeadLine(
        "GC-v{version} received. Items: {applied}/{total}. Impact: {impact}. Action: {action}"
    )
    example = "[ACK-UPDATE] GC-v8 received. Items: 2/2. Impact: none. Action: CONTINUE"

    version: Count
    applied: Annotated[int, Number(least=0)]
    total: Count
    impact: Line
    action: Annotated[Action, Choice(Action)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Wording):
    """How a member stands; who lost its context need not know its phase."""

    kind = Kind.STATUS
    tag = "STATUS"
    form = HeadLine("Phase {phase} | {report}")
    short = HeadLine("{report}")
    example = "[STATUS] Phase 6 | COMPLETE"

    phase: Annotated[int | None, Number(least=0)] = None
    report: Annotated[Report, Choice(Report)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Wording):
    """What a member is about to change."""

    kind = Kind.PLAN
    tag = "PLAN"
    form = HeadLine("Phase {phase} | Files: {files} | Changes: {changes} | Risk: {risk}")
    example = "[PLAN] Phase 6 | Files: src/a.py | Changes: split the parser | Risk: low"

    phase: Phase
    files: Files
    changes: Line
    risk: Annotated[Risk, Choice(Risk)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval(Wording):
    """The plan may be carried out."""

    kind = Kind.APPROVAL
    tag = "APPROVED"
    form = HeadLine("Proceed.")
    example = "[APPROVED] Proceed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(Wording):
    """The plan may not be carried out, and how to mend it."""

    kind = Kind.REJECTION
    tag = "REJECTED"
    form = HeadLine("Reason: {reason}. Revise: {guidance}.")
    example = "[REJECTED] Reason: it skips the tests. Revise: add one per promise."

    reason: Line
    guidance: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Wording):
    """A question that a member must defend its analysis against."""

    kind = Kind.CHALLENGE
    tag = "CHALLENGE"
    form = HeadLine("Phase {phase} | Q{number}/{total}: {question} | Category: {category}")
    example = "[CHALLENGE] Phase 6 | Q1/2: what breaks if it is slow? | Category: FAILURE_MODE"

    phase: Phase
    number: Count
    total: Count
    question: Line
    category: Annotated[Category, Choice(Category)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResponse(Wording):
    """A member's defence."""

    kind = Kind.CHALLENGE_RESPONSE
    tag = "CHALLENGE-RESPONSE"
    form = HeadLine("Phase {phase} | Q{number}: {defense}")
    example = "[CHALLENGE-RESPONSE] Phase 6 | Q1: the caller has a timeout of its own"

    phase: Phase
    number: Count
    defense: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate(Wording):
    """Something learned that should outlive the member."""

    kind = Kind.MEMORY_UPDATE
    tag = "MEMORY-UPDATE"
    form = HeadLine("[{learning}] {text}")
    example = "[MEMORY-UPDATE] [Finding] the store keeps order per sender"

    learning: Annotated[NoteTag, Choice(NoteTag)]
    text: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseBroadcast(Wording):
    """The team moves: which phase, and what its gate said."""

    kind = Kind.PHASE_BROADCAST
    tag = "PHASE"
    form = HeadLine("Phase {phase}: {name} | Gate: {verdict}")
    example = "[PHASE] Phase 6: build | Gate: APPROVE"

    phase: Phase
    name: Line
    verdict: Annotated[Verdict, Choice(Verdict)]


NOUNS: tuple[type[Wording], ...] = (
    Directive,
    ImpactAnalysis,
    ImpactVerified,
    ImpactRejected,
    VerificationQuestion,
    ContextUpdate,
    Acknowledgement,
    Status,
    Plan,
    Approval,
    Rejection,
    Challenge,
    ChallengeResponse,
    MemoryUpdate,
    PhaseBroadcast,
)

FIELDS: Mapping[Kind, Mapping[str, Field[Any]]] = {
    noun.kind: {
        field.name: get_args(field.type)[1] for field in fields(noun) if field.name != "body"
    }
    for noun in NOUNS
}

_PARTS = (("attempt", "limit"), ("applied", "total"), ("number", "total"))


def documented(noun: type[Wording]) -> str:
    """Show the form as people read it, with the words to choose from."""
    return f"[{noun.tag}] " + noun.form.join(
        {name: field.shown(name) for name, field in FIELDS[noun.kind].items()}
    )


def refusal(noun: type[Wording], what: str) -> BadInput:
    return BadInput(
        f"[{noun.tag}] {what}", why=f"its form is {documented(noun)}", next=noun.example
    )


def _disagreement(wording: Wording) -> str:
    """Say what is wrong between fields that are each right; empty when nothing is."""
    for part, whole in _PARTS:
        count, most = getattr(wording, part, 0), getattr(wording, whole, MOST)
        if count > most:
            return f"{part} is {count}: it is more than the {whole} of {most}"
    match wording:
        case ImpactRejected(body=body) if not body.strip():
            return "body is empty: the lines after the first must brief the member again"
        case ContextUpdate(old=old, new=new) if new <= old:
            return f"new is {new}: it must be later than {old}"
        case Status(phase=None, report=report) if report not in WITHOUT_PHASE:
            return f"phase is missing: {report} is about a phase"
    return ""
