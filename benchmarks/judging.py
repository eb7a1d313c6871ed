"""What a ruling costs: in a process that goes on, and as a hook against shell scripts."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.bash_hooks import BashHooks, as_planned, frugal
from benchmarks.processor_time import Start, ran
from benchmarks.report import Bench, Verdict, middle, paired
from drumline.hooks import guard
from drumline.hooks.ruling import this_machine
from drumline.store.policies import Policies, libraries
from drumline.team import registry
from drumline.team.call import Call
from drumline.team.judge import judge
from drumline.team.standing import Standing
from tests.team.commands import rows

NAME = "judging"
MEDIAN, SLOWEST = 0.3, 3.0  # milliseconds, the second for 99 of 100
OURS, PARSING, SCRIPTS, FRUGAL = "the hook", "bash + jq", "scripts", "frugal scripts"
PARSE = "input=$(cat); command=$(echo \"$input\" | jq -r '.tool_input.command // empty')"
HEREDOC = "cat > notes.txt <<EOF\nbuilt on $(date) by $USER\nEOF\nnpm test"
LOOP = 'for name in src/*.py; do python -m py_compile "$name" || exit 1; done'


@dataclass(frozen=True, slots=True)
class Asked:
    """A call to rule on, and how many times the alternatives' time a ruling may take."""

    tool: str
    given: Mapping[str, str]
    grammar: bool

    @property
    def title(self) -> str:
        first = next(iter(self.given.values())).partition("\n")[0]
        return first if self.tool == "Bash" else f"{self.tool} {first}"

    def event(self, name: str, folder: Path) -> bytes:
        facts = {
            "session_id": "3f0c",
            "transcript_path": str(folder / "transcript.jsonl"),
            "cwd": str(folder),
            "permission_mode": "default",
            "hook_event_name": name,
            "tool_name": self.tool,
            "tool_input": dict(self.given),
        }
        answer = {"tool_response": {"stdout": "done", "stderr": "", "interrupted": False}}
        return json.dumps(facts | (answer if name == "PostToolUse" else {})).encode()


CALLS = (
    Asked("Bash", {"command": "git status"}, grammar=False),
    Asked("Bash", {"command": "npm test"}, grammar=False),
    Asked("Write", {"file_path": "src/app.py", "content": "answer = 42\n"}, grammar=False),
    Asked("Bash", {"command": HEREDOC}, grammar=True),
    Asked("Bash", {"command": LOOP}, grammar=True),
)


def run(bench: Bench) -> None:
    bench.report.heading(NAME, "A ruling, in a running process and as a hook")
    folder = bench.place.new_folder("repository")
    policy = _published(folder)
    _rule_in_process(bench, folder, policy)
    if shutil.which("jq") is None:
        bench.report.line("the hook is not measured: jq, which the alternatives need, is not here")
        return
    _rule_by_hook(bench, folder)


def _published(folder: Path) -> dict[str, Any]:
    """The built-in rules compiled as for real use, and a teammate's standing beside them."""
    policy = {**registry.compiled(registry.built_in()), "libraries": sorted(set(libraries()))}
    files = Policies(str(folder), str(folder / ".drumline"))
    name = registry.digest(policy)
    files.publish(name, policy)
    files.place("ada", {"member": "ada", "role": "teammate", "isolation": "shared", "policy": name})
    return policy


# in a process that goes on


def _rule_in_process(bench: Bench, folder: Path, policy: dict[str, Any]) -> None:
    world = this_machine(policy)
    calls = list(_corpus(folder))
    took: list[float] = []
    for turn in range(bench.pick(6, 3)):
        for call, standing in calls:
            began = time.thread_time()
            judge(call, standing, policy, world)
            if turn:  # the first turn loads what is loaded once
                took.append((time.thread_time() - began) * 1000)
    slowest = quantiles(took, n=100)[-1]
    bench.report.keep(NAME, calls=len(calls), median_ms=middle(took), p99_ms=slowest)
    bench.report.line(
        f"{len(calls):,} commands: median {middle(took):.3f} ms, 99 of 100 below {slowest:.2f} ms"
    )
    for says, found, mark in (
        ("median ruling in a running process", middle(took), MEDIAN),
        ("slowest but one in a hundred", slowest, SLOWEST),
    ):
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"{says} against {mark} ms",
                ratio=found / mark,
                target=1,
                at_least=False,
                detail=f"{found:.3f} ms : {mark} ms",
            )
        )


