"""The codex runtime on the real Codex: turns under the guard's hooks, their cost, and every way they end."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from drumline.errors import BadInput, Conflict
from drumline.runtimes.runtime import Called, Ended, Entered, Limited, Said
from drumline.runtimes.witnessed import Witnessed
from drumline.team.scenario import Scenario
from tests.live.agent_cli import LONGEST
from tests.live.codex_stage import PushIsRefused, Stage, bash, limited_model, model_at, stage, turns

pytestmark = pytest.mark.requirement("RUN-04")

T = TypeVar("T")
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "why": {"type": "string"}},
    "required": ["n"],
    "additionalProperties": False,
}
HANG = "fault: {kind: hang}"
WAITING = bash("(setsid tail -f /dev/null &) ; echo > began; exec tail -f /dev/null")


def played(
    folder: Path, scenario: Scenario, play: Callable[[Stage], Awaitable[T]], retries: int = 0
) -> T:
    async def run() -> T:
        async with stage(folder, scenario, retries) as ada:
            return await play(ada)

    return asyncio.run(run())


def asked(folder: Path, scenario: Scenario, **how: Any) -> tuple[Stage, Ended]:
    """One turn of a scenario: what was heard, and how it ended."""

    async def play(ada: Stage) -> tuple[Stage, Ended]:
        return ada, await ada.ask(**how)

    return played(folder, scenario, play)


def test_a_turn_tells_what_was_said_called_and_refused(tmp_path):
    ada, ended = asked(
        tmp_path,
        turns(
            (
                "say: I begin.",
                bash("echo made > made; cat made"),
                bash("git push origin main"),
                bash("false"),
                "say: done",
            )
        ),
    )
    assert (ended.outcome.ending, ended.text) == ("success", "done"), ended
    assert ended.outcome.denied == ("Bash",)
    assert ada.told(Said) == [Said("I begin."), Said("done")]
    assert ada.called == [
        Called("Bash", "echo made > made; cat made", "ok"),
        Called("Bash", "git push", "refused"),
        Called("Bash", "false", "failed"),
    ]
    assert (tmp_path / "work" / "made").read_text() == "made\n"
    assert ada.rehearsal.failures() == []


def test_the_model_is_told_why_a_call_was_refused(tmp_path):
    ada, _ = asked(tmp_path, turns((bash("git push origin main"), "say: done")))
    refused = ada.rehearsal.records()[-1].results[0].text
    assert "pushing is the lead's" in refused
    assert [event["hook_event_name"] for event in ada.guard.noted] == ["SessionStart"]


def test_a_patch_is_told_by_its_files(tmp_path):
    step = 'tool: {name: Write, input: {file_path: a.txt, content: "one\\n"}}'
    ada, _ = asked(tmp_path, turns((step, "say: done")))
    assert ada.called == [Called("apply_patch", str(tmp_path / "work" / "a.txt"), "ok")]


def test_tools_have_the_members_path_and_no_key(tmp_path):
    ada, _ = asked(tmp_path, turns((bash("echo $PATH; env"), "say: done")))
    told = ada.rehearsal.records()[-1].results[0].text
    assert told.split("\n")[0].endswith("/usr/bin:/bin")
    assert "DRUMLINE_MEMBER=ada" in told
    assert "REHEARSAL_KEY" not in told


def test_no_tool_writes_outside_its_folders(tmp_path):
    ada, _ = asked(tmp_path, turns((bash("echo x > ../outside"), "say: done")))
    assert ada.called[0].result == "failed"
    assert not (tmp_path / "outside").exists()


def test_what_the_member_is_told_first_reaches_the_model(tmp_path):
    async def play(ada):
        told = ada.changed(system='You are "ada".\nBe kind.', model="gpt-of-another-kind")
        await told.ask()
        return told

    told = played(tmp_path, turns(("say: done",)), play)
    assert told.rehearsal.records()[0].model == "gpt-of-another-kind"
    transcript = next((tmp_path / "home" / "sessions").rglob("*.jsonl")).read_text()
    assert json.dumps('You are "ada".\nBe kind.')[1:-1] in transcript


@pytest.mark.requirement("GUARD-21", "RUN-12")
@pytest.mark.parametrize("listed", [True, False])
def test_what_the_provider_searches_by_itself_is_offered_to_who_has_it_listed(tmp_path, listed):
    async def play(ada):
        told = ada.changed(tools=["Bash", *(["WebSearch"] if listed else [])])
        await told.ask()
        return told.rehearsal.records()[0].offered

    offered = played(tmp_path, turns(("say: done",)), play)
    assert ("web_search" in offered) is listed


def test_a_later_turn_goes_on_and_its_tokens_are_totals(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        await ada.ask("First.", conversation=talk)
        first, one = ada.session, ada.tokens
        await ada.ask("Second.", conversation=talk)
        return first, one, ada

    usage = "usage: {input: 1000, cache_read: 200, output: 30}"
    scenario = turns((usage, bash("true"), usage, "say: one"), (usage, "say: two"))
    first, one, ada = played(tmp_path, scenario, play)
    assert ada.session == first
    assert one == [(1000, 200, 30), (2000, 400, 60)]
    assert ada.tokens == [(3000, 600, 90)]
    assert ada.rehearsal.records()[-1].depth == 2  # its call and its words


def test_a_reading_names_its_session_number_and_model(tmp_path):
    ada, _ = asked(tmp_path, turns((bash("true"), "say: done")))
    reports = [fact.report for fact in ada.facts if hasattr(fact, "report")]
    assert [report.number for report in reports] == [1, 2]
    assert {(report.source, report.model) for report in reports} == {(ada.session, "rehearsal")}
    assert {report.price for report in reports} == {None}


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


def test_another_conversation_goes_on_with_a_named_session(tmp_path):
    async def play(ada):
        await ada.ask("First.")
        session = ada.session
        again = ada.changed(session=session)
        ended = await again.ask("Second.")
        return session, again, ended

    session, again, ended = played(tmp_path, turns(("say: one",), ("say: two",)), play)
    assert (again.session, ended.text) == (session, "two")


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


@pytest.mark.parametrize("kind", ENDS)
def test_a_fault_of_the_model_means_the_right_thing(kind, tmp_path):
    _, ended = asked(tmp_path, turns((f"fault: {{kind: {kind}}}",)))
    assert ended.outcome.ending == ENDS[kind]


def test_a_model_that_will_not_is_a_refusal(tmp_path):
    _, ended = asked(tmp_path, turns(("end: refusal",)))
    assert ended.outcome.ending == "refused"


def test_a_turn_that_failed_has_cost_what_it_cost(tmp_path):
    ada, ended = asked(tmp_path, turns((bash("true"), "fault: {kind: 500}", "say: done")))
    assert ended.outcome.ending == "retry"
    assert ada.tokens == [(100, 0, 20)]


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


@pytest.mark.parametrize("steps", [(HANG,), (WAITING, "say: done")], ids=["model", "tool"])
def test_an_interrupted_turn_ends_and_can_be_gone_on_with(steps, tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        asking = asyncio.ensure_future(ada.ask(conversation=talk))
        began = (tmp_path / "work" / "began").exists if len(steps) > 1 else ada.rehearsal.requests
        await ada.until(began)
        await talk.interrupt()
        ended = await asking
        session = ada.session
        after = await ada.ask("Again.", conversation=talk)
        return ended, session, ada.session, after

    ended, session, again, after = played(tmp_path, turns(steps, ("say: here",)), play)
    assert ended.outcome.ending == "interrupted"
    assert (again, after.text) == (session, "here")


def test_an_interrupted_turn_has_cost_what_it_cost(tmp_path):
    async def play(ada):
        talk = await ada.runtime().begin(ada.start)
        asking = asyncio.ensure_future(ada.ask(conversation=talk))
        await ada.until((tmp_path / "work" / "began").exists)
        await talk.interrupt()
        await asking
        return ada

    ada = played(tmp_path, turns((WAITING, "say: done")), play)
    assert ada.tokens == [(100, 0, 20)]


def codex_itself(ada: Stage) -> int:
    """The process of the CLI below its launcher."""
    for each in ada.alive():
        if Path(f"/proc/{each.pid}/exe").readlink().name == "codex":
            return int(each.pid)
    return 0


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


def test_a_session_that_was_proven_once_must_be_proven_again(tmp_path):
    async def play(ada):
        await ada.ask()
        deaf = ada.runtime(guard=["/bin/true"])
        later = await deaf.begin(ada.changed(session=ada.session).start)
        return await ada.ask("Second.", conversation=later)

    ended = played(tmp_path, turns(("say: one",), ("say: two",)), play)
    assert ended.outcome.ending == "refused"


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
def test_the_effort_of_a_phase_arrives_in_the_request(tmp_path, effort):
    async def play(ada: Stage) -> Stage:
        told = ada.changed(effort=effort)
        assert (await told.ask()).outcome.succeeded
        return told

    told = played(tmp_path, turns(("say: done",)), play)
    assert {record.effort for record in told.rehearsal.records()} == {effort}
