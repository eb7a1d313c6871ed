"""What is compared: the interfaces of a design, and those that handoffs name."""

from datetime import UTC, datetime

import pytest

from drumline.team.comparing import agreed, designed, differences
from drumline.team.context import Section
from drumline.team.deviation import Design, Grave
from drumline.team.handoff import Handoff, Interface, Interfaces, Kept, Origin
from drumline.team.ids import TaskId
from drumline.team.signal import Outcome

pytestmark = pytest.mark.requirement("CTX-05")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def named(**shapes):
    return tuple(Interface(name=name, shape=shape) for name, shape in shapes.items())


def handed(member, number, provides=(), uses=()):
    said = Handoff(
        status=Outcome.PASS, narrative="x", files=(), decisions=(), unresolved=(),
        interfaces=Interfaces(provides=provides, uses=uses),
    )  # fmt: skip
    return Kept(Origin(TaskId(number), member, "run-1", "6"), 1, 1, "f", said, NOON)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("- parse: (text) -> Draft", {"parse": "(text) -> Draft"}, id="plain"),
        pytest.param("* `a.parse`: `(text: str)`", {"a.parse": "(text: str)"}, id="as code"),
        pytest.param("All of them are pure.\n- only words", {}, id="prose"),
        pytest.param("- a: (x)\n\nand\n- b: ()", {"a": "(x)", "b": "()"}, id="several"),
    ],
)
def test_a_context_lists_the_interfaces_that_were_agreed_on(text, expected):
    assert agreed((Section("Goal", "- not: this"), Section("Interfaces", text))) == expected


def test_what_the_context_says_stands_above_what_design_left():
    sections = (Section("interfaces", "- parse: (text, mode)"),)
    design = designed(sections, [handed("cy", 1, named(parse="(text)", show="(x)"))])
    assert design.interfaces == {"parse": "(text, mode)", "show": "(x)"}


DESIGN = Design(interfaces={"parse": "(text) -> Draft"})
RIGHT = named(parse="(text) -> Draft")


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        pytest.param([handed("ada", 1, RIGHT)], [], id="as designed"),
        pytest.param(
            [handed("ada", 1, named(parse="(text)->Draft"))],
            [(Grave.COSMETIC, ("ada",))],
            id="looks",
        ),
        pytest.param(
            [handed("ada", 1, named(parse="(bytes)"))], [(Grave.INTERFACE, ("ada",))], id="a shape"
        ),
        pytest.param(
            [handed("ada", 1, RIGHT), handed("bo", 2, uses=named(parse="(text, mode)"))],
            [(Grave.INTERFACE, ("ada", "bo"))],
            id="who provides and who uses",
        ),
        pytest.param([handed("ada", 1)], [(Grave.ARCHITECTURE, ())], id="nobody provides it"),
        pytest.param(
            [handed("ada", 1, RIGHT, uses=named(**{"json.loads": "(text)"}))],
            [],
            id="was there before",
        ),
    ],
)
def test_handoffs_are_held_against_the_design_and_each_other(kept, expected):
    found = differences(DESIGN, kept, complete=True)
    assert [(each.grave, each.members) for each in found] == expected


def test_what_is_not_there_yet_may_still_come():
    assert differences(DESIGN, [handed("ada", 1)], complete=False) == []
