"""The tools of MCP: strict forms, the command line's own facts, and refusals an agent can act on."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from drumline import settings
from drumline.control import context, mail, questions, runs, team_notes
from drumline.control.context import Publication
from drumline.control.roster import person
from drumline.control.runs import Begin
from drumline.control.team_notes import Saying
from drumline.settings import Settings
from drumline.surfaces.cli import mcp
from drumline.surfaces.cli.mcp import MemberTools
from drumline.surfaces.mcp.tools import TOOLS, catalogue
from drumline.team.actor import Actor, Role
from drumline.team.context import Section
from drumline.team.pipelines import SHIPPED
from drumline.team.question import Asking, QuestionKind
from drumline.team.subagent import Answered, Errand
from drumline.team.wording_forms import NoteTag
from drumline.wiring import open_store
from drumline.wiring.doorways import Handed
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
lead: ada
members:
  - {name: ada, role: Leads, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: []}
"""
SETTING = [
    ["task", "add", "first", "--body", "all of it", "--files", "src/a/**"],
    ["task", "add", "second", "--blocked-by", "T-1"],
    ["task", "add", "third", "--priority", "5"],
    ["task", "claim", "T-1", "--member", "ada"],
    ["mail", "send", "--from", "brook", "--to", "ada", "look here"],
    ["mail", "send", "--from", "brook", "--to", "ada", "and there"],
    ["request", "add", "git push"],
]
ASKED = Asking(QuestionKind.OBSTACLE, "Which door?", "once")
HANDOFF = {
    "status": "PASS",
    "narrative": "It went well.",
    "files": ["src/a.py"],
    "decisions": [],
    "unresolved": [],
}
SAME = [  # tool, arguments, the command that says the same
    ("task_list", {}, "task list"),
    ("task_list", {"state": "pending", "after": "T-2"}, "task list --state pending --after T-2"),
    ("task_list", {"owner": "ada", "most": 1}, "task list --owner ada --most 1"),
    ("task_ready", {"most": 5}, "task ready --most 5"),
    ("task_show", {"task": "t-2"}, "task show T-2"),
    ("task_claim", {}, "task claim --next"),
    ("task_claim", {"task": "T-3", "lease": "2h"}, "task claim T-3 --lease 2h"),
    ("task_claim", {"task": "T-2"}, "task claim T-2"),
    ("task_claim", {"task": "T-3", "member": "brook"}, "task claim T-3 --member brook"),
    ("task_renew", {"task": "T-1", "fence": 1}, "task renew T-1 --fence 1"),
    ("task_release", {"task": "T-1", "fence": 1}, "task release T-1 --fence 1"),
    ("task_release", {"task": "T-1", "fence": 7}, "task release T-1 --fence 7"),
    ("task_done", {"task": "T-1", "fence": 1}, "task done T-1 --fence 1"),
    ("task_fail", {"task": "T-1", "fence": 1, "why": "no"}, "task fail T-1 --fence 1 --why no"),
    (
        "task_add",
        {"title": "x", "body": "b", "files": ["a/**"], "outputs": ["o"], "blocked_by": ["T-1"]},
        "task add x --body b --files a/** --output o --blocked-by T-1",
    ),
    ("task_edit", {"task": "T-1", "title": "y", "files": []}, "task edit T-1 --title y --no-files"),
    ("task_edit", {"task": "T-3", "priority": 7}, "task edit T-3 --priority 7"),
    ("task_block", {"task": "T-3", "on": ["T-2"]}, "task block T-3 --on T-2"),
    ("task_block", {"task": "T-1", "on": ["T-2"]}, "task block T-1 --on T-2"),
    ("task_note", {"task": "T-1", "fields": {"n": 5, "w": "x"}}, "task note T-1 n=5 w=x"),
    (
        "handoff_submit",
        {"task": "T-1", "fence": 1, "handoff": HANDOFF},
        "handoff submit --task T-1 --fence 1 -",
    ),
    (
        "handoff_submit",
        {"task": "T-1", "fence": 7, "handoff": HANDOFF},
        "handoff submit --task T-1 --fence 7 -",
    ),
    (
        "handoff_submit",
        {"task": "T-1", "fence": 1, "handoff": {"status": "so-so"}},
        "handoff submit --task T-1 --fence 1 -",
    ),
    ("handoff_show", {"which": "T-3"}, "handoff show T-3"),
    ("handoff_show", {"which": "a/L2-summary.md"}, "handoff show a/L2-summary.md"),
    ("mail_send", {"to": ["brook"], "text": "hello"}, "mail send --to brook hello"),
    ("mail_send", {"to": ["cleo"], "text": "hello"}, "mail send --to cleo hello"),
    ("mail_inbox", {"after": "M-1", "most": 5}, "mail inbox --after M-1 --most 5"),
    ("mail_inbox", {"all": True}, "mail inbox --all"),
    ("mail_inbox", {"member": "brook"}, "mail inbox brook"),
    ("mail_read", {"message": "M-1"}, "mail read M-1"),
    ("mail_ack", {"messages": ["M-1"]}, "mail ack M-1"),
    ("mail_ack", {"messages": ["M-1", "M-2"]}, "mail ack M-1 M-2"),
    ("status", {}, "status"),
    ("team_show", {}, "team show"),
    ("prompt_show", {"task": "T-1"}, "prompt show T-1"),
    ("prompt_show", {"task": "T-1", "section": "system"}, "prompt show T-1 --section system"),
    ("request_add", {"what": "tag"}, "request add tag"),
    ("request_list", {"all": True, "most": 5}, "request list --all --most 5"),
    ("request_show", {"request": "R-1"}, "request show R-1"),
    ("request_show", {"request": "R-9"}, "request show R-9"),
    ("protocol_show", {"task": "T-1"}, "protocol show T-1"),
    ("protocol_submit", {"task": "T-1", "given": "{}"}, "protocol submit T-1 {}"),
    ("protocol_answer", {"task": "T-1", "given": "{}"}, "protocol answer T-1 {}"),
    ("protocol_plan", {"task": "T-1", "given": "{}"}, "protocol plan T-1 {}"),
    ("question_list", {"all": True, "most": 5}, "question list --all --most 5"),
    ("question_show", {"question": "Q-1"}, "question show Q-1"),
    ("question_show", {"question": "Q-9"}, "question show Q-9"),
    ("question_answer", {"question": "Q-1", "choice": "cancel"}, "question answer Q-1 cancel"),
    ("context_show", {}, "context show"),
    ("context_show", {"version": 9, "run": "run-1"}, "context show 9 --run run-1"),
    ("context_who", {}, "context who"),
    (
        "context_ack",
        {"version": 1, "applied": 1, "total": 1, "impact": "x", "action": "pause"},
        "context ack 1 --items 1/1 --impact x --action pause",
    ),
    ("context_ask", {"lost": True}, "context ask --lost"),
    ("context_publish", {"text": "## Goal\n\nShip it well."}, "context publish -"),
    ("context_publish", {"text": "no section"}, "context publish -"),
    ("memory_search", {"words": "joi"}, "memory search joi"),
    ("memory_search", {"words": "joi", "kind": "decision"}, "memory search joi --kind decision"),
    ("memory_search", {"words": "joi", "member": "A'B"}, "memory search joi --member A'B"),
    (
        "memory_search",
        {"words": "joi", "team": "x", "limit": 2},
        "memory search joi --team x --limit 2",
    ),
    ("memory_search", {"words": "***"}, "memory search ***"),
    ("memory_show", {}, "memory show"),
    ("memory_show", {"member": "ada"}, "memory show ada"),
    ("memory_show", {"member": "nobody"}, "memory show nobody"),
    ("memory_add", {"text": "zod", "member": "brook"}, "memory add zod --member brook"),
    ("memory_team", {}, "memory team"),
    ("memory_team", {"run": "run-9"}, "memory team --run run-9"),
    ("memory_note", {"tag": "Warning", "text": "gap"}, "memory note warning gap"),
    (
        "memory_note",
        {"tag": "Finding", "text": "gap", "section": "brook"},
        "memory note finding gap --for brook",
    ),
    ("memory_relay", {"messages": ["M-1"]}, "memory relay M-1"),
    ("memory_relay", {"messages": ["M-3"]}, "memory relay M-3"),
    ("memory_settle", {"notes": ["N-1"], "why": "over"}, "memory settle N-1 --why over"),
    ("memory_settle", {"notes": ["N-9"], "why": "over"}, "memory settle N-9 --why over"),
    ("subagent_ask", {"profile": "analyst", "prompt": "x"}, "subagent ask analyst x"),
    ("observation_add", {"severity": "high", "text": "slow"}, "observation add high slow"),
    ("observation_list", {}, "observation list"),
    ("report", {}, "report"),
    ("report", {"state": "working", "for": "5m"}, "report working --for 5m"),
    ("report", {"state": "blocked", "why": "rain"}, "report blocked rain"),
    ("report", {"state": "blocked"}, "report blocked"),
    ("report", {"state": "done"}, "report done"),
    ("policy_list", {}, "policy list"),
    ("policy_show", {"id": "C-GIT-001"}, "policy show C-GIT-001"),
    ("events", {"most": 3}, "events --most 3"),
]
OF_A_RUNNER = ("subagent_ask", "protocol_submit", "protocol_answer", "protocol_plan")
WRONG = [
    ("task_show", {}, "task: is missing; it must be text such as T-12"),
    ("task_show", {"task": 7}, "task: must be text such as T-12, not 7"),
    ("task_show", {"task": "T-0"}, "task: must be text such as T-12, not 'T-0'"),
    ("task_show", {"task": "T-1", "tsk": 1}, "'tsk': no such field; there are: task"),
    ("status", {"a": 1}, "'a': no such field; there are: none"),
    ("task_list", {"most": 0}, "most: must be a whole number from 1 to 1000, not 0"),
    ("task_list", {"most": True}, "most: must be a whole number from 1 to 1000, not true"),
    ("mail_inbox", {"all": "yes"}, "all: must be true or false, not 'yes'"),
    ("task_note", {"task": "T-1", "fields": []}, "fields: must be an object, not []"),
    ("task_note", {"task": "T-1", "fields": None}, "fields: must be an object, not null"),
    ("mail_send", {"to": [], "text": "x"}, "to: must be a list of at least one, each text, not []"),
    ("mail_send", {"to": ["a", 1], "text": "x"}, "to: must be a list of at least one, each text"),
    (
        "mail_send",
        {"to": ["a"], "text": "x", "kind": "joke"},
        "kind: must be one of note, directive",
    ),
    ("task_claim", {"lease": "soon"}, "lease: must be text such as 15m, not 'soon'"),
    ("status", {"\ud800": 1}, "'\\ud800': no such field"),
    ("task_show", [], "the arguments must be an object, not []"),
    ("task_show", {"task": "x" * 1_000_000}, "not 'xxx"),
]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A repository whose board, inboxes and requests hold something."""
    root = tmp_path_factory.mktemp("original")
    write(root, ".claude/team.yaml", MANIFEST)
    write(root, "memory/agents/ada/learnings.md", "# L\n\n## Gotchas\n- tests need a server\n")
    for words in SETTING:
        assert drumline(*words, at=root).code == 0
    store = open_store(settings.find(str(root)))
    store.do(questions.ask, Actor("brook", Role.TEAMMATE), ASKED)
    store.do(runs.begin, person("boss"), Begin("Ship", SHIPPED["constitution-10"], "c0ffee"))
    store.do(mail.send, Actor("brook", Role.TEAMMATE), ["ada"], "[MEMORY-UPDATE] [Finding] cold")
    store.do(team_notes.write, Actor("ada", Role.LEAD), Saying(NoteTag.WARNING, "mind the gap"))
    goal = Publication(sections=(Section("Goal", "Ship it."),), window=200_000)
    store.do(context.publish, person("boss"), "run-1", goal)
    store.close()
    return root


@pytest.fixture
def copied(original, tmp_path) -> Callable[[str], Settings]:
    """Copies the repository."""

    def copy(name: str) -> Settings:
        return settings.find(shutil.copytree(original, tmp_path / name))

    return copy


@pytest.fixture
def here(copied):
    return copied("here")


@pytest.fixture
def ada(here) -> MemberTools:
    return MemberTools(here, "ada", 1)


@pytest.fixture
def brook(here) -> MemberTools:
    return MemberTools(here, "brook", 1)


def timeless(text: str) -> object:
    """Facts without the moments in them."""
    return json.loads(re.sub(r'"\d{4}-\d\d-\d\dT[\d:.]+Z"', '"then"', text))


@pytest.mark.requirement("SEE-04")
@pytest.mark.parametrize(("tool", "arguments", "words"), SAME, ids=[words for *_, words in SAME])
def test_a_tool_answers_with_the_facts_of_its_command(copied, tool, arguments, words):
    speaker, caller = (MemberTools(copied(name), "ada", 1) for name in ("left", "right"))
    handed = json.dumps(arguments["handoff"]) if "handoff" in arguments else ""
    stdin = handed or arguments.get("text", "")
    said = speaker.run([*words.split(), "--json"], stdin)
    facts, is_error = caller.call(tool, arguments)
    assert timeless(json.dumps(facts)) == timeless(said.out), said.err
    assert is_error == (said.code != 0)


def test_every_tool_is_compared_with_its_command():
    assert {tool for tool, *_ in SAME} == TOOLS.keys()


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
class TestEveryTool:
    def test_has_a_form_that_fits_its_own_example_and_nothing_unknown(self, tool):
        Draft202012Validator.check_schema(tool.form)
        form = Draft202012Validator(tool.form)
        assert form.is_valid(tool.example)
        assert not form.is_valid({**tool.example, "unknown": 1})

    def test_describes_itself_and_every_field(self, tool):
        assert len(tool.description.split()) > 5
        assert all(field.get("description") for field in tool.form["properties"].values())

    def test_hints_at_what_it_does(self, tool, ada):
        hints = tool.entry()["annotations"]
        assert hints["openWorldHint"] is False
        if tool.name in OF_A_RUNNER:  # what it changes, only a runner lets it
            assert not hints["readOnlyHint"]
            return
        before = ada.call("events", {"most": 1})[0]["cursor"]
        for name, arguments, _ in SAME:
            if name == tool.name:
                ada.call(name, arguments)
        changed = ada.call("events", {"most": 1})[0]["cursor"] != before
        assert hints["readOnlyHint"] == (not changed)


def test_the_catalogue_is_json_and_names_each_tool_once():
    listed = json.loads(json.dumps(catalogue()))
    assert [entry["name"] for entry in listed] == list(TOOLS)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"), WRONG, ids=[told[:40] for *_, told in WRONG]
)
def test_wrong_arguments_are_named_field_by_field(ada, tool, arguments, told):
    facts, is_error = ada.call(tool, arguments)
    assert is_error
    assert facts["error"] == "BadInput"
    assert told in facts["why"]
    assert len(facts["why"]) < 1000
    assert not Draft202012Validator(TOOLS[tool].form).is_valid(arguments)


def test_all_wrong_fields_are_named_at_once(ada):
    facts, _ = ada.call("task_renew", {"fence": -1, "lease": 5, "x": 0})
    assert [line.partition(":")[0] for line in facts["why"].splitlines()] == [
        *("'x'", "task", "fence", "lease")
    ]


def test_an_unknown_tool_is_refused_with_those_there_are(ada):
    facts, is_error = ada.call("task_destroy", {})
    assert (facts["error"], is_error) == ("Unknown", True)
    assert "task_claim" in facts["why"]


class TestIdentity:
    def test_a_member_speaks_only_for_itself(self, brook):
        for name, arguments in (
            ("task_claim", {"task": "T-3", "member": "ada"}),
            ("mail_send", {"from": "ada", "to": ["brook"], "text": "x"}),
            ("mail_inbox", {"member": "ada"}),
            ("prompt_show", {"task": "T-1", "member": "ada"}),
            ("report", {"member": "ada"}),
        ):
            facts, is_error = brook.call(name, arguments)
            assert (facts["refused"], is_error) == ("brook cannot speak for ada", True)

    def test_what_the_constitution_keeps_from_teammates_is_refused(self, brook):
        for name in ("task_add", "task_edit", "task_block"):
            assert brook.call(name, TOOLS[name].example)[0]["error"] == "NotAllowed"

    def test_a_past_life_changes_nothing(self, here):
        facts, is_error = MemberTools(here, "ada", 0).call("task_add", {"title": "late"})
        assert (facts["error"], is_error) == ("NotHolder", True)


class TestHandingIn:
    @pytest.fixture
    def handed(self):
        return []

    def member(self, here, handed, answer):
        def hand_in(task, fence):
            handed.append((str(task), fence))
            return answer

        return MemberTools(here, "ada", 1, hand_in)

    def test_done_is_refused_with_what_the_runner_says(self, here, handed):
        said = Handed(
            accepted=False, what="T-1 is not done", why="the check failed", next="mend it"
        )
        facts, is_error = self.member(here, handed, said).call(
            "task_done", {"task": "T-1", "fence": 1}
        )
        assert handed == [("T-1", 1)]
        assert is_error
        assert facts == {
            "refused": "T-1 is not done",
            "why": "the check failed",
            "next": "mend it",
            "error": "NotVerified",
        }

    def test_what_the_runner_took_in_is_not_closed_a_second_time(self, here, handed):
        member = self.member(here, handed, Handed(accepted=True))
        facts, is_error = member.call("task_done", {"task": "T-1", "fence": 1})
        assert (facts["state"], is_error) == ("in_progress", False)  # closing is the runner's


class TestAskingSubagents:
    def test_the_runner_s_answer_is_the_tool_s_and_the_command_s(self, here):
        asked = []

        def ask(errand):
            asked.append(errand)
            return Answered(errand.profile, "It is round.\nAnd far.", 23)

        member = MemberTools(here, "ada", 1, None, ask)
        given = {"profile": "analyst", "prompt": "Look", "reads_only": True}
        facts, is_error = member.call("subagent_ask", given)
        assert (facts, is_error) == (
            {"profile": "analyst", "text": "It is round.\nAnd far.", "characters": 23, "file": ""},
            False,
        )
        said = member.run(["subagent", "ask", "analyst", "--reads-only", "-"], "Look")
        assert (said.code, said.out) == (0, "It is round.\nAnd far.\n")
        assert asked == [Errand("analyst", "Look", reads_only=True)] * 2

    def test_nobody_but_a_member_at_work_starts_one(self, here, ada):
        facts, is_error = ada.call("subagent_ask", {"profile": "analyst", "prompt": "Look"})
        assert (facts["error"], is_error) == ("NotAllowed", True)
        person = drumline("subagent", "ask", "analyst", "Look", at=here.root)
        assert (person.code, "only a member at work" in person.err) == (1, True)


def test_an_answer_is_text_whatever_bytes_a_file_holds(here, ada):
    file = Path(here.root, "memory/agents/ada/learnings.md")
    file.write_bytes(b"## Gotchas\n- caf\xe9\n")
    (learnt,), is_error = ada.call("memory_show", {"member": "ada"})
    assert (learnt["text"].encode(), is_error) == (b"caf?", False)


def halved(value: Any) -> Any:
    """The same with half a character in each of its texts."""
    if isinstance(value, dict):
        return {name: halved(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [halved(inner) for inner in value]
    return f"{value}\ud800" if isinstance(value, str) else value


HALVED = {name: halved(dict(tool.example)) for name, tool in TOOLS.items()}


@pytest.mark.requirement("SEE-04")
@pytest.mark.parametrize("tool", [name for name in TOOLS if HALVED[name] != TOOLS[name].example])
def test_half_a_character_is_refused_by_every_tool_with_what_why_and_next(ada, tool):
    facts, is_error = ada.call(tool, HALVED[tool])
    assert (facts["error"], is_error) == ("BadInput", True)
    assert all(facts[part] for part in ("refused", "why", "next"))


def test_an_answer_that_fits_into_no_conversation_is_refused(ada, monkeypatch):
    monkeypatch.setattr(mcp, "LONGEST_ANSWER", 1000)
    facts, is_error = ada.call("task_list", {})
    assert (facts["error"], is_error) == ("BadInput", True)
    assert "`most`" in facts["next"]


def test_whatever_fails_is_an_answer(here, tmp_path):
    nowhere = here._replace(store=f"sqlite:///{tmp_path}")
    facts, is_error = MemberTools(nowhere, "ada", 1).call("status", {})
    assert is_error
    assert facts["refused"]


@pytest.mark.requirement("MEM-06", "SEE-04")
def test_the_note_of_a_member_that_may_write_no_file_goes_to_the_lead(ada, brook):
    facts, is_error = brook.call("memory_note", {"tag": "Finding", "text": "the door is open"})
    assert not is_error
    assert facts["note"] is None
    (relayed,) = ada.call("memory_relay", {"messages": [facts["relayed_by"]]})[0]
    assert (relayed["section"], relayed["author"]) == ("brook", "lead")
