"""Teams whose members must show what they understood, for tests: a short pipeline, and what they say."""

import json
from pathlib import Path

from drumline.team import impact
from tests import goals
from tests.running import ANSWER

PIPELINE = """\
pipeline: short
description: Build, after showing that it is understood
phases:
  - {{name: build, title: Build, zone: execution, profile: {profile}, verified: true{more}}}
  - {{name: hand-over, title: Hand over, zone: after, delivers: true}}
paths:
  trivial: [build, hand-over]
  standard: [build, hand-over]
  complex: [build, hand-over]
"""
ANALYSIS = {
    "task": "Afterwards a text in the folder of parts says who made it.",
    "position": "It is the only work of this run, and delivery follows.",
    "upstream": "Nothing was made before; I use the empty repository.",
    "interfaces": "No interface changes; one new text appears below parts.",
    "effects": "Nobody reads it yet; delivery takes it to the user's branch.",
    "risks": "A name that exists would be overwritten; I look before.",
    "files": [],
    "tasks": [],
    "dependants": [],
}
PLAN = {"files": ["parts/**"], "changes": "One new text", "risk": "low", "steps": ["Write it"]}
ANSWERS = {"answers": ["The folder of parts only.", "A second writer of the same name."]}
YES = [{"point": at, "holds": "yes", "why": "read", "question": ""} for at in range(1, 11)]
NO = [{**each, "holds": "no"} for each in YES]


def pipeline(root: Path, more: str = "", profile: str = "implementer") -> None:
    """A pipeline of one's own, in the repository a team is about to have."""
    folder = root / "drumline" / "pipelines"
    folder.mkdir(parents=True)
    (folder / "short.yaml").write_text(PIPELINE.format(more=more, profile=profile))


def says(contains: str, answer: object, *steps: str, again: bool = True) -> str:
    """A turn that ends with an answer, after some steps."""
    lines = "".join(f"        - {step}\n" for step in steps)
    return f"""\
    - when: {{contains: "{contains}"}}
      again: {str(again).lower()}
      steps:
{lines}        - structured: {json.dumps(answer)}
"""


WRITES = 'tool: {name: Write, input: {file_path: "parts/early.txt", content: "x"}, expect: {%s}}'
REFUSED = WRITES % "result: refused, contains: 'submit your impact analysis'"
CHANGES = "tool: {name: Bash, input: {command: 'mkdir -p parts && touch parts/early.txt'}, expect: {result: refused}}"
LOOKS = "tool: {name: Bash, input: {command: 'ls'}, expect: {result: ok}}"

ACCEPTED = {"points": YES, "rebriefing": ""}
VERIFIES = says("Verify the member's impact analysis", ACCEPTED)
REJECTS = says(
    "Verify the member's impact analysis",
    {"points": NO, "rebriefing": "Nobody asked for a folder."},
)
TRIES = says(
    "Challenge the member's impact analysis",
    {"questions": [{"category": "FAILURE_MODE", "question": "How does it fail?"}]},
)
HEARS = says(
    "Judge the member's defence",
    {
        "answers": [{"question": at, "holds": "yes", "why": "read"} for at in (1, 2)],
        "rebriefing": "",
    },
)
APPROVES = says(
    "Approve or reject the member's plan", {"verdict": "approve", "reason": "", "guidance": ""}
)
ANYBODY = [f"T-{at}" for at in range(1, 60)]  # whoever waits for the task is among them


def understands() -> str:
    """The turns of a member of any level that shows what it understood, and plans."""
    found = ""
    for level, mark in ((1, "- `risks`"), (2, "- `interfaces`"), (3, "show that you understand")):
        said = {name: ANALYSIS[name] for name in impact.OF_LEVEL[level]}
        found += says(mark, {**said, "files": [], "tasks": [], "dependants": ANYBODY})
    return found + says("with your plan", PLAN)


LEADS = (
    goals.classifies(3, 2) + goals.plans(goals.task("1", "Make a part")) + goals.judges("approve")
)

DONE = """\
verb: [task, done, "{task}", --fence, "{fence}"]
          expect: {result: refused, contains: may not hand in}"""
SHOWS = says("show that you understand", ANALYSIS, LOOKS, REFUSED, CHANGES, DONE)
SHOWS_AGAIN = says("[IMPACT_REJECTED]", ANALYSIS)
DEFENDS = says("[CHALLENGE]", ANSWERS, REFUSED)
PLANS = says("with your plan", PLAN, REFUSED)
MAKES = (
    'tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "x"}, expect: {result: ok}}',
    'tool: {name: Bash, input: {command: "git add parts && git commit --quiet -m {task}"}, expect: {result: ok}}',
)
ENDS = ANSWER.format(files='["parts/{task}.txt"]')
ACCOUNTS = """\
    - when: {contains: "You may work now"}
      again: true
      steps:
"""
WORKS = ACCOUNTS + "".join(f"        - {step}\n" for step in MAKES) + ENDS
ACCOUNTS += ENDS
