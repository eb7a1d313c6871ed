"""Subagents: one question, one answer, in the member's own quarters, under its rules and on its budget."""

import json
import os
import signal
import sys

import pytest

from tests.running import ANSWER, team, until
from tests.spec.playing import completed, play, rows, turn

ANALYST = "---\nname: analyst\ndescription: Judges\ntools: Read, Write, Bash\n---\nBe brief.\n"
READER = "---\nname: reader\ndescription: Reads\ntools: Read\nmodel: haiku\n---\nOnly look.\n"
DONE = ANSWER.format(files="[]")
ASK = "        - tool: {{name: mcp__drumline__subagent_ask, input: {{profile: {}, prompt: {}}}}}\n"
WAITING = '        - tool: {name: Bash, input: {command: "touch began; exec sleep 300"}}\n'


def ask(profile, prompt, expect=""):
    asked = ASK.format(profile, json.dumps(prompt))
    return asked + (f"          expect: {expect}\n" if expect else "")


def bash(command, expect=""):
    step = f"        - tool: {{name: Bash, input: {{command: {json.dumps(command)}}}}}\n"
    return step + (f"          expect: {expect}\n" if expect else "")


def answers(steps, contains="", again=""):
    said = f", contains: {json.dumps(contains)}" if contains else ""
    return turn(steps, when=f"{{subagent: true{said}}}", again=again)


@pytest.fixture
def crew(tmp_path, doors):
    """A way to have ada, whose tools name analyst and reader, work on a task with their help."""
    opened = []

    def start(*turns, more="", settings="", runtime="scripted"):
        member = (
            f"  - {{name: ada, role: Builds, runtime: {runtime}, scenario: play.yaml, owns: ['**'],"
            f" tools: [Read, Write, Edit, Bash, 'Agent(analyst, reader)']{more}}}\n"
        )
        manager = team(tmp_path / "r", doors, member, play(*turns), settings)
        found = manager.__enter__()
        opened.append(manager)
        agents = found.root / ".claude/agents"
        agents.mkdir()
        for name, text in (("analyst", ANALYST), ("reader", READER)):
            (agents / f"{name}.md").write_text(text)
        found.run("task", "add", "Work")
        found.run("member", "start", "ada")
        return found

    yield start
    for manager in opened:
        manager.__exit__(None, None, None)


def unexpected(found):
    """What did not come out as the scenario expects."""
    said = [line["text"] for line in found.diary("ada") if line["what"] == "said"]
    return [text for text in said if text.startswith("not as the scenario expects")]


def verbs(found):
    return [event["verb"] for event in found.events() if event["verb"].startswith("subagent.")]


def spent(found):
    return sum(row["micros"] for row in rows(found, "charges"))


@pytest.mark.requirement("RUN-13")
def test_a_subagent_answers_its_starter_and_works_in_its_checkout(crew):
    asks = turn(
        ask("analyst", "Look at the moon", "{result: ok, contains: It is round}")
        + bash("git add moon.txt && git commit --quiet -m moon", "ok")
        + DONE.replace("files_changed: []", "files_changed: [moon.txt]")
    )
    helps = answers(
        '        - tool: {name: Write, input: {file_path: moon.txt, content: "seen\\n"}}\n'
        "        - say: It is round.\n",
        contains="the moon",
    )
    found = crew(asks, helps)
    until(completed(found))
    assert unexpected(found) == []
    assert found.git("show", "drumline/merged:moon.txt") == "seen\n"
    assert verbs(found) == ["subagent.started", "subagent.ended"]
    ended = [e["subject"] for e in found.events() if e["verb"] == "subagent.ended"]
    assert ended == ["ada/2/1 subagent-1 of analyst success"]
    trail = {
        line["file_path"]: line for line in found.told("audit")["entries"] if "file_path" in line
    }
    assert (
        next(line for path, line in trail.items() if path.endswith("moon.txt"))["subagent"]
        == "analyst"
    )
    assert {line["team_member"] for line in found.told("audit")["entries"]} == {"ada"}


