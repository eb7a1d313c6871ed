"""What a team's own pipeline may say, and what is said about one that may not."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import drumline.team
from drumline.store.manifests import read_text
from drumline.team.document import Node, Problem, Reading
from drumline.team.pipeline import Challenge, CountedBy, Loop, Obligation, Phase, Pipeline, Zone
from drumline.team.pipeline_form import Around, read_pipeline, refused, schema
from drumline.team.tier import Tier
from tests.trying import tries

pytestmark = pytest.mark.requirement("PIPE-01")

SHIPPED = Path(drumline.team.__file__).with_name("pipeline.schema.json")
CHECK = jsonschema.Draft202012Validator(schema())
AROUND = Around(
    profiles=("analyst", "coordinator", "implementer"),
    taken={"constitution-4": "a preset", "other": "drumline/pipelines/other.yaml"},
)
DOCUMENT = """\
pipeline: careful
description: Look twice
iterations: 2
embeds: false
shares: {before: 0.7, execution: 0.3}
phases:
  - name: look
    title: Look around
    zone: before
    domain: design
    profile: analyst
    least: 2
    most: 3
    counted: domains
    coordinator: coordinator
    effort: max
    loop: planning
    challenge: {questions: 2, alternative: true}
    verified: true
    human: true
    tools: {"mcp__github__*": mandatory}
    skills: [plan-static]
  - name: build
    title: Build
    zone: execution
    profile: implementer
  - name: hand-over
    title: Hand over
    zone: after
    delivers: true
paths:
  trivial: [build, hand-over]
  standard: [look, build, hand-over]
  complex: [look, build, hand-over]
subagents:
  standard: [look]
