"""The table of probes: what is played to Claude Code and to Codex, and what must be seen.

A member is started as our runner does it; a session is a person's own, with our hooks beside theirs.
"""

import json
from collections.abc import Iterator, Mapping

from drumline.runtimes.probes import (
    SHOWN,
    Look,
    Move,
    Probe,
    Scene,
    Seen,
    both,
    ends,
    fires,
    is_so,
    refuses,
    works,
)
from drumline.runtimes.probes_hook import CRASH, HANG, TROUBLED
from drumline.runtimes.probes_member import BEGAN, NUDGE, REFUSED, TOLD
from drumline.runtimes.runtime import Can
from drumline.team.outcome import Ending
from drumline.team.probe import Unclaimed
from drumline.team.scenario import Structured, ToolCall, Usage

OFF = json.dumps({"disableAllHooks": True})
CODEX_OFF = "[features]\nhooks = false\n"
TRUSTING = '[projects."{work}"]\ntrust_level = "trusted"\n'
BEFORE = "before\n"
WORDS = "Mind the gap."
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


def bash(label: str, command: str) -> Move:
    return Move(label, ToolCall("Bash", {"command": command}))


def _troubled(on: str, troubles: tuple[str, ...]) -> Scene:
    """A guard that crashes or hangs at what is forbidden; a member's is not waited for as long as usual."""
    moves = tuple(bash(trouble, f"touch {trouble}") for trouble in troubles)
    settings = {"ruling_seconds": "2"} if on == "member" else {}
    return Scene(on=on, moves=moves, guard=TROUBLED, settings=settings)


ALLOWED = bash("allowed", "touch allowed")
SHELL = bash("shell", "touch forbidden-shell")
GUARDS_OWN = (ALLOWED, SHELL)
DOES = {CRASH: "crashes", HANG: "hangs"}
EDITS = (
    Move("write", ToolCall("Write", {"file_path": "forbidden-write", "content": "x\n"})),
    Move("made", ToolCall("Write", {"file_path": "edited", "content": BEFORE})),
    Move(
        "edit",
        ToolCall(
            "Edit",
            {"file_path": "edited", "old_string": "before", "new_string": "forbidden"},
        ),
    ),
)
TOOL = "mcp__probe__make"
SERVED = (
    Move("served", ToolCall(TOOL, {"name": "served"})),
    Move("tool", ToolCall(TOOL, {"name": "forbidden-tool"})),
)
ORDINARY = (*GUARDS_OWN, bash("failing", "exit 3"), *EDITS)
WAITING = bash(
    "waiting",
    f"touch {BEGAN}; for n in $(seq 400); do test -e {TOLD} && break; sleep 0.05; done",
)
CANARY = "canary"
OF_THE_CANARY = Scene(on="member", moves=GUARDS_OWN)
PLAIN: Mapping[str, Scene] = {
    "member at work": Scene(on="member", moves=ORDINARY),
    "member with a schema": Scene(on="member", more=(Structured({"n": 3}),), schema=SCHEMA),
    "member whose guard is in trouble": _troubled("member", (CRASH, HANG)),
    "session at work": Scene(on="session", moves=(*ORDINARY, *SERVED)),
    "session whose guard is in trouble": _troubled("session", (CRASH,)),
}
OF_CLAUDE: Mapping[str, Scene] = {
    "member at work": Scene(on="member", moves=(WAITING, *ORDINARY), nudge=WORDS),
    "member out of money": Scene(
        on="member",
        more=(Usage(input=100_000, output=50_000),),
        moves=(ALLOWED,),
        settings={"max_budget_usd": "0.01"},
    ),
    "session whose guard is in trouble": _troubled("session", (CRASH, HANG)),
}
ALL = "all"  # whose settings may say at once that hooks are off: where ours are asked, none had its way
OFF_IN: Mapping[str, Mapping[tuple[str, str], Mapping[str, str]]] = {
    "claude": {
        ("member", "project"): {".claude/settings.json": OFF},
        ("member", "user"): {"~/settings.json": OFF},
        ("member", ALL): {".claude/settings.json": OFF, "~/settings.json": OFF},
        ("session", "project"): {".claude/settings.json": OFF},
        ("session", "user"): {"~/.claude/settings.json": OFF},
        ("session", ALL): {".claude/settings.json": OFF, "~/.claude/settings.json": OFF},
    },
    "codex": {
        (on, whose): files
        for on in ("member", "session")
        for whose, files in {
            "project": {".codex/config.toml": CODEX_OFF, "~/config.toml": TRUSTING},
            "user": {"~/config.toml": CODEX_OFF},
            ALL: {".codex/config.toml": CODEX_OFF, "~/config.toml": CODEX_OFF + TRUSTING},
        }.items()
    },
}


