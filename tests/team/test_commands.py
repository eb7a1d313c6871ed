"""Every command of our sets gets the ruling it must get, and harmless ones get none."""

import pytest

from tests.team.commands import rows
from tests.team.judging import command

outside = pytest.mark.skipif(
    not rows.OUTSIDE.exists(), reason="the reference commands are kept outside the repository"
)


def wrong(found, role: str, **standing) -> list[str]:
    """The rows that got another ruling than they must, or the right one by another rule."""
    missed = []
    for row in found:
        ruling = command(row["command"], role, **standing)
        by = row.get("rule", ruling.constraint)
        if ruling.decision != row["expected"] or ruling.constraint != by:
            missed.append(
                f"{row['expected']}: {row['command']!r} {ruling.constraint} {ruling.what}"
            )
    return missed


@pytest.mark.requirement("GUARD-02", "GUARD-03", "GUARD-16")
def test_a_teammate_is_refused_what_is_the_leads_and_nothing_else():
    assert wrong(rows.own("teammate"), "teammate") == []


@pytest.mark.requirement("GUARD-03", "GUARD-08")
def test_everyone_is_refused_what_destroys_and_nothing_else():
    assert wrong(rows.own("lead"), "lead") == []


@pytest.mark.requirement("GUARD-03", "GUARD-16")
def test_a_member_with_a_checkout_of_its_own_is_refused_what_stays_the_leads():
    assert wrong(rows.own("member"), "teammate", isolation="own") == []


@pytest.mark.requirement("GUARD-02", "GUARD-03", "GUARD-08", "GUARD-16")
@pytest.mark.parametrize(
    ("role", "isolation"), [("teammate", "shared"), ("teammate", "own"), ("lead", "shared")]
)
def test_what_hostile_readers_found_is_ruled_right_and_so_is_what_looks_like_it(role, isolation):
    found = [row for row in rows.mended() if (row["role"], row["isolation"]) == (role, isolation)]
    assert found
    assert wrong(found, role, isolation=isolation) == []


@pytest.mark.requirement("GUARD-03")
def test_a_member_in_its_own_checkout_hears_no_false_alarm():
    found = [{"command": line, "expected": "allow"} for line in rows.harmless()]
    assert len(found) >= 2000
    assert wrong(found, "teammate", isolation="own") == []


@outside
@pytest.mark.requirement("GUARD-02", "GUARD-03")
def test_the_reference_commands_of_a_teammate_are_all_ruled_right():
    found = [
        {"command": row["command"], "expected": row["expected"]} for row in rows.team_reference()
    ]
    assert wrong(found, "teammate") == []


@outside
@pytest.mark.requirement("GUARD-08")
def test_the_reference_commands_of_a_lead_are_all_ruled_right():
    assert wrong(rows.lead_reference(), "lead") == []
