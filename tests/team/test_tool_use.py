"""What the members of a phase owe of its tools: by what each was given and what each used."""

import pytest

from drumline.team.pipeline import Obligation, Phase, Zone
from drumline.team.tool_use import Kit, Owed, Used, obliged, owed, tools_point
from drumline.team.trail import Use, whole

MUST, SHOULD, MAY = Obligation.MANDATORY, Obligation.RECOMMENDED, Obligation.AS_NEEDED
SEARCH = "mcp__tavily__*"


def phase(**tools):
    return Phase(name="6", title="Build", zone=Zone.EXECUTION, tools=tools)


def ada(*tools, servers=()):
    return Kit("ada", tools, servers)


def used(tool, calls=1, refused=0, member="ada"):
    return Used("run-1", "6", member, tool, calls, refused)


@pytest.mark.requirement("PIPE-10")
@pytest.mark.parametrize(
    ("wanted", "kit", "did", "expected"),
    [
        pytest.param({"Read": MUST}, ada("Read"), [used("Read")], Owed(), id="used"),
        pytest.param({"Read": MUST}, ada("Read"), [], Owed(("ada Read",)), id="never used"),
        pytest.param(
            {"Read": MUST},
            ada("Read"),
            [used("Read", 2, 2)],
            Owed(("ada Read",)),
            id="only refused",
        ),
        pytest.param(
            {"Read": MUST},
            ada("Read"),
            [used("Read", member="bo")],
            Owed(("ada Read",)),
            id="another's",
        ),
        pytest.param(
            {"Read": MUST}, ada("Re*"), [], Owed(("ada Read",)), id="its list has a pattern"
        ),
        pytest.param(
            {"Bash": MUST}, ada("Bash(git:*)"), [], Owed(("ada Bash",)), id="some commands of it"
        ),
        pytest.param(
            {"Read": MUST}, ada("Write"), [], Owed(unavailable=("ada Read",)), id="not on its list"
        ),
        pytest.param(
            {"Read": SHOULD}, ada("Read"), [], Owed(recommended=("ada Read",)), id="recommended"
        ),
        pytest.param({"Read": MAY}, ada("Read"), [], Owed(), id="as needed"),
        pytest.param(
            {SEARCH: MUST},
            ada("mcp__tavily__*", servers=("tavily",)),
            [],
            Owed((f"ada {SEARCH}",)),
            id="a server that was there",
        ),
        pytest.param(
            {SEARCH: MUST},
            ada("mcp__tavily__search", servers=("tavily",)),
            [used("mcp__tavily__search")],
            Owed(),
            id="one tool of a server",
        ),
        pytest.param(
            {SEARCH: MUST},
            ada("mcp__tavily__*"),
            [],
            Owed(unavailable=(f"ada {SEARCH}",)),
            id="a server that was not there",
        ),
    ],
)
def test_a_member_owes_only_what_it_has_and_did_not_use(wanted, kit, did, expected):
    assert owed(phase(**wanted), [kit], did) == expected


@pytest.mark.requirement("PIPE-10")
def test_only_a_mandatory_tool_keeps_the_point_from_holding():
    wanted = phase(Read=MUST, Grep=SHOULD, Bash=MUST)
    kit = ada("Read", "Grep")
    point = tools_point(wanted, [kit], [])
    assert point.holds is False
    for words in ("never used: ada Read", "not used: ada Grep", "not available: ada Bash"):
        assert words in point.why
    assert tools_point(wanted, [kit], [used("Read")]).holds is True
    assert tools_point(wanted, [], []) is None


@pytest.mark.requirement("PIPE-10")
def test_a_member_is_told_of_the_tools_it_has():
    wanted = phase(Read=MUST, Grep=SHOULD, Bash=MUST, Glob=MAY)
    assert obliged(wanted, ada("Read", "Grep", "Glob")) == {"Read": MUST, "Grep": SHOULD}
    assert obliged(None, ada("Read")) == {}


@pytest.mark.requirement("AUDIT-03")
def test_what_was_counted_and_what_only_the_trail_knows_is_told_together():
    counted = [used("Read", 3), used("Write", 2), Used("run-2", "6", "ada", "Read", 1, 1)]
    noted = [Use("ada", "6", "Write", 1, 0), Use("bo", "-", "Bash", 4, 1)]
    assert whole(counted, noted) == [
        Use("ada", "6", "Read", 4, 1),
        Use("ada", "6", "Write", 2, 0),
        Use("bo", "-", "Bash", 4, 1),
    ]
