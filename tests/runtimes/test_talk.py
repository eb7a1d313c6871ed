"""Any program that speaks the documented lines is a member like the others."""

import json
import sys

import pytest

from tests.running import team, until


@pytest.mark.requirement("RUN-04")
def test_a_command_takes_a_task_to_its_end(tmp_path, doors):
    answer = {
        "task_result": {"status": "completed", "summary": "done", "files_changed": ["hi.txt"]},
        "reflection": {"what_worked": "", "what_didnt": "", "confidence": "high"},
        "suggested_learnings": [],
        "follow_up": {"blocked_by": None, "suggested_next": None, "needs_human": False},
    }
    program = tmp_path / "program.py"
    program.write_text(
        "import json, subprocess, sys\n"
        "asked = json.loads(sys.stdin.readline())\n"
        "open('hi.txt', 'w').write(asked['member'])\n"
        "subprocess.run(['git', 'add', 'hi.txt'], check=True)\n"
        "subprocess.run(['git', 'commit', '-qm', 'hi'], check=True)\n"
        f"ended = {{'ending': 'success', 'why': '', 'text': 'done', 'answer': {answer!r}}}\n"
        "print(json.dumps({'usage': {'input': 10, 'output': 5}}))\n"
        "print(json.dumps({'ended': ended}))\n"
    )
    words = json.dumps([sys.executable, str(program)])
    member = (
        "  - {name: ada, role: Builds, runtime: command, tools: [Read, Write, Bash], owns: ['**'],"
        f" command: {words}}}\n"
    )
    with team(tmp_path / "r", doors, member) as running:
        running.run("task", "add", "Say hi")
        running.run("member", "start", "ada")
        until(lambda: running.states()["T-1"] == "completed")
        assert running.git("show", "drumline/merged:hi.txt") == "ada"
        assert running.told("member", "list")[0]["cost_usd"] > 0
