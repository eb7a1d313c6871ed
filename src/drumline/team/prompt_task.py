"""The task side of a prompt: one piece of work handed over in nine sections, always in this order."""

import shlex
from collections.abc import Iterable

from drumline.team import directive
from drumline.team.assignment import Assignment
from drumline.team.pipeline import Obligation
from drumline.team.prompt import Heading, Side, Source
from drumline.team.prompt_system import LEARNT, QUOTES
from drumline.team.quoting import inline, listed, quoted
from drumline.team.returned import RETURN_CAP
from drumline.team.signal import MicroSignal, ReadySignal
from drumline.team.team_memory import remembering


def _heading(name: str, title: str, cut: str) -> Heading:
    return Heading(name, title, Side.TASK, cut)


WARNINGS = _heading("warnings", "Before you begin", "keep brief.warnings to what bites")
GOAL = _heading("goal", "The goal", "move the long part of the body to a file and name the file")
CONTEXT = _heading("context", "What you need to know", "name files in brief.context, not contents")
PLAN = _heading("plan", "The way there", "shorten brief.plan, or split the task")
TOOLS = _heading("tools", "Tools to use, and when", "shorten brief.tools")
COMMUNICATION = _heading("communication", "Who tells whom", "name fewer in brief.notify")
DONE = _heading("done", "How to tell that it is done", "let `verify` say it instead of brief.done")
OUTPUT = _heading("output", "What to hand in", "shorten brief.output")
LIMITS = _heading("limits", "What to leave alone", "shorten brief.limits and the file set")

TOOL_WARNING = (
    "Load a deferred tool before you call it. When a server you were told to use does not answer, stop"
    " and report it: nothing else takes its place."
)
AWAITING = (
    f"- Before you begin: find the line `{ReadySignal.shape.form}` of {{}} in your inbox and open the"
    " file it names; one under .drumline is read by `drumline handoff show PATH`. Without it you are"
    " blocked: say so."
)
WITHOUT = (
    "Not there: {}. Somebody let this task go on without it. Web tools do not take its place and are"
    " refused; what only it could tell stays open, and you say so."
)
OBLIGED = {
    Obligation.MANDATORY: "Mandatory in this phase: {}. Its gate stays shut while you have not used it once.",
    Obligation.RECOMMENDED: "Recommended in this phase: {}.",
}
VERIFIED = "Drumline runs this on what you hand in, and the task stays open until it exits 0:"
TO_THE_LEAD = (
    f"- The lead hears how it went in one line, `{MicroSignal.shape.form}`:"
    " `drumline mail send --to lead 'PASS|ref:PATH'`"
)

HANDING_OFF = (
    "- Before you say that it is done, hand off: the tool `handoff_submit`, or `drumline handoff submit"
    " --task {} --fence {} -` with the call on stdin (`drumline handoff form` shows its fields). It tells"
    " {}; the task stays open without it."
)

TASK_SIDE = (WARNINGS, GOAL, CONTEXT, PLAN, TOOLS, COMMUNICATION, DONE, OUTPUT, LIMITS)


def warnings(assignment: Assignment) -> str:
    lines = [f"- {QUOTES}", f"- {TOOL_WARNING}"]
    if assignment.letters:
        lines.append(
            f"- {_waits(assignment.letters)} for you, {assignment.unread} unread:"
            " begin with `drumline mail inbox`."
        )
    lines += remembering(assignment.memory)
    return _below(lines, _theirs(assignment.delegation.warnings))


def goal(assignment: Assignment) -> str:
    task = assignment.task
    tracker = f", tracked as {inline(task.tracker)}" if task.tracker else ""
    return _below([f"Task {task.id}{tracker}:"], quoted(_joined(task.title, assignment.body)))


def context(assignment: Assignment) -> str:
    """Results by reference, interfaces to keep to, and what the planner thought needful."""
    said = assignment.delegation
    parts = (
        directive.told(assignment.shared) if assignment.shared else "",
        _titled("Work this task builds on; open the files:", _upstream(assignment)),
        _titled("What earlier work on this task left for you:", quoted(assignment.note)),
        _titled("What was asked about this task, and answered:", _words(assignment)),
        _titled("Interfaces you must honour:", _theirs(said.interfaces)),
        _theirs(said.context),
    )
    return "\n\n".join(filter(None, parts)) or "Nothing beyond the goal and the repository itself."


def learnt(assignment: Assignment) -> str:
    """What earlier lives wrote down that may bear on the task; it changes with the task, so it stands here."""
    lines = map(quoted, assignment.seat.learnt.for_task)
    return _titled(f"Learnings that may bear on this task. {LEARNT}", "\n".join(lines))


def plan(assignment: Assignment) -> str:
    steps = assignment.delegation.plan
    if not steps:
        return (
            "No way is prescribed. Say in a few lines how you will go before you change anything."
        )
    if len(steps) == 1:
        return quoted(steps[0])
    return "\n".join(quoted(f"{at}. {step}") for at, step in enumerate(steps, 1))


