"""The Claude runtime with the real CLI: turns, guards, words, ends, and nothing left behind."""

import json
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from drumline.errors import Unknown
from drumline.runtimes.claude import ClaudeRuntime
from drumline.runtimes.runtime import (
    Called,
    Entered,
    Limited,
    Metered,
    Said,
)
from drumline.team.charge import NOTHING, step
from drumline.team.outcome import Ending
from tests.live import claude_talks
from tests.live.claude_stage import (
    KEY,
    Stage,
    all_of,
    bash,
    ended,
    limited_model,
    turns,
)
from tests.live.claude_talks import SCHEMA, WAITING
from tests.live.scripted_model import scripted_model
from tests.once import once

ONE_REQUEST = 800  # micro-USD, as the scenario's usage costs on the CLI's own list


def kinds(facts, kind):
    return [fact for fact in facts if isinstance(fact, kind)]


def one_turn(stage, **different):
    async def work():
        async with stage.talk(**different) as talk:
            return await all_of(talk.turn("Do it."))

    return stage.played(work)


@pytest.fixture
def at_work(tmp_path_factory):
    """What was told of each turn of a conversation, in which the member works."""
    return once(tmp_path_factory, "claude-at-work", claude_talks.at_work)


@pytest.fixture
def let_pass(tmp_path_factory):
    """What was told of a turn in which the CLI itself lets everything pass."""
    return once(tmp_path_factory, "claude-let-pass", claude_talks.not_asked_by_the_cli)


@pytest.fixture
def in_trouble(tmp_path_factory):
    """What was told of two turns: in one the guard fails, in the other it is silent."""
    return once(tmp_path_factory, "claude-in-trouble", claude_talks.in_trouble)


@pytest.fixture
def begun_for_answers(tmp_path_factory):
    """What was told of a conversation that was begun for answers with a schema."""
    return once(tmp_path_factory, "claude-begun-for-answers", claude_talks.begun_for_answers)


@pytest.fixture
def round_an_answer(tmp_path_factory):
    """What was told of a conversation round an answer with a schema."""
    return once(tmp_path_factory, "claude-round-an-answer", claude_talks.round_an_answer)


@pytest.fixture
def interrupted(tmp_path_factory):
    """What was told of turns to which something is said, or which are told to stop."""

    def make(folder):
        return claude_talks.Interrupted(folder).told()

    return once(tmp_path_factory, "claude-interrupted", make)


def results(turn):
    return [result for _tool, _what, result in turn["called"]]


@pytest.mark.requirement("RUN-01")
def test_a_turn_tells_what_happened_in_order_and_ends_once(at_work):
    turn = at_work["ordinary"]
    assert (turn["order"][0], turn["order"][-1]) == ("Entered", "Ended")
    assert turn["order"].count("Entered") == turn["order"].count("Ended") == 1
    assert turn["said"] == ["I begin.", "done"]
    assert turn["called"] == [["Bash", "echo made > made", "ok"], ["Bash", "false", "failed"]]
    kinds_told = [kind for kind in turn["order"] if kind in {"Said", "Called"}]
    assert kinds_told == ["Said", "Called", "Called", "Said"]
    assert (turn["ending"], turn["text"]) == (Ending.SUCCESS, "done")
    assert Path(at_work["work"], "made").read_text() == "made\n"


@pytest.mark.requirement("RUN-06")
def test_a_turn_is_metered_while_it_runs_and_in_running_totals(at_work):
    told = at_work["ordinary"]["meters"]
    assert [report["number"] for report in told] == list(range(1, len(told) + 1))
    assert len(told) > 1  # not only at the end
    spent = [report["total"]["micros"] for report in told]
    assert spent == sorted(spent)
    assert told[-1]["total"] == {
        "input": 300,
        "cached": 0,
        "output": 60,
        "micros": 3 * ONE_REQUEST,
    }
    assert len({report["source"] for report in told}) == 1


def test_the_guard_hears_of_every_call_before_and_after_it(at_work):
    turn = at_work["ordinary"]
    assert turn["asked"] == ["PreToolUse"] * 2
    assert turn["noted"] == ["PostToolUse", "PostToolUseFailure"]
    assert results(turn) == ["ok", "failed"]


@pytest.mark.parametrize(
    ("mode", "talk"),
    [("dontAsk", "at_work"), ("bypassPermissions", "let_pass")],
    ids=["dontAsk", "bypassPermissions"],
)
def test_a_refused_call_is_not_made_and_the_model_reads_why(mode, talk, request):
    told = request.getfixturevalue(talk)
    turn = told["refused"]
    assert told["mode"] == mode
    assert results(turn) == ["refused", "refused"]
    assert turn["made"] == []
    assert turn["denied"] == ["Bash", "Write"]
    assert "refused: git push [C-TEAM-003]" in turn["read"][0]
    assert told["failures"] == []


