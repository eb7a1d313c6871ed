"""Claude Code's own subagents without Claude: what is made of the calls that start them, and of their answers."""

import asyncio
from pathlib import Path

import pytest

from drumline.runtimes.claude_callbacks import Callbacks
from drumline.runtimes.claude_subagents import Subagents
from drumline.team.profile import Profile
from drumline.team.returned import RETURN_CAP

PROFILES = {
    "looker": Profile(name="looker"),
    "walker": Profile(name="walker", tools=("Read",), background=True),
    "builder": Profile(name="builder", tools=("Write",), background=True),
}
LONG = "x" * (RETURN_CAP + 1)


class Recording:
    """A guard that lets everything through and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def before(self, event):
        self.asked.append(event["tool_input"])
        return {"decision": "allow"}

    def after(self, event):
        del event
        raise OSError("full")


def called(tool="Agent", **given):
    return {"tool_name": tool, "tool_input": {"prompt": "x", **given}}


@pytest.mark.requirement("GUARD-15")
@pytest.mark.parametrize(
    ("event", "told"),
    [
        (called(subagent_type="looker"), False),
        (called("Task"), False),
        (called(subagent_type="looker", run_in_background=True), None),
        (called(subagent_type="looker", run_in_background=False), None),
        (called(subagent_type="walker"), None),
        (called(subagent_type="builder"), False),
        (called("Bash"), None),
    ],
)
def test_where_nothing_is_said_the_cli_is_told_to_wait_and_the_guard_rules_on_that(event, told):
    guard = Recording()
    callbacks = Callbacks(guard, 5, Subagents(PROFILES, Path("/nowhere")))
    said = asyncio.run(callbacks.before(event, "call", None))
    changed = said.get("hookSpecificOutput", {}).get("updatedInput")
    assert (changed or {}).get("run_in_background") is told
    assert guard.asked == [changed or event["tool_input"]]


def returned(text, tool="Agent"):
    content = [{"type": "text", "text": "<tools-used/>"}, {"type": "text", "text": text}]
    return {**called(tool), "tool_response": {"status": "completed", "content": content}}


def after(event, folder):
    callbacks = Callbacks(Recording(), 5, Subagents(PROFILES, folder))
    return asyncio.run(callbacks.after(event, "call", None))


@pytest.mark.requirement("RUN-11")
def test_a_long_answer_enters_by_reference_whatever_becomes_of_the_note(tmp_path):
    told = after(returned(LONG), tmp_path)["hookSpecificOutput"]["updatedToolOutput"]
    (file,) = tmp_path.iterdir()
    assert file.read_text() == f"<tools-used/>\n{LONG}"
    assert told["status"] == "completed"
    (block,) = told["content"]
    assert str(file) in block["text"]
    assert len(block["text"]) < 300


@pytest.mark.requirement("RUN-11")
@pytest.mark.parametrize("event", [returned("short"), returned(LONG, "Bash"), called()])
def test_whatever_else_returns_stays_as_it_is(event, tmp_path):
    assert after(event, tmp_path) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("RUN-11")
def test_an_answer_that_cannot_be_kept_fills_no_context(tmp_path):
    told = after(returned(LONG), tmp_path / "gone")["hookSpecificOutput"]["updatedToolOutput"]
    assert "cannot be kept" in told["content"][0]["text"]


def stopping(text, folder, *beside):
    event = {
        "agent_id": "a1",
        "last_assistant_message": text,
        "background_tasks": [{"id": each} for each in beside],
    }
    callbacks = Callbacks(Recording(), 5, Subagents(PROFILES, folder))
    return asyncio.run(callbacks.stopping(event, None, None))


@pytest.mark.requirement("RUN-11")
def test_one_in_the_background_is_asked_for_a_shorter_answer(tmp_path):
    told = stopping(LONG, tmp_path, "a0", "a1")
    (file,) = tmp_path.iterdir()
    assert (told["decision"], str(file) in told["reason"]) == ("block", True)
    assert stopping("short", tmp_path, "a1") == {}
    assert stopping(LONG, tmp_path, "a0") == {}
