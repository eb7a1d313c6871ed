"""What a confinement says: of variables, of itself as words, and of what no layer covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from drumline.team.confinement import SECRETS, Confinement, Environment, matches, read
from drumline.team.layer import NOT_COVERED, Layer, missing, uncovered

PATHS = some.lists(some.text(some.characters(exclude_characters="\0"), min_size=1), max_size=3)


@pytest.mark.requirement("GUARD-22")
@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "GITHUB_TOKEN",
        "TOKEN",
        "npm_config__authToken",
        "CLIENT_SECRET",
        "DB_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "AWS_ACCESS_KEY_ID",
        "AWS_PROFILE",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "DEPLOY_PRIVATE_KEY",
        "OPENAI_KEY",
        "PRIVATEKEY",
        "NPM_AUTH",
        "MYPASS",
        "DATABASE_URL",
        "SENTRY_DSN",
        "SLACK_WEBHOOK",
        "SSH_AUTH_SOCK",
    ],
)
def test_a_key_by_its_name_stays_outside(name):
    assert Environment().removes(name)
    assert not Environment(keep=[name]).removes(name)


@pytest.mark.requirement("GUARD-22")
@pytest.mark.parametrize(
    "name",
    ["PATH", "HOME", "LANG", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "TOKENIZERS_PARALLELISM", "PWD"],
)
def test_what_is_no_key_stays(name):
    assert Environment().left({name: "x"}) == {name: "x"}


@pytest.mark.requirement("GUARD-22")
@given(some.sampled_from(SECRETS), some.text("aZ_*", max_size=3))
def test_what_fits_a_pattern_of_secrets_stays_outside_and_nothing_else(pattern, other):
    name = pattern.replace("*", other)
    for each in (name, name.lower(), name[1:], name[:-1], f"{name}{other}", f"{other}{name}"):
        assert Environment().removes(each) == any(matches(each, secret) for secret in SECRETS)


@pytest.mark.requirement("GUARD-22")
def test_a_setting_names_more_and_a_kept_name_wins():
    said = Environment(keep=["OUR_TOKEN"], drop=["OUR_*", "*_PIN"])
    variables = {"OUR_TOKEN": "1", "OUR_PLACE": "2", "CARD_PIN": "3", "HOME": "4"}
    assert said.left(variables) == {"OUR_TOKEN": "1", "HOME": "4"}


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("A_TOKEN", "*_TOKEN", True),
        ("a_token", "*_TOKEN", True),
        ("TOKEN_A", "*_TOKEN", False),
        ("AWS_X", "AWS_*", True),
        ("AWS_", "AWS_*", True),
        ("XAWS_", "AWS_*", False),
        ("ABA", "AB*BA", False),
        ("AB_BA", "AB*BA", True),
        ("EXACT", "EXACT", True),
    ],
)
def test_a_pattern_has_one_star(name, pattern, fits):
    assert matches(name, pattern) is fits


@given(
    PATHS,
    PATHS,
    some.tuples(PATHS, PATHS),
    some.none() | some.lists(some.integers(1, 65535), max_size=3),
    some.lists(some.integers(3, 99), max_size=3),
)
def test_a_confinement_survives_being_written_as_words(writable, holes, sight, ports, descriptors):
    said = Confinement(
        writable=writable,
        holes=holes,
        hidden=sight[0],
        shown=sight[1],
        ports=ports,
        environment=Environment(keep=["A"], drop=["B_*"]),
        descriptors=descriptors,
    )
    assert read(said.words()) == said


def test_a_confinement_is_fixed():
    said = Confinement(writable=["/a"])
    with pytest.raises(AttributeError):
        said.writable = ("/",)
    assert said.adding(writable=["/b"], holes=["/a/c"]).writable == ("/a", "/b")
    assert said.writable == ("/a",)
    more = said.adding(hidden=["/b"], shown=["/b/c"])
    assert (more.hidden, more.shown) == (("/b",), ("/b/c",))
    assert more.adding(writable=["/d"]).hidden == ("/b",)


def test_what_a_layer_covers_is_not_said_to_be_uncovered():
    names = {name for gap in NOT_COVERED for name in gap.covered_by}
    everything = [Layer(name, "", active=True) for name in names]
    nothing = [Layer(name, "why", active=False) for name in names]
    assert uncovered(nothing) == list(NOT_COVERED)
    assert [gap for gap in uncovered(everything) if gap.covered_by] == []
    assert missing(nothing) == nothing
    assert missing(everything) == []
