"""What a team can choose from, and what is said of what it cannot."""

import pytest

from drumline.errors import BadInput, Unknown
from drumline.store.manifests import read_text
from drumline.team.pipeline_text import as_yaml
from drumline.team.pipelines import SHIPPED, Pipelines, read_own
from drumline.team.presets import PRESETS

pytestmark = pytest.mark.requirement("PIPE-01")

PROFILES = [each.name for each in PRESETS["constitution-4"]]
TEXT = as_yaml(SHIPPED["constitution-4"])


def named(name: str) -> str:
    return TEXT.replace("pipeline: constitution-4", f"pipeline: {name}")


def own(**files: str) -> Pipelines:
    readings = [(f"{name}.yaml", read_text(text)) for name, text in files.items()]
    return Pipelines(in_force="constitution-10", own=read_own(readings, PROFILES))


def test_a_pipeline_is_found_by_its_name_and_not_by_its_files():
    found = own(some=named("careful"))
    assert found.find("careful").name == "careful"
    assert found.source("careful") == "some.yaml"
    with pytest.raises(Unknown):
        found.find("some")


def test_without_a_name_it_is_the_one_in_force():
    assert own().find() is SHIPPED["constitution-10"]


def test_outside_a_team_none_is_in_force():
    with pytest.raises(Unknown, match="no pipeline is in force here"):
        Pipelines().find()


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(Unknown, match="no pipeline 'carefull'") as refused:
        own(some=named("careful")).find("carefull")
    assert refused.value.why == "there are constitution-4, constitution-10, careful"
    assert refused.value.next == "drumline pipeline show careful"


def test_a_broken_one_is_refused_with_its_problems_and_spoils_no_other():
    found = own(bad=named("hasty").replace("zone: after", "zone: late"), good=named("careful"))
    with pytest.raises(BadInput, match=r"bad\.yaml has 1 problem") as refused:
        found.find("hasty")
    assert "allowed: before | execution | after" in refused.value.why
    assert found.find("careful").name == "careful"


def test_a_preset_keeps_its_name():
    found = own(mine=TEXT)
    assert [each.found for each in found.own[0].problems] == [
        "'constitution-4', which is the name of a preset"
    ]
    assert found.find("constitution-4") is SHIPPED["constitution-4"]


def test_of_two_files_with_one_name_the_first_has_it():
    found = own(one=named("careful"), two=named("careful"))
    assert [each.pipeline is not None for each in found.own] == [True, False]
    assert found.own[1].problems[0].found == "'careful', which is the name of one.yaml"
    assert found.find("careful").name == "careful"


def test_a_name_that_is_none_is_not_repeated():
    (found,) = own(odd=named('"\\u001b[2J"')).own
    assert (found.name, found.pipeline) == ("", None)