EVENTS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("claude", "member"): ("PreToolUse", "PostToolUse", "PostToolUseFailure"),
    ("codex", "member"): ("SessionStart", "PreToolUse", "PostToolUse"),
    ("claude", "session"): (
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
        "Stop",
    ),
    ("codex", "session"): (
        *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"),
    ),
}
MEANS = {
    "SessionStart": "nothing proves at its start that a session is guarded",
    "UserPromptSubmit": "a person's session is not told what waits for its member",
    "PreToolUse": "no call can be refused: the guard is never asked",
    "PostToolUse": "what was done is missing from the audit trail",
    "PostToolUseFailure": "calls that failed are missing from the audit trail",
    "Stop": "a person's session does not tell that its turn is over",
    "SessionEnd": "a person's session does not tell that it is over",
}
REFUSALS: Mapping[str, tuple[Look, str]] = {
    "Bash": (refuses("shell", "forbidden-shell"), "shell commands run whatever the rules say"),
    "Write": (refuses("write", "forbidden-write"), "files are written whatever the rules say"),
    "Edit": (
        both(works("edited"), refuses("edit", "edited", BEFORE)),
        "files are changed whatever the rules say",
    ),
    "an MCP tool": (
        both(works("served"), refuses("tool", "forbidden-tool")),
        "tools of MCP servers run whatever the rules say",
    ),
}
SHELL_HELD = both(REFUSALS["Bash"][0], fires("PreToolUse"))
GUARDED = both(works("allowed"), SHELL_HELD)
NOT_SO: Mapping[str, tuple[Unclaimed, ...]] = {
    "claude": (
        Unclaimed("member: SessionStart fires", "callbacks hear of it only after compaction"),
        Unclaimed("member: Stop fires", "the session's own word that it is idle stands for it"),
    ),
    "codex": (
        Unclaimed("member: PostToolUseFailure fires", "Codex has no such event"),
        Unclaimed("member: Stop fires", "the end of its process stands for it"),
        Unclaimed("session: PostToolUseFailure fires", "Codex has no such event"),
        Unclaimed(
            "session: a guard that hangs blocks",
            "Codex waits ten minutes for a hook; our guard keeps its own time, see the member's",
        ),
    ),
}


ABLE = (
    (
        Can.STRUCTURED,
        Probe(
            "member: an answer with a schema is given",
            "member with a schema",
            is_so(lambda seen: seen.answer == {"n": 3}, "no such answer came"),
            "the answer follows its schema",
            "judgements and results cannot be read as data",
        ),
    ),
    (
        Can.COST,
        Probe(
            "member: a spent budget stops the turn",
            "member out of money",
            ends(Ending.BUDGET, most=1),
            "the turn ended after the response that spent it",
            "only the runner's own meter, behind the fact, holds a member to its budget",
        ),
    ),
    (
        Can.MID_TURN,
        Probe(
            "member: a nudge arrives in the middle of a turn",
            "member at work",
            is_so(lambda seen: WORDS in seen.heard, "the model never read it"),
            "the model read it with the result of the running call",
            "a member at work hears of nothing before its turn is over",
        ),
    ),
    (
        Can.RECEIPTS,
        Probe(
            "member: a nudge has its receipt",
            "member at work",
            is_so(lambda seen: seen.received == (NUDGE,), "its mark did not come back, or twice"),
            "its own mark came back once",
            "a message may be called delivered that nobody read, or never be",
        ),
    ),
)


