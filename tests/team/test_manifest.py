"""What a manifest may say, and what is said about one that may not."""

import math
from datetime import timedelta

import pytest

from drumline.errors import BadManifest
from drumline.store.manifests import read_text
from drumline.team.checkout_plan import CheckoutPlan
from drumline.team.language import Language, language_rule
from drumline.team.manifest import Manifest, MemberEntry, accepted
from drumline.team.presence import Enabled
from drumline.team.settings import TeamSettings

SMALLEST = """\
team: atlas
description: A map of everything
members:
  - name: ada
    role: Builds
    tools: [Read]
    owns: []
"""

FULL = """\
team: atlas
description: A map of everything
lead: ada
constitution: constitution-4
enabled: never
language: {people: Korean, artefacts: English}
defaults: {model: haiku, budget: 2, permission-mode: plan}
members:
  - name: ada
    role: Leads
    tools: [Read]
    owns: []
    model: opus
    budget: 1.5
    permission-mode: default
  - name: brook
    role: Builds
    tools: [Read, Edit, "Bash(git:*)", mcp__github__get_issue]
    owns: ["src/**", "*.md"]
    runtime: codex
    profile: implementer
settings:
  lease-by-hand: 20m
  max-parallel: 2
  context-window: 1000000
  lead-works: true
"""


def manifest(text: str) -> Manifest:
    return accepted(read_text(text), "team.yaml")


def problems(text: str) -> list[str]:
    with pytest.raises(BadManifest) as refused:
        manifest(text)
    return refused.value.problems


@pytest.mark.requirement("TEAM-01", "TEAM-03", "TEAM-04", "TEAM-09", "TEAM-10")
def test_what_is_left_out_has_a_default():
    assert manifest(SMALLEST) == Manifest(
        team="atlas",
        description="A map of everything",
        members=(
            MemberEntry(
                name="ada",
                role="Builds",
                tools=("Read",),
                owns=(),
                runtime="claude",
                profile="",
                model="sonnet",
                budget=0.50,
                permission_mode="dontAsk",
            ),
        ),
        lead="human",
        constitution="constitution-10",
        language=Language(people="English", artefacts="English"),
        enabled=Enabled.AUTO,
        settings=TeamSettings(
            lease_by_hand=timedelta(minutes=15),
            max_parallel=8,
            context_window=200_000,
            lead_works=False,
        ),
        checkout=CheckoutPlan(setup=(), copy=(), link=(), submodules=True),
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("setup: [make, deps]", CheckoutPlan(setup=(("make", "deps"),)), id="one"),
        pytest.param(
            "setup: [[make], [sh, -c, 'a b']]",
            CheckoutPlan(setup=(("make",), ("sh", "-c", "a b"))),
            id="several commands",
        ),
        pytest.param(
            "copy: [.env, .claudette, a/.gitx], link: [node_modules], submodules: false",
            CheckoutPlan(
                copy=(".env", ".claudette", "a/.gitx"), link=("node_modules",), submodules=False
            ),
            id="files",
        ),
    ],
)
def test_how_a_checkout_is_set_up_is_taken_as_written(said, expected):
    assert manifest(f"{SMALLEST}checkout: {{{said}}}\n").checkout == expected


@pytest.mark.requirement("TEAM-01", "TEAM-03")
def test_a_member_says_what_differs_from_the_defaults():
    ada, brook = manifest(FULL).members
    assert (ada.model, ada.budget, ada.permission_mode) == ("opus", 1.5, "default")
    assert (brook.model, brook.budget, brook.permission_mode) == ("haiku", 2.0, "plan")
    assert (ada.runtime, brook.runtime) == ("claude", "codex")


@pytest.mark.requirement("TEAM-01")
def test_settings_are_taken_as_written():
    assert manifest(FULL).settings == TeamSettings(
        lease_by_hand=timedelta(minutes=20),
        max_parallel=2,
        context_window=1_000_000,
        lead_works=True,
    )


@pytest.mark.requirement("TEAM-07")
@pytest.mark.parametrize(
    ("window", "budget"),
    [
        pytest.param(200_000, 16_000, id="never under 16,000 characters"),
        pytest.param(1_000_000, 20_000, id="two in a hundred of a large window"),
    ],
)
def test_the_skill_budget_follows_the_context_window(window, budget):
    assert TeamSettings(context_window=window).skill_budget == budget


def with_member(line: str) -> str:
    return f"{SMALLEST}    {line}\n"


