"""The guard as `policy coverage` asks it: one process for many events, which is never believed to have said yes."""

import signal

import pytest

from drumline.errors import DrumlineError
from drumline.hooks import probing
from tests.hooks import guarding

COMMANDS = ("git push origin main", "ls", "git push --force origin main", "echo hello")


@pytest.fixture
def state(tmp_path):
    return guarding.repository(tmp_path, [{"member": "ada", "role": "teammate"}])


@pytest.fixture
def guard():
    with probing.GuardAtHand() as found:
        yield found


def event(state, command):
    facts = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": str(state.parent)}
    return {**facts, "tool_input": {"command": command}}


@pytest.mark.requirement("GUARD-13")
def test_asked_again_and_again_it_answers_as_one_that_is_started_anew(state, guard):
    who = guarding.environment(guarding.MEMBER)
    events = [event(state, command) for command in COMMANDS]
    answers = [guard(state, each, who) for each in events]
    assert answers == [probing.ask(state, each, who) for each in events]
    assert [probing.denied(each) for each in answers] == [True, False, True, False]


@pytest.mark.requirement("GUARD-13")
def test_one_that_has_ended_has_allowed_nothing(state, guard):
    guard.process.send_signal(signal.SIGKILL)
    guard.process.wait()
    with pytest.raises(DrumlineError, match="ended before it answered") as refused:
        guard(state, event(state, "ls"), guarding.environment(guarding.MEMBER))
    assert "-9" in refused.value.why


def test_one_that_could_tell_nobody_why_has_refused():
    assert probing.denied(probing.Answer(probing.BLOCKS, b""))
