"""`drumline policy`: what a person and a script read of the rules, and how the judge is asked."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from drumline.control import policy
from drumline.team import registry
from tests.forking import stand_in
from tests.surfaces.console import drumline, write
from tests.team.test_registry import OWN

MANIFEST = """\
team: atlas
description: A map of everything
lead: ada
members:
  - name: ada
    role: Leads
    tools: [Read]
    owns: []
  - name: brook
    role: Builds
    tools: [Read, Edit, Write, Bash]
    owns: ["src/**"]
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    write(tmp_path, ".claude/team.yaml", MANIFEST)
    return tmp_path


def judged(repo: Path, *rows: object, env: dict | None = None) -> list[dict]:
    """The rulings of a real process on these rows."""
    done = subprocess.run(
        stand_in("policy", "judge"),
        input="\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows),
        capture_output=True,
        text=True,
        check=True,
        cwd=repo,
        env={**os.environ, **(env or {})},
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def bash(text: str, **more) -> dict:
    return {"tool": "Bash", "input": {"command": text}, **more}


def test_every_rule_is_listed_with_whom_it_binds(repo):
    answer = drumline("policy", "list", at=repo)
    assert answer.code == 0
    for rule in registry.built_in()["constraints"]:
        assert rule["id"] in answer.out
    assert len(drumline("policy", "list", "--json", at=repo).json) == len(
        registry.built_in()["constraints"]
    )


def test_a_rule_is_shown_with_reason_way_out_and_gaps(repo):
    out = drumline("policy", "show", "c-team-004", at=repo).out
    for word in ("why", "next", "refuses", "gap"):
        assert word in out


def test_an_unknown_rule_is_refused_with_the_known_ones(repo):
    answer = drumline("policy", "show", "C-NOPE-1", at=repo)
    assert answer.code == 1
    assert "C-TEAM-001" in answer.err


def test_a_teams_own_rules_are_checked_with_line_and_field(repo):
    assert drumline("policy", "check", at=repo).code == 0
    write(repo, "drumline/policy.json", json.dumps(OWN, indent=1).replace("critical", "grave"))
    answer = drumline("policy", "check", at=repo)
    assert answer.code == 1
    assert "drumline/policy.json:" in answer.out
    assert "constraints[0].severity" in answer.out


def test_a_teams_own_rules_hold_and_are_shown(repo):
    write(repo, "drumline/policy.json", json.dumps(OWN))
    assert "C-OURS-001" in drumline("policy", "list", at=repo).out
    (ruling,) = judged(repo, bash("terraform apply", role="lead", cwd=str(repo)))
    assert ruling["constraint"] == "C-OURS-001"


def leaning(repo: Path) -> None:
    """The team's own rules come to lean on a claim that nobody made."""
    rule = {**OWN["constraints"][0], "source": "claim F-1"}
    write(repo, "drumline/policy.json", json.dumps({**OWN, "constraints": [rule]}))


@pytest.mark.requirement("PIPE-16")
def test_rules_that_lean_on_what_nobody_showed_are_not_put_in_force_and_the_last_ones_stay(repo):
    assert drumline("policy", "compile", at=repo).code == 0
    current = repo / ".drumline/policy/current"
    before = current.read_text()
    leaning(repo)
    refused = drumline("policy", "compile", at=repo)
    assert (refused.code, refused.out) == (1, "")
    assert "claim F-1, which is not known here" in refused.err
    assert current.read_text() == before
    assert drumline("policy", "settings", at=repo).code == 0
    assert current.read_text() == before
    write(repo, "drumline/policy.json", json.dumps(OWN))
    assert drumline("policy", "compile", at=repo).code == 0
    assert current.read_text() != before


@pytest.mark.requirement("PIPE-16")
def test_where_no_rules_are_in_force_yet_nobody_begins_under_those_that_lean_on_what_nobody_showed(
    repo,
):
    leaning(repo)
    refused = drumline("policy", "settings", at=repo)
    assert (refused.code, refused.out) == (1, "")
    assert "nobody has shown" in refused.err
    assert not (repo / ".drumline/policy/current").exists()


@pytest.mark.requirement("GUARD-14")
def test_the_rules_are_put_into_a_file_and_drift_is_found(repo):
    target = repo / "CLAUDE.md"
    target.write_text("# Ours\n")
    assert drumline("policy", "render", "--check", str(target), at=repo).code == 1
    assert drumline("policy", "render", "--into", str(target), at=repo).code == 0
    assert drumline("policy", "render", "--check", str(target), at=repo).code == 0
    assert target.read_text().startswith("# Ours\n")
    target.write_text(target.read_text().replace("MUST", "MAY", 1))
    answer = drumline("policy", "render", "--check", str(target), at=repo)
    assert answer.code == 1
    assert "edited by hand" in answer.err


def test_rows_are_judged_one_by_one_whatever_stands_between_them(repo):
    rulings = judged(
        repo,
        bash("git push", role="teammate", cwd="/repo"),
        "{broken",
        bash("git status", role="teammate", cwd="/repo"),
        bash("git commit -m x", role="teammate", cwd="/repo", isolation="own"),
        {"tool": "Skill", "input": {"skill": "architect"}, "role": "teammate", "cwd": "/repo"},
    )
    assert [ruling["decision"] for ruling in rulings] == ["deny", "allow", "allow", "allow", "deny"]
    assert rulings[0]["constraint"] == "C-TEAM-004"
    assert rulings[0]["why"]
    assert rulings[0]["next"]
    assert rulings[1]["unreadable"] is True


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"tool": "Bash", "input": {"command": "git push"}}, "neither a member nor a role"),
        ({"tool": "Bash", "input": {}, "role": "king"}, "its role is none of lead, teammate"),
        ({"tool": "Bash", "input": {}, "role": ["lead"]}, "its role is none of lead, teammate"),
        ({"tool": "Bash", "input": "git push", "role": "lead"}, "its input is no object"),
        ({"input": {"command": "git push"}, "role": "lead"}, "it has no tool"),
        ({"tool": "Bash", "role": "lead", "isolation": "mine"}, "neither own nor shared"),
    ],
)
def test_a_row_that_does_not_say_enough_is_marked_with_why(row, why):
    assert why in policy.unreadable(row)