PROGRAM = """\
import json, subprocess, sys
asked = json.loads(sys.stdin.readline())

def say(**line):
    print(json.dumps(line), flush=True)

say(session="always the same")
say(usage={"input": 10, "output": 5})
if asked["subagent"]:
    text = f"{asked['subagent']} of {asked['member']}: {asked['prompt']}"
    say(ended={"ending": "success", "why": "", "text": text})
    sys.exit()
words = ["drumline", "subagent", "ask", "reader", "the moon"]
seen = subprocess.run(words, capture_output=True, text=True)
open("seen.txt", "w").write(seen.stdout + seen.stderr)
subprocess.run("git add seen.txt && git commit -qm seen", shell=True, check=True)
say(ended={"ending": "success", "why": "", "text": "done", "answer": %s})
"""
ACCOUNT = {
    "task_result": {"status": "completed", "summary": "done", "files_changed": ["seen.txt"]},
    "reflection": {"what_worked": "", "what_didnt": "", "confidence": "high"},
    "suggested_learnings": [],
    "follow_up": {"blocked_by": None, "suggested_next": None, "needs_human": False},
}


@pytest.mark.requirement("RUN-13", "RUN-04")
def test_a_program_of_the_user_s_own_asks_a_subagent_and_is_one(crew, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM % ACCOUNT)
    command = f", command: [{sys.executable}, {program}]"
    found = crew(turn("        - say: unused\n"), runtime="command", more=command)
    until(completed(found))
    assert found.git("show", "drumline/merged:seen.txt") == "reader of ada: the moon\n"
    assert [row["input"] for row in rows(found, "charges")] == [10, 10]


@pytest.mark.requirement("RUN-13", "GUARD-21")
def test_a_subagent_is_held_to_its_starter_s_rules_and_to_its_own_profile(crew):
    asks = turn(
        ask("analyst", "Push", "{result: ok, contains: tried}")
        + ask("reader", "Write", "{result: ok, contains: tried}")
        + ask("nobody", "x", "{result: failed, contains: '`analyst`, `reader`'}")
        + DONE
    )
    pushes = answers(bash("git push", "refused") + "        - say: tried\n", contains="Push")
    writes = answers(
        "        - tool: {name: Write, input: {file_path: a.txt, content: x}}\n"
        "          expect: {result: refused, contains: C-TOOL-001}\n        - say: tried\n",
        contains="Write",
    )
    found = crew(asks, pushes, writes)
    until(completed(found))
    assert unexpected(found) == []
    refused = [
        (line["subagent"], line["refused"])
        for line in found.told("audit")["entries"]
        if line.get("refused")
    ]
    assert refused == [("analyst", "C-TEAM-004"), ("reader", "C-TOOL-001")]


@pytest.mark.requirement("RUN-13")
def test_a_person_approves_a_subagent_s_calls_as_its_starter_s(crew):
    asks = turn(ask("analyst", "Look", "{result: ok, contains: seen}") + DONE)
    looks = answers(bash("ls", "ok") + "        - say: seen\n")
    found = crew(asks, looks, more=", permission-mode: default")
    (question,) = until(lambda: found.told("question", "list"))
    assert "ada asks whether it may call Bash" in question["what"]
    found.run("question", "answer", question["id"], "allow")
    until(completed(found))
    assert unexpected(found) == []


@pytest.mark.requirement("RUN-13")
def test_a_subagent_has_no_verbs_and_starts_no_other(crew):
    script = (
        "import os, subprocess\n"
        "words = ['druml' + 'ine', 'mail', 'send', '--to', 'human', 'x']\n"
        "subprocess.run(words)\n"
        "doors = {k: v.replace('~1', '') for k, v in os.environ.items()}\n"
        "subprocess.run(words, env=doors)\n"
    )
    asks = turn(ask("analyst", "Speak", "{result: ok, contains: silent}") + DONE)
    speaks = answers(
        "        - verb: mail send --to human hello\n          expect: {result: refused, contains: C-TASK-006}\n"
        + ask("analyst", "And you", "{result: refused, contains: C-TASK-006}")
        + f"        - tool: {{name: Write, input: {{file_path: s.py, content: {json.dumps(script)}}}}}\n"
        + bash("python3 s.py; rm s.py", "{contains: speaks no drumline command}")
        + "        - say: silent\n",
        contains="Speak",
    )
    found = crew(asks, speaks)
    until(completed(found))
    assert unexpected(found) == []
    assert found.told("mail", "inbox", "human") == []
    assert verbs(found) == ["subagent.started", "subagent.ended"]


