"""Work of reduced scope: a phase that was done too often, and a person who wants less of it done."""

from drumline.team.asking_moves import choice
from drumline.team.judgement import JudgementKind
from drumline.team.moves import Seen
from drumline.team.pipeline import Phase
from drumline.team.quoting import inline
from drumline.team.text import one_line

REDUCE = "reduce the scope"
SUFFIX = "/reduced"
SHOWN = 300  # characters of what was left out, where it is told in a line


def limit(phase: str, iteration: int) -> str:
    """The occasion on which a person is asked about a phase that was done so often."""
    return f"limit/{phase}/{iteration}"


def subject(seen: Seen, phase: Phase) -> str:
    """What the lead is asked to plan: a phase, or less of it."""
    return f"{phase.name}{SUFFIX}" if is_reduced(seen, phase) else phase.name


def is_reduced(seen: Seen, phase: Phase) -> bool:
    """Whether a person had the present iteration of a phase done with less."""
    return choice(seen, limit(phase.name, seen.run.iteration - 1)) == REDUCE


def left_out(seen: Seen, phase: Phase) -> str:
    """Why the work was reduced as it is, in the lead's words; empty where all of it is done."""
    plan = seen.judgements.get((JudgementKind.PLAN, f"{phase.name}{SUFFIX}", seen.run.iteration))
    if plan is None or not is_reduced(seen, phase):
        return ""
    return one_line(f"scope reduced: {(plan.answer or {}).get('why', '')}", SHOWN)


def planning(seen: Seen, about: str) -> list[str]:
    """What a lead is told that is to plan less; nothing where it plans all of a phase."""
    if not about.endswith(SUFFIX):
        return []
    name = about.removesuffix(SUFFIX)
    before = [gate for gate in seen.gates.values() if gate.phase == name and not gate.open]
    last = before[-1] if before else None
    words = f"{last.guidance} {last.summary}".strip() if last else ""
    lacked = [f"At its last gate was said: {inline(one_line(words, SHOWN))}"] if words else []
    return [
        f"It was done {seen.run.iteration - 1} times and not approved, and a person had its scope reduced:",
        "plan only what can be approved now, build on what is there, and say in `why` what is left out.",
        *lacked,
    ]


def judging(seen: Seen, phase: Phase) -> list[str]:
    """What a lead is told that judges work of reduced scope."""
    found = left_out(seen, phase)
    return (
        [f"A person had its scope reduced; judge only what is left. {inline(found)}"]
        if found
        else []
    )
