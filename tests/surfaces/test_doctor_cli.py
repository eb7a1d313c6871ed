"""`drumline doctor`: the state of an installation, line by line, and the refusals of a probe."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from drumline.runtimes import probes
from drumline.settings import find
from drumline.store import volumes
from drumline.team.checkup import Health, at_least
from drumline.wiring import guards
from drumline.wiring.home import mark_of
from drumline.wiring.quarters import Houses
from tests.running import scripted, team, until
from tests.surfaces.console import drumline, tree, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read], owns: [], runtime: command, command: [sh]}
"""
PLAYS_NOTHING = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'codex-cli 9.9.9'\nexit 0\n"


@pytest.fixture
def at(repository: Path, doors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a sound team, whose doors and home are its own."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


def lines(at: Path, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = drumline("doctor", "--json", *words, at=at).json["lines"]
    return found


def about(what: str, at: Path, *words: str) -> list[tuple[str, str]]:
    """How something is, and what is said of it."""
    found = (each for each in lines(at, *words) if each["what"] == what)
    return [(each["health"], each["says"]) for each in found]


def test_a_sound_installation_exits_0_and_names_all_that_was_looked_at(at):
    drumline("task", "add", "first", at=at)
    done = drumline("doctor", "--json", at=at)
    named = {each["what"] for each in done.json["lines"]}
    assert (done.code, done.json["sound"], done.json["problem"]) == (0, True, 0)
    assert named >= {"python", "sqlite", "git", "team", "store", "plane", "leftovers", "mcp"}
    assert named >= {f"volume: {what}" for what in ("store", "audit", "spool", "memory")}


def test_a_person_reads_one_fact_a_line_and_the_sum(at):
    shown = drumline("doctor", at=at).out.splitlines()
    assert shown[0].split()[:2] == ["ok", "python"]
    assert shown[-1].endswith(" 0 problem")


def test_every_problem_and_warning_has_a_fix(at):
    write(at, ".mcp.json", '{"mcpServers": {"a": {"command": "no-such-program"}, "b": {}}}')
    odd = [each for each in lines(at) if each["health"] != "ok"]
    assert len(odd) >= 2
    assert [each for each in odd if not each["fix"]] == []


def test_outside_of_a_team_only_the_machine_is_looked_at(tmp_path):
    done = drumline("doctor", "--json", at=tmp_path)
    assert done.code == 0
    assert done.json["lines"][-1]["says"] == "none here: only the machine was looked at"


def test_looking_at_a_fresh_repository_changes_nothing(at):
    before = tree(at)
    drumline("doctor", at=at)
    assert tree(at) == before
    assert not (at / ".drumline").exists()


@pytest.mark.requirement("GUARD-11")
def test_each_layer_of_the_kernel_is_told_as_active_or_why_not(tmp_path):
    told = {each["what"]: each for each in lines(tmp_path)}
    for layer in guards.layers():
        line = told[f"kernel: {layer.name}"]
        assert (line["health"] == "ok") is layer.active
        assert layer.says in line["says"]


@pytest.mark.parametrize(
    ("said", "health"),
    [
        ("git version 2.38.0", Health.OK),
        ("git version 2.100.1", Health.OK),
        ("git version 2.37.9", Health.PROBLEM),
        ("", Health.PROBLEM),
    ],
)
def test_a_version_too_old_or_missing_is_a_problem(said, health):
    assert at_least("git", said, (2, 38), "install it").health is health


@pytest.mark.requirement("AUDIT-05")
def test_what_is_kept_on_a_shared_volume_is_warned_of(at, tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text("1 0 0:1 / / rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(volumes, "MOUNTS", mounts)
    for what in ("store", "audit", "spool", "memory"):
        ((health, says),) = about(f"volume: {what}", at)
        assert (health, says[:5]) == ("warning", "nfs4:")


@pytest.mark.requirement("AUDIT-05")
def test_a_plane_that_comes_up_over_a_shared_volume_says_so_beside_the_answer(
    at, tmp_path, doors, monkeypatch
):
    mounts = tmp_path / "mounts"
    mounts.write_text("1 0 0:1 / / rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(volumes, "MOUNTS", mounts)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    ours = [sys.executable, "-P", "-m", "drumline"]
    subprocess.run([*ours, "up"], cwd=at, check=True, capture_output=True)
    answer = drumline("up", at=at)
    subprocess.run([*ours, "down"], cwd=at, check=True, capture_output=True)
    assert answer.code == 0, answer.err
    for what in ("store", "audit", "spool", "memory"):
        assert f"warning: volume: {what}: nfs4: " in answer.err


def test_a_program_a_member_cannot_start_is_a_problem(at):
    write(at, ".claude/team.yaml", MANIFEST.replace("[sh]", "[no-such-program]"))
    assert drumline("doctor", at=at).code == 1
    assert about("runtime: command of ada", at) == [("problem", "no program 'no-such-program'")]


def test_an_agent_cli_that_is_not_here_is_a_problem_with_the_way_to_one(at, monkeypatch):
    monkeypatch.setattr("drumline.runtimes.programs.BUNDLED", {})
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    write(at, ".claude/team.yaml", MANIFEST.replace("command, command: [sh]", "codex"))
    (line,) = [each for each in lines(at) if each["what"] == "runtime: codex"]
    assert (line["health"], line["fix"]) == ("problem", "pip install 'drumline[codex]'")


def test_a_manifest_that_cannot_be_read_does_not_hide_the_rest(at):
    write(at, ".claude/team.yaml", "team: [")
    done = drumline("doctor", "--json", at=at)
    assert done.code == 1
    named = {each["what"]: each["health"] for each in done.json["lines"]}
    assert (named["team"], named["mcp"]) == ("problem", "ok")


def test_a_store_nobody_answers_at_is_a_problem(at):
    ((health, _),) = about("store", at, "--store", "postgresql://127.0.0.1:1/nowhere")
    assert health == "problem"


def test_a_store_of_a_later_drumline_is_a_problem(at):
    drumline("task", "add", "first", at=at)
    database = sqlite3.connect(at / ".drumline" / "state.db")
    with database:
        database.execute("UPDATE schema_migrations SET number = 9999 WHERE number = 1")
    database.close()
    ((health, says),) = about("store", at)
    assert (health, says[:11]) == ("problem", "schema 9999")


def test_a_password_of_the_store_is_not_shown(at):
    url = "postgresql://kim:hunter2@127.0.0.1:1/nowhere"
    assert "hunter2" not in drumline("doctor", "--store", url, at=at).out


def test_processes_of_lives_that_are_over_are_found(at):
    drumline("task", "add", "first", at=at)
    life = f"{mark_of(find(str(at)), 'atlas')}/ada/1"
    words = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    with subprocess.Popen(
        words,
        env={**os.environ, "DRUMLINE_LIFE": life},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as left:
        assert left.stdout is not None
        left.stdout.readline()
        ((health, says),) = about("leftovers", at)
        assert (health, says) == ("warning", f"lives that are over have left processes: {left.pid}")
        left.communicate()
    assert about("leftovers", at) == [("ok", "none")]


def test_a_door_nobody_answers_at_is_found(at):
    drumline("task", "add", "first", at=at)
    door = Houses(find(str(at))).door("ada")
    door.mkdir(parents=True)
    (door / "socket").touch()
    assert about("leftovers", at) == [("warning", "sockets nobody answers: ada")]


STAYS = """\
scenario: stays
members:
  any:
    - steps:
        - tool: {name: Bash, input: {command: "touch began; exec tail -f /dev/null"}}
"""


def test_members_at_work_and_their_plane_are_no_leftovers(tmp_path, doors):
    with team(tmp_path / "r", doors, scripted("ada"), STAYS) as running:
        running.run("task", "add", "Stay")
        running.run("member", "start", "ada")
        until((running.root / ".drumline" / "checkouts" / "ada" / "began").exists)
        told = {each["what"]: each for each in running.told("doctor")["lines"]}
        assert told["plane"]["says"].startswith("up: ")
        assert (told["leftovers"]["health"], told["leftovers"]["says"]) == ("ok", "none")


def test_a_program_that_tells_no_version_is_not_probed(tmp_path):
    done = drumline("doctor", "--probe", "codex", "--cli", "/bin/true", at=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "refused: /bin/true is no codex that can be probed" in done.err
    assert "next:    name the agent CLI's own program: --cli PATH" in done.err


def test_a_program_that_is_not_there_is_not_probed(tmp_path):
    done = drumline("doctor", "--probe", "codex", "--cli", "/no/such", "--json", at=tmp_path)
    assert (done.code, done.json["error"]) == (1, "Unknown")


@pytest.mark.requirement("RUN-08")
def test_a_cli_that_plays_nothing_fails_its_probes_and_the_meaning_is_told(tmp_path):
    program = tmp_path / "cli"
    program.write_text(PLAYS_NOTHING)
    program.chmod(0o755)
    done = drumline("doctor", "--probe", "codex", "--cli", str(program), at=tmp_path)
    shown = done.out.splitlines()
    assert done.code == 1
    assert shown[0] == f"codex 9.9.9  {program}"
    assert shown[1].split()[:2] == ["FAIL", "canary"]
    assert "means  session: PreToolUse fires: no call can be refused" in done.out
    assert shown[-1].startswith("0 of ")
    assert "not claimed: codex does not claim cost" in done.out


def test_a_cli_that_hangs_costs_each_scene_and_the_whole_no_more_than_their_time(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(probes, "LONGEST_SCENE", 0.5)
    monkeypatch.setattr(probes, "LONGEST", 2.0)
    program = tmp_path / "cli"
    program.write_text(PLAYS_NOTHING.replace("exit 0", "[ $# = 1 ] || exec tail -f /dev/null"))
    program.chmod(0o755)
    done = drumline("doctor", "--probe", "codex", "--cli", str(program), "--json", at=tmp_path)
    said = [each["detail"] for each in done.json["probes"] if not each["passed"]]
    assert done.code == 1
    assert "it did not come to its end in time" in said[0]
    assert "the time for all probes was over" in said[-1]


def test_a_cli_is_named_only_to_be_probed(tmp_path):
    assert drumline("doctor", "--cli", "/bin/true", at=tmp_path).code == 2


@pytest.mark.requirement("TEAM-12")
def test_it_tells_what_every_session_loads_and_what_no_longer_fits(at):
    write(at, "CLAUDE.md", "x" * 4000)
    write(at, ".claude/agent-memory/ada/MEMORY.md", "m\n" * 201)
    for name in ("big", "small"):
        head = f"---\nname: {name}\ndescription: {'d' * 15_999}\n---\n"
        write(at, f".claude/skills/{name}/SKILL.md", head)
    found = {each["what"]: each for each in lines(at) if each["what"].startswith("text: ")}
    memory = found["text: .claude/agent-memory/ada/MEMORY.md"]
    assert (memory["health"], memory["fix"]) == ("warning", "drumline team check")
    said = " ".join(each["says"] for each in found.values())
    assert "always loaded: 4,402 characters" in said
    assert "these fall out: small" in said
