"""What a member is told: fixed order, its own work only, nobody else's words as ours, and not too much."""

from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput, Unknown
from drumline.team import advice
from drumline.team.assignment import Assignment, Seat, Upstream
from drumline.team.delegation import (
    CommunicationPlan,
    Delegation,
    ToolUse,
    ignored,
    read_delegation,
)
from drumline.team.ids import TaskId
from drumline.team.language import Language
from drumline.team.left_out import Withheld
from drumline.team.manifest import MemberEntry
from drumline.team.noise import without_noise
from drumline.team.prompt import (
    Heading,
    Side,
    Source,
    about,
    composed,
    measured,
    refuse_oversize,
)
from drumline.team.prompt_sources import HEADINGS, SOURCES
from drumline.team.prompt_system import SYSTEM_SIDE
from drumline.team.prompt_task import TASK_SIDE
from drumline.team.quoting import inline, quoted
from drumline.team.rights import CONSTITUTIONS
from drumline.team.task import Task, TaskState
from drumline.team.telling import Told

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
RULE = {
    "id": "C-1",
    "rule_type": "MUST",
    "text": "Rule one.",
    "why": "reason",
    "severity": "high",
}
ADA = MemberEntry(name="ada", role="Builds", tools=("Read", "Write"), owns=("src/**",))
READER = MemberEntry(name="ada", role="Reads", tools=("Read",), owns=())
NINE = [
    "Before you begin",
    "The goal",
    "What you need to know",
    "The way there",
    "Tools to use, and when",
    "Who tells whom",
    "How to tell that it is done",
    "What to hand in",
    "What to leave alone",
]


def seat(**fields):
    given_fields = {
        "team": "atlas",
        "project": "A team to test with",
        "lead": "human",
        "member": ADA,
        "constitution": CONSTITUTIONS["constitution-10"],
        "language": Language(),
        "rules": advice.rendered([RULE]),
    }
    return Seat(**(given_fields | fields))


def task(**fields):
    named = {"id": TaskId(12), "title": "Write the parser", "created_at": NOON, "updated_at": NOON}
    return Task(**(named | fields))


def assignment(**fields):
    return Assignment(**({"seat": seat(), "task": task()} | fields))


def prompt(**fields):
    return composed(assignment(**fields), HEADINGS, SOURCES)


def told(side=Side.TASK, **fields):
    return prompt(**fields).text(side)


def headings(text):
    """Every line a reader could take for a heading of ours."""
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("#")][1:]


@pytest.mark.requirement("RUN-03")
def test_the_barest_task_is_handed_over_in_nine_sections():
    assert headings(told()) == NINE


@pytest.mark.requirement("RUN-01", "TEAM-10")
def test_the_system_side_says_who_what_holds_and_how_to_end_in_this_order():
    text = told(
        Side.SYSTEM,
        seat=seat(language=Language(people="Korean"), learnt=Told(("Tabs are kept.",))),
    )
    assert headings(text) == [heading.title for heading in SYSTEM_SIDE]
    facts = [
        "You are ada, a member of team atlas",
        "- Role: Builds\n- Owns: `src/**`",
        "Speak to people in Korean.",
        "| C-1 | MUST: Rule one. | reason |",
        "> Tabs are kept.",
        "drumline mail send --to lead",
        "`follow_up.needs_human`",
    ]
    places = [text.find(fact) for fact in facts]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.requirement("RUN-01")
def test_a_member_that_learnt_nothing_has_no_such_section():
    assert "What you learnt here before" not in headings(told(Side.SYSTEM))


@pytest.mark.requirement("RUN-01")
def test_the_system_side_is_the_same_for_every_task():
    other = task(id=TaskId(99), title="Other", files=("a",), tracker="GH-9", owner="ada", fence=4)
    assert told(Side.SYSTEM) == told(Side.SYSTEM, task=other, letters=3, body="words")