def scenes(runtime: str) -> dict[str, Scene]:
    """Every scene of a runtime, by its name."""
    off = {
        _hooks_off(on, whose): Scene(on=on, moves=GUARDS_OWN, files=files)
        for (on, whose), files in OFF_IN[runtime].items()
    }
    troubled = {
        f"{on} whose guard {DOES[trouble]}": _troubled(on, (trouble,))
        for on in ("member", "session")
        for trouble in DOES
    }
    return {**PLAIN, **(OF_CLAUDE if runtime == "claude" else {}), **troubled, **off}


def table(runtime: str, able: frozenset[Can]) -> tuple[list[Probe], list[Unclaimed]]:
    """The probes of a runtime, and those of what it does not claim to do."""
    rows = [*_member(runtime), *_session(runtime)]
    unclaimed = list(NOT_SO[runtime])
    for needed, probe in ABLE:
        if needed in able:
            rows.append(probe)
        else:
            unclaimed.append(Unclaimed(probe.name, f"{runtime} does not claim {needed.value}"))
    return rows, unclaimed


def canary(*, shell: bool = True) -> tuple[Probe, Scene]:
    """The one probe every member's launch stands on; `shell` says that the member may use one.

    Who may not has its other call refused too, but not by the guard, whose words must be in the first.
    """
    shows = "a forbidden call was refused by the guard and not made"
    means = "a member started like this is not held by the judge: do not trust it"
    look = both(SHELL_HELD, _by_the_guard, *([works("allowed")] if shell else []))
    return Probe(CANARY, "member canary", look, shows, means), OF_THE_CANARY


def _by_the_guard(seen: Seen) -> str:
    text = seen.results["shell"].text
    return "" if REFUSED["what"] in text else f"somebody else refused it: {text[:SHOWN]}"


def _member(runtime: str) -> Iterator[Probe]:
    yield canary()[0]._replace(scene="member at work")  # in which its calls are made, too
    yield from _fires(runtime, "member")
    yield from _refusals("member", ("Bash", "Write", "Edit"))
    yield Probe(
        "member: the end of a turn arrives",
        "member at work",
        ends(Ending.SUCCESS, "done"),
        "the turn ended as a success with its last words",
        "a runner cannot tell a finished turn from one that hangs",
    )
    yield from _trouble("member", (CRASH, HANG))
    yield from _off("member")


def _session(runtime: str) -> Iterator[Probe]:
    yield from _fires(runtime, "session")
    yield from _refusals("session", tuple(REFUSALS))
    yield from _trouble("session", (CRASH, HANG) if runtime == "claude" else (CRASH,))
    yield from _off("session")


def _fires(runtime: str, on: str) -> Iterator[Probe]:
    for event in EVENTS[runtime, on]:
        shows = "the guard heard of it"
        yield Probe(f"{on}: {event} fires", f"{on} at work", fires(event), shows, MEANS[event])


def _refusals(on: str, tools: tuple[str, ...]) -> Iterator[Probe]:
    for tool in tools:
        look, means = REFUSALS[tool]
        shows = "the forbidden call was refused and not made"
        yield Probe(f"{on}: a refusal of {tool} blocks", f"{on} at work", look, shows, means)


def _trouble(on: str, troubles: tuple[str, ...]) -> Iterator[Probe]:
    for trouble in troubles:
        does = DOES[trouble]
        means = f"while the guard {does}, every call is let through"
        held = both(refuses(trouble, trouble), fires("PreToolUse"))
        shows = "the call was refused and not made"
        name, scene = f"{on}: a guard that {does} blocks", f"{on} whose guard is in trouble"
        yield Probe(name, scene, held, shows, means, alone=f"{on} whose guard {does}")


def _off(on: str) -> Iterator[Probe]:
    for whose in ("project", "user"):
        yield Probe(
            f"{on}: hooks off in {whose} settings are countered",
            _hooks_off(on, ALL),
            GUARDED,
            "the guard was asked and its refusal held all the same",
            f"a line in the {whose}'s own settings switches every guard off",
            alone=_hooks_off(on, whose),
        )


def _hooks_off(on: str, whose: str) -> str:
    """The name of a scene in which these settings say that there are no hooks."""
    return f"{on}, hooks off in {whose} settings"