@pytest.mark.requirement("RUN-13", "RUN-06")
def test_a_subagent_s_cost_counts_once_to_its_starter_its_task_and_its_budget(crew):
    def cost(found):
        total = {row["name"]: row["micros"] for row in rows(found, "spending")}
        return total["ada"], total["T-1"]

    asks = turn(ask("analyst", "Think", "ok") + ask("analyst", "Think", "ok") + DONE)
    thinks = answers(
        "        - usage: {input: 1000, output: 1000}\n        - say: done\n", again="true"
    )
    found = crew(asks, thinks, more=", budget: 5")
    until(completed(found))
    sources = {row["source"] for row in rows(found, "charges")}
    assert len(sources) == 3
    dear = [row["micros"] for row in rows(found, "charges") if "subagent" in row["source"]]
    assert len(dear) == 2
    assert dear[0] == dear[1] > 0
    assert cost(found) == (spent(found), spent(found))


@pytest.mark.requirement("RUN-13", "RUN-06")
def test_a_subagent_past_the_budget_is_stopped_and_so_is_its_starter(crew):
    asks = turn(ask("analyst", "Think") + bash("touch after") * 4 + DONE)
    thinks = answers(
        "        - usage: {input: 1000000, output: 1000000}\n"
        + bash("touch first")
        + bash("touch second")
        + "        - say: done\n"
    )
    found = crew(asks, thinks, more=", budget: 0.01")
    until(lambda: "life.ended" in [event["verb"] for event in found.events()])
    ends = [row["why"] for row in rows(found, "lives") if row["why"]]
    assert ends[0] == "budget"
    ended = [e["subject"] for e in found.events() if e["verb"] == "subagent.ended"]
    assert ended == ["ada/2/1 subagent-1 of analyst budget"]
    work = found.root / ".drumline/checkouts/ada"
    assert not [name for name in ("first", "second", "after") if (work / name).exists()]


@pytest.mark.requirement("RUN-13", "RUN-06")
def test_no_subagent_is_begun_without_money(crew):
    asks = turn(
        "        - usage: {input: 1000000, output: 1000000}\n"
        '        - verb: ["subagent", "ask", "analyst", "Think"]\n' + bash("true") * 4 + DONE
    )
    found = crew(asks, more=", budget: 0.01")
    until(lambda: "life.ended" in [event["verb"] for event in found.events()])
    assert "subagent.started" not in verbs(found)


@pytest.mark.requirement("RUN-11")
def test_a_long_answer_is_in_a_file_that_its_starter_can_read(crew):
    asks = turn(
        ask(
            "reader",
            "Tell all",
            "{result: ok, contains: '40,000 characters were returned', lacks: xxxx}",
        )
        + bash("wc -m < $TMPDIR/returned-*.md", "{result: ok, contains: '40000'}")
        + ask("reader", "Tell most", "{result: ok, contains: yyyy}")
        + DONE
    )
    tells = answers(f"        - say: {'x' * 40_000}\n", contains="Tell all")
    most = answers(f"        - say: {'y' * 29_000}\n", contains="Tell most")
    found = crew(asks, tells, most)
    until(completed(found))
    assert unexpected(found) == []


@pytest.mark.requirement("RUN-13", "RUN-07")
def test_a_subagent_ends_with_the_member_that_is_stopped(crew):
    asks = turn(ask("analyst", "Wait") + bash("exec sleep 300") + DONE)
    found = crew(asks, answers(WAITING), settings="settings: {stop-wait: 2s}\n")
    until((found.root / ".drumline/checkouts/ada/began").exists)
    found.run("member", "stop", "ada")
    assert not [words for _, words in found.processes() if "sleep 300" in words]
    assert verbs(found) == ["subagent.started", "subagent.ended"]
    assert found.states()["T-1"] == "pending"


@pytest.mark.requirement("RUN-13")
def test_a_member_that_is_asked_to_stop_goes_on_without_its_subagents(crew):
    asks = turn(
        ask("analyst", "Wait", "{result: failed, contains: gave no answer}")
        + ask("analyst", "Wait", "{result: failed, contains: no turn of yours runs}")
        + DONE
    )
    found = crew(asks, answers(WAITING))
    until((found.root / ".drumline/checkouts/ada/began").exists)
    (found.root / ".drumline/checkouts/ada/began").unlink()
    found.run("member", "stop", "ada")
    assert unexpected(found) == []
    assert found.states()["T-1"] == "completed"


