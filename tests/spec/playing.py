"""Scenarios as tests write them, and what became of a team that played one."""

from tests.running import ANSWER

MEMBER = "scenario: play\nmembers:\n  any:\n"
COMMITS = """\
        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}\\n"}}
        - tool: {name: Bash, input: {command: "git add parts && git commit --quiet --message='{task}'"}}
"""
WAITS = '        - tool: {name: Bash, input: {command: "until [ -e go ]; do sleep 0.05; done; rm go"}}\n'
DONE = ANSWER.format(files='["parts/{task}.txt"]')


def turn(steps, when="", again=""):
    said = f"      when: {when}\n" if when else ""
    more = f"      again: {again}\n" if again else ""
    first, *rest = (said + more + "      steps:\n" + steps).split("\n")
    return "\n".join([f"    - {first.strip()}", *rest])


def play(*turns):
    return MEMBER + "".join(turns)


def completed(found, task="T-1"):
    return lambda: found.states()[task] == "completed"


def rows(found, table):
    """Every row of a table as the events tell it."""
    changes = [change for event in found.events() for change in event["changes"]]
    return [change["row"] for change in changes if change["table"] == table]
