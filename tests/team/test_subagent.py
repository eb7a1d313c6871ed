"""Which subagents a member may start, what they are given, and how the judge sees them."""

import pytest

from drumline.errors import BadInput, NotAllowed, NotVerified, Unknown
from drumline.team.language import Language
from drumline.team.manifest import MemberEntry
from drumline.team.profile import Profile
from drumline.team.subagent import (
    Errand,
    chosen,
    model_of,
    refuse_unverified,
    shared_tools,
    startable,
    startable_facts,
    told,
    works_beside,
)
from tests.team.judging import command, ruled

ANALYST = Profile(name="analyst", tools=("Read", "Bash", "Task(analyst)"), model="sonnet")
RESEARCHER = Profile(
    name="researcher", tools=("Read", "Write"), denied=("Write",), model="opus", background=True
)
PROFILES = {each.name: each for each in (ANALYST, RESEARCHER)}
GENERAL = "general-purpose"


def member(*tools, **facts):
    return MemberEntry(**{"name": "ada", "role": "Builds", "tools": tools, "owns": (), **facts})


@pytest.mark.requirement("RUN-13")
@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (["Read"], set()),
        (["Read", "Agent"], {GENERAL, "analyst", "researcher"}),
        (["Task"], {GENERAL, "analyst", "researcher"}),
        (["Agent(*)"], {GENERAL, "analyst", "researcher"}),
        (["Task(analyst, researcher)"], {"analyst", "researcher"}),
        (["Agent(analyst)", "Task(lost)"], {"analyst"}),
        (["Agent(general-purpose)"], {GENERAL}),
    ],
)
def test_a_member_starts_the_profiles_its_tools_name(rules, names):
    assert set(startable(rules, PROFILES)) == names


@pytest.mark.requirement("RUN-13")
@pytest.mark.parametrize(
    ("tools", "errand", "refusal", "words"),
    [
        (["Read"], Errand("analyst", "x"), NotAllowed, "name no profile"),
        (["Agent(analyst)"], Errand("researcher", "x"), NotAllowed, "`analyst`"),
        (["Agent(analyst)"], Errand(GENERAL, "x"), NotAllowed, "`analyst`"),
        (["Agent"], Errand("nobody", "x"), NotAllowed, "`researcher`"),
        (["Agent(lost)"], Errand("lost", "x"), Unknown, "no profile lost"),
        (["Agent"], Errand("analyst", " "), BadInput, "empty"),
        (["Agent"], Errand("analyst", "x" * 64_001), BadInput, "64,000"),
    ],
)
def test_what_a_member_may_not_ask_for_is_refused_with_what_it_may(tools, errand, refusal, words):
    with pytest.raises(refusal) as no:
        chosen(member(*tools), errand, PROFILES)
    assert words in no.value.what + no.value.why
    assert no.value.next


@pytest.mark.requirement("RUN-13")
@pytest.mark.parametrize("protocol", ["unverified", "paused"])
def test_a_member_that_is_not_verified_starts_nobody(protocol):
    refuse_unverified("ada", "")
    refuse_unverified("ada", "approved")
    with pytest.raises(NotVerified):
        refuse_unverified("ada", protocol)
    for tool in ("Agent", "mcp__drumline__subagent_ask"):
        assert ruled(tool, {}, role="teammate", protocol=protocol).constraint == "C-PROTO-001"
    assert command("drumline subagent ask x y", protocol=protocol).constraint == "C-PROTO-001"
    assert command("drumline task ready", protocol=protocol).allowed


@pytest.mark.requirement("RUN-13")
def test_a_subagent_has_what_both_lists_have():
    assert shared_tools(member("Read", "Write", "Agent"), ANALYST) == ("Read",)
    assert shared_tools(member("Read", "Bash(git:*)"), ANALYST) == ("Read", "Bash")
    assert shared_tools(member("Read", "Write", "Agent", "Task(x)"), RESEARCHER) == ("Read",)
    anything = Profile(name="anything", denied=("Write",))
    assert shared_tools(member("Read", "Write", "Agent", "Task(x)"), anything) == ("Read",)


@pytest.mark.requirement("GUARD-15")
@pytest.mark.parametrize(
    ("tools", "said", "beside"),
    [
        (("Read",), True, True),
        (("Read", "Bash(git:*)"), True, True),
        (("Read",), False, False),
        (("Read", "Edit"), True, False),
        (("Bash",), True, False),
        (None, True, False),
    ],
)
def test_nobody_is_left_to_work_beside_its_starter_who_may_write(tools, said, beside):
    profile = Profile(name="x", tools=tools, background=said)
    assert works_beside(profile) is beside
    assert startable_facts(["Agent"], {"x": profile})["x"]["background"] is beside


