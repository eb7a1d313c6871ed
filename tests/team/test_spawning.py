"""What a member's start must keep to."""

import pytest

from drumline.errors import NotAllowed
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.profile import Profile
from drumline.team.spawning import refuse_unruly, unruly

CODER = Profile(name="coder", tools=("Read", "Edit", "Bash(git:*)"), model="haiku")
LOOKER = Profile(name="looker", tools=("Read",), background=True)
BUILDER = Profile(name="builder", tools=("Read", "Write"), background=True)
ANYTHING = Profile(name="anything", background=True)
FOUNDER = Profile(name="founder", tools=("Read", "TeamCreate"))
KNOWN = {each.name: each for each in (CODER, LOOKER, BUILDER, ANYTHING, FOUNDER)}


def member(**facts):
    return MemberEntry(**{"name": "ada", "role": "Builds", "tools": ("Read",), "owns": (), **facts})


def broken(entry, lead="human", profile=CODER):
    manifest = Manifest(team="atlas", description="d", members=(entry,), lead=lead)
    return list(unruly(manifest, entry, {**KNOWN, profile.name: profile}))


@pytest.mark.requirement("GUARD-15")
@pytest.mark.parametrize(
    ("entry", "lead", "words"),
    [
        (member(), "human", []),
        (member(model="opus"), "human", ["the lead's model"]),
        (member(model="claude-opus-4-1"), "human", ["the lead's model"]),
        (member(model="opus"), "ada", []),
        (member(profile="coder", tools=("Read", "Edit")), "human", []),
        (member(profile="coder", tools=("Bash(git:*)",)), "human", []),
        (member(profile="coder", tools=("Bash",)), "human", ["not a tool of its profile"]),
        (member(profile="coder", tools=("Write",)), "human", ["not a tool of its profile"]),
        (member(profile="unknown", tools=("Write",)), "human", []),
        (member(tools=("Read", "TeamCreate")), "human", ["a team inside a team"]),
        (member(tools=("Agent", "Task(coder, looker)")), "human", []),
        (member(tools=("Agent(general-purpose)",)), "human", []),
        (member(tools=("Agent(lost)",)), "human", ["a profile that does not exist"]),
        (member(tools=("Task(founder)",)), "human", ["a team inside a team"]),
        (member(tools=("Task(builder, anything)",)), "human", ["write beside it"] * 2),
    ],
)
def test_each_rule_of_spawning_is_checked(entry, lead, words):
    found = broken(entry, lead)
    assert len(found) == len(words)
    assert all(word in said for word, said in zip(words, found, strict=True))


@pytest.mark.requirement("GUARD-15")
def test_a_profile_that_names_the_strongest_model_may_have_it():
    strong = Profile(name="coder", model="opus")
    assert broken(member(profile="coder", model="opus"), profile=strong) == []


@pytest.mark.requirement("GUARD-15")
def test_a_start_against_the_rules_is_refused_with_all_of_them():
    entry = member(model="opus", tools=("TeamCreate",))
    manifest = Manifest(team="atlas", description="d", members=(entry,))
    with pytest.raises(NotAllowed, match="2 rules") as refused:
        refuse_unruly(manifest, entry, {})
    assert "a team inside a team" in refused.value.why
