"""The pipelines that come with the constitutions."""

import pytest

from drumline.errors import Unknown
from drumline.team.pipeline import Challenge, Execution, Loop, Obligation, Zone
from drumline.team.pipelines import SHIPPED
from drumline.team.presets import PRESETS
from drumline.team.rights import CONSTITUTIONS
from drumline.team.run_mode import MODES, LeadWork, RunMode
from drumline.team.tier import Tier

FOUR, TEN = SHIPPED["constitution-4"], SHIPPED["constitution-10"]
BOTH = pytest.mark.parametrize(
    "pipeline", [pytest.param(each, id=each.name) for each in (FOUR, TEN)]
)

NONE, MEDIUM, HIGH = Challenge(), Challenge(questions=1), Challenge(questions=2)
MAXIMUM = Challenge(questions=3, alternative=True)


@pytest.mark.requirement("PIPE-01")
def test_every_constitution_has_its_pipeline():
    assert SHIPPED.keys() == CONSTITUTIONS.keys()


@pytest.mark.requirement("PIPE-01", "PIPE-06", "PIPE-19")
@pytest.mark.parametrize(
    ("name", "zone", "profile", "counts", "effort"),
    [
        ("1", "before", "", (1, 1), "max"),
        ("2", "before", "researcher", (1, 3), "max"),
        ("3", "before", "architect", (1, 1), "max"),
        ("4", "before", "architect", (1, 1), "high"),
        ("5", "before", "devils-advocate", (1, 1), "max"),
        ("6", "execution", "implementer", (1, 4), "high"),
        ("7", "execution", "tester", (1, 2), "high"),
        ("8", "execution", "integrator", (1, 1), "high"),
        ("9", "after", "", (1, 1), "medium"),
    ],
)
def test_who_works_in_each_phase_of_constitution_4(name, zone, profile, counts, effort):
    phase = FOUR.phase(name)
    assert (phase.zone, phase.profile, (phase.least, phase.most)) == (zone, profile, counts)
    assert phase.effort == effort


@pytest.mark.requirement("PIPE-01", "PIPE-06")
@pytest.mark.parametrize(
    ("name", "zone", "who", "joined_by", "skills"),
    [
        ("P0", "before", ("", 1, 1), "", 3),
        ("P1", "before", ("analyst", 1, 3), "", 3),
        ("P2", "before", ("researcher", 1, 3), "coordinator", 9),
        ("P3", "before", ("analyst", 1, 4), "coordinator", 4),
        ("P4", "before", ("analyst", 1, 4), "coordinator", 5),
        ("P5", "execution", ("analyst", 1, 4), "coordinator", 5),
        ("P6", "execution", ("implementer", 1, 4), "", 5),
        ("P7", "execution", ("analyst", 1, 4), "", 4),
        ("P8", "after", ("", 1, 1), "", 1),
    ],
)
def test_who_works_in_each_phase_of_constitution_10(name, zone, who, joined_by, skills):
    phase = TEN.phase(name)
    assert (phase.zone, (phase.profile, phase.least, phase.most)) == (zone, who)
    assert (phase.coordinator, len(phase.skills)) == (joined_by, skills)


@BOTH
@pytest.mark.requirement("PIPE-01")
def test_a_preset_names_only_profiles_that_its_constitution_ships(pipeline):
    shipped = {"", *(each.name for each in PRESETS[pipeline.name])}
    assert {each.profile for each in pipeline.phases} <= shipped
    assert {each.coordinator for each in pipeline.phases} <= shipped


@pytest.mark.requirement("PIPE-02")
@pytest.mark.parametrize(
    ("pipeline", "tier", "path"),
    [
        (FOUR, Tier.TRIVIAL, "1 6 9"),
        (FOUR, Tier.STANDARD, "1 2 3 4 6 7 9"),
        (FOUR, Tier.COMPLEX, "1 2 3 4 5 6 7 8 9"),
        (TEN, Tier.TRIVIAL, "P0 P6 P8"),
        (TEN, Tier.STANDARD, "P0 P1 P2 P3 P6 P7 P8"),
        (TEN, Tier.COMPLEX, "P0 P1 P2 P3 P4 P5 P6 P7 P8"),
    ],
)
def test_a_tier_has_its_path(pipeline, tier, path):
    assert [phase.name for phase in pipeline.path(tier)] == path.split()


@BOTH
@pytest.mark.parametrize("tier", Tier)
@pytest.mark.requirement("PIPE-02")
def test_a_path_is_followed_phase_by_phase_to_its_end(pipeline, tier):
    walked = [pipeline.path(tier)[0]]
    while following := pipeline.after(tier, walked[-1].name):
        walked.append(following)
    assert tuple(walked) == pipeline.path(tier)


@pytest.mark.requirement("PIPE-02")
@pytest.mark.parametrize(
    ("tier", "by_subagents"),
    [(Tier.TRIVIAL, ["P0"]), (Tier.STANDARD, ["P0", "P1"]), (Tier.COMPLEX, [])],
)
def test_before_research_a_smaller_change_needs_no_team(tier, by_subagents):
    path = [phase.name for phase in TEN.path(tier)]
    found = [name for name in path if TEN.execution(tier, name) is Execution.SUBAGENTS]
    assert found == by_subagents


