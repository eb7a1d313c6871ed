"""`drumline doctor --probe` on the real agent CLIs: what holds is proved, and what does not hold is told."""

import asyncio
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple

import pytest

from drumline import settings
from drumline.runtimes import probes_cli
from drumline.runtimes.probes_member import Terms
from drumline.runtimes.rehearsal.launch import Cli
from drumline.team.manifest import MemberEntry
from drumline.team.probe import Proof
from drumline.wiring import doctoring, manifest_of
from tests.live.agent_cli import binary
from tests.once import once
from tests.surfaces.console import drumline, write

pytestmark = pytest.mark.requirement("RUN-08")

RUNTIMES = ["claude", "codex"]
WHOLE = 240  # seconds, as promised
HOOKS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")
REFUSALS = ("Bash", "Write", "Edit", "an MCP tool")
ONLY_CLAUDE = {
    "session: PostToolUseFailure fires",
    "session: a guard that hangs blocks",
    "member: a spent budget stops the turn",
    "member: a nudge arrives in the middle of a turn",
    "member: a nudge has its receipt",
}
MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read], owns: [], runtime: claude}
  - {name: brook, role: Builds, tools: [Read, Bash], owns: [], runtime: codex}
  - {name: cleo, role: Builds, tools: [Read], owns: [], runtime: scripted, scenario: one-task}
"""

# Claude Code as it is, but for the hooks its host asks for: those it never hears of
DEAF_CLAUDE = """\
import json, os, subprocess, sys
words = [{program!r}, *sys.argv[1:]]
if "--version" in words:
    os.execv(words[0], words)
child = subprocess.Popen(words, stdin=subprocess.PIPE, close_fds=False)  # one has its key
for line in sys.stdin.buffer:
    told = json.loads(line)
    if told.get("request", {{}}).get("subtype") == "initialize":
        told["request"]["hooks"] = {{}}
    child.stdin.write(json.dumps(told).encode() + b"\\n")
    child.stdin.flush()
child.stdin.close()
sys.exit(child.wait())
"""
DEAF_CODEX = """\
import os, sys
words = [{program!r}, *sys.argv[1:]]
os.execv(words[0], ["--disable" if word == "--enable" else word for word in words])
"""
DEAF = {"claude": DEAF_CLAUDE, "codex": DEAF_CODEX}


class Told(NamedTuple):
    """A run of the command, and what it left."""

    code: int
    facts: dict[str, Any]
    err: str
    seconds: float
    files: list[str]
    alive: list[str]


def doctor(*words: str) -> Told:
    """The command as a process of its own, with a place of its own for all it makes."""
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        environ = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder}
        began = monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "drumline", "doctor", *words, "--json"],
            cwd=place,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=WHOLE + 30,
        )
        seconds = monotonic() - began
        left = sorted(path.name for path in place.iterdir())
        facts = json.loads(done.stdout)
        return Told(done.returncode, facts, done.stderr, seconds, left, naming(place))


def naming(place: Path) -> list[str]:
    """The processes whose environment names a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*/environ"):
        try:
            if os.fsencode(place) in each.read_bytes():
                found.append(each.parent.name)
        except OSError:
            continue
    return found


