"""Who a process acts for: set at launch, read by hooks, changed by nobody."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.identity import (
    ALIASES,
    VARIABLES,
    Identity,
    environment,
    identity,
    is_identity,
)

pytestmark = pytest.mark.requirement("GUARD-20")

ADA = Identity(
    team="atlas",
    member="ada",
    role="teammate",
    model="sonnet",
    provider="anthropic",
    trace="run-7",
    incarnation="3",
    standing="/repo/.drumline/standing/ada.json",
)


def test_what_a_launch_sets_a_hook_reads_back():
    assert identity(environment(ADA)) == ADA


@given(st.fixed_dictionaries({name: st.text() for name in VARIABLES}))
def test_any_identity_survives_the_way_through_the_environment(facts):
    assert identity(environment(Identity(**facts))) == Identity(**facts)


def test_the_documented_variables_are_the_ones_set():
    assert environment(ADA) == {
        "DRUMLINE_TEAM": "atlas",
        "DRUMLINE_MEMBER": "ada",
        "DRUMLINE_ROLE": "teammate",
        "DRUMLINE_MODEL": "sonnet",
        "DRUMLINE_PROVIDER": "anthropic",
        "DRUMLINE_TRACE": "run-7",
        "DRUMLINE_INCARNATION": "3",
        "DRUMLINE_STANDING": "/repo/.drumline/standing/ada.json",
    }


def test_unset_means_empty():
    nobody = identity({"HOME": "/root"})
    assert nobody == Identity()
    assert set(environment(nobody).values()) == {""}


@pytest.mark.parametrize(
    ("variable", "field"),
    [
        ("LOA_TEAM_ID", "team"),
        ("LOA_TEAM_MEMBER", "member"),
        ("LOA_CURRENT_MODEL", "model"),
        ("LOA_CURRENT_PROVIDER", "provider"),
        ("LOA_TRACE_ID", "trace"),
    ],
)
def test_an_alias_is_read_where_our_own_name_is_not_set(variable, field):
    assert identity({variable: "theirs"}) == Identity(**{field: "theirs"})
    assert identity({variable: "theirs", VARIABLES[field]: "ours"}) == Identity(**{field: "ours"})


def test_an_inherited_alias_never_speaks_for_a_launch_that_left_a_fact_empty():
    inherited = dict.fromkeys(ALIASES.values(), "someone else")
    assert identity(inherited | environment(Identity(member="ada"))) == Identity(member="ada")


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("DRUMLINE_MEMBER", True),
        ("DRUMLINE_ANYTHING_NEW", True),
        ("LOA_TEAM_ID", True),
        ("LOA_UNHEARD_OF", True),
        ("DRUMLINE", False),
        ("LOAD_AVERAGE", False),
        ("MY_DRUMLINE_TEAM", False),
        ("drumline_team", False),
        ("", False),
    ],
)
def test_every_name_with_our_prefix_is_ours_to_set(name, ours):
    assert is_identity(name) is ours


def test_every_variable_we_read_or_write_is_protected():
    assert all(map(is_identity, [*VARIABLES.values(), *ALIASES.values()]))


def test_an_identity_does_not_change():
    with pytest.raises(AttributeError, match="member stays"):
        ADA.member = "brook"


def test_an_identity_has_no_other_facts():
    with pytest.raises(TypeError, match="no colour"):
        Identity(colour="red")


def test_equal_identities_are_one_key_and_say_what_is_known():
    assert len({ADA, identity(environment(ADA)), Identity()}) == 2
    assert repr(Identity(team="atlas")) == "Identity(team='atlas')"
    assert Identity() != "nobody"


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


def test_a_hook_that_asks_who_it_is_loads_nothing_else():
    gained = loaded_by("import drumline.team.identity") - loaded_by("pass")
    assert gained == {"__future__", "drumline", "drumline.team", "drumline.team.identity"}
