"""The codex runtime on the real Codex: turns under the guard's hooks, their cost, and every way they end."""

import asyncio
import json
import os
import signal
from datetime import UTC, datetime, timedelta

import pytest

from drumline.errors import BadInput, Conflict
from drumline.runtimes.runtime import Called, Entered, Limited
from drumline.runtimes.witnessed import Witnessed
from tests.live import codex_talks
from tests.live.agent_cli import LONGEST
from tests.live.codex_stage import PushIsRefused, bash, limited_model, model_at, turns
from tests.live.codex_talks import SCHEMA, STEPS, WAITING, asked, codex_itself, played
from tests.once import once

pytestmark = pytest.mark.requirement("RUN-04")


@pytest.fixture
def working(tmp_path_factory):
    """What was told of a turn in which the member works."""
    return once(tmp_path_factory, "codex-at-work", codex_talks.at_work)


def test_a_turn_tells_what_was_said_called_and_refused(working):
    assert working["ended"] == ["success", "done", ["Bash"]]
    assert working["said"] == ["I begin.", "done"]
    assert working["called"][:3] == [
        ["Bash", "echo made > made; cat made", "ok"],
        ["Bash", "git push", "refused"],
        ["Bash", "false", "failed"],
    ]
    assert len(working["called"]) == 6
    assert working["made"] == "made\n"
    assert working["failures"] == []


def test_the_model_is_told_why_a_call_was_refused(working):
    assert "pushing is the lead's" in working["read"][1]
    (first, _), *after = working["noted"]
    assert (first, {name for name, _ in after}) == ("SessionStart", {"PostToolUse"})
    assert [name for name, call in after if "cat made" in call] == ["PostToolUse"]
    assert [name for name, call in after if "git push" in call] == []


def test_a_patch_is_told_by_its_files(working):
    assert working["called"][3] == ["apply_patch", f"{working['work']}/a.txt", "ok"]


def test_tools_have_the_members_path_and_no_key(working):
    told = working["read"][4]
    assert told.split("\n")[0].endswith("/usr/bin:/bin")
    assert "DRUMLINE_MEMBER=ada" in told
    assert "REHEARSAL_KEY" not in told


def test_no_tool_writes_outside_its_folders(working):
    assert working["called"][5][2] == "failed"
    assert not working["outside"]


@pytest.fixture
def started(tmp_path_factory):
    """What came of a member that was started in one of these ways."""

    def find(way):
        made = once(
            tmp_path_factory, f"codex-started-{way}", lambda at: codex_talks.started_so(at, way)
        )
        assert made["efforts"]
        return made

    return find


def test_what_the_member_is_told_first_reaches_the_model(started):
    told = started("one")
    assert told["model"] == "gpt-of-another-kind"
    assert json.dumps('You are "ada".\nBe kind.')[1:-1] in told["transcript"]


@pytest.mark.requirement("GUARD-21", "RUN-12")
@pytest.mark.parametrize("listed", [True, False])
def test_what_the_provider_searches_by_itself_is_offered_to_who_has_it_listed(started, listed):
    assert ("web_search" in started("one" if listed else "another")["offered"]) is listed


@pytest.fixture
def gone_on(tmp_path_factory):
    """What was told of a session that was gone on with."""
    return once(tmp_path_factory, "codex-gone-on-with", codex_talks.gone_on_with)


def test_a_later_turn_goes_on_and_its_tokens_are_totals(gone_on):
    assert gone_on["sessions"][0] == gone_on["sessions"][1]
    assert gone_on["tokens"] == [[[1000, 200, 30], [2000, 400, 60]], [[3000, 600, 90]]]
    assert gone_on["depth"] == 2  # its call and its words


def test_a_reading_names_its_session_number_and_model(working):
    numbers, sources, models, prices = zip(*working["reports"], strict=True)
    assert numbers == (1, 2, 3, 4, 5, 6, 7)
    assert {*zip(sources, models, strict=True)} == {(working["session"], "rehearsal")}
    assert {*prices} == {None}


@pytest.mark.requirement("RUN-06")
def test_a_response_is_metered_while_its_call_still_waits_for_a_ruling(tmp_path):
    async def play(ada):
        seen = []
        rule = ada.guard.before

        def slow(event):
            asyncio.run(ada.until(lambda: ada.tokens))
            seen.append(ada.tokens)
            return rule(event)

        ada.guard.before = slow
        await ada.ask()
        return ada, seen

    ada, seen = played(tmp_path, turns((bash("true"), "say: done")), play)
    assert ada.called == [Called("Bash", "true", "ok")]  # a ruling that waited too long refuses
    assert seen == [[(100, 0, 20)]]