@pytest.mark.requirement("RUN-01")
@pytest.mark.parametrize(
    ("constitution", "may"), [("constitution-4", False), ("constitution-10", True)]
)
def test_a_member_is_shown_only_verbs_it_may_use(constitution, may):
    text = told(Side.SYSTEM, seat=seat(constitution=CONSTITUTIONS[constitution]))
    assert ("drumline task release" in text) is may


@pytest.mark.requirement("RUN-03")
@given(st.sets(st.sampled_from(HEADINGS)), st.randoms())
def test_the_order_is_fixed_whatever_is_missing_and_however_sources_come(filled, chance):
    sources = [Source(heading, lambda _: "words") for heading in filled]
    sources += [Source(heading, lambda _: "") for heading in HEADINGS]
    chance.shuffle(sources)
    found = [section.heading for section in composed(assignment(), HEADINGS, sources).sections]
    assert found == [heading for heading in HEADINGS if heading in filled]


@pytest.mark.requirement("RUN-03")
def test_a_later_source_joins_a_section_or_brings_its_own():
    protocol = Heading("protocol", "Protocol", Side.SYSTEM, "shorten it")
    sources = (*SOURCES, Source(protocol, lambda _: "Wait."), Source(TASK_SIDE[2], lambda _: "v7"))
    order = (*SYSTEM_SIDE, protocol, *TASK_SIDE)
    found = composed(assignment(), order, sources)
    assert headings(found.text(Side.SYSTEM))[-1] == "Protocol"
    assert headings(found.text(Side.TASK)) == NINE
    assert found.part("context").endswith("itself.\n\nv7\n")


@pytest.mark.requirement("RUN-12")
def test_servers_that_are_needed_and_done_without_are_told():
    found = prompt(delegation=Delegation(needs=("lab", "maps")), without=("maps",)).part("tools")
    assert "- Needed: `lab`, whose tools are `mcp__lab__…`.\n- Not there: `maps`." in found
    assert "Web tools do not take its place and are refused" in found
    assert "Needed: `maps`" not in found


FULL = Delegation(
    warnings=("Mind the gap.",),
    context=("The grammar is in docs/grammar.md.",),
    interfaces=("Node stays frozen.",),
    plan=("read", "write"),
    tools=(ToolUse(what="context7", when="an API is unknown", why="docs change"),),
    communication=CommunicationPlan(notify=("brook",), awaits=("cleo",), fields=("tree",)),
    done=("Every example parses.",),
    output=("A table.",),
    limits=("No new dependency.",),
    verify=("make", "test fast"),
)


@pytest.mark.requirement("RUN-03", "BOARD-11")
def test_each_section_carries_what_the_task_says():
    found = prompt(
        task=task(files=("src/parser/**",), outputs=("src/tree.py",), tracker="GH-7"),
        body="All of it.",
        delegation=FULL,
        upstream=(Upstream(TaskId(9), TaskState.COMPLETED, ("docs/api.md",)),),
        waiting=(TaskId(14),),
        letters=2,
        unread=1,
    )
    for name, words in (
        ("warnings", "> Mind the gap."),
        ("warnings", "2 letters wait for you, 1 unread"),
        ("goal", "Task T-12, tracked as `GH-7`:\n\n> Write the parser\n>\n> All of it."),
        ("context", "- T-9 (completed): `docs/api.md`"),
        ("context", "honour:\n> Node stays frozen."),
        ("context", "> The grammar is in docs/grammar.md."),
        ("plan", "> 1. read\n> 2. write"),
        ("tools", "> when an API is unknown: context7 (docs change)"),
        ("communication", "of `cleo` in your inbox"),
        ("communication", "Waiting for this: T-14."),
        ("communication", "When it is done, Drumline tells `brook`"),
        ("communication", "--to lead 'PASS|ref:PATH'"),
        ("done", "until it exits 0:\n> make 'test fast'"),
        ("done", "These files are there: `src/tree.py`"),
        ("done", "> Every example parses."),
        ("output", "Name `GH-7` in every commit"),
        ("output", "> A table."),
        ("limits", "Change only the files of this task: `src/parser/**`"),
        ("limits", "> No new dependency."),
    ):
        assert words in found.part(name)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"task": task(files=("a/*",))}, "files of this task: `a/*`", id="file set"),
        pytest.param({}, "change only what you own: `src/**`", id="owner"),
        pytest.param({"seat": seat(member=READER)}, "change no file", id="cannot write"),
    ],
)
def test_a_member_is_told_which_files_it_may_change(fields, said):
    assert said in prompt(**fields).part("limits")