def _corpus(folder: Path) -> Iterator[tuple[Call, Standing]]:
    sets = {
        "teammate": [row["command"] for row in rows.own("teammate")] + rows.harmless(),
        "lead": [row["command"] for row in rows.own("lead")],
    }
    for role, commands in sets.items():
        standing = Standing({"member": "ada", "role": role, "isolation": "shared"}, str(folder))
        for command in commands:
            yield Call("Bash", {"command": command}, str(folder)), standing


# as a hook


def _rule_by_hook(bench: Bench, folder: Path) -> None:
    planned = as_planned(bench.place.new_folder("scripts"))
    lean = frugal(bench.place.new_folder("frugal"))
    rows_of: list[list[str]] = []
    highest: dict[tuple[bool, str], tuple[float, str]] = {}
    for call in CALLS:
        starts = _starts(call, folder, planned, lean)
        spent = _in_turns(starts, bench)
        once, both = f"{OURS} before", f"{OURS} before and after"
        found = {PARSING: (once, paired(spent[once], spent[PARSING]))}
        if SCRIPTS in spent:
            found[SCRIPTS] = (both, paired(spent[both], spent[SCRIPTS]))
        rows_of.append(_row(call, spent))
        for rival, (mine, ratio) in found.items():
            told = f"{_ms(spent[mine])} : {_ms(spent[rival])}, `{call.title}`"
            highest[call.grammar, rival] = max(
                highest.get((call.grammar, rival), (0.0, "")), (ratio, told)
            )
        bench.report.keep(NAME, **{call.title: {name: middle(v) for name, v in spent.items()}})
    bench.report.table(("processor time", "before", "and after", PARSING, SCRIPTS, FRUGAL), rows_of)
    _judge(bench, highest)


def _starts(
    call: Asked, folder: Path, planned: BashHooks, lean: BashHooks
) -> dict[str, list[Start]]:
    """Every contestant's processes for one call."""
    interpreter = os.path.realpath(sys.executable)  # the hook's own start, without a shim
    hook = [interpreter, "-I", "-S", str(guard.__file__), str(folder / ".drumline")]
    before = call.event("PreToolUse", folder)
    after = call.event("PostToolUse", folder)
    who = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.environ.get("HOME", "/"),
        "DRUMLINE_MEMBER": "ada",
        "LOA_TEAM_MEMBER": "ada",
    }

    def start(command: Sequence[str], event: bytes) -> Start:
        return Start(command, event, folder, who)

    starts = {
        f"{OURS} before": [start(hook, before)],
        f"{OURS} before and after": [start(hook, before), start(hook, after)],
        PARSING: [start(["bash", "-c", PARSE], before)],
    }
    for name, hooks in {SCRIPTS: planned, FRUGAL: lean}.items():
        if call.tool == "Bash":
            starts[name] = [
                *(start(each, before) for each in hooks.before),
                *(start(each, after) for each in hooks.after),
            ]
    return starts


def _in_turns(starts: Mapping[str, Sequence[Start]], bench: Bench) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {name: [] for name in starts}
    for turn in range(bench.pick(41, 13)):
        for name, several in starts.items():
            ended = [ran(each) for each in several]
            if any(each.code or each.said for each in ended):
                raise AssertionError(f"{name} must let this call pass: {ended}")
            if turn:  # the first turn writes the bytecode
                spent[name].append(sum(each.seconds for each in ended))
    return spent


def _row(call: Asked, spent: Mapping[str, list[float]]) -> list[str]:
    names = (f"{OURS} before", f"{OURS} before and after", PARSING, SCRIPTS, FRUGAL)
    return [call.title, *(_ms(spent[name]) if name in spent else "-" for name in names)]


def _judge(bench: Bench, highest: Mapping[tuple[bool, str], tuple[float, str]]) -> None:
    marks = {
        (False, PARSING): 1.0,
        (True, PARSING): 2.0,
        (False, SCRIPTS): 0.25,
        (True, SCRIPTS): 0.5,
    }
    for (grammar, rival), mark in marks.items():
        ratio, told = highest[grammar, rival]
        needs = "with" if grammar else "without"
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"the hook {needs} the grammar against {rival}",
                ratio=ratio,
                target=mark,
                at_least=False,
                detail=told,
            )
        )


def _ms(seconds: Sequence[float]) -> str:
    return f"{middle(seconds) * 1000:.1f} ms"