@pytest.mark.requirement("PIPE-06")
@pytest.mark.parametrize(("number", "members"), [(0, 1), (1, 1), (3, 3), (4, 4), (9, 4)])
def test_modules_decide_how_many_implement_within_the_limits(number, members):
    assert FOUR.phase("6").members(number) == TEN.phase("P6").members(number) == members


@BOTH
@pytest.mark.requirement("PIPE-06")
def test_research_is_counted_by_domains_and_nothing_else_is(pipeline):
    by_domains = [phase.title for phase in pipeline.phases if phase.counted == "domains"]
    assert [title.lower().endswith("research") for title in by_domains] == [True]


@pytest.mark.requirement("PIPE-01")
def test_understanding_is_tried_harder_the_more_depends_on_it():
    tried = {phase.name: phase.challenge for phase in FOUR.phases}
    by_phase = (NONE, MEDIUM, MAXIMUM, MAXIMUM, NONE, HIGH, MEDIUM, HIGH, NONE)
    assert tried == dict(zip("123456789", by_phase, strict=True))


@pytest.mark.requirement("PIPE-10")
@pytest.mark.parametrize(
    ("name", "tavily", "context7", "github"),
    [
        ("1", "recommended", "recommended", "recommended"),
        ("2", "mandatory", "mandatory", "mandatory"),
        ("3", "mandatory", "as needed", "as needed"),
        ("4", "mandatory", "mandatory", "as needed"),
        ("5", "as needed", "as needed", "as needed"),
        ("6", "as needed", "mandatory", "as needed"),
        ("7", "as needed", "as needed", "as needed"),
        ("8", "as needed", "as needed", "as needed"),
        ("9", None, None, None),
    ],
)
def test_each_phase_says_how_much_each_tool_is_to_be_used(name, tavily, context7, github):
    tools = FOUR.phase(name).tools
    assert tools["mcp__sequential-thinking__*"] is Obligation.MANDATORY
    found = [tools.get(f"mcp__{server}__*") for server in ("tavily", "context7", "github")]
    assert found == [tavily, context7, github]


@pytest.mark.requirement("PIPE-01")
def test_a_phase_of_constitution_10_has_the_loop_of_what_is_done_in_it():
    loops = [phase.loop for phase in TEN.phases if not phase.delivers]
    assert loops == [
        *(Loop.VALIDATION, Loop.FEASIBILITY, Loop.VALIDATION, Loop.PLANNING, Loop.PLANNING),
        *(Loop.PLANNING, Loop.EXECUTION, Loop.EXECUTION),
    ]


@pytest.mark.requirement("PIPE-19")
@pytest.mark.parametrize(
    ("zone", "share", "kept"),
    [
        (Zone.BEFORE, 0.69, False),
        (Zone.BEFORE, 0.70, True),
        (Zone.BEFORE, 0.80, True),
        (Zone.BEFORE, 0.81, False),
        (Zone.EXECUTION, 0.19, False),
        (Zone.EXECUTION, 0.20, True),
        (Zone.EXECUTION, 0.30, True),
        (Zone.EXECUTION, 0.31, False),
        (Zone.AFTER, 0.5, None),
    ],
)
def test_most_of_the_cost_is_meant_for_what_comes_before_execution(zone, share, kept):
    assert FOUR.kept(zone, share) is kept


@pytest.mark.requirement("PIPE-01")
def test_briefs_carry_the_context_under_one_constitution_and_name_it_under_the_other():
    assert (FOUR.embeds, TEN.embeds) == (True, False)


def test_a_phase_that_is_not_there_is_refused_with_the_way_to_see_them():
    with pytest.raises(Unknown, match="no phase 'P9'") as refused:
        TEN.phase("P9")
    assert refused.value.next == "drumline pipeline show constitution-10"


@pytest.mark.requirement("PIPE-18")
def test_a_delegating_lead_only_coordinates_and_members_write_to_each_other():
    assert MODES[RunMode.DELEGATE].lead == {LeadWork.COORDINATE}
    assert [mode for mode, rules in MODES.items() if rules.peers] == [RunMode.DELEGATE]


@pytest.mark.requirement("PIPE-18")
def test_only_in_a_single_session_is_only_the_synthesis_read():
    assert [mode for mode, rules in MODES.items() if rules.only_synthesis] == [
        RunMode.SINGLE_SESSION
    ]


def test_a_person_decides_at_the_gates_that_a_team_names_and_nowhere_else():
    at = TEN.with_people_at(["P3", "P6"])
    assert [each.name for each in at.phases if each.human] == ["P3", "P6"]


def test_a_gate_that_no_phase_has_is_refused_with_where_to_look():
    with pytest.raises(Unknown) as refused:
        TEN.with_people_at(["P12"])
    assert refused.value.next == "drumline pipeline show constitution-10"
