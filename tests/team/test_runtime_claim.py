"""How far a claim about an agent CLI may be leaned on, as a table."""

from datetime import UTC, datetime

import pytest

from drumline.team.json_tree import tree
from drumline.team.runtime_claim import ClaimId, RuntimeClaim, Trust, leaning, trusts

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONE, TWO = ClaimId(1), ClaimId(2)
NEVER = RuntimeClaim(ONE, "claude", "canary", "hooks block", "ada", NOON)
SHOWN = NEVER._replace(version="2.1.0", passed=True, tried_at=NOON)
FAILED = SHOWN._replace(passed=False)
CORRECTION = NEVER._replace(id=TWO, corrects=ONE)


@pytest.mark.requirement("PIPE-16")
@pytest.mark.parametrize(
    ("claims", "installed", "expected"),
    [
        pytest.param([NEVER], "2.1.0", Trust.UNVERIFIED, id="nobody tried it"),
        pytest.param([SHOWN], "2.1.0", Trust.VERIFIED, id="shown of this version"),
        pytest.param([SHOWN], "2.2.0", Trust.UNVERIFIED, id="shown of another version"),
        pytest.param([SHOWN], "", Trust.UNVERIFIED, id="no CLI is here"),
        pytest.param([FAILED], "2.1.0", Trust.REFUTED, id="its probe failed"),
        pytest.param([FAILED], "2.2.0", Trust.UNVERIFIED, id="its probe failed before"),
        pytest.param([SHOWN, CORRECTION], "2.1.0", Trust.VERIFIED, id="a correction nobody showed"),
        pytest.param(
            [SHOWN, CORRECTION._replace(version="2.1.0", passed=True, tried_at=NOON)],
            "2.1.0",
            Trust.CORRECTED,
            id="a correction that was shown",
        ),
    ],
)
def test_a_claim_is_believed_as_far_as_it_was_shown(claims, installed, expected):
    assert trusts(claims, {"claude": installed})[ONE] is expected


@pytest.mark.requirement("PIPE-16")
@pytest.mark.parametrize(
    ("source", "trust", "refused"),
    [
        ("seed 2", {}, []),
        ("claim F-1", {ONE: Trust.VERIFIED}, []),
        ("claim F-1", {}, ["F-1, which is not known here"]),
        ("claim F-1, claim f-2", {ONE: Trust.REFUTED, TWO: Trust.UNVERIFIED}, ["refuted", "unver"]),
        ("claim F-1", {ONE: Trust.CORRECTED}, ["corrected"]),
    ],
)
def test_a_rule_leans_on_nothing_that_nobody_showed(source, trust, refused):
    root = tree({"constraints": [{"source": source}]})
    found = [problem.found for problem in leaning(root, trust)]
    assert len(found) == len(refused)
    assert all(word in said for word, said in zip(refused, found, strict=True))