@pytest.mark.requirement("RUN-13", "RUN-07")
def test_a_subagent_ends_with_the_runner_that_is_killed(crew):
    found = crew(turn(ask("analyst", "Wait") + DONE), answers(WAITING))
    until((found.root / ".drumline/checkouts/ada/began").exists)
    runner = found.told("member", "list")[0]["pid"]
    found.run("down", "--plane-only")
    os.kill(runner, signal.SIGKILL)
    until(lambda: not [words for _, words in found.processes() if "sleep 300" in words])


@pytest.mark.requirement("RUN-13", "RUN-07")
def test_a_subagent_ends_with_a_turn_that_takes_too_long(crew):
    found = crew(
        turn(ask("analyst", "Wait") + DONE, again="true"),
        answers(WAITING, again="true"),
        settings="settings: {turn-limit: 5s}\n",
    )
    until(lambda: verbs(found)[:2] == ["subagent.started", "subagent.ended"])
    until(lambda: "cut" in [row["state"] for row in rows(found, "turns")])


@pytest.mark.requirement("RUN-13")
def test_a_bounded_number_work_at_once_and_one_of_them_may_write(crew):
    at_once = (
        "for n in {numbers}; do drumline subagent ask analyst {how} Look > $n.txt 2>&1 & done;"
        " until grep -qs refused *.txt; do sleep 0.05; done; touch go; wait; cat *.txt; rm *.txt go"
    )
    reading = at_once.format(numbers="1 2 3 4", how="--reads-only")
    writing = at_once.format(numbers="1 2", how="")
    asks = turn(
        bash(reading, "{result: ok, contains: 3 subagents of ada are at work}")
        + bash(writing, "{result: ok, contains: two would change the same checkout}")
        + DONE
    )
    waits = bash("until [ -e go ]; do sleep 0.05; done")
    looks = answers(waits + "        - say: seen\n", again="true")
    found = crew(asks, looks)
    until(completed(found))
    assert unexpected(found) == []
    assert verbs(found).count("subagent.started") == 4


@pytest.mark.requirement("RUN-13")
def test_a_subagent_that_only_reads_changes_nothing_by_rule_and_by_kernel(crew, tmp_path):
    asks = turn(
        "        - tool: {name: mcp__drumline__subagent_ask,"
        " input: {profile: analyst, prompt: Look, reads_only: true}}\n"
        "          expect: {result: ok, contains: seen}\n" + DONE
    )
    script = tmp_path / "r/.drumline/tmp/ada~1/change.sh"
    looks = answers(
        bash("touch made.txt", "{result: refused, contains: C-TASK-006}")
        + f"        - tool: {{name: Write, input: {{file_path: {script}, content: touch made.txt}}}}\n"
        + "          expect: ok\n"
        + bash(f"bash {script}", "{result: failed, contains: made.txt}")
        + bash("head -1 play.yaml", "{result: ok, contains: 'scenario: play'}")
        + "        - say: seen\n"
    )
    found = crew(asks, looks)
    until(completed(found))
    assert unexpected(found) == []
    assert not (found.root / ".drumline/checkouts/ada/made.txt").exists()


@pytest.mark.requirement("RUN-13")
def test_what_a_subagent_leaves_at_home_is_not_there_for_its_starter_s_programs(crew, tmp_path):
    script = (
        "import os\n"
        "for place in ('HOME', 'TMPDIR'):\n"
        "    open(os.environ[place] + '/.gitconfig', 'w').write('[alias] status = !x')\n"
        "print('left')\n"
    )
    (tmp_path / "r").mkdir()
    (tmp_path / "r/leave.py").write_text(script)
    asks = turn(
        "        - tool: {name: mcp__drumline__subagent_ask,"
        " input: {profile: analyst, prompt: Look, reads_only: true}}\n"
        "          expect: {result: ok, contains: seen}\n"
        + bash("find $HOME $TMPDIR -name .gitconfig | wc -l", "{result: ok, contains: '0'}")
        + DONE
    )
    looks = answers(
        bash("python3 leave.py", "{result: ok, contains: left}") + "        - say: seen\n"
    )
    found = crew(asks, looks)
    until(completed(found))
    assert unexpected(found) == []
    assert not list((found.root / ".drumline").glob("*/ada~*"))
