"""The JSON Schema for editors: generated from the same table as the check, and shipped."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import drumline.team
from drumline.team.document import Node, Reading
from drumline.team.manifest import read_manifest, schema
from drumline.team.text import NAME_SHAPE, is_name
from tests.trying import tries

SHIPPED = Path(drumline.team.__file__).with_name("manifest.schema.json")
CHECK = jsonschema.Draft202012Validator(schema())

texts = st.one_of(
    st.text(max_size=12).filter(lambda text: not text.endswith("\n")),
    st.sampled_from(
        ["ada", "human", "Read", "Bash(git:*)", "src/**", "../x", "claude", "15m", "25h"]
    ),
    st.sampled_from(
        ["dontAsk", "auto", "x" * 201, "/etc", ".", "a{b}", "sonnet", "constitution-4"]
    ),
)
values = st.one_of(
    texts,
    st.none(),
    st.booleans(),
    st.integers(-2, 20_000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(texts, max_size=3),
    st.dictionaries(texts, texts, max_size=2),
)
GOOD = {"name": "ada", "role": "Builds", "tools": ["Read"], "owns": ["src/**"]}
FIELDS = [
    "name",
    "role",
    "tools",
    "owns",
    "runtime",
    "profile",
    "model",
    "budget",
    "permission-mode",
]
TOP = [
    "team",
    "description",
    "defaults",
    "constitution",
    "language",
    "enabled",
    "settings",
    "checkout",
    "other",
]


def node(value: object) -> Node:
    if isinstance(value, dict):
        return Node({name: node(inner) for name, inner in value.items()}, 1)
    if isinstance(value, list):
        return Node(tuple(node(inner) for inner in value), 1)
    assert value is None or isinstance(value, str | int | float | bool)
    return Node(value, 1)


def agree(document: object) -> bool:
    manifest, _ = read_manifest(Reading(node(document)))
    return (manifest is not None) is CHECK.is_valid(document)


@pytest.mark.requirement("TEAM-02")
def test_the_shipped_schema_is_the_one_the_code_generates():
    assert json.loads(SHIPPED.read_text()) == schema()


@pytest.mark.requirement("TEAM-02")
def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.requirement("TEAM-02")
@settings(max_examples=tries(600), deadline=None)
@given(st.sampled_from(FIELDS), values)
def test_check_and_schema_agree_about_a_member(field, value):
    member = GOOD | {field: value}
    assert agree({"team": "atlas", "description": "x", "members": [member]})


@pytest.mark.requirement("TEAM-02")
@settings(max_examples=tries(600), deadline=None)
@given(st.sampled_from(TOP), values)
def test_check_and_schema_agree_about_the_team(field, value):
    assert agree({"team": "atlas", "description": "x", "members": [GOOD]} | {field: value})


@pytest.mark.requirement("TEAM-02")
@settings(max_examples=tries(300), deadline=None)
@given(
    st.sampled_from(["lease-by-hand", "max-parallel", "context-window", "lead-works"]),
    values,
)
def test_check_and_schema_agree_about_settings(field, value):
    document = {"team": "atlas", "description": "x", "members": [GOOD], "settings": {field: value}}
    assert agree(document)


@pytest.mark.requirement("TEAM-02")
@settings(max_examples=tries(300), deadline=None)
@given(
    st.sampled_from(["setup", "copy", "link", "submodules", "other"]),
    st.one_of(
        values,
        st.lists(st.lists(texts, max_size=2), max_size=2),
        st.lists(st.one_of(texts, st.lists(texts, max_size=2)), max_size=2),
        st.lists(st.text("./agitGIT ~*", min_size=1, max_size=8), max_size=1),
    ),
)
def test_check_and_schema_agree_about_checkouts(field, value):
    if isinstance(value, list) and field in {"copy", "link"}:
        value = value[:1]  # that two paths meet is beyond a schema
    document = {"team": "atlas", "description": "x", "members": [GOOD], "checkout": {field: value}}
    assert agree(document)


@given(st.text("ab0._-A\n", max_size=6))
def test_a_name_is_the_same_in_the_schema_and_everywhere_else(text):
    import re  # noqa: PLC0415 - only here

    assert (re.fullmatch(NAME_SHAPE, text) is not None) is is_name(text)
