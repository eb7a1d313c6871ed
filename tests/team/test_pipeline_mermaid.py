"""A pipeline drawn as a Mermaid flowchart."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.pipeline import Phase, Pipeline, Zone
from drumline.team.pipeline_mermaid import as_mermaid
from drumline.team.pipelines import SHIPPED
from drumline.team.tier import Tier

pytestmark = pytest.mark.requirement("PIPE-01")

LOOK = Phase(name="look", title="Look", zone=Zone.BEFORE, profile="analyst", most=3, human=True)
BUILD = Phase(
    name="build", title="Build", zone=Zone.EXECUTION, profile="maker", coordinator="joiner"
)
END = Phase(name="end", title="Hand over", zone=Zone.AFTER, delivers=True)
SMALL = Pipeline(
    name="small",
    description="x",
    phases=(LOOK, BUILD, END),
    paths={
        Tier.TRIVIAL: ("build", "end"),
        Tier.STANDARD: ("look", "build", "end"),
        Tier.COMPLEX: ("look", "build", "end"),
    },
)
LINE = re.compile(
    r'flowchart TD|  subgraph \w+\["\w+"\]|  end|    n\d+\["[^"]*"\]|  n\d+ -->\|"[^"]*"\| n\d+'
)


def test_a_path_is_drawn_with_who_decides_between_its_phases():
    assert as_mermaid(SMALL, Tier.STANDARD) == (
        "flowchart TD\n"
        '  subgraph before_zone["before"]\n'
        '    n0["look Look<br/>1-3 analyst"]\n'
        "  end\n"
        '  subgraph execution_zone["execution"]\n'
        '    n1["build Build<br/>1 maker, then joiner"]\n'
        "  end\n"
        '  subgraph after_zone["after"]\n'
        '    n2["end Hand over<br/>lead"]\n'
        "  end\n"
        '  n0 -->|"a person"| n1\n'
        '  n1 -->|"the lead"| n2\n'
    )


def test_what_a_tier_leaves_out_is_not_drawn():
    assert "Look" not in as_mermaid(SMALL, Tier.TRIVIAL)


def test_without_a_tier_each_way_says_who_takes_it():
    ways = [line.strip() for line in as_mermaid(SMALL).splitlines() if "-->" in line]
    assert ways == ['n1 -->|"every"| n2', 'n0 -->|"standard, complex"| n1']


@pytest.mark.parametrize("tier", [None, *Tier])
@pytest.mark.parametrize("pipeline", SHIPPED.values(), ids=lambda each: each.name)
def test_a_preset_is_drawn_in_lines_mermaid_knows(pipeline, tier):
    assert all(map(LINE.fullmatch, as_mermaid(pipeline, tier).splitlines()))


@given(st.text(min_size=1))
def test_no_title_can_leave_its_label(title):
    drawn = as_mermaid(replace(SMALL, phases=(replace(LOOK, title=title), BUILD, END)))
    assert all(map(LINE.fullmatch, drawn.split("\n")[:-1]))
    assert len(drawn.split("\n")) == len(as_mermaid(SMALL).split("\n"))
    assert "<" not in drawn.replace("<br/>", "")
