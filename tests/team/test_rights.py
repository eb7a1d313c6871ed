"""Who may do what to the board under which constitution, as a table."""

import pytest

from drumline.errors import NotAllowed
from drumline.team.actor import Actor, Role
from drumline.team.message import FROM_LEAD, TO_LEAD, Kind, forbidden
from drumline.team.rights import CONSTITUTIONS, Right


@pytest.mark.requirement("BOARD-05")
@pytest.mark.parametrize(
    ("constitution", "role", "right", "allowed"),
    [
        ("constitution-4", Role.TEAMMATE, Right.EDIT, False),
        ("constitution-4", Role.TEAMMATE, Right.CLAIM, False),
        ("constitution-4", Role.TEAMMATE, Right.FINISH, False),
        ("constitution-4", Role.LEAD, Right.EDIT, True),
        ("constitution-4", Role.PERSON, Right.EDIT, True),
        ("constitution-10", Role.TEAMMATE, Right.EDIT, False),
        ("constitution-10", Role.TEAMMATE, Right.CLAIM, True),
        ("constitution-10", Role.TEAMMATE, Right.FINISH, True),
        ("constitution-10", Role.LEAD, Right.EDIT, True),
    ],
)
def test_the_board_belongs_to_the_lead(constitution, role, right, allowed):
    rules = CONSTITUTIONS[constitution]
    if allowed:
        rules.require(Actor("ada", role), right)
    else:
        with pytest.raises(NotAllowed) as refused:
            rules.require(Actor("ada", role), right)
        assert constitution in refused.value.why


@pytest.mark.requirement("MAIL-09")
@pytest.mark.parametrize("kind", sorted(FROM_LEAD))
def test_what_the_lead_says_no_teammate_says(kind):
    assert forbidden(kind, Role.TEAMMATE, Role.TEAMMATE, peers=True)
    assert forbidden(kind, Role.TEAMMATE, Role.LEAD, peers=True)
    assert not forbidden(kind, Role.LEAD, Role.TEAMMATE, peers=False)


@pytest.mark.requirement("MAIL-09")
@pytest.mark.parametrize("kind", sorted(TO_LEAD))
def test_what_is_for_the_lead_goes_to_nobody_else(kind):
    assert not forbidden(kind, Role.TEAMMATE, Role.LEAD, peers=False)
    assert forbidden(kind, Role.TEAMMATE, Role.TEAMMATE, peers=True)
    assert forbidden(kind, Role.LEAD, Role.TEAMMATE, peers=True)


@pytest.mark.requirement("MAIL-09")
def test_every_kind_has_its_direction():
    free = set(Kind) - FROM_LEAD - TO_LEAD
    assert free == {Kind.NOTE, Kind.VERIFICATION_QUESTION}
    assert set() == FROM_LEAD & TO_LEAD


@pytest.mark.requirement("MAIL-09")
def test_a_verification_is_between_the_lead_and_one_member():
    kind = Kind.VERIFICATION_QUESTION
    assert not forbidden(kind, Role.LEAD, Role.TEAMMATE, peers=True)
    assert not forbidden(kind, Role.TEAMMATE, Role.LEAD, peers=True)
    assert forbidden(kind, Role.TEAMMATE, Role.TEAMMATE, peers=True)
