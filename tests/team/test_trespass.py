"""Whose files handed-in work changes: a table of changes, and who may make them."""

import json
from pathlib import Path

import pytest

from drumline.team import registry
from drumline.team.standing import Standing
from drumline.team.trespass import Change, trespasses

ZONE = (".claude", ".drumline", "drumline")
POLICY = registry.compiled(
    json.loads((Path(registry.__file__).parent / "constraints.json").read_text("utf-8"))
)
NOTES = "grimoires/loa/NOTES.md"  # append-only by the rules
ADA = {"member": "ada", "role": "teammate", "isolation": "own", "owns": ["src/**"]}


def told(change, **more):
    found = trespasses([change], Standing({**ADA, **more}, "/work/ada"), POLICY, ZONE)
    return [each.path for each in found]


@pytest.mark.requirement("GUARD-07", "GUARD-11")
@pytest.mark.parametrize(
    ("change", "more"),
    [
        pytest.param(Change("docs/a.md"), {}, id="outside what it owns"),
        pytest.param(Change("docs/a.md", how="delete"), {}, id="a delete there"),
        pytest.param(Change("src/b/a.py"), {"files": ["src/a/**"]}, id="outside its task"),
        pytest.param(Change("docs/build/a.js"), {}, id="a folder of things that are made again"),
        pytest.param(Change("docs/\ufdd0"), {}, id="a name of letters that mark what is unknown"),
        pytest.param(Change(".claude/x"), {"owns": ["**"]}, id="the system zone"),
        pytest.param(Change("team.yaml", how="delete"), {"owns": ["**"]}, id="a file of the zone"),
        pytest.param(
            Change("Drumline/notes.md"), {"owns": ["**"]}, id="the lead's folder, spelled"
        ),
        pytest.param(
            Change("drumline", submodule=True), {"integrator": True}, id="for an integrator too"
        ),
        pytest.param(Change(NOTES), {"owns": ["**"]}, id="a rewritten file that is appended to"),
        pytest.param(Change("src/lib", submodule=True), {}, id="a link to another repository"),
    ],
)
def test_what_a_member_may_not_write_no_commit_of_it_brings(change, more):
    assert told(change, **more) == [change.path]


@pytest.mark.requirement("GUARD-07")
@pytest.mark.parametrize(
    ("change", "more"),
    [
        pytest.param(Change("src/a.py"), {}, id="what it owns"),
        pytest.param(
            Change("src/a.py", how="delete"), {"files": ["src/**"]}, id="what its task has"
        ),
        pytest.param(Change("docs/a.md"), {"owns": []}, id="anything where nobody owns anything"),
        pytest.param(Change("docs/a.md"), {"integrator": True}, id="an integrator crosses"),
        pytest.param(Change(NOTES, how="append"), {"owns": ["**"]}, id="what is only added"),
    ],
)
def test_what_is_a_members_own_is_taken(change, more):
    assert told(change, **more) == []