def test_a_call_the_guard_allows_still_needs_the_members_permission(round_an_answer):
    assert results(round_an_answer["one"]) == ["refused"]
    assert round_an_answer["one"]["asked"] == ["PreToolUse"]
    assert round_an_answer["one"]["made"] == []


def test_a_guard_that_fails_refuses_the_call(in_trouble):
    turn = in_trouble["failing"]
    assert turn["asked"] == ["PreToolUse"]
    assert results(turn) == ["refused"]
    assert "the guard failed (LookupError)" in turn["read"][0]
    assert turn["made"] == []


def test_a_guard_that_says_nothing_refuses_the_call(in_trouble):
    turn = in_trouble["silent"]
    assert turn["asked"] == ["PreToolUse"]
    assert results(turn) == ["refused"]
    assert "the guard said nothing for 2 seconds" in turn["read"][0]
    assert turn["made"] == []


def fault(kind):
    return f"fault: {{kind: {kind}}}"


FAULTS = {
    **{fault(kind): Ending.RETRY for kind in (429, 500, 529, "cut_stream", "error_in_stream")},
    **{fault(kind): Ending.REFUSED for kind in (400, 401, 404)},
    "end: refusal": Ending.REFUSED,
}
BETTER = {step: f"better {number}" for number, step in enumerate(FAULTS)}  # what is said after it


def each_fault(folder):
    """One conversation in which everything goes wrong once, and which is asked again each time."""
    steps = [(step,) for fault in BETTER.items() for step in (fault[0], f"say: {fault[1]}")]
    stage = Stage(folder, turns(*steps, (claude_talks.DAEMON, "say: done")))

    async def work():
        async with stage.talk() as talk:
            told = [
                (await all_of(talk.turn("Do it.")), await ended(talk.turn("Again.")))
                for _ in FAULTS
            ]
            return told, await claude_talks.left_behind(stage, talk)

    told, at_the_end = stage.played(work, len(FAULTS) + 1)
    found = {
        step: {
            "ending": facts[-1].outcome.ending,
            "limited": [fact.until for fact in kinds(facts, Limited)],
            "said": [fact.text for fact in kinds(facts, Said)],
            "again": [later.outcome.succeeded, later.text],
        }
        for step, (facts, later) in zip(FAULTS, told, strict=True)
    }
    return {**found, "at the end": at_the_end}


@pytest.fixture
def after_fault(tmp_path_factory):
    """What was told of each fault, and of the turn after it."""
    return once(tmp_path_factory, "faults-of-claude", each_fault)


@pytest.mark.parametrize(("step", "ending"), FAULTS.items())
def test_what_goes_wrong_with_the_model_is_told_and_the_conversation_goes_on(
    step, ending, after_fault
):
    assert after_fault[step]["ending"] == ending
    assert after_fault[step]["again"] == [True, BETTER[step]]


@pytest.mark.requirement("RUN-15")
def test_too_many_requests_limit_the_account(after_fault):
    assert after_fault[fault(429)]["limited"] == [None]
    assert after_fault[fault(429)]["said"] == []


@pytest.mark.requirement("RUN-15")
def test_a_usage_limit_is_told_with_the_time_it_ends(tmp_path):
    stage = Stage(tmp_path, turns(("say: unused",)))
    until = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)

    async def work():
        with limited_model(until) as port:
            variables = {
                **stage.start().variables,
                "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
                "CLAUDE_CODE_OAUTH_TOKEN": KEY,
            }
            del variables["ANTHROPIC_API_KEY"]
            there = {"variables": variables, "confinement": stage.confinement(port)}
            async with stage.talk(**there) as talk:
                return await all_of(talk.turn("Do it."))

    facts = stage.played(work)
    assert [fact.until for fact in kinds(facts, Limited)] == [until]
    assert facts[-1].outcome.ending is Ending.RETRY


@pytest.mark.requirement("RUN-06")
def test_a_spent_budget_ends_the_turn(tmp_path):
    stage = Stage(tmp_path, turns(("usage: {input: 100000, output: 50000}", WAITING, "say: done")))
    facts = one_turn(stage, settings={"max_budget_usd": "0.01"})
    assert facts[-1].outcome.ending is Ending.BUDGET
    assert (
        stage.model.requests() == 1
    )  # the response that spent it; its call may already have begun


@pytest.mark.requirement("MAIL-01")
def test_words_told_in_a_turn_reach_the_model_and_are_received(interrupted):
    turn = interrupted["in a turn"]
    assert turn["act"] is True
    assert turn["received"] == ["M-12"]
    assert turn["order"][-1] == "Ended"
    assert "Mind the gap." in turn["last heard"]