def test_rows_that_cannot_be_read_are_marked_and_the_rest_go_on(repo):
    nobody, king, alone = judged(
        repo,
        bash("git push", cwd="/repo"),
        bash("git push", role="king", cwd="/repo"),
        bash("rm -rf /", role="", cwd="/repo"),
    )
    assert (nobody["decision"], nobody["unreadable"]) == ("allow", True)
    assert "row 1 cannot be read: it has neither a member nor a role" in nobody["why"]
    assert king["unreadable"] is True
    assert alone["constraint"] == "C-SAFE-001"


def test_the_help_of_the_judge_says_what_a_row_needs(repo):
    out = drumline("policy", "judge", "--help", at=repo).out
    for word in ("tool", "input", "member", "role", "cwd", "isolation", "unreadable"):
        assert f'"{word}"' in out


@pytest.mark.requirement("GUARD-08")
def test_settings_that_weaken_safety_are_named_by_line(repo):
    own = '{"version": "1.1.0",\n "settings": {\n  "protected_branches": ["main"],\n  "unprotected_files": ["**"]}}'
    write(repo, "drumline/policy.json", own)
    answer = drumline("policy", "check", at=repo)
    assert answer.code == 1
    assert "drumline/policy.json:3: settings.protected_branches" in answer.out
    assert "drumline/policy.json:4: settings.unprotected_files[0]" in answer.out


def test_a_member_is_judged_by_what_the_manifest_says_of_it(repo):
    at = {"cwd": str(repo)}
    rulings = judged(
        repo,
        {"tool": "Write", "input": {"file_path": "docs/x"}, "member": "brook", **at},
        {"tool": "Write", "input": {"file_path": "src/x"}, "member": "brook", **at},
        {"tool": "Edit", "input": {"file_path": "src/x"}, "member": "ada", **at},
        bash("ls", member="nobody", **at),
    )
    assert [ruling["constraint"] for ruling in rulings] == ["C-OWN-001", "", "C-LEAD-001", ""]
    assert rulings[3]["decision"] == "deny"


def test_the_judge_needs_no_team(tmp_path):
    (ruling,) = judged(tmp_path, bash("rm -rf /home/user", role="lead", cwd="/repo"))
    assert ruling["constraint"] == "C-SAFE-001"


@pytest.mark.requirement("TEAM-04")
def test_a_lead_that_may_work_is_not_held_to_delegating(repo):
    write(repo, ".claude/team.yaml", MANIFEST + "settings: {lead-works: true}\n")
    row = {"tool": "Edit", "input": {"file_path": "src/x"}, "role": "lead", "cwd": str(repo)}
    assert judged(repo, row)[0]["decision"] == "allow"


