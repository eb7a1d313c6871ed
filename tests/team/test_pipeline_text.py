"""A pipeline written as YAML, or kept with a run, reads back as the same pipeline."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.store.manifests import read_text
from drumline.team.pipeline import (
    EFFORTS,
    Challenge,
    CountedBy,
    Loop,
    Obligation,
    Phase,
    Pipeline,
    Zone,
)
from drumline.team.pipeline_form import Around, read_pipeline
from drumline.team.pipeline_record import facts, from_facts
from drumline.team.pipeline_text import as_yaml
from drumline.team.pipelines import SHIPPED
from drumline.team.presets import PRESETS
from drumline.team.tier import Tier
from tests.trying import tries

pytestmark = pytest.mark.requirement("PIPE-01")

PROFILES = ("analyst", "null", "true", "0", "1e3", "2026-01-01")
LETTERS = string.ascii_letters


def words(first: str, then: str, most: int) -> st.SearchStrategy[str]:
    """A letter, and at most so many others, drawn without a pattern, which takes longer."""
    return st.builds(str.__add__, st.sampled_from(first), st.text(then, max_size=most))


names = st.sampled_from(PROFILES)
phase_names = st.one_of(
    st.sampled_from(["1", "007", "true", "No", "1e3", "0x1F", "2026-01-01", "P0", "a-b", "null"]),
    words(LETTERS + string.digits, f"{LETTERS}{string.digits}_-", 31),
)
lines = st.one_of(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=30),
    st.sampled_from(
        ["- a", "a: b", "# a", "*a", "&a", "!a", '"', "'", "\\", "a\tb", "~", "@", "%"]
    ),
    st.sampled_from(["\u2028", "\ufeff", "\U0001f600", "\ufffe", "{a}", "[a]", "a #b", " a ", "?"]),
).filter(str.strip)
patterns = words(f"{LETTERS}*", f"{LETTERS}{string.digits}_.*?-", 20)
maybe_named = st.one_of(st.just(""), names)
efforts = st.sampled_from(["", *EFFORTS])
loops = st.sampled_from(Loop)
tools = st.dictionaries(patterns, st.sampled_from(Obligation), max_size=3)
skills = st.lists(names, max_size=3).map(tuple)
countings = st.sampled_from(CountedBy)
zones_in_order = {
    number: st.lists(st.sampled_from(Zone), min_size=number, max_size=number).map(
        lambda found: sorted(found, key=list(Zone).index)
    )
    for number in range(1, 7)
}
named_phases = st.lists(phase_names, min_size=1, max_size=6, unique=True)
some_tiers = st.lists(st.sampled_from(Tier), unique=True)
yes_or_no = st.booleans()
iterations = st.integers(1, 20)
counts = st.tuples(st.integers(1, 100), st.integers(1, 100)).map(sorted)
challenges = st.builds(Challenge, questions=st.integers(0, 7), alternative=st.booleans())
SHARES = [{}, {Zone.BEFORE: 1.0}, {Zone.BEFORE: 0.75, Zone.AFTER: 0.25}, {Zone.AFTER: 0.995}]
shares = st.sampled_from(SHARES)
few = st.integers(0, 2)


@st.composite
def phases(draw, name: str, zone: Zone, *, delivers: bool) -> Phase:
    """A phase with members, with the lead alone, or the one that delivers."""
    shared = {
        "name": name,
        "title": draw(lines),
        "zone": zone,
        "domain": draw(maybe_named),
        "effort": draw(efforts),
        "loop": draw(loops),
        "human": draw(yes_or_no),
        "tools": draw(tools),
        "skills": draw(skills),
        "delivers": delivers,
    }
    if delivers or draw(yes_or_no):
        return Phase(**shared)
    least, most = draw(counts)
    verified = draw(yes_or_no)
    return Phase(
        **shared,
        profile=draw(names),
        least=least,
        most=most,
        counted=draw(countings),
        coordinator=draw(maybe_named),
        verified=verified,
        challenge=draw(challenges) if verified else Challenge(),
    )


@st.composite
def pipelines(draw) -> Pipeline:
    """Any sound pipeline: the complex path goes through all of it, the others leave something out."""
    named = draw(named_phases)
    zones = draw(zones_in_order[len(named)])
    *before, last = named

    def some() -> tuple[str, ...]:
        return (*(name for name in before if draw(yes_or_no)), last)

    paths = {Tier.TRIVIAL: some(), Tier.STANDARD: some(), Tier.COMPLEX: tuple(named)}
    tiers = draw(some_tiers)
    return Pipeline(
        name=draw(names),
        description=draw(lines),
        phases=tuple(
            draw(phases(name, zone, delivers=name == last))
            for name, zone in zip(named, zones, strict=True)
        ),
        paths=paths,
        iterations=draw(iterations),
        embeds=draw(yes_or_no),
        shares=draw(shares),
        subagents={tier: paths[tier][: draw(few)] for tier in tiers},
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_a_preset_written_down_reads_back_as_itself(name):
    around = Around(profiles=[each.name for each in PRESETS[name]])
    assert read_pipeline(read_text(as_yaml(SHIPPED[name])), around) == (SHIPPED[name], ())


@settings(max_examples=tries(300), deadline=None)
@given(pipelines())
def test_any_pipeline_written_down_reads_back_as_itself(pipeline):
    around = Around(profiles=PROFILES)
    assert read_pipeline(read_text(as_yaml(pipeline)), around) == (pipeline, ())


@settings(max_examples=tries(100), deadline=None)
@given(pipelines())
def test_any_pipeline_kept_with_a_run_comes_back_as_itself(pipeline):
    assert from_facts(json.loads(json.dumps(facts(pipeline)))) == pipeline


def test_only_what_is_not_usual_is_written():
    end = Phase(name="1", title="Hand over", zone=Zone.AFTER, delivers=True)
    pipeline = Pipeline(
        name="short", description="No more: less", phases=(end,), paths=dict.fromkeys(Tier, ("1",))
    )
    assert as_yaml(pipeline) == (
        "pipeline: short\n"
        'description: "No more: less"\n'
        "phases:\n"
        '  - name: "1"\n'
        "    title: Hand over\n"
        "    zone: after\n"
        "    delivers: true\n"
        "paths:\n"
        '  trivial: ["1"]\n'
        '  standard: ["1"]\n'
        '  complex: ["1"]\n'
    )