def test_the_number_of_a_claim_is_told_to_its_holder_alone():
    assert "--fence 4" in told(task=task(owner="ada", fence=4))
    assert "--fence 4" not in told(task=task(owner="brook", fence=4))


@pytest.mark.requirement("RUN-03")
@pytest.mark.parametrize(
    ("plan", "depends", "waited_for", "missing"),
    [
        pytest.param({}, False, False, "", id="alone"),
        pytest.param({}, True, False, "brief.await", id="depends, no plan"),
        pytest.param({"awaits": ("ada",)}, True, False, "", id="depends, awaits"),
        pytest.param({"notify": ("ada",)}, True, False, "", id="depends, notifies"),
        pytest.param({}, False, True, "brief.notify", id="waited for, no plan"),
        pytest.param({"awaits": ("ada",)}, True, True, "brief.notify", id="nobody is told"),
        pytest.param({"notify": ("ada",)}, True, True, "", id="waited for, notifies"),
    ],
)
def test_a_task_with_neighbours_needs_a_communication_plan(plan, depends, waited_for, missing):
    found = CommunicationPlan(**plan)
    assert found.missing(depends=depends, waited_for=waited_for) == missing


@pytest.mark.requirement("RUN-03")
def test_the_metadata_of_a_task_is_read_as_its_delegation():
    found = read_delegation(
        TaskId(1),
        {
            "brief.notify": "brook",
            "brief.await": ["cleo", "cleo"],
            "brief.plan": ["read", "write"],
            "brief.context": "words",
            "brief.tools": [{"what": "x", "when": "y"}],
            "verify": ["make", "test"],
            "rationale": "long ago",
        },
    )
    assert found.communication == CommunicationPlan(notify=("brook",), awaits=("cleo",))
    assert (found.plan, found.context) == (("read", "write"), ("words",))
    assert (found.tools, found.verify) == ((ToolUse(what="x", when="y"),), ("make", "test"))


@pytest.mark.requirement("RUN-03")
@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        pytest.param({"brief.notifiy": "ada"}, "did you mean notify?", id="a slip"),
        pytest.param({"brief.notify": "not a name"}, "a member's name", id="no name"),
        pytest.param({"brief.plan": 7}, "brief.plan", id="a number"),
        pytest.param({"brief.plan": []}, "", id="an empty list"),
        pytest.param({"brief.tools": ["x"]}, "brief.tools[0]", id="a tool without when"),
        pytest.param({"verify": "make test"}, "a list of words of a command", id="no list"),
        pytest.param({"brief.fields": ["a|b"]}, "brief.fields[0]", id="it would break the signal"),
        pytest.param({"brief.plan": ["x"] * 101}, "at most 100", id="too many"),
    ],
)
def test_a_brief_that_cannot_be_read_is_refused_with_its_field(metadata, said):
    if not said:
        assert read_delegation(TaskId(1), metadata) == Delegation()
        return
    with pytest.raises(BadInput) as refused:
        read_delegation(TaskId(1), metadata)
    assert said in refused.value.why
    assert refused.value.next.startswith("drumline task note T-1")