@pytest.mark.requirement("TEAM-04")
@pytest.mark.parametrize(("delegating", "decision"), [(True, "deny"), (False, "allow")])
def test_a_lead_that_may_work_delegates_while_no_task_is_its_own(repo, delegating, decision):
    write(repo, ".claude/team.yaml", MANIFEST + "settings: {lead-works: true}\n")
    row = {"tool": "Edit", "input": {"file_path": "src/x"}, "role": "lead", "cwd": str(repo)}
    assert judged(repo, {**row, "delegating": delegating})[0]["decision"] == decision


@pytest.mark.requirement("TEAM-09")
@pytest.mark.parametrize(
    ("enabled", "role", "push"),
    [
        pytest.param("auto", "", "allow", id="a person working alone"),
        pytest.param("auto", "teammate", "deny", id="a member"),
        pytest.param("never", "teammate", "allow", id="a team that is switched off"),
    ],
)
def test_team_rules_hold_only_where_a_team_is_and_the_rules_for_everyone_everywhere(
    repo, enabled, role, push
):
    write(repo, ".claude/team.yaml", MANIFEST + f"enabled: {enabled}\n")
    at = {"cwd": str(repo), "role": role}
    said = judged(repo, bash("git push", **at), bash("rm -rf /", **at))
    assert [each["decision"] for each in said] == [push, "deny"]


def test_compiled_rules_and_standings_are_written_whole(repo):
    name = drumline("policy", "compile", "--json", at=repo).json["policy"]
    state = repo / ".drumline"
    assert (state / "policy" / "current").read_text() == name
    compiled = json.loads((state / "policy" / f"{name}.json").read_text())
    assert compiled["libraries"]
    standing = json.loads((state / "standing" / "brook.json").read_text())
    assert (standing["isolation"], standing["policy"], standing["owns"]) == (
        "own",
        name,
        ["src/**"],
    )
    assert oct((state / "standing" / "brook.json").stat().st_mode)[-3:] == "600"


@pytest.mark.requirement("GUARD-07")
def test_the_task_a_member_holds_limits_what_the_hook_lets_it_write(repo):
    drumline("task", "add", "Mend it", "--files", "src/api/**", at=repo)
    drumline("task", "claim", "T-1", "--member", "brook", at=repo)
    drumline("policy", "compile", at=repo)
    standing = json.loads((repo / ".drumline" / "standing" / "brook.json").read_text())
    assert standing["files"] == ["src/api/**"]


@pytest.mark.requirement("GUARD-12")
def test_the_settings_for_an_agent_carry_our_hook_once_beside_the_users(repo):
    mine = {
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]
        }
    }
    first = drumline("policy", "settings", "--user", json.dumps(mine), "--json", at=repo).json
    again = drumline("policy", "settings", "--user", json.dumps(first), "--json", at=repo).json
    assert again == first
    assert first["disableAllHooks"] is False
    assert first["hooks"]["PreToolUse"][0] == mine["hooks"]["PreToolUse"][0]
    assert str(repo / ".drumline") in json.dumps(first["hooks"]["PreToolUse"][1])


@pytest.mark.requirement("GUARD-12")
def test_the_arguments_for_codex_carry_trust(repo):
    words = drumline("policy", "settings", "--runtime", "codex", "--json", at=repo).json
    assert any("trusted_hash" in word for word in words)


def test_settings_that_are_no_object_are_refused(repo):
    assert drumline("policy", "settings", "--user", "{oops", at=repo).code == 1


@pytest.mark.requirement("GUARD-13")
def test_coverage_is_proved_through_every_layer(repo):
    answer = drumline("policy", "coverage", "--json", at=repo)
    assert answer.code == 0, answer.err
    rows = {row["id"]: row for row in answer.json["rules"]}
    assert answer.json["undeclared"] == []
    layers = {layer["layer"]: layer for layer in rows["C-TEAM-005"]["layers"]}
    assert list(layers) == ["advisory", "judge", "hook", "kernel"]
    assert layers["judge"]["right"] == layers["judge"]["asked"] > 10


@pytest.mark.requirement("GUARD-13")
def test_a_gap_nobody_declared_is_told(repo):
    write(repo, ".claude/team.yaml", MANIFEST + "enabled: never\n")  # fewer rules to try beside it
    rule = {**OWN["constraints"][0], "probes": {"refuse": ["terraform plan"], "allow": []}}
    broken = {"id": "C-TEAM-001", **{k: v for k, v in rule.items() if k != "id"}}
    write(repo, "drumline/policy.json", json.dumps({**OWN, "constraints": [broken]}))
    answer = drumline("policy", "coverage", at=repo)
    assert answer.code == 1
    assert "C-TEAM-001" in answer.err
