"""What is said of a real agent CLI is shown by playing a probe to it, and only then may rules lean on it."""

import json
import subprocess

import pytest

from tests.live.agent_cli import binary
from tests.surfaces.console import drumline, write
from tests.team.test_registry import OWN

pytestmark = pytest.mark.requirement("PIPE-16")
MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: brook, role: Builds, tools: [Read, Bash], owns: [], runtime: scripted, scenario: one-task}
"""


@pytest.fixture
def repo(tmp_path):
    binary("codex")  # skips where it is not installed
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    write(tmp_path, ".claude/team.yaml", MANIFEST)
    rule = {**OWN["constraints"][0], "source": "claim F-1"}
    write(tmp_path, "drumline/policy.json", json.dumps({**OWN, "constraints": [rule]}))
    return tmp_path


def test_a_rule_leans_on_a_claim_once_its_probe_passed(repo):
    unknown = drumline("policy", "check", at=repo)
    assert (unknown.code, "claim F-1, which is not known here" in unknown.out) == (1, True)
    made = drumline("claim", "add", "codex", "canary", "a refused call is not made", at=repo)
    assert made.code == 0, made.err
    refused = drumline("policy", "check", at=repo)
    assert (refused.code, "which is unverified" in refused.out) == (1, True)
    assert "unverified: a refused call is not made" in drumline("doctor", at=repo).out
    assert "which is unverified" in drumline("policy", "compile", at=repo).err
    shown = drumline("claim", "prove", "F-1", "--json", at=repo)
    facts = json.loads(shown.out)
    assert (shown.code, facts["trust"], facts["passed"]) == (0, "verified", True)
    assert facts["version"]
    assert facts["tried_at"]
    assert drumline("policy", "check", at=repo).code == 0
    assert drumline("policy", "compile", at=repo).code == 0
    assert "none unverified" in drumline("doctor", at=repo).out


def test_what_no_probe_could_show_is_refused_with_what_could(repo):
    answer = drumline("claim", "add", "codex", "it flies", "it flies", at=repo)
    assert answer.code == 1
    assert "next:    drumline claim probes codex" in answer.err
    assert "canary" in drumline("claim", "probes", "codex", at=repo).out