@pytest.mark.requirement("CTX-06")
def test_metadata_that_is_no_brief_is_left_out_by_name():
    names = ["brief.plan", "verify", "rationale", "phase_signals.p1", "briefing"]
    assert ignored(names) == ("briefing", "phase_signals.p1", "rationale")


@pytest.mark.requirement("CTX-06")
@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        pytest.param("do it", "do it", (), id="nothing to leave out"),
        pytest.param("a\n## Rationale\nb\n## Steps\nc", "a\n## Steps\nc", ("Rationale",), id="why"),
        pytest.param("# Rejected alternatives:\nb\n### deep\nc", "", ("Rejected alternatives:",)),
        pytest.param("### Other phases\nx\n## Do\ny", "## Do\ny", ("Other phases",)),
        pytest.param("## History\nx", "## History\nx", (), id="a word that may be the work"),
        pytest.param("```\n# Rationale\n```\nx", "```\n# Rationale\n```\nx", (), id="code"),
        pytest.param("#Rationale\nx", "#Rationale\nx", (), id="no heading"),
    ],
)
def test_rationale_other_phases_and_rejected_ideas_stay_out(text, kept, dropped):
    assert without_noise(text) == (kept, dropped)


@pytest.mark.requirement("CTX-06")
def test_the_context_of_a_brief_is_filtered_too():
    said = Delegation(context=("## Alternatives considered\nold", "keep"))
    quiet, dropped = said.without_noise()
    assert (quiet.context, dropped) == (("keep",), ("Alternatives considered",))


@pytest.mark.requirement("CTX-06")
def test_what_was_left_out_is_told_with_its_reason_and_not_to_the_member():
    found = prompt(withheld=Withheld(others=3, fields=("rationale",), sections=("Rationale",)))
    assert [each.what for each in found.left_out] == [
        "3 other tasks",
        "parts: Rationale",
        "metadata: rationale",
    ]
    assert all(each.why for each in found.left_out)
    assert "ationale" not in found.text(Side.TASK) + found.text(Side.SYSTEM)


@pytest.mark.requirement("CTX-06")
def test_a_dependency_is_known_by_its_files_and_not_by_its_words():
    with pytest.raises(TypeError):
        Upstream(TaskId(9), TaskState.COMPLETED, (), "its title")
    bare = prompt(upstream=(Upstream(TaskId(9), TaskState.PENDING),))
    assert "- T-9 (pending): it promised no files" in bare.part("context")


HEADING_LINES = [f"## {heading.title}" for heading in HEADINGS] + ["# Task T-12", "# Team member"]
ENDS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]
hostile = st.lists(
    st.sampled_from([*HEADING_LINES, *ENDS, "`", '"', "```", "> ", "<!-- ", "-->", " ", "x"]),
    min_size=1,
    max_size=8,
).map("".join)


@pytest.mark.requirement("RUN-03")
@given(hostile)
def test_no_hostile_line_passes_for_a_heading_of_ours(text):
    words = (text, f"x\n{text}")
    found = prompt(
        seat=seat(learnt=Told(words, words), project=text, member=_named(text)),
        task=task(title=text, tracker=text, files=(text,), outputs=(text,)),
        body=text,
        delegation=Delegation(
            warnings=words,
            context=words,
            interfaces=words,
            plan=words,
            tools=(ToolUse(what=text, when=text, why=text),),
            communication=CommunicationPlan(notify=("brook",)),
            done=words,
            output=words,
            limits=words,
            verify=(text,),
        ),
        upstream=(Upstream(TaskId(9), TaskState.COMPLETED, (text,)),),
    )
    assert headings(found.text(Side.TASK)) == NINE
    assert headings(found.text(Side.SYSTEM)) == [heading.title for heading in SYSTEM_SIDE]


def _named(text):
    return MemberEntry(name="ada", role=text, tools=("Write",), owns=(text,))


@given(st.text())
def test_every_line_of_a_quotation_is_marked(text):
    assert all(line.startswith(">") for line in quoted(text).splitlines())