@pytest.mark.parametrize("model", ["", "gpt-6.1-sol"], ids=["tools one by one", "as a script"])
def test_the_guard_rules_however_codex_offers_its_tools(model, tmp_path):
    async def play(ada):
        member = ada.changed(model=model)
        ended = await member.ask()
        return member, ended

    steps = (bash("touch made"), bash("git push origin main"), "say: done")
    ada, ended = played(tmp_path, turns(steps), play)
    assert ended.outcome.succeeded, ended
    assert [called.result for called in ada.called] == ["ok", "refused"]
    assert not [name for name in ada.rehearsal.records()[0].offered if "agent" in name]
    assert (tmp_path / "work" / "made").exists()


def test_another_conversation_goes_on_with_a_named_session(gone_on):
    assert gone_on["sessions"][2] == gone_on["sessions"][0]
    assert gone_on["named"] == "three"


def test_a_session_that_is_not_there_is_refused(tmp_path):
    async def play(ada):
        unknown = ada.changed(session="01a1e369-c42a-7043-857a-a2b2a63f4dde")
        ended = await unknown.ask()
        return unknown, ended

    unknown, ended = played(tmp_path, turns(("say: done",)), play)
    assert ended.outcome.ending == "refused"
    assert "no rollout found" in ended.outcome.why
    assert unknown.told(Entered) == []


@pytest.mark.parametrize("session", ["latest", "../x", "--last"])
def test_a_name_codex_would_take_for_a_new_conversation_is_refused(session, tmp_path):
    async def play(ada):
        with pytest.raises(BadInput):
            await ada.runtime().begin(ada.changed(session=session).start)

    played(tmp_path, turns(("say: done",)), play)


def test_an_answer_with_a_schema_is_given(tmp_path):
    _, ended = asked(tmp_path, turns(("structured: {n: 3, why: null}",)), schema=SCHEMA)
    assert ended.outcome.succeeded
    assert ended.answer == {"n": 3}
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("step", ["structured: {n: 0, why: x}", "structured: {why: x}", "say: no"])
def test_an_answer_that_does_not_follow_its_schema_is_no_success(step, tmp_path):
    _, ended = asked(tmp_path, turns((step,)), schema=SCHEMA)
    assert (ended.outcome.ending, ended.answer) == ("retry", None)
    assert "schema" in ended.outcome.why


ENDS = {
    "429": "retry",
    "500": "retry",
    "503": "retry",
    "400": "refused",
    "401": "refused",
    "cut_stream": "retry",
    "error_in_stream": "retry",
}


@pytest.fixture
def server_failed(tmp_path_factory):
    return once(
        tmp_path_factory, "codex-whose-model-failed", lambda at: codex_talks.failed(at, "500")
    )


@pytest.mark.parametrize("kind", ENDS)
def test_a_fault_of_the_model_means_the_right_thing(kind, tmp_path, request):
    if kind == "500":
        assert request.getfixturevalue("server_failed")["ending"] == ENDS[kind]
    else:
        _, ended = asked(tmp_path, turns((f"fault: {{kind: {kind}}}",)))
        assert ended.outcome.ending == ENDS[kind]


def test_a_model_that_will_not_is_a_refusal(tmp_path):
    _, ended = asked(tmp_path, turns(("end: refusal",)))
    assert ended.outcome.ending == "refused"


def test_a_turn_that_failed_has_cost_what_it_cost(server_failed):
    assert server_failed == {"ending": "retry", "tokens": [[100, 0, 20]]}


NOW = datetime.now(UTC)  # noqa: TID251 - Codex looks at the real clock
LATER = NOW.replace(microsecond=0) + timedelta(hours=5)
LIMITS = {
    "a time of this day": ({"resets_at": int(LATER.timestamp())}, {}, LATER.replace(second=0)),
    "a time of another day": (
        {"resets_at": int((LATER + timedelta(days=5)).timestamp())},
        {},
        (LATER + timedelta(days=5)).replace(second=0),
    ),
    "a window that is used up": (
        {},
        {
            "x-codex-primary-used-percent": "100",
            "x-codex-primary-window-minutes": "300",
            "x-codex-primary-reset-at": str(int(LATER.timestamp())),
        },
        LATER,
    ),
    "no time at all": ({}, {}, None),
}


@pytest.mark.requirement("RUN-15")
@pytest.mark.parametrize("name", LIMITS)
def test_a_usage_limit_is_told_with_the_time_it_ends(name, tmp_path):
    more, headers, until = LIMITS[name]

    async def play(ada):
        with limited_model({"type": "usage_limit_reached", **more}, headers) as url:
            held = ada.changed(settings={"arguments": model_at(url)})
            return held, await held.ask()

    ada, ended = played(tmp_path, turns(("say: done",)), play)
    assert [fact.until for fact in ada.told(Limited)] == [until]
    assert "usage limit" in ada.told(Limited)[0].why
    assert ended.outcome.ending == "retry"