@pytest.mark.requirement("TEAM-02")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(with_member("budget: -1"), "8: members[0].budget: found -1; allowed: a number above 0", id="negative budget"),
        pytest.param(with_member("budget: 0"), "8: members[0].budget: found 0", id="no budget"),
        pytest.param(with_member("budget: .nan"), "found nan", id="not a number"),
        pytest.param(with_member("budget: .inf"), "found inf", id="endless budget"),
        pytest.param(with_member("budget: true"), "found true", id="a switch as a budget"),
        pytest.param(with_member("budget: 10001"), "found 10001", id="absurd budget"),
        pytest.param(with_member('budget: "1"'), "found '1'", id="a quoted number"),
        pytest.param(with_member("budget: 1e999"), "found inf", id="overflowing number"),
        pytest.param(with_member("model: null"), "members[0].model: found nothing", id="null"),
        pytest.param(with_member("runtime: gemini"), "allowed: claude | codex | scripted | command", id="unknown runtime"),
        pytest.param(with_member("permission-mode: ask"), "allowed: default | acceptEdits", id="unknown mode"),
        pytest.param(with_member("bugdet: 1"), "members[0].bugdet: found an unknown field; allowed: name,", id="unknown field"),
        pytest.param(with_member("bugdet: 1"), "(did you mean budget?)", id="nearest field"),
        pytest.param(with_member("name: eve"), "8: members[0].name: found 'name' twice, first on line 4", id="field twice"),
        pytest.param(SMALLEST.replace("ada", "human"), "4: members[0].name: found 'human'", id="reserved name"),
        pytest.param(SMALLEST.replace("ada", "Ada"), "members[0].name: found 'Ada'", id="capital name"),
        pytest.param(SMALLEST.replace("[Read]", "[]"), "6: members[0].tools: found an empty list", id="no tools"),
        pytest.param(SMALLEST.replace("[Read]", "Read"), "found 'Read'; allowed: a list of tools", id="tools not a list"),
        pytest.param(SMALLEST.replace("[Read]", '["Read, Grep"]'), "members[0].tools[0]", id="two tools in one"),
        pytest.param(SMALLEST.replace("[Read]", '["Bash(git:*"]'), "found 'Bash(git:*'", id="open bracket"),
        pytest.param(SMALLEST.replace("owns: []", 'owns: ["/etc/**"]'), "found '/etc/**'", id="absolute glob"),
        pytest.param(SMALLEST.replace("owns: []", 'owns: ["a/../b"]'), "found 'a/../b'", id="climbing glob"),
        pytest.param(SMALLEST.replace("owns: []", 'owns: [""]'), "owns[0]: found ''", id="empty glob"),
        pytest.param(SMALLEST.replace("    owns: []\n", ""), "4: members[0].owns: found nothing; allowed: a list of globs", id="missing field"),
        pytest.param(SMALLEST.replace("Builds", '"a\\nb"'), "members[0].role: found 'a\\nb'", id="two lines"),
        pytest.param(SMALLEST.replace("Builds", '"\\e[31m"'), "found '\\x1b[31m'", id="control character escaped"),
        pytest.param(SMALLEST.replace("Builds", "2026-01-01"), "found the date 2026-01-01", id="a date"),
        pytest.param(SMALLEST + "enabled: yes\n", "enabled: found 'yes'; allowed: auto | never", id="yes"),
        pytest.param(SMALLEST + "enabled: always\n", "enabled: found 'always'; allowed: auto | never", id="always"),
        pytest.param(SMALLEST + "enabled: true\n", "enabled: found true", id="true"),
        pytest.param(SMALLEST + "lead: eve\n", "8: lead: found 'eve', who is no member; allowed: human, ada", id="lead is nobody"),
        pytest.param(SMALLEST + "lead: [ada, human]\n", "lead: found a list of 2", id="two leads"),
        pytest.param(SMALLEST + "settings: {lease-by-hand: 25h}\n", "settings.lease-by-hand: found '25h'", id="long lease"),
        pytest.param(SMALLEST + "settings: {endpoint: '0.0.0.0:80'}\n", "settings.endpoint: found '0.0.0.0:80'", id="every host"),
        pytest.param(SMALLEST + "settings: {endpoint: '127.0.0.1:65536'}\n", "settings.endpoint: found '127.0.0.1:65536'", id="no port"),
        pytest.param(SMALLEST + "language: Korean\n", "language: found 'Korean'; allowed: a mapping with people", id="one language"),
        pytest.param(SMALLEST + "checkout: {setup: make}\n", "8: checkout.setup: found 'make'; allowed: a command as a list of words", id="set-up in one word"),
        pytest.param(SMALLEST + "checkout: {setup: []}\n", "8: checkout.setup: found an empty list", id="empty set-up"),
        pytest.param(SMALLEST + "checkout: {setup: [make, 1]}\n", "8: checkout.setup[1]: found 1", id="a number as a word"),
        pytest.param(SMALLEST + "checkout: {setup: [make, [a]]}\n", "checkout.setup[1]: found a list of 1", id="words and commands mixed"),
        pytest.param(SMALLEST + "checkout: {setup: [[make], []]}\n", "checkout.setup[1]: found an empty list", id="an empty command"),
        pytest.param(SMALLEST + "checkout:\n  copy:\n    - .env\n    - ../x\n", "11: checkout.copy[1]: found '../x'; allowed: a relative path", id="climbing path"),
        *(
            pytest.param(SMALLEST + f"checkout: {{link: ['{path}']}}\n", f"checkout.link[0]: found {path!r}", id=f"path {path}")
            for path in ("/etc", "a/../b", "..", ".", "", "./a", "a//b", "a/", "~/x", ".git", ".git/config", "sub/.GIT/x", ".drumline/x", ".claude", "drumline/x", "*.py", "a[b]", "a\\b", " a", "a ")
        ),
        pytest.param(SMALLEST + "checkout:\n  copy: [a/b]\n  link: [a]\n", "10: checkout.link[0]: found 'a', which meets 'a/b' on line 9", id="a link over a copy"),
        pytest.param(SMALLEST + "checkout: {submodules: no}\n", "checkout.submodules: found 'no'", id="no"),
        pytest.param(SMALLEST + "checkout: {set-up: [make]}\n", "(did you mean setup?)", id="nearest field of a section"),
        pytest.param(SMALLEST.replace("members:", "members: []\nx:"), "members: found an empty list", id="nobody"),
        pytest.param("team: atlas\n", "1: members: found nothing", id="no members"),
    ],
)  # fmt: skip
def test_a_problem_names_line_field_what_was_found_and_what_is_allowed(text, expected):
    assert any(expected in problem for problem in problems(text)), problems(text)


