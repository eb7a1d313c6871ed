"""Deviations: what differs from the approved design, how grave it is, and what follows."""

import pytest

from drumline.team.deviation import CONSEQUENCES, Design, Follows, Grave, Index, compared

pytestmark = pytest.mark.requirement("CTX-05")

DESIGN = Design(interfaces={"parse": "(text) -> Draft"})
ADA = Index(member="ada", provides={"parse": "(text) -> Draft"})
BROOK = Index(member="brook", uses={"parse": "(text) -> Draft"})


@pytest.mark.parametrize(
    ("grave", "follows"),
    [
        (Grave.COSMETIC, Follows.LOG),
        (Grave.INTERFACE, Follows.REBRIEF),
        (Grave.ARCHITECTURE, Follows.REPLAN),
    ],
)
def test_what_follows_depends_on_how_grave_it_is(grave, follows):
    assert CONSEQUENCES[grave] is follows


def test_work_as_designed_deviates_in_nothing():
    assert compared(DESIGN, [ADA, BROOK], complete=True) == []


@pytest.mark.parametrize(
    ("indexes", "grave", "members"),
    [
        pytest.param(
            [Index(member="ada", provides={"parse": "(text)->Draft"})],
            Grave.COSMETIC,
            ("ada",),
            id="the approved shape, written otherwise",
        ),
        pytest.param(
            [Index(member="ada", provides={"parse": "(bytes) -> Draft"})],
            Grave.INTERFACE,
            ("ada",),
            id="another shape than approved",
        ),
        pytest.param(
            [
                Index(member="ada", provides={"show": "(x)"}),
                Index(member="brook", uses={"show": "(x, y)"}),
            ],
            Grave.INTERFACE,
            ("ada", "brook"),
            id="two shapes of one interface",
        ),
    ],
)
def test_one_difference_is_one_deviation_with_whom_it_touches(indexes, grave, members):
    [found] = compared(DESIGN, indexes)
    assert (found.grave, found.members) == (grave, members)


def test_what_nobody_provides_is_missing_only_once_all_handoffs_are_there():
    assert compared(DESIGN, [BROOK]) == []
    [found] = compared(DESIGN, [BROOK], complete=True)
    assert (found.grave, found.members) == (Grave.ARCHITECTURE, ("brook",))


def test_the_gravest_comes_first():
    spoken = {"parse": "(bytes) -> Draft", "show": "(x)"}
    hostile = [
        Index(member="ada", provides=spoken, uses={"gone": "()"}),
        Index(member="brook", uses={"show": "( x )"}),
    ]
    found = [each.grave for each in compared(DESIGN, hostile, complete=True)]
    assert found == sorted(found, key=list(Grave)[::-1].index)
    assert len(set(found)) == 3


def test_a_deviation_of_hostile_length_is_cut():
    uses = {"x" * 9_000: "()"}
    [found] = compared(Design(), [Index(member="ada", uses=uses)], complete=True)
    assert len(found.what) <= 500