@pytest.fixture
def interrupted(tmp_path_factory):
    """What was told of a turn that was interrupted."""

    def find(what):
        return once(
            tmp_path_factory, f"codex-stopped-{what}", lambda at: codex_talks.stopped(at, what)
        )

    return find


@pytest.mark.parametrize("what", STEPS)
def test_an_interrupted_turn_ends_and_can_be_gone_on_with(what, interrupted):
    told = interrupted(what)
    assert told["ending"] == "interrupted"
    assert told["after"] == "here"
    assert len({*told["sessions"]}) == 1


def test_an_interrupted_turn_has_cost_what_it_cost(interrupted):
    assert interrupted("tool")["tokens"] == [[100, 0, 20]]


def test_a_killed_cli_has_crashed_and_leaves_nothing(tmp_path):
    async def play(ada):
        asking = asyncio.ensure_future(ada.ask())
        await ada.until((tmp_path / "work" / "began").exists)
        os.kill(codex_itself(ada), signal.SIGKILL)
        return await asking

    ended = played(tmp_path, turns((WAITING, "say: done")), play)
    assert ended.outcome.ending == "crashed"
    assert "signal 9" in ended.outcome.why


def test_the_end_of_a_conversation_is_the_end_of_its_processes(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        asking = asyncio.ensure_future(ada.ask(conversation=talk))
        await ada.until((tmp_path / "work" / "began").exists)
        assert len(ada.alive()) > 3
        await talk.end()
        left = ada.alive()
        await asking
        with pytest.raises(Conflict):
            await ada.ask(conversation=talk)
        return left

    assert played(tmp_path, turns((WAITING, "say: done")), play) == []


def test_whoever_stops_listening_leaves_nothing_running(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        asking = asyncio.ensure_future(ada.ask(conversation=talk))
        await ada.until((tmp_path / "work" / "began").exists)
        asking.cancel()
        await asyncio.wait({asking}, timeout=LONGEST)
        return ada.alive()

    assert played(tmp_path, turns((WAITING, "say: done")), play) == []


def test_whoever_closes_the_facts_leaves_nothing_running(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        facts = talk.turn("Do it.")
        assert isinstance(await anext(facts), Entered)
        await facts.aclose()
        return ada.alive()

    assert played(tmp_path, turns((WAITING, "say: done")), play) == []


def test_a_turn_whose_hooks_are_skipped_is_stopped_and_no_success(tmp_path):
    async def play(ada):
        deaf = ada.runtime(guard=["/bin/true"])  # it runs, and tells nobody
        ended = await ada.ask(conversation=await deaf.begin(ada.start))
        return ended, ada.rehearsal.requests()

    ended, requests = played(tmp_path, turns(("say: hello", bash("sleep 60"), "say: done")), play)
    assert (ended.outcome.ending, requests) == ("refused", 1)
    assert "its hooks did not tell the guard" in ended.outcome.why


def test_a_session_that_was_proven_once_must_be_proven_again(gone_on):
    assert gone_on["deaf"] == "refused"


def test_a_runner_that_is_gone_lets_nothing_through(tmp_path):
    async def play(ada):
        told = {**ada.start.variables, "DRUMLINE_SOCKET": str(tmp_path / "nobody")}
        lone = ada.changed(variables=told)
        return lone, await lone.ask()

    _, ended = played(tmp_path, turns((bash("touch made"), "say: done")), play)
    assert ended.outcome.ending == "refused"
    assert not (tmp_path / "work" / "made").exists()


def test_a_guard_that_forgets_what_it_heard_is_not_taken(tmp_path):
    async def play(ada):
        with pytest.raises(BadInput):
            await ada.runtime().begin(ada.changed(guard=PushIsRefused()).start)
        await ada.runtime().begin(ada.changed(guard=Witnessed(PushIsRefused())).start)

    played(tmp_path, turns(("say: done",)), play)


def test_a_cli_that_cannot_be_started_is_a_refusal(tmp_path):
    async def play(ada):
        odd = ada.changed(settings={"arguments": '["--nonsense"]'})
        return await odd.ask()

    ended = played(tmp_path, turns(("say: done",)), play)
    assert ended.outcome.ending == "refused"
    assert ended.outcome.why.startswith("it did not begin")


def test_words_are_not_taken_while_a_turn_runs(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        return await talk.tell("hurry", "m-1")

    assert played(tmp_path, turns(("say: done",)), play) is False


@pytest.mark.requirement("PIPE-19")
@pytest.mark.parametrize("effort", ["low", "high"])
def test_the_effort_of_a_phase_arrives_in_the_request(started, effort):
    assert {*started("one" if effort == "low" else "another")["efforts"]} == {effort}