"""


def problems(text: str) -> tuple[Problem, ...]:
    return read_pipeline(read_text(text), AROUND)[1]


def changed(old: str, new: str) -> str:
    assert DOCUMENT.count(old) == 1
    return DOCUMENT.replace(old, new)


def test_everything_a_pipeline_can_say_is_read():
    found, wrong = read_pipeline(read_text(DOCUMENT), AROUND)
    assert wrong == ()
    assert found == Pipeline(
        name="careful",
        description="Look twice",
        iterations=2,
        embeds=False,
        shares={Zone.BEFORE: 0.7, Zone.EXECUTION: 0.3},
        phases=(
            Phase(
                name="look",
                title="Look around",
                zone=Zone.BEFORE,
                domain="design",
                profile="analyst",
                least=2,
                most=3,
                counted=CountedBy.DOMAINS,
                coordinator="coordinator",
                effort="max",
                loop=Loop.PLANNING,
                challenge=Challenge(questions=2, alternative=True),
                verified=True,
                human=True,
                tools={"mcp__github__*": Obligation.MANDATORY},
                skills=("plan-static",),
            ),
            Phase(name="build", title="Build", zone=Zone.EXECUTION, profile="implementer"),
            Phase(name="hand-over", title="Hand over", zone=Zone.AFTER, delivers=True),
        ),
        paths={
            Tier.TRIVIAL: ("build", "hand-over"),
            Tier.STANDARD: ("look", "build", "hand-over"),
            Tier.COMPLEX: ("look", "build", "hand-over"),
        },
        subagents={Tier.STANDARD: ("look",)},
    )


TRIVIAL = "trivial: [build, hand-over]"
FLAWS = [
    pytest.param(
        *("profile: implementer", "profile: implementor", 26, "phases[1].profile"),
        "'implementor', a profile that does not exist; allowed: analyst, coordinator, implementer"
        " (did you mean implementer?)",
        id="unknown profile",
    ),
    pytest.param(
        *("coordinator: coordinator", "coordinator: joiner", 15, "phases[0].coordinator"),
        "'joiner', a profile that does not exist",
        id="unknown coordinator",
    ),
    pytest.param(
        *(TRIVIAL, "trivial: [bild, hand-over]", 32, "paths.trivial[0]"),
        "'bild', which is no phase; allowed: look, build, hand-over (did you mean build?)",
        id="path names no phase",
    ),
    pytest.param(
        *(TRIVIAL, "trivial: [build, build, hand-over]", 32, "paths.trivial[1]"),
        "'build' a second time",
        id="path goes in a circle",
    ),
    pytest.param(
        *(TRIVIAL, "trivial: [build, look, hand-over]", 32, "paths.trivial[1]"),
        "'look' after 'build'",
        id="path goes back",
    ),
    pytest.param(
        *(TRIVIAL, "trivial: [build]", 32, "paths.trivial[0]"),
        "'build' at the end, which does not deliver",
        id="path without an end",
    ),
    pytest.param(
        *(f"  {TRIVIAL}\n", "", 31, "paths.trivial"),
        "found nothing; allowed: a list of phases, at least 1",
        id="tier without a path",
    ),
    pytest.param(
        *(TRIVIAL, "trivial: []", 32, "paths.trivial"), "an empty list", id="path of no phase"
    ),
    pytest.param(
        *(TRIVIAL, "trivial: [1, hand-over]", 32, "paths.trivial[0]"),
        'quote a number: "1"',
        id="a number for a name",
    ),
    pytest.param(
        *("    title: Build\n", "    title: Build\n    delivers: true\n", 27, "phases[1].profile"),
        "'implementer' in a phase that delivers",
        id="somebody works in what delivers",
    ),
    pytest.param(
        *("least: 2", "least: 4", 12, "phases[0].least"),
        "4, more than most, which is 3; allowed: a whole number from 1 to 3",
        id="least above most",
    ),
    pytest.param(
        *("least: 2", "least: 4.0", 12, "phases[0].least"), "4.0, more than most", id="as a fraction"
    ),
    pytest.param(
        *("least: 2", "least: 0", 12, "phases[0].least"),
        "found 0; allowed: a whole number from 1 to 100",
        id="nobody",
    ),
    pytest.param(
        *("most: 3", "most: 0", 13, "phases[0].most"), "found 0; allowed: a whole", id="at most 0"
    ),
    pytest.param(
        *("name: build", "name: look", 23, "phases[1].name"),
        "'look', already on line 7",
        id="two phases of one name",
    ),
    pytest.param(
        *("execution: 0.3", "execution: 0.5", 5, "shares"),
        "a sum of 1.2; allowed: shares whose sum is 1",
        id="shares of more than all",
    ),
    pytest.param(
        *("pipeline: careful", "pipeline: constitution-4", 1, "pipeline"),
        "'constitution-4', which is the name of a preset",
        id="a preset's name",
    ),
    pytest.param(
        *("pipeline: careful", "pipeline: other", 1, "pipeline"),
        "'other', which is the name of drumline/pipelines/other.yaml",
        id="another file's name",
    ),
    pytest.param(
        *("zone: after", "zone: before", 29, "phases[2].zone"),
        "before after a phase of execution; allowed: execution | after",
        id="a zone gone back to",
    ),
    pytest.param(
        *("    profile: implementer\n", "    verified: true\n", 26, "phases[1].verified"),
        "verified where the lead is alone",
        id="nobody to verify",
    ),
    pytest.param(
        *("    verified: true\n", "", 18, "phases[0].challenge"),
        "a challenge without verified",
        id="a challenge nobody answers",
    ),
    pytest.param(
        *("standard: [look]\n", "trivial: [look]\n", 36, "subagents.trivial[0]"),
        "'look', which is not on the path of trivial",
        id="subagents beside the path",
    ),
    pytest.param(
        *("effort: max", "effort: heroic", 16, "phases[0].effort"),
        "allowed: low | medium | high | max",
        id="unknown effort",
    ),
    pytest.param(
        *("iterations: 2", "iteration: 2", 3, "iteration"),
        "did you mean iterations?",
        id="unknown field",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "field", "said"), FLAWS)
def test_a_flaw_is_told_with_its_line_and_what_is_allowed(old, new, line, field, said):
    found = {(one.line, one.field): one.sentence for one in problems(changed(old, new))}
    assert said in found[line, field]


def test_a_phase_on_no_path_is_told():
    text = DOCUMENT.replace("[look, build, hand-over]", "[build, hand-over]")
    assert [(one.line, one.field, one.found) for one in problems(text)] == [
        (7, "phases[0].name", "'look', which is on no path"),
        (36, "subagents.standard[0]", "'look', which is not on the path of standard"),
    ]


def test_a_delivery_before_the_end_is_told():
    text = DOCUMENT.replace(
        "    delivers: true", "    delivers: true\n  - {name: late, title: Late, zone: after}"
    )
    text = text.replace(TRIVIAL, "trivial: [build, hand-over, late]")
    assert [one.sentence.partition(";")[0] for one in problems(text)] == [
        "paths.trivial[1]: found 'hand-over', which delivers, before the end",
        "paths.trivial[2]: found 'late' at the end, which does not deliver",
    ]


def test_every_problem_is_told_at_once_in_the_order_of_lines():
    text = changed("least: 2", "least: 9").replace(TRIVIAL, "trivial: [nowhere]")
    text = text.replace("zone: execution", "zone: soon").replace("0.3}", "0.4}")
    assert [one.line for one in problems(text)] == [5, 12, 25, 32]


def test_as_many_as_at_least_work_where_nothing_is_said_of_most():
    found, _ = read_pipeline(read_text(changed("    most: 3\n", "")), AROUND)
    assert found is not None
    assert (found.phase("look").least, found.phase("look").most) == (2, 2)


def test_a_refusal_lists_the_problems_with_their_file():
    wrong = problems(changed("effort: max", "effort: heroic"))
    error = refused("drumline/pipelines/careful.yaml", wrong)
    assert error.what == "drumline/pipelines/careful.yaml has 1 problem"
    assert error.why.startswith("drumline/pipelines/careful.yaml:16: phases[0].effort: found")
    assert error.next.endswith("drumline pipeline check")


def test_the_shipped_schema_is_the_one_the_code_generates():
    assert json.loads(SHIPPED.read_text()) == schema()


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


NAMES = ["name", "title", "zone", "profile", "least", "most", "challenge", "tools", "skills"]
NAMES += ["phases", "paths", "subagents", "shares", "pipeline", "trivial", "delivers", "before"]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 101),
    st.floats(allow_nan=False),
    st.sampled_from(
        ["look", "build", "hand-over", "1", "", "before", "mandatory", "a b", "x" * 201]
    ),
    st.text(max_size=5).filter(lambda text: not text.endswith("\n")),
)
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


def node(value: object) -> Node:
    if isinstance(value, dict):
        return Node({name: node(inner) for name, inner in value.items()}, 1)
    if isinstance(value, list):
        return Node(tuple(node(inner) for inner in value), 1)
    assert value is None or isinstance(value, str | int | float | bool)
    return Node(value, 1)


def document() -> dict[str, object]:
    return {
        "pipeline": "careful",
        "description": "x",
        "phases": [{"name": "build", "title": "x", "zone": "after", "delivers": True}],
        "paths": {"trivial": ["build"], "standard": ["build"], "complex": ["build"]},
    }


@settings(max_examples=tries(400), deadline=None)
@given(st.sampled_from(["phases", "paths", "subagents", "shares", "iterations", "x"]), trees)
def test_what_the_check_takes_the_schema_takes_too(field, value):
    said = document() | {field: value}
    found, wrong = read_pipeline(Reading(node(said)), AROUND)
    assert (found is None) is bool(wrong)
    assert found is None or CHECK.is_valid(said)


@settings(max_examples=tries(400), deadline=None)
@given(st.sampled_from(["iterations", "embeds", "description", "x"]), trees)
def test_check_and_schema_agree_where_no_path_is_concerned(field, value):
    said = document() | {field: value}
    found, _ = read_pipeline(Reading(node(said)), AROUND)
    assert (found is not None) is CHECK.is_valid(said)


@settings(max_examples=tries(400), deadline=None)
@given(st.sampled_from(["title", "domain", "effort", "loop", "human", "tools", "skills"]), trees)
def test_check_and_schema_agree_about_a_phase(field, value):
    phase = {"name": "build", "title": "x", "zone": "after", "delivers": True} | {field: value}
    said = document() | {"phases": [phase]}
    found, _ = read_pipeline(Reading(node(said)), AROUND)
    assert (found is not None) is CHECK.is_valid(said)