@pytest.mark.requirement("TEAM-02")
def test_two_members_of_one_name_are_both_pointed_at():
    twin = SMALLEST.split("members:\n")[1]
    (problem,) = problems(SMALLEST + twin)
    assert problem.startswith("team.yaml:8: members[1].name: found 'ada', already on line 4;")


@pytest.mark.requirement("TEAM-02")
def test_a_found_value_is_echoed_short():
    (problem,) = problems(with_member(f"runtime: {'x' * 5000}"))
    assert len(problem) < 250
    assert "x" * 70 in problem


@pytest.mark.requirement("TEAM-02")
def test_every_problem_is_told_in_the_order_of_lines():
    told = problems(
        "team: A B\ndescription: x\nlead: eve\nmembers:\n  - name: ada\n    budget: -1\n  - oops\n"
    )
    lines = [int(problem.split(":")[1]) for problem in told]
    assert lines == sorted(lines)
    assert set(lines) == {1, 3, 5, 6, 7}


@pytest.mark.requirement("TEAM-10")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param(Language(), ["everything in English"], id="one language"),
        pytest.param(
            Language(people="Korean"), ["people in Korean", "else in English"], id="two languages"
        ),
    ],
)
def test_the_language_rule_names_both_languages(language, words):
    rule = language_rule(language)
    assert all(word in rule for word in words), rule


@pytest.mark.requirement("TEAM-05")
@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        pytest.param(("Read", "Grep"), False, id="reading"),
        pytest.param(("Read", "Edit"), True, id="an editing tool"),
        pytest.param(("Read", "Edit(src/**)"), True, id="an editing tool for some files"),
        pytest.param(("Bash",), True, id="a free shell"),
        pytest.param(("Bash(git:*)",), False, id="one program"),
    ],
)
def test_a_member_writes_when_its_tools_can(tools, expected):
    member = MemberEntry(name="ada", role="x", tools=tools, owns=())
    assert member.writes is expected


def test_a_budget_is_kept_as_a_number():
    assert math.isclose(manifest(FULL).members[0].budget, 1.5)