def tools(assignment: Assignment) -> str:
    """Servers that are needed, those that are done without, what the phase demands and the planner prescribes."""
    without = assignment.without
    needed = [name for name in assignment.delegation.needs if name not in without]
    lines = [f"- Needed: {inline(name)}, whose tools are `mcp__{name}__…`." for name in needed]
    lines += [f"- {WITHOUT.format(inline(name))}" for name in without]
    lines += [
        f"- {OBLIGED[much].format(inline(name))}" for name, much in assignment.obliged.items()
    ]
    return _below(lines, _prescribed(assignment))


def _prescribed(assignment: Assignment) -> str:
    wanted = assignment.delegation.tools
    if not wanted:
        return "None is prescribed: use what your profile gives you."
    return "\n".join(
        quoted(f"when {each.when}: {each.what}" + (f" ({each.why})" if each.why else ""))
        for each in wanted
    )


def communication(assignment: Assignment) -> str:
    """Whom to wait for, whom to tell, and the one-line forms to do it in."""
    seat, agreed = assignment.seat, assignment.delegation.communication
    lines = [AWAITING.format(listed(agreed.awaits))] if agreed.awaits else []
    if assignment.waiting:
        lines.append(f"- Waiting for this: {', '.join(map(str, assignment.waiting))}.")
    if assignment.delegation.handoff:
        told = listed(dict.fromkeys(("lead", *agreed.notify)))
        lines.append(HANDING_OFF.format(assignment.task.id, assignment.task.fence, told))
        return "\n".join(lines)
    if heard := [name for name in agreed.notify if name not in {"lead", seat.lead}]:
        lines.append(f"- When it is done, Drumline tells {listed(heard)}: you send nothing.")
    alone = [] if lines else ["- It stands alone: it waits for nobody and nobody waits for it."]
    return "\n".join([*alone, *lines, *([] if seat.leads else [TO_THE_LEAD])])


def done(assignment: Assignment) -> str:
    """What Drumline runs, what must be there, and what the planner looks for."""
    said, promised = assignment.delegation, listed(assignment.task.outputs)
    parts = (
        _titled(VERIFIED, quoted(shlex.join(said.verify))),
        f"These files are there: {promised}" if promised else "",
        _theirs(said.done),
    )
    return "\n\n".join(filter(None, parts)) or "The goal is met, and you saw it for yourself."


def output(assignment: Assignment) -> str:
    """Files, commit, claim and last answer."""
    seat, task = assignment.seat, assignment.task
    lines = [f"- Promised files: {listed(task.outputs)}"] if task.outputs else []
    if seat.commits:
        lines.append(
            f"- One commit with all of it, on a branch of yours, `drumline/{seat.member.name}/…`."
            " You do not push."
        )
    if task.tracker:
        lines.append(f"- Name {inline(task.tracker)} in every commit and report of this task.")
    if assignment.held:
        lines.append(
            f"- You hold this task with claim {task.fence}: reports say --fence {task.fence}."
        )
    lines.append(
        f"- Last, the reflection. What is longer than {RETURN_CAP:,} characters goes into a file that"
        " you name."
    )
    return _below(lines, _theirs(assignment.delegation.output))


def limits(assignment: Assignment) -> str:
    return _below(
        [
            f"- {_reach(assignment)}",
            "- This task and no other: what else you find goes into `suggested_next`.",
        ],
        _theirs(assignment.delegation.limits),
    )


TASK_SOURCES = (
    Source(WARNINGS, warnings),
    Source(GOAL, goal),
    Source(CONTEXT, context),
    Source(CONTEXT, learnt),
    Source(PLAN, plan),
    Source(TOOLS, tools),
    Source(COMMUNICATION, communication),
    Source(DONE, done),
    Source(OUTPUT, output),
    Source(LIMITS, limits),
)


def _reach(assignment: Assignment) -> str:
    """Which files may be changed."""
    member, files = assignment.seat.member, assignment.task.files
    if not member.writes:
        return "You have no tool that writes: change no file."
    if files:
        return f"Change only the files of this task: {listed(files)}"
    if member.owns:
        return f"The task names no files: change only what you own: {listed(member.owns)}"
    return "The task names no files: change only what the goal needs."


def _upstream(assignment: Assignment) -> str:
    return "\n".join(
        f"- {each.task} ({each.state}): {listed(each.outputs) or 'it promised no files'}"
        for each in assignment.upstream
    )


def _words(assignment: Assignment) -> str:
    return "\n".join(
        f"{quoted(each.asked)}\n- The answer:\n{quoted(each.said)}" for each in assignment.words
    )


def _theirs(texts: Iterable[str]) -> str:
    """What the planner wrote: one text as it is, several as a list."""
    said = list(texts)
    return quoted(said[0]) if len(said) == 1 else "\n".join(quoted(f"- {each}") for each in said)


def _below(lines: list[str], words: str) -> str:
    return "\n".join([*lines, *([""] if lines and words else []), words]).rstrip()


def _titled(title: str, words: str) -> str:
    return f"{title}\n{words}" if words else ""


def _joined(title: str, body: str) -> str:
    return f"{title}\n\n{body}" if body.strip() else title


def _waits(letters: int) -> str:
    return "1 letter waits" if letters == 1 else f"{letters} letters wait"
