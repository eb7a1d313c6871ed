"""Briefing a member: from the store, what it needs and nothing more, or a refusal that helps."""

import pytest

from drumline.control import briefing, records, roster
from drumline.control.briefing import Surroundings
from drumline.errors import BadInput, NotAllowed, NotReady, Unknown
from drumline.team import registry
from drumline.team.draft import NewTask
from drumline.team.language import Language
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.profile import Profile
from drumline.team.prompt import Side
from drumline.team.settings import TeamSettings
from drumline.team.telling import Told
from tests.stores import seat
from tests.words import BOSS, add, claim, finished, send, verbs

ADA = MemberEntry(name="ada", role="Builds", tools=("Read", "Write"), owns=("src/**",))
BROOK = MemberEntry(name="brook", role="Reviews", tools=("Read",), owns=(), profile="reviewer")
CLEO = MemberEntry(name="cleo", role="Tests", tools=("Read", "Write"), owns=("tests/**",))


class Remembered:
    """A team whose members remember one thing."""

    def of(self, member, about, counted):
        return Told((f"{member} keeps tabs",), (f"{about}: {counted(member, ['x'])}",), left_out=2)


def around(*, window=200_000, **fields):
    manifest = Manifest(
        team="atlas",
        description="A team to test with",
        members=(ADA, BROOK, CLEO),
        language=Language(people="Korean"),
        settings=TeamSettings(context_window=window),
    )
    return Surroundings(manifest=manifest, rules=registry.built_in(), **fields)


def brief(store, task, member="ada", **fields):
    return store.ask(briefing.brief_for, task.id, member, around(**fields))


def told(store, task, member="ada", **fields):
    found = brief(store, task, member, **fields).prompt
    return found.text(Side.SYSTEM) + found.text(Side.TASK)


def note(store, task, **fields):
    named = {name.replace("_", ".", 1): value for name, value in fields.items()}
    return store.do(records.merge, BOSS, task.id, named)


@pytest.mark.requirement("RUN-03", "BOARD-11", "TEAM-10")
def test_a_task_is_briefed_from_the_board_the_manifest_and_the_rules(store):
    task = add(store, "Write the parser", body="All of it.", files=("src/**",), tracker="GH-7")
    text = told(store, task, learnings=Remembered())
    for words in (
        "You are ada, a member of team atlas",
        "Speak to people in Korean.",
        "| C-OWN-002 |",
        "> ada keeps tabs",
        "Task T-1, tracked as `GH-7`",
        "> Write the parser\n>\n> All of it.",
        "files of this task: `src/**`",
    ):
        assert words in text


@pytest.mark.requirement("CTX-06")
def test_no_word_of_another_task_reaches_the_member(store):
    first = finished(
        store, "FIRST title", body="FIRST body", outputs=("docs/api.md",), tracker="FIRST-1"
    )
    task = add(store, "Write the parser", first.id)
    after = add(store, "AFTER title", task.id, body="AFTER body", files=("AFTER/**",))
    add(store, "ELSE title", body="ELSE body", outputs=("ELSE.md",))
    for other in (first, after):
        note(store, other, rationale="OTHER rationale", brief_context="OTHER context")
    note(store, task, brief_notify="cleo", rationale="OWN rationale", phase_signals="OWN phase")
    text = told(store, task)
    assert "- T-1 (completed): `docs/api.md`" in text
    assert f"Waiting for this: {after.id}." in text
    assert not [word for word in ("FIRST", "AFTER", "ELSE", "OTHER", "OWN ") if word in text]


@pytest.mark.requirement("CTX-06")
def test_what_was_left_out_is_counted(store):
    first = finished(store, "first")
    add(store, "else")
    task = add(store, "work", first.id, body="do\n## Rationale\nold")
    note(store, task, brief_await="lead", rationale="long ago")
    send(store, "brook", "ada", "hello")
    assert [each.what for each in brief(store, task).prompt.left_out] == [
        "1 other task",
        "the words of T-1",
        "parts: Rationale",
        "metadata: rationale",
        "6 rules",
        "words of 1 letter",
        "the claim's number",
    ]


@pytest.mark.requirement("CTX-06")
def test_rules_that_bind_others_stay_out(store):
    text = told(store, add(store))
    assert "C-TASK-002" in text
    assert not [name for name in ("C-LEAD-001", "C-LEAD-002", "C-TASK-001") if name in text]


@pytest.mark.requirement("RUN-03")
def test_a_task_that_others_wait_for_is_refused_until_it_says_whom_to_tell(store):
    task = add(store)
    add(store, "next", task.id)
    with pytest.raises(BadInput) as refused:
        brief(store, task)
    assert refused.value.next.startswith("drumline task note T-1 brief.notify=NAME")
    note(store, task, brief_notify="brook")
    assert "Drumline tells `brook`: you send nothing" in told(store, task)