def test_words_told_at_the_very_end_are_answered_before_the_turn_is_over(interrupted):
    turn = interrupted["at its end"]
    assert turn["act"] is True
    assert turn["received"] == ["M-13"]
    assert turn["text"] == "second"


def test_nothing_can_be_told_between_turns(interrupted):
    assert interrupted["between turns"] == {"told": [False, False], "requests": 1}
    assert [words for words in interrupted["heard"] if "Early." in words or "Late." in words] == []


@pytest.mark.parametrize("step", ["a tool", "the model"])
def test_an_interrupted_turn_comes_to_its_end_and_another_can_follow(step, interrupted):
    assert interrupted[step]["first"]["ending"] == Ending.INTERRUPTED
    assert interrupted[step]["second"]["text"] == f"again after {step}"


def test_words_that_wait_do_not_carry_an_interrupted_turn_on(interrupted):
    assert interrupted["words that wait"]["ending"] == Ending.INTERRUPTED


@pytest.mark.requirement("RUN-06")
def test_a_resumed_conversation_is_the_same_one_and_its_meter_runs_on(tmp_path):
    stage = Stage(tmp_path, turns(("say: one",), (fault(500),), (bash("true"), "say: three")))

    async def work():
        async with stage.talk() as talk:
            first = await all_of(talk.turn("One."))
        async with stage.talk(session=first[0].session, system="A later word.") as talk:
            return first, await all_of(talk.turn("Two.")), await all_of(talk.turn("Three."))

    lives = stage.played(work)
    assert {fact.session for facts in lives for fact in kinds(facts, Entered)} == {
        lives[0][0].session
    }
    told = [fact.report.total for facts in lives for fact in kinds(facts, Metered)]
    spent = sum(step(before, now).micros for before, now in pairwise([NOTHING, *told]))
    assert spent == 3 * ONE_REQUEST
    assert lives[2][-1].text == "three"
    assert stage.model.records()[-2].depth == 1  # what was said in the first life


def test_a_session_nobody_knows_cannot_be_resumed(tmp_path):
    stage = Stage(tmp_path, turns(("say: one",)))

    async def work():
        with pytest.raises(Unknown) as refused:
            await stage.runtime.begin(stage.start(session="0" * 8 + "-0000-4000-8000-" + "0" * 12))
        return refused.value.why

    assert "No conversation found" in stage.played(work)
    assert stage.alive() == []


ANSWERS = {
    "good": ({"n": 3}, Ending.SUCCESS),
    "bad, then good": ({"n": 4}, Ending.SUCCESS),
    "never": (None, Ending.RETRY),
    "always bad": (None, Ending.RETRY),
}
JUDGED = {"good": ("structured: {n: 3}",), "always bad": ("structured: {n: x}",) * 8}


@pytest.fixture
def judged(tmp_path):
    """What a judgement of its own comes to, of which nothing is kept."""

    def judge(*steps):
        stage = Stage(tmp_path, turns(steps))

        async def work():
            return await ClaudeRuntime().judged(stage.start(), "How many?", SCHEMA)

        done = stage.played(work)
        assert not list(stage.home.rglob("projects/**/*.jsonl"))
        assert stage.alive() == []
        return {"answer": done.answer, "ending": done.outcome.ending}

    return judge


@pytest.mark.requirement("RUN-01", "RUN-02")
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_asked_for_with_a_schema_is_given_or_the_turn_is_no_success(
    name, judged, request
):
    told = request.getfixturevalue("begun_for_answers") if name not in JUDGED else None
    done = judged(*JUDGED[name]) if told is None else told[name]
    assert (done["answer"], done["ending"]) == ANSWERS[name]


def test_a_conversation_goes_on_round_a_turn_with_a_schema(round_an_answer):
    one, two, three = (round_an_answer[name] for name in ("one", "two", "three"))
    assert (one["text"], two["answer"], three["text"]) == ("one", {"n": 3}, "three")
    assert "Entered" not in two["order"] + three["order"]
    assert three["meters"][-1]["total"]["micros"] == 4 * ONE_REQUEST
    assert round_an_answer["depth"] > 1


def test_a_conversation_begun_for_an_answer_with_a_schema_needs_no_other_process(begun_for_answers):
    assert begun_for_answers["bad, then good"]["answer"] == {"n": 4}
    assert len({*begun_for_answers["processes"]}) == 1


def test_a_turn_whose_process_cannot_be_started_says_why(round_an_answer):
    last = round_an_answer["last"]
    assert last["ending"] == Ending.CRASHED
    assert "schema" in last["why"].lower()


def test_a_line_of_more_than_a_mebibyte_is_read(at_work):
    assert at_work["large"]["ending"] == Ending.SUCCESS
    assert Path(at_work["work"], "big").stat().st_size == claude_talks.LARGE