@pytest.mark.parametrize(
    ("profile", "starter", "model"),
    [
        (ANALYST, member(model="haiku"), "sonnet"),
        (Profile(name="x"), member(model="haiku"), "haiku"),
        (Profile(name="x", model="inherit"), member(model="haiku"), "haiku"),
        (ANALYST, member(runtime="codex", model="gpt-6"), "gpt-6"),
        (Profile(name="x", model="gpt-7"), member(runtime="codex", model="gpt-6"), "gpt-7"),
    ],
)
def test_a_subagent_has_its_profile_s_model_where_its_runtime_knows_it(profile, starter, model):
    assert model_of(profile, starter) == model


def as_subagent(tool, given, profile="analyst", **facts):
    """A ruling on a call of a subagent of a member with these facts."""
    held = startable_facts(["Agent"], PROFILES)
    facts = {"role": "teammate", "startable": held, "subagent": profile, **facts}
    return ruled(tool, given, **facts)


@pytest.mark.requirement("RUN-13", "GUARD-21")
@pytest.mark.parametrize(
    ("tool", "given", "facts", "constraint"),
    [
        ("Read", {"file_path": "a"}, {}, ""),
        ("Write", {"file_path": "a"}, {"owns": ["**"]}, "C-TOOL-001"),
        ("Bash", {"command": "npm test"}, {"tools": ["Read", "Bash"]}, ""),
        ("Bash", {"command": "npm test"}, {"tools": ["Bash(git:*)"]}, "C-TOOL-001"),
        ("Bash", {"command": "git push"}, {}, "C-TEAM-004"),
        ("Write", {"file_path": "a"}, {"subagent": "researcher"}, "C-TOOL-001"),
        ("Read", {"file_path": "a"}, {"subagent": "researcher"}, ""),
        ("Agent", {"prompt": "x", "run_in_background": False}, {}, "C-TASK-006"),
        ("Agent", {"prompt": "x"}, {"role": "lead"}, "C-TOOL-001"),
        ("mcp__drumline__mail_send", {}, {}, "C-TASK-006"),
        ("mcp__drumline__mail_send", {}, {"role": "lead"}, "C-TOOL-001"),
        ("Bash", {"command": "drumline mail send --to lead x"}, {}, "C-TASK-006"),
        ("Bash", {"command": "touch a"}, {"reads_only": True, "owns": ["**"]}, "C-TASK-006"),
        ("Bash", {"command": "touch a"}, {"owns": ["**"]}, ""),
        ("Bash", {"command": "cat a"}, {"reads_only": True}, ""),
    ],
)
def test_a_subagent_is_held_to_its_starter_s_rules_and_to_its_own_profile(
    tool, given, facts, constraint
):
    assert as_subagent(tool, given, **facts).constraint == constraint


@pytest.mark.requirement("RUN-13", "GUARD-15")
@pytest.mark.parametrize(
    ("tools", "given", "constraint"),
    [
        (["Agent(analyst)"], {"subagent_type": "analyst"}, ""),
        (["Task(analyst)"], {"subagent_type": "analyst"}, ""),
        (["Task(analyst, researcher)"], {"subagent_type": "researcher"}, ""),
        (["Agent(analyst)"], {"subagent_type": "researcher"}, "C-TOOL-001"),
        (["Agent(analyst)"], {}, "C-TOOL-001"),
        (["Agent"], {}, ""),
        (["Read"], {"subagent_type": "analyst"}, "C-TOOL-001"),
        (["Agent"], {"subagent_type": "analyst", "run_in_background": True}, "C-TASK-005"),
        (["Agent"], {"subagent_type": "researcher", "run_in_background": True}, ""),
        (["Agent"], {"subagent_type": "analyst", "model": "opus"}, "C-TASK-005"),
        (["Agent"], {"subagent_type": "researcher", "model": "opus"}, ""),
        (["Agent"], {"subagent_type": "analyst", "team_name": "mine"}, "C-TASK-004"),
    ],
)
def test_a_cli_s_own_subagents_are_started_as_their_profiles_say(tools, given, constraint):
    waited = {"prompt": "x", "run_in_background": False, **given}
    facts = {"role": "teammate", "tools": tools, "startable": startable_facts(tools, PROFILES)}
    for tool in ("Agent", "Task"):
        assert ruled(tool, waited, **facts).constraint == constraint


def test_a_subagent_is_told_who_it_is_and_what_its_profile_says():
    profile = Profile(name="analyst", words="Judge one dimension.")
    said = told(profile, "ada", Language(people="Welsh"), "None.")
    assert said.startswith("You are a subagent of ada, of the profile analyst.")
    assert "30,000 characters" in said
    assert "Welsh" in said
    assert said.endswith("## Team rules\n\nNone.\n\n## Your profile\n\nJudge one dimension.")