@pytest.mark.requirement("RUN-03")
def test_a_task_that_depends_is_refused_until_it_has_a_plan(store):
    task = add(store, "second", finished(store, "first").id)
    with pytest.raises(BadInput) as refused:
        brief(store, task)
    assert refused.value.next.startswith("drumline task note T-2 brief.await=NAME")
    note(store, task, brief_await="cleo")
    assert "of `cleo` in your inbox" in told(store, task)


@pytest.mark.requirement("RUN-03")
def test_a_plan_that_names_a_stranger_is_refused(store):
    task = add(store)
    note(store, task, brief_notify="mallory")
    with pytest.raises(Unknown, match="mallory"):
        brief(store, task)


@pytest.mark.requirement("RUN-03")
def test_a_plan_cannot_let_members_write_to_each_other_where_that_is_forbidden(store):
    seat(store, constitution="constitution-4")
    task = add(store)
    note(store, task, brief_notify="brook")
    with pytest.raises(NotAllowed) as refused:
        brief(store, task)
    assert refused.value.next.endswith("brief.notify=lead")
    note(store, task, brief_notify="lead")
    assert "drumline task release" not in told(store, task)


@pytest.mark.requirement("CTX-06")
def test_a_brief_over_its_share_of_the_window_is_refused_with_what_to_cut(store):
    task = add(store, body="x" * 20_000)
    with pytest.raises(BadInput) as refused:
        brief(store, task, window=16_000)
    assert "here 4,800 tokens" in refused.value.why
    assert refused.value.next.startswith("cut 'The goal'")
    assert brief(store, task).measure.limit == 60_000


@pytest.mark.requirement("CTX-06")
def test_a_counter_of_the_runtime_decides(store):
    task = add(store)
    with pytest.raises(BadInput):
        brief(store, task, count=lambda text: len(text) * 1000)


def test_waiting_letters_are_counted_and_not_copied(store):
    task = add(store)
    send(store, "brook", "ada", "SECRET words")
    text = told(store, task)
    assert "1 letter waits for you, 1 unread" in text
    assert "SECRET" not in text


def test_the_holder_is_told_the_number_of_its_claim(store):
    task = add(store)
    claim(store, task, "ada")
    assert "--fence 1" in told(store, task)
    assert "--fence 1" not in told(store, task, "cleo")


def test_briefing_changes_nothing(store):
    task = add(store)
    before = verbs(store)
    brief(store, task)
    assert verbs(store) == before


@pytest.mark.parametrize(
    ("fields", "member"),
    [
        pytest.param({}, "ada", id="the first in the manifest"),
        pytest.param({"files": ("tests/test_a.py",)}, "cleo", id="the owner of its files"),
        pytest.param({"profile": "reviewer"}, "brook", id="the only one of its profile"),
    ],
)
def test_an_unclaimed_task_is_shown_for_whoever_may_take_it(store, fields, member):
    seat(store, profiles={"brook": "reviewer"})
    task = add(store, **fields)
    assert store.ask(briefing.for_whom, task.id, around().manifest) == member


def test_a_claimed_task_is_shown_for_its_holder(store):
    task = add(store)
    claim(store, task, "cleo")
    assert store.ask(briefing.for_whom, task.id, around().manifest) == "cleo"


def test_a_permanent_task_is_nobodys_to_work_on(store):
    task = store.do(records.open_run, BOSS, NewTask(title="goal", run="r1"))
    with pytest.raises(NotReady):
        brief(store, task)


@pytest.mark.parametrize("name", ["human", "lead"])
def test_a_person_is_not_briefed(store, name):
    with pytest.raises(Unknown, match="no place in this repository's manifest"):
        brief(store, add(store), name)


def test_a_member_who_is_not_here_is_refused(store):
    with pytest.raises(Unknown, match="no member 'mallory'"):
        brief(store, add(store), "mallory")
    assert store.ask(roster.addressed, "ada").active


def test_the_facts_of_a_brief_hold_both_prompts_and_every_size(store):
    found = brief(store, add(store))
    facts = briefing.brief_facts(found)
    assert facts["system_prompt"] == found.prompt.text(Side.SYSTEM)
    assert facts["task_prompt"] == found.prompt.text(Side.TASK)
    assert [row["name"] for row in facts["sections"]][-9:] == [
        "warnings",
        "goal",
        "context",
        "plan",
        "tools",
        "communication",
        "done",
        "output",
        "limits",
    ]


@pytest.mark.requirement("MAIL-10")
def test_a_task_that_wants_a_handoff_says_how_and_whom_it_tells(store):
    task = add(store, "work")
    note(store, task, handoff="required", brief_notify="cleo")
    text = told(store, task)
    assert "`drumline handoff submit --task T-1 --fence 0 -`" in text
    assert "It tells `lead`, `cleo`; the task stays open without it." in text
    assert "drumline mail send --to cleo" not in text


@pytest.mark.requirement("TEAM-10")
def test_the_languages_reach_whoever_has_no_task_and_whoever_a_member_asks(store):
    alone = store.ask(briefing.introduction, "ada", around())
    asked = briefing.subagent_told(Profile(name="scout", description="x"), ADA, around())
    for text in (alone, asked):
        assert "Speak to people in Korean." in text