@pytest.fixture
def probed(runtime: str, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What all probes of a runtime told."""
    binary(runtime)
    return Told(*once(tmp_path_factory, f"probed-{runtime}", lambda _: doctor("--probe", runtime)))


@pytest.fixture
def deaf(tmp_path: Path) -> Callable[[str], str]:
    """The real CLI, but its guard is never asked; nothing else about it is odd."""

    def make(runtime: str) -> str:
        script, program = tmp_path / "deaf.py", tmp_path / "deaf"
        script.write_text(DEAF[runtime].format(program=binary(runtime)))
        program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(script)])} "$@"\n')
        program.chmod(0o755)
        return str(program)

    return make


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_probe_of_the_installed_cli_passes(runtime, probed):
    assert [each for each in probed.facts["probes"] if not each["passed"]] == []
    assert (probed.code, probed.facts["passed"], probed.facts["runtime"]) == (0, True, runtime)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_version_is_the_one_the_cli_tells(runtime, probed):
    told = subprocess.run(
        [binary(runtime), "--version"], capture_output=True, text=True, check=True
    )
    assert probed.facts["version"] in told.stdout.split()


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_each_hook_refusal_and_limit_has_a_probe_or_is_not_claimed(runtime, probed):
    facts = probed.facts
    played = {each["name"] for each in facts["probes"]}
    unclaimed = {each["name"] for each in facts["not_claimed"]}
    wanted = {f"session: {event} fires" for event in HOOKS}
    wanted |= {f"session: a refusal of {tool} blocks" for tool in REFUSALS}
    wanted |= {f"member: a refusal of {tool} blocks" for tool in REFUSALS[:3]}
    wanted |= {
        f"{on}: hooks off in {whose} settings are countered"
        for on in ("member", "session")
        for whose in ("project", "user")
    }
    wanted |= {"canary", "member: the end of a turn arrives", "member: a guard that hangs blocks"}
    wanted |= {f"{on}: a guard that crashes blocks" for on in ("member", "session")}
    assert wanted <= played
    assert (played if runtime == "claude" else unclaimed) >= ONLY_CLAUDE
    assert not played & unclaimed


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_probe_tells_how_far_it_is_and_keeps_to_its_time(probed):
    assert "… playing member at work" in probed.err.splitlines()
    assert "Traceback" not in probed.err
    assert probed.seconds < WHOLE


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_probe_leaves_neither_files_nor_processes(probed):
    assert (probed.files, probed.alive) == ([], [])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_cli_that_never_asks_its_guard_is_no_canary(runtime, deaf):
    words = doctoring.runner_hook()
    found = probes_cli.canary(Cli(deaf(runtime), runtime), Terms(hook=words))
    assert (found.passed, found.detail) == (False, "the call was made: forbidden-shell was written")
    assert "do not trust it" in found.means


def test_what_fails_is_told_with_what_it_means(deaf):
    told = doctor("--probe", "codex", "--cli", deaf("codex"))
    failed = {each["name"]: each for each in told.facts["probes"] if not each["passed"]}
    assert (told.code, told.facts["passed"]) == (1, False)
    assert {"canary", "session: PreToolUse fires", "session: a refusal of Bash blocks"} <= {*failed}
    refusal = failed["session: a refusal of Bash blocks"]
    assert refusal["detail"] == "the call was made: forbidden-shell was written"
    assert refusal["means"] == "shell commands run whatever the rules say"


@pytest.fixture
def team(repository: Path) -> settings.Settings:
    write(repository, ".claude/team.yaml", MANIFEST)
    return settings.find(str(repository))


def entry(team: settings.Settings, name: str) -> MemberEntry:
    found = manifest_of(team).member(name)
    assert found is not None
    return found


def kept(team: settings.Settings) -> list[Path]:
    return sorted(Path(team.state_root, ".drumline", "canary").glob("*.json"))


Prove = Callable[[settings.Settings, MemberEntry], Proof]


def in_a_thread(team: settings.Settings, entry: MemberEntry) -> Proof:
    """As a runner asks, from its loop."""
    return asyncio.run(asyncio.to_thread(doctoring.proved, team, entry))


def team_in(folder: Path) -> settings.Settings:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    write(folder, ".claude/team.yaml", MANIFEST)
    return settings.find(str(folder))


def proved_twice(team: settings.Settings, name: str, prove: Prove) -> dict[str, Any]:
    """What a member's proof came to at first and again, and when what is kept of it was written."""
    told: dict[str, Any] = {}
    for time in ("first", "again"):
        found = prove(team, entry(team, name))
        written = [each.stat().st_mtime_ns for each in kept(team)]
        told[time] = {"passed": found.passed, "detail": found.detail, "written": written}
    return told


@pytest.fixture
def of_ada(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of the proofs of a member in Claude Code, asked for as a runner does."""
    binary("claude")

    def make(folder: Path) -> dict[str, Any]:
        return proved_twice(team_in(folder), "ada", in_a_thread)

    found: dict[str, Any] = once(tmp_path_factory, "proofs-of-ada", make)
    return found


def story_of_brook(folder: Path) -> dict[str, Any]:
    """A member in Codex is proved, proved with other words, and proved when its proof was spoilt."""
    team = team_in(folder)
    brook = entry(team, "brook")
    shown = [health_of("canary: brook", team)]
    drumline("task", "add", "first", at=folder)
    told = proved_twice(team, "brook", doctoring.proved)
    shown.append(health_of("canary: brook", team))
    proofs = kept(team)
    other = doctoring.proved(team, replace(brook, arguments=("-c", "model_verbosity=low")))
    more = {"shown": shown, "other": {"passed": other.passed, "kept": len(kept(team))}}
    proofs[0].write_text("{")
    return {**told, **more, "spoilt": doctoring.proved(team, brook).detail}


@pytest.fixture
def of_brook(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of the proofs of a member in Codex."""
    binary("codex")
    found: dict[str, Any] = once(tmp_path_factory, "proofs-of-brook", story_of_brook)
    return found


@pytest.mark.parametrize("proofs_of", ["of_ada", "of_brook"], ids=["ada-claude", "brook-codex"])
def test_a_members_canary_is_played_once_and_then_known(proofs_of, request):
    told = request.getfixturevalue(proofs_of)
    first, again = told["first"], told["again"]
    assert first["passed"], first["detail"]
    assert not first["detail"].startswith("proved with ")
    assert again["passed"]
    assert again["detail"].startswith("proved with ")
    assert len(first["written"]) == 1
    assert again["written"] == first["written"]


def test_a_runner_asks_from_its_loop_in_a_thread(of_ada):
    assert of_ada["first"]["passed"], of_ada["first"]["detail"]


def test_a_kept_proof_is_shown_with_the_state_of_the_installation(of_brook):
    assert of_brook["shown"] == ["warning", "ok"]


def health_of(what: str, team: settings.Settings) -> str:
    lines = drumline("doctor", "--json", at=Path(team.root)).json["lines"]
    return str(next(each["health"] for each in lines if each["what"] == what))


def test_a_proof_is_good_for_the_same_settings_only(of_brook):
    assert of_brook["other"] == {"passed": True, "kept": 2}


def test_a_proof_is_not_good_for_a_program_that_changed(tmp_path):
    program = tmp_path / "cli"
    program.write_text("#!/bin/sh\n")
    before = probes_cli.key_of(Cli(str(program), "codex"), "1.0.0", Terms())
    program.write_text("#!/bin/sh\n\n")
    after = probes_cli.key_of(Cli(str(program), "codex"), "1.0.0", Terms())
    assert before != after != probes_cli.key_of(Cli(str(program), "codex"), "1.0.1", Terms())


def test_a_canary_that_fails_is_not_kept(team):
    binary("codex")
    odd = replace(entry(team, "brook"), arguments=("--nonsense",))
    assert not doctoring.proved(team, odd).passed
    assert kept(team) == []


def test_a_proof_that_cannot_be_read_is_none(of_brook):
    assert of_brook["spoilt"].startswith("a forbidden call was refused")


def test_a_member_without_an_agent_cli_needs_no_canary(team):
    assert doctoring.proved(team, entry(team, "cleo")).passed
    assert kept(team) == []