@given(st.text())
def test_a_few_words_stay_on_their_line_between_their_quotes(text):
    found = inline(text)
    assert len(found.splitlines()) == 1
    assert (found[0], found[-1]) in {("`", "`"), ('"', '"')}
    assert found[0] == '"' or "`" not in found[1:-1]


def test_a_line_ends_however_its_writer_ended_it():
    assert quoted("a\r\nb\rc\u2028d\n\ne") == "> a\n> b\n> c\n> d\n>\n> e"


def test_what_cannot_be_seen_is_spelled_out():
    assert quoted("a\u202eb\U000e0041\x1b") == "> a\\u202eb\\ue0041\\u001b"
    assert quoted("নমস্কার 👩\u200d💻") == "> নমস্কার 👩\u200d💻"
    assert quoted("a\u200bb\xadc\U000e0101") == "> a\\u200bb\\u00adc\\ue0101"
    assert quoted("\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f4bb") == (
        "> \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f4bb"
    )


@pytest.mark.requirement("CTX-06")
def test_a_prompt_within_its_share_is_measured_and_let_through():
    found = prompt()
    measure = measured(found, 200_000)
    assert (measure.limit, measure.too_many) == (60_000, 0)
    assert [size.heading for size in measure.sizes] == [each.heading for each in found.sections]
    assert measure.tokens == sum(about(found.text(side)) for side in Side)
    refuse_oversize(found, measure)


@pytest.mark.requirement("CTX-06")
def test_a_prompt_over_its_share_is_refused_with_what_to_cut_largest_first():
    found = prompt(body="x" * 30_000, delegation=Delegation(context=("y" * 10_000,)))
    with pytest.raises(BadInput) as refused:
        refuse_oversize(found, measured(found, 10_000))
    error = refused.value
    assert error.what.startswith("the brief of T-12 for ada has about 11,")
    order = [line.split("  ")[-1] for line in error.why.splitlines()[1:]]
    assert order[:2] == ["The goal", "What you need to know"]
    assert len(order) == len(found.sections)
    assert error.next.splitlines()[:2] == [
        "cut 'The goal': move the long part of the body to a file and name the file",
        "cut 'What you need to know': name files in brief.context, not contents",
    ]


@pytest.mark.requirement("CTX-06")
def test_only_as_many_sections_are_named_as_must_be_cut():
    found = prompt(body="x" * 30_000, delegation=Delegation(context=("y" * 10_000,)))
    with pytest.raises(BadInput) as refused:
        refuse_oversize(found, measured(found, 36_000))
    assert refused.value.next.count("cut '") == 1


@pytest.mark.requirement("CTX-06")
def test_a_counter_that_knows_better_is_believed():
    found = prompt()
    assert measured(found, 1000, count=lambda _: 1).tokens == 2


def test_a_section_is_found_by_name_and_a_side_as_a_whole():
    found = prompt()
    assert found.part("system") == found.text(Side.SYSTEM)
    assert found.part("goal").startswith("## The goal\n")
    with pytest.raises(Unknown, match="no section 'learnings'"):
        found.part("learnings")


def test_no_two_headings_share_a_name():
    assert all(one.name != other.name for one, other in permutations(HEADINGS, 2))
    assert {heading.name for heading in HEADINGS}.isdisjoint(Side)


@pytest.mark.requirement("RUN-13")
@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (("Read",), ""),
        (("Read", "Task(analyst, reader)"), "of `analyst`, `reader`"),
        (("Agent",), "of any profile in .claude/agents"),
    ],
)
def test_a_member_whose_tools_name_profiles_is_told_how_to_ask_them(tools, told):
    entry = MemberEntry(name="ada", role="Builds", tools=tools, owns=())
    text = composed(assignment(seat=seat(member=entry)), HEADINGS, SOURCES).part("reporting")
    assert ("drumline subagent ask" in text) is bool(told)
    assert told in text