@pytest.mark.requirement("RUN-07")
def test_a_killed_cli_is_a_crash_and_nothing_of_it_stays_alive(at_work):
    killed = at_work["killed"]
    assert killed["ending"] == Ending.CRASHED
    assert killed["left"] == []
    assert killed["later"] == Ending.CRASHED


@pytest.mark.requirement("RUN-07")
def test_a_conversation_whose_runner_ends_is_over_with_all_its_processes(let_pass):
    assert let_pass["let go"]["ending"] == Ending.CRASHED


@pytest.mark.requirement("RUN-07")
def test_an_ended_conversation_leaves_no_process_alive(after_fault):
    assert after_fault["at the end"] == {"ending": Ending.INTERRUPTED, "act": []}


def test_a_background_task_is_part_of_the_turn_that_started_it(tmp_path):
    text = """\
scenario: subagent
members:
  ada:
    - when: Do it
      steps:
        - tool:
            name: Agent
            input: {description: look, prompt: Look at the moon, subagent_type: general-purpose,
                    run_in_background: true}
        - say: It is looking.
    - when: {subagent: true, contains: the moon}
      steps: [{tool: {name: Bash, input: {command: "touch there"}}}, {say: It is round.}]
    - when: It is round
      steps: [{say: I see.}]
    - steps: [{say: Next.}]
"""
    stage = Stage.told(tmp_path, text)

    async def work():
        async with stage.talk(permission_mode="bypassPermissions") as talk:
            return await all_of(talk.turn("Do it.")), await ended(talk.turn("Next?"))

    facts, later = stage.played(work)
    assert facts[-1].text == "I see."
    asked = [event["tool_input"].get("command") for event in stage.guard.asked]
    assert asked == [None, "touch there"]
    assert Called("Bash", "touch there", "ok") in facts
    assert kinds(facts, Metered)[-1].report.total.micros == 5 * ONE_REQUEST
    assert later.text == "Next."


def test_tools_see_who_they_work_for_and_not_the_key(at_work):
    assert at_work["seen"]["ending"] == Ending.SUCCESS
    seen = Path(at_work["work"], "seen").read_text()
    assert "DRUMLINE_MEMBER=ada" in seen
    assert f"CLAUDE_CONFIG_DIR={at_work['home']}" in seen
    assert KEY not in seen
    assert "OUR_OWN" not in seen
    assert at_work["files with the key"] == []


def test_a_resumed_member_reads_the_system_words_of_its_new_life(tmp_path):
    stage = Stage(tmp_path, turns(("say: unused",)))

    async def work():
        with scripted_model() as model:
            there = {
                "variables": {**stage.start().variables, "ANTHROPIC_BASE_URL": model.url},
                "confinement": stage.confinement(model.server_port),
            }
            async with stage.talk(**there, system="The word is one.") as talk:
                first = await all_of(talk.turn("One."))
            async with stage.talk(
                **there, system="The word is two.", session=first[0].session
            ) as talk:
                await all_of(talk.turn("Two."))
            return model.heard()

    heard = stage.played(work)
    assert "The word is two." in heard
    assert "The word is one." not in heard


def test_a_prompt_is_only_words(at_work):
    assert at_work["words"]["text"] == "done"
    assert at_work["words"]["heard"] == [claude_talks.ONLY_WORDS]


def test_a_member_cannot_speak_to_other_sessions_of_the_cli(at_work):
    (offered,) = at_work["words"]["offered"]
    assert "Bash" in offered
    assert not {*offered} & {"SendMessage", "ListAgents"}


def test_what_the_repository_says_about_hooks_is_not_loaded(at_work):
    assert results(at_work["refused"]) == ["refused", "refused"]
    assert at_work["refused"]["asked"] == ["PreToolUse"] * 2
    work = Path(at_work["work"])
    assert json.loads((work / ".claude" / "settings.json").read_text())["disableAllHooks"] is True
    assert not (work / "loaded").exists()


def test_one_turn_runs_at_a_time(interrupted):
    assert interrupted["at a time"]["act"] == "Conflict"


def test_what_the_member_writes_is_held_by_the_kernel_too(at_work):
    assert results(at_work["outside"]) == ["failed"]
    assert at_work["outside made"] == []


@pytest.mark.requirement("PIPE-19")
@pytest.mark.parametrize(
    ("effort", "talk"), [("low", "at_work"), ("max", "let_pass")], ids=["low", "max"]
)
def test_the_effort_of_a_phase_arrives_in_the_request(effort, talk, request):
    turn = request.getfixturevalue(talk)["refused"]
    assert turn["ending"] == Ending.SUCCESS
    assert {*turn["effort"]} == {effort}
