"""The registry: one form for built-in rules and a team's own, strict, versioned, and proved by probes."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from drumline.errors import BadInput
from drumline.store.manifests import read_text
from drumline.team import advice, constraint, registry
from drumline.team.call import Call
from drumline.team.judge import judge
from drumline.team.standing import Standing
from tests.team.judging import WORLD

OWN: dict[str, Any] = {
    "version": "1.1.0",
    "settings": {"tracker_programs": ["bd"]},
    "constraints": [
        {
            "id": "C-OURS-001",
            "name": "no_terraform_apply",
            "rule_type": "MUST NOT",
            "text": "Nobody applies infrastructure from a session.",
            "why": "production has one door",
            "severity": "critical",
            "category": "ours",
            "source": "incident 12",
            "render": "team",
            "refuse": [{"program": ["terraform"], "words": ["apply", "destroy"]}],
            "fail": "open",
            "next": "open a change request",
            "probes": {"refuse": ["terraform apply"], "allow": ["terraform plan"]},
        }
    ],
}


def read(data: object) -> tuple[dict, list]:
    return constraint.read_registry(read_text(json.dumps(data)), registry.built_in())


def changed(path: str, value: object) -> dict:
    data = copy.deepcopy(OWN)
    place: Any = data
    *way, last = path.split("/")
    for name in way:
        place = place[int(name)] if isinstance(place, list) else place[name]
    place[int(last) if isinstance(place, list) else last] = value
    return data


@pytest.mark.requirement("GUARD-01")
def test_the_built_in_registry_is_of_its_own_form():
    whole = read_text(json.dumps(registry.built_in()))
    assert constraint.read_registry(whole, {})[1] == []


@pytest.mark.requirement("GUARD-01")
def test_the_shipped_schema_is_the_one_the_code_makes():
    shipped = Path(registry.__file__).with_name("constraints.schema.json")
    assert json.loads(shipped.read_text("utf-8")) == constraint.schema()


@pytest.mark.requirement("GUARD-01")
@pytest.mark.parametrize(
    ("data", "field"),
    [
        pytest.param(changed("constraints/0/id", "lower-1"), "constraints[0].id", id="an odd id"),
        pytest.param(
            changed("constraints/0/severity", "huge"), "constraints[0].severity", id="severity"
        ),
        pytest.param(
            changed("constraints/0/colour", "red"), "constraints[0].colour", id="unknown field"
        ),
        pytest.param(
            changed("constraints/0/condition", {"when": "x"}),
            "constraints[0].condition.override_text",
            id="half a condition",
        ),
        pytest.param(
            changed("constraints/0/refuse", [{"wright": ["x"]}]),
            "constraints[0].refuse[0].wright",
            id="a misspelt clause",
        ),
    ],
)
def test_what_the_form_does_not_know_is_refused_by_line_and_schema_alike(data, field):
    problems = read(data)[1]
    assert field in [problem.field for problem in problems]
    assert list(jsonschema.Draft202012Validator(constraint.schema()).iter_errors(data))


@pytest.mark.requirement("GUARD-01")
@pytest.mark.parametrize(
    ("version", "known"), [("1.0.0", True), ("1.3.7", True), ("1.4.0", False), ("2.0.0", False)]
)
def test_a_later_minor_version_is_not_half_understood(version, known):
    assert (read(changed("version", version))[1] == []) is known


@pytest.mark.requirement("GUARD-01")
def test_a_condition_is_optional_and_changes_the_words_when_it_holds():
    rule = next(r for r in registry.built_in()["constraints"] if r["id"] == "C-PROC-002")
    alone, in_team = (
        advice.rendered([rule]),
        advice.rendered([rule], conditions=["agent_teams_active"]),
    )
    assert "MUST: The sprint's life" in alone
    assert "MAY: In a team the task list" in in_team


@pytest.mark.requirement("GUARD-01")
def test_two_rules_with_one_id_and_a_setting_nobody_has_are_both_told():
    data = changed("constraints/0/refuse", [{"write": ["{nowhere}"]}])
    data["constraints"].append(data["constraints"][0])
    fields = [problem.field for problem in read(data)[1]]
    assert "constraints[1].id" in fields
    assert "constraints[0].refuse[0].write" in fields


@pytest.mark.requirement("GUARD-08")
@pytest.mark.parametrize("more", [{}, {"enabled": False}])
def test_a_team_cannot_take_out_a_rule_for_everyone(more):
    data = changed("constraints/0", {**OWN["constraints"][0], "id": "C-SAFE-001", **more})
    assert [problem.field for problem in read(data)[1]] == ["constraints[0].id"]


@pytest.mark.requirement("GUARD-01")
def test_a_bad_registry_is_refused_with_every_problem():
    data = changed("constraints/0/severity", "huge")
    data["version"] = "9.9.9"
    with pytest.raises(BadInput) as refusal:
        constraint.accepted(read_text(json.dumps(data)), "drumline/policy.json", {})
    assert refusal.value.why.count("drumline/policy.json:") == 2


@pytest.mark.requirement("GUARD-02")
def test_a_teams_own_rule_holds_without_any_python():
    policy = registry.compiled(registry.joined(registry.built_in(), OWN))

    def ruled(text: str, role: str = "lead") -> str:
        who = Standing({"role": role, "isolation": "shared"}, "/repo")
        return judge(Call("Bash", {"command": text}, "/repo"), who, policy, WORLD).constraint

    assert ruled("env X=1 terraform apply -auto-approve") == "C-OURS-001"
    assert ruled("terraform plan") == ""
    assert ruled("bd close 1", "teammate") == "C-TEAM-002"
    assert ruled("br close 1", "teammate") == ""


def test_the_same_rules_have_the_same_name():
    policy = registry.compiled(registry.built_in())
    assert registry.digest(policy) == registry.digest(json.loads(json.dumps(policy)))
    assert registry.digest({**policy, "version": "x"}) != registry.digest(policy)


@pytest.mark.requirement("GUARD-13")
def test_every_constraint_carries_probes_or_says_why_it_cannot():
    for rule in registry.built_in()["constraints"]:
        if rule["refuse"]:
            assert rule["probes"]["refuse"], rule["id"]
            assert rule["probes"]["allow"], rule["id"]
        else:
            assert {gap["layer"] for gap in rule["gaps"]} >= {"judge", "kernel"}, rule["id"]


class TestAdvice:
    section = advice.rendered(registry.built_in()["constraints"])

    @pytest.mark.requirement("GUARD-14")
    def test_the_section_names_every_rule_gravest_first(self):
        ids = [
            line.split(" | ")[0][2:]
            for line in self.section.splitlines()
            if line.startswith("| C-")
        ]
        assert sorted(ids) == sorted(r["id"] for r in registry.built_in()["constraints"])
        graves = {r["id"]: r["severity"] for r in registry.built_in()["constraints"]}
        assert graves[ids[0]] == "critical"

    @pytest.mark.requirement("GUARD-14")
    def test_a_current_section_has_no_drift(self):
        assert advice.drift(f"# Mine\n\n{self.section}", self.section) == ""

    @pytest.mark.requirement("GUARD-14")
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("# Mine", "it has no section of rules"),
            (section.replace("MUST", "MAY", 1), "its rules were edited by hand"),
            (advice.rendered([]), "its rules are out of date"),
        ],
    )
    def test_drift_is_told_apart(self, text, said):
        assert advice.drift(text, self.section) == said

    @pytest.mark.requirement("GUARD-14")
    def test_a_file_keeps_all_that_is_not_the_section(self):
        before = f"# Mine\n\n{advice.rendered([])}\nmore of mine\n"
        after = advice.put_into(before, self.section)
        assert after.startswith(f"# Mine\n\n{advice.START}")
        assert after.endswith(f"{advice.END}\n\nmore of mine\n")
        assert advice.put_into(after, self.section) == after


def from_the_documentation() -> dict[str, Any]:
    """The rule the guide shows, as somebody would copy it."""
    page = Path(__file__).parents[2] / "docs" / "explanation" / "guards.md"
    found: dict[str, Any] = json.loads(
        page.read_text("utf-8").split("```json\n")[1].split("```")[0]
    )
    return found


def judged_under(own: dict[str, Any], text: str, role: str = "teammate") -> str:
    policy = registry.compiled(registry.joined(registry.built_in(), own))
    who = Standing({"role": role, "isolation": "shared"}, "/repo")
    return judge(Call("Bash", {"command": text}, "/repo"), who, policy, WORLD).constraint


@pytest.mark.requirement("GUARD-02")
def test_the_documentations_own_rule_compiles_and_judges():
    own = from_the_documentation()
    assert read(own)[1] == []
    (rule,) = own["constraints"]
    for probe in rule["probes"]["refuse"]:
        assert judged_under(own, probe) == rule["id"]
    for probe in rule["probes"]["allow"]:
        assert judged_under(own, probe) == ""


def with_settings(**settings: object) -> dict[str, Any]:
    return {"version": "1.1.0", "settings": settings, "constraints": []}


class TestSettings:
    """What protects everyone is added to, and never taken away."""

    @pytest.mark.requirement("GUARD-08")
    @pytest.mark.parametrize(
        ("settings", "field"),
        [
            ({"protected_files": []}, "settings.protected_files"),
            ({"protected_files": ".env"}, "settings.protected_files"),
            ({"protected_branches": ["main"]}, "settings.protected_branches"),
            ({"system_zone": [".claude/**"]}, "settings.system_zone"),
            ({"own_state": []}, "settings.own_state"),
            ({"git_internals": [".git/config", "x"]}, "settings.git_internals"),
            ({"unprotected_files": ["docs/x.env", "**"]}, "settings.unprotected_files[1]"),
            ({"unprotected_files": ["*"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": ["**/*"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": ["*/**"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": ["**/.env"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": [".ENV*"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": ["[.]env"]}, "settings.unprotected_files[0]"),
            ({"unprotected_files": ["/home/**"]}, "settings.unprotected_files[0]"),
            ({"own_state_open": [".drumline/*"]}, "settings.own_state_open[0]"),
            ({"tracker_access": "everyone"}, "settings.tracker_access"),
            ({"tracker_access": ["all"]}, "settings.tracker_access"),
            ({"protected_file": ["x"]}, "settings.protected_file"),
            ({"temporary": "/tmp"}, "settings.temporary"),
        ],
    )
    def test_a_setting_that_weakens_or_means_nothing_is_named(self, settings, field):
        assert [problem.field for problem in read(with_settings(**settings))[1]] == [field]

    @pytest.mark.parametrize(
        "settings",
        [
            {"protected_files": ["prod.tfvars"]},
            {"protected_branches": ["trunk"]},
            {"unprotected_files": ["tests/fixtures/.env", "android/debug.keystore"]},
            {"own_state_open": [".drumline/drafts/**"]},
            {"tracker_access": "all"},
            {"tracker_programs": ["bd"]},
        ],
    )
    def test_a_setting_that_adds_is_taken(self, settings):
        assert read(with_settings(**settings))[1] == []

    def test_a_misspelt_setting_is_refused_with_the_likeliest_name(self):
        (problem,) = read(with_settings(protected_file=["x"]))[1]
        assert problem.allowed.startswith("protected_files")

    def test_a_setting_of_the_teams_own_is_one_its_clauses_name(self):
        own = changed("constraints/0/refuse", [{"write": ["{our_zone}"]}])
        own["settings"] = {"our_zone": ["infra/**"]}
        assert read(own)[1] == []
        assert judged_under(own, "echo x > infra/a") == "C-OURS-001"

    @pytest.mark.requirement("GUARD-08")
    def test_what_a_team_protects_comes_on_top(self):
        own = with_settings(protected_files=["prod.tfvars"], unprotected_files=["kit/.env"])
        assert judged_under(own, "cat prod.tfvars") == "C-SAFE-002"
        assert judged_under(own, "cat .env") == "C-SAFE-002"
        assert judged_under(own, "cat kit/.env") == ""
        assert judged_under(own, "cat .env.example") == ""

    def test_a_tracker_open_to_all_lifts_its_rule(self):
        assert judged_under(with_settings(tracker_access="lead_only"), "br close 1") == "C-TEAM-002"
        assert judged_under(with_settings(tracker_access="all"), "br close 1") == ""


@pytest.mark.requirement("GUARD-01")
@pytest.mark.parametrize(
    ("clause", "field"),
    [
        ({}, "constraints[0].refuse[0]"),
        ({"without": ["-n"]}, "constraints[0].refuse[0]"),
        ({"isolation": ["own"], "except": ["x"]}, "constraints[0].refuse[0]"),
        ({"identity": False}, "constraints[0].refuse[0]"),
        ({"tool": ["Bash"], "words": ["push"]}, "constraints[0].refuse[0].words"),
        ({"read": ["x"], "how": ["edit"]}, "constraints[0].refuse[0].how"),
    ],
)
def test_a_clause_has_something_to_test(clause, field):
    problems = read(changed("constraints/0/refuse", [clause]))[1]
    assert [problem.field for problem in problems] == [field]


@pytest.mark.requirement("GUARD-01")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("version: 1.1.0\n", 1),
        ('{"version": "1.1.0",\n # why\n "constraints": []}', 2),
        ('{"version":\n NaN}', 2),
        ('{"version": "1.1.0",}', 1),
        ("[" * 100_000, 1),
    ],
)
def test_a_registry_is_strict_json(text, line):
    problem = constraint.not_json(text)
    assert problem is not None
    assert problem.line == line


def test_json_is_taken_as_it_is():
    assert constraint.not_json(json.dumps(OWN, indent=1)) is None


@pytest.mark.requirement("GUARD-08")
def test_where_deleting_does_no_harm_is_not_a_teams_to_say():
    data = {**OWN, "settings": {"temporary": ["/home"]}}
    assert [problem.field for problem in read(data)[1]] == ["settings.temporary"]
