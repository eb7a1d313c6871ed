"""What is said of agent CLIs is kept as a claim, with what its last trial came to."""

import pytest

from drumline.control import runtime_claims
from drumline.control.runtime_claims import Claimed
from drumline.errors import BadInput, NotAllowed, Unknown
from drumline.store.upkeep import Caretaker
from drumline.team.probe import Proof
from drumline.team.runtime_claim import SAYS_CAP, ClaimId
from tests.words import BOSS, teammate, verbs

KNOWN = {"canary", "edit refused"}
PASSED = Proof(name="canary", passed=True, detail="a forbidden call was refused")


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def claim(store, says="a refused call is not made", who=BOSS, **more):
    said = Claimed("claude", more.pop("probe", "canary"), says, **more)
    return store.do(runtime_claims.claim, who, said, KNOWN)


@pytest.mark.requirement("PIPE-16")
def test_a_claim_keeps_the_version_and_the_time_it_was_shown_with(store, clock):
    made = claim(store, who=teammate("ada"))
    assert (made.by, made.version, made.tried_at) == ("ada", "", None)
    clock.advance(minutes=1)
    shown = store.do(runtime_claims.tried, BOSS, made.id, "2.1.0", PASSED)
    assert (shown.version, shown.passed, shown.tried_at) == ("2.1.0", True, clock.now())
    failed = PASSED.__class__(name="canary", passed=False, detail="it was made")
    again = store.do(runtime_claims.tried, BOSS, made.id, "2.2.0", failed)
    assert (again.version, again.passed, again.detail) == ("2.2.0", False, "it was made")
    assert verbs(store)[-3:] == ["claim.made", "claim.shown", "claim.refuted"]


@pytest.mark.requirement("PIPE-16")
def test_a_correction_is_a_claim_of_its_own(store):
    first = claim(store)
    store.do(runtime_claims.tried, BOSS, first.id, "2.1.0", PASSED)
    second = claim(store, "only where hooks are on", corrects=first.id)
    assert (second.corrects, second.version) == (first.id, "")
    assert [each.id for each in store.ask(runtime_claims.page)] == [first.id, second.id]


@pytest.mark.requirement("PIPE-16")
@pytest.mark.parametrize(
    ("says", "more"),
    [
        ("", {}),
        ("x" * (SAYS_CAP + 1), {}),
        ("a\x1b[2Jb", {}),
        ("it flies", {"probe": "nobody would see it"}),
    ],
)
def test_what_nothing_could_show_is_no_claim(store, says, more):
    with pytest.raises(BadInput):
        claim(store, says, **more)
    assert store.ask(runtime_claims.page) == []


@pytest.mark.requirement("PIPE-16")
def test_a_teammate_shows_nothing_and_no_secret_is_kept(store):
    key = "AKIA" + "Q" * 16
    made = claim(store, f"it prints {key}")
    assert key not in made.says
    with pytest.raises(NotAllowed):
        store.do(runtime_claims.tried, teammate("ada"), made.id, "2.1.0", PASSED)
    with pytest.raises(Unknown):
        store.do(runtime_claims.tried, BOSS, ClaimId(9), "2.1.0", PASSED)
    with pytest.raises(Unknown):
        claim(store, corrects=ClaimId(9))
